"""Connections, as a busy server has them: what it is asked most goes from there and back in as few steps as can be.

An action of a program is small, complete when it begins to be handled, and answered at once; a message of an open event
stream is written to its connection without waking a task for it. What uvicorn keeps ready for uploads, slow readers and
long answers is used where it is needed. What is answered is the application's business all the same.
"""

from __future__ import annotations

import asyncio
import logging
from http import HTTPStatus
from typing import Any, Final, cast

from starlette.types import ASGIApp, Message, Scope
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LARGEST: Final = 32 * 1024
"""Bytes of a body that is kept until it is complete; a larger one is read as others are."""
PUSH: Final = "pyramidion.push"
"""The extension of ASGI by which an event stream is given its connection (`stream.Pushes`)."""
_STATUS = {one.value: b"HTTP/1.1 %d %b\r\n" % (one.value, one.phrase.encode()) for one in HTTPStatus}
log = logging.getLogger(__name__)


class JoinedWrites:
    """A transport that sends the head of an answer together with what follows it, in one packet.

    Every packet costs a call of the system and wakes the reader, which is a good part of what an action costs.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop = transport, loop
        self._head = b""

    def write(self, data: bytes) -> None:
        """Send data; the head of an answer waits for what comes next, but no longer than this turn of the loop."""
        if data.startswith(b"HTTP/1.1 ") and not self._head:
            self._head = data
            self._loop.call_soon(self._flush)
        else:
            self.write_now(data)

    def write_now(self, data: bytes) -> None:
        """Send data, after the head that may be waiting."""
        if self._head:
            data, self._head = self._head + data, b""
        self._transport.write(data)

    def _flush(self) -> None:
        if self._head and not self._transport.is_closing():
            data, self._head = self._head, b""
            self._transport.write(data)

    def close(self) -> None:
        """Send what is held, then close."""
        self._flush()
        self._transport.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class Turn:
    """A small request that is complete, and its answer, which is sent in one piece.

    To uvicorn's protocol it looks like one of its own (`RequestResponseCycle`).
    """

    def __init__(self, connection: Connection, scope: Scope) -> None:
        self._connection, self._scope = connection, scope
        self.body = bytearray()
        self.more_body = True
        self.keep_alive = True
        self.response_complete = self.disconnected = False
        self.message_event = asyncio.Event()
        self._read = False
        self._answer: list[bytes] = []

    async def run(self, app: ASGIApp) -> None:
        """Let the application answer."""
        try:
            await app(self._scope, self.receive, self.send)
        except BaseException:
            log.exception("A request could not be answered")
        if not self.response_complete and not self.disconnected:
            self._answer.clear()
            await self.send({"type": "http.response.start", "status": 500})
            await self.send({"type": "http.response.body", "body": b"Internal Server Error"})

    async def receive(self) -> Message:
        """Return the request, which is complete, and afterwards wait for its end."""
        if not self._read:
            self._read = True
            return {"type": "http.request", "body": bytes(self.body), "more_body": False}
        while not (self.disconnected or self.response_complete):
            await self.message_event.wait()
            self.message_event.clear()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        """Take a part of the answer; all of it goes out when it is complete."""
        answer = self._answer
        if message["type"] == "http.response.start":
            answer.append(_STATUS[message["status"]])
            for name, value in message.get("headers", ()):
                if b"\n" in value or b"\r" in value or b"\n" in name:
                    raise RuntimeError("A header of the answer has more than one line.")
                if name != b"content-length":
                    answer.append(b"%b: %b\r\n" % (name, value))
            answer.append(b"")
            return
        answer.append(message.get("body", b""))
        if message.get("more_body", False):
            return
        end = answer.index(b"")
        length = sum(map(len, answer)) - sum(map(len, answer[:end]))
        more = b"" if self.keep_alive else b"connection: close\r\n"
        answer[end] = b"content-length: %d\r\n%b\r\n" % (length, more)
        self.response_complete = True
        self.message_event.set()
        if not self.disconnected:
            self._connection.answered(b"".join(answer), keep_alive=self.keep_alive)


class Connection(HttpToolsProtocol):
    """uvicorn's protocol with shorter ways for actions and event streams."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._application = cast(ASGIApp, cast(Any, self).app)
        self._unanswered = 0
        self._rested = 0.0
        self._resting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Take a connection."""
        self._joined = JoinedWrites(transport, self.loop)
        super().connection_made(cast(asyncio.Transport, self._joined))

    def connection_lost(self, exc: Exception | None) -> None:
        """Take note that the connection has ended."""
        super().connection_lost(exc)
        if self._resting is not None:
            self._resting.cancel()

    def on_message_begin(self) -> None:
        """Begin to read a request."""
        self._unanswered += 1
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Take a request whose headers are complete."""
        if b"/stream" in self.url:
            cast("dict[str, Any]", self.scope)["extensions"] = {PUSH: self}
        if not self._is_small():
            super().on_headers_complete()
            return
        path = self.url.decode("ascii")
        scope = cast("dict[str, Any]", self.scope)
        scope |= {"method": "POST", "path": path, "raw_path": self.url, "query_string": b""}
        self.cycle = cast(Any, Turn(self, scope))

    def _is_small(self) -> bool:
        """Whether the request is an action of the plain form that programs and our pages send."""
        url, parser = self.url, cast(Any, self.parser)
        before: Any = self.cycle
        if not url.endswith(b"/actions") or not url.startswith(b"/api/tables/") or b"%" in url or b"?" in url:
            return False
        if before is not None and not before.response_complete:
            return False  # the one before is not answered yet
        plain = parser.get_method() == b"POST" and parser.get_http_version() == "1.1" and parser.should_keep_alive()
        if not plain or parser.should_upgrade() or self.expect_100_continue or self.root_path or not url.isascii():
            return False
        length = b""
        for name, value in self.headers:
            if name == b"content-length":
                length = value
            elif name == b"transfer-encoding":
                return False
        return length.isdigit() and len(length) < 6 and int(length) <= LARGEST

    def on_message_complete(self) -> None:
        """Take a request that is complete."""
        turn: Any = self.cycle
        if not isinstance(turn, Turn):
            super().on_message_complete()
        elif turn.more_body:
            turn.more_body = False
            task = self.loop.create_task(turn.run(self._application))
            task.add_done_callback(self.tasks.discard)
            self.tasks.add(task)

    def answered(self, answer: bytes, *, keep_alive: bool) -> None:
        """Send an answer that is complete."""
        self._joined.write_now(answer)
        if not keep_alive:
            self.transport.close()
        self.on_response_complete()

    def on_response_complete(self) -> None:
        """Go on with the next request, or wait for one."""
        self._unanswered -= 1
        if self.pipeline:
            super().on_response_complete()
            return
        self.server_state.total_requests += 1
        if self.transport.is_closing():
            return
        self.flow.resume_reading()
        # One timer for as long as the connection lasts: to set and cancel one for each answer costs more than a look.
        self._rested = self.loop.time()
        if self._resting is None:
            self._resting = self.loop.call_later(self.timeout_keep_alive, self._look)

    def _look(self) -> None:
        """Close the connection if nothing has come for as long as it may rest."""
        self._resting = None
        if self._unanswered or self.transport.is_closing():
            return  # the next answer sets the timer anew
        left = self._rested + self.timeout_keep_alive - self.loop.time()
        if left <= 0:
            self.transport.close()
        else:
            self._resting = self.loop.call_later(left, self._look)

    # An open event stream

    def can_push(self) -> bool:
        """Whether the answer is under way in pieces and its reader keeps up, so that a piece can be sent at once."""
        cycle = self.cycle
        return not self.flow.write_paused and not cycle.disconnected and _in_pieces(cycle)

    def push(self, data: bytes) -> None:
        """Send a piece of the answer."""
        self._joined.write_now(b"%x\r\n%b\r\n" % (len(data), data))


def _in_pieces(cycle: Any) -> bool:
    return not isinstance(cycle, Turn) and bool(
        cycle.response_started and cycle.chunked_encoding and not cycle.response_complete
    )
