"""Live updates: one event stream (SSE) for each open page or program, each for one viewer of one table.

A stream is woken when its viewer's position or the people at the table have changed, and then makes one message that
leads from what it last sent to the newest. While a slow reader takes its time nothing piles up for it: the next message
covers all that happened meanwhile. Streams of the same viewer (spectators) share the messages they have in common.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from contextvars import copy_context
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from starlette.types import Receive, Send

from pyramidion.web import wire
from pyramidion.web.render import render_fragment
from pyramidion.words import language

if TYPE_CHECKING:
    from pyramidion.web.table import Table

HEARTBEAT = b": still here\n\n"
RETRY = b"retry: 1000\n\n"
HEARD = b"event: chat\ndata: {}\n\n"
STIRRED = -2
"""In the place of the people that a stream has shown: it is to tell them once more."""
log = logging.getLogger(__name__)


class Channel:
    """The open streams of one viewer of one table, and the messages last made for them."""

    def __init__(self, version: int) -> None:
        self.version = version
        self.streams: set[Stream] = set()
        self.made: dict[Any, Any] = {}

    def wake(self) -> None:
        """Let the streams look at what is new."""
        self.made.clear()
        for stream in self.streams:
            stream.wake()

    def hear(self) -> None:
        """Let the streams tell that there is something new in the chat for their viewer, and not what."""
        for stream in self.streams:
            stream.hear()

    def stir(self) -> None:
        """Let the streams tell how things stand, though the position is the same: the clock, one's own submission."""
        for stream in self.streams:
            stream.place.people = STIRRED
        self.wake()


@dataclass(slots=True)
class Place:
    """How far a stream has come: the version and the people it has shown, and to programs how many events."""

    version: int = -1
    people: int = -1
    told: int = -1

    @staticmethod
    def parse(text: str | None) -> Place:
        """Return the place that a `Last-Event-ID` or `since` means, `12.345.6` or `12`; else the beginning."""
        version, *more = (text or "").strip().split(".", 2)
        if not (version.isascii() and version.isdigit() and len(version) < 10):
            return Place()
        counts = [int(one) if one.isascii() and one.isdigit() and len(one) < 12 else -1 for one in (*more, "", "")]
        return Place(int(version), counts[0], counts[1])


class Pushes(Protocol):
    """A connection that takes a piece of an open answer at once, without a task that waits for it."""

    def can_push(self) -> bool:
        """Whether the reader keeps up; where not, a task waits for it as for any other."""
        ...

    def push(self, data: bytes) -> None:
        """Send a piece."""
        ...


class Stream:
    """One viewer's open stream; `make` returns the message that leads from `place` to the newest position."""

    def __init__(self, table: Table, viewer: int | None, place: Place) -> None:
        self.table, self.viewer, self.place = table, viewer, place
        self.closed = False
        self.holder: str | None = None
        self.allowed: Callable[[], bool] = lambda: True
        """Whether whoever reads this still holds the seat that it shows."""
        self._due = True
        self._beat = self._heard = False
        self._waiter: asyncio.Future[None] | None = None
        self._connection: Pushes | None = None
        self._pushing = False
        # Messages are made in the language of the request, whoever's action they tell of.
        self._context = copy_context()

    def through(self, connection: Pushes | None) -> None:
        """Let messages go straight to a connection while its reader keeps up."""
        self._connection = connection

    def wake(self) -> None:
        """Note that something may be new."""
        self._due = True
        if self._connection is None or self._waiter is None:
            self._nudge()
        elif not self._pushing:
            # All that comes in this turn of the loop goes in one message, and the answers to actions go first.
            self._pushing = True
            self._waiter.get_loop().call_soon(self._push, context=self._context)

    def _push(self) -> None:
        """Send what is new, if nobody is about to and the reader keeps up."""
        self._pushing = False
        connection, waiter = self._connection, self._waiter
        if connection is None or waiter is None or waiter.done() or self.closed or not self._due:
            return
        if not connection.can_push():
            self._nudge()
            return
        self._due = False
        try:
            if message := self.make():
                self._beat = False
                connection.push(message)
        except Exception as error:
            waiter.set_exception(error)

    def beat(self) -> None:
        """Send a sign of life if the stream is idle, so that proxies keep it open and a dead reader is noticed."""
        self._beat = True
        self._nudge()

    def hear(self) -> None:
        """Say that the chat has something new."""
        self._heard = True
        self._nudge()

    def close(self) -> None:
        """End the stream."""
        self.closed = True
        self._nudge()

    def _nudge(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def next(self) -> bytes | None:
        """Wait for the next bytes to send; None when the stream has ended."""
        while not self.closed:
            if self._heard:
                self._heard = False
                return HEARD
            if self._due:
                self._due = False
                if message := self.make():
                    self._beat = False
                    return message
            if self._beat:
                self._beat = False
                return HEARTBEAT
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        return None

    def make(self) -> bytes | None:
        """Return the message that leads to the newest position and move on, or None where there is nothing new."""
        raise NotImplementedError

    def shared(self, key: Any, make: Callable[[], Any]) -> Any:
        """Return what `make` makes, or what a stream of the same viewer has just made under the same key."""
        made, key = self.table.channels[self.viewer].made, (language(), key)
        if (message := made.get(key)) is None:
            message = made[key] = make()
        return message


class PageStream(Stream):
    """The table as HTML. Only the newest position matters, so whatever lies between is left out."""

    def make(self) -> bytes | None:
        """Return the newest position, or what has changed about the people there."""
        table, viewer = self.table, self.viewer
        newest = Place(table.channels[viewer].version, table.people)
        # A page that knows only its version has just been made; it hears of the people when they change.
        if newest.version == self.place.version and self.place.people in (newest.people, -1):
            self.place = newest
            return None
        self.place = newest
        return self.shared("page", self._message)

    def _message(self) -> bytes:
        snapshot = self.table.snapshot(self.viewer)
        data = json.dumps({"version": snapshot.version, "html": render_fragment(snapshot)}, ensure_ascii=False)
        return f"id: {snapshot.stream_id}\nevent: table\ndata: {data}\n\n".encode()


class ProgramStream(Stream):
    """The table as JSON: every event in order, whose decision is due, and for a due seat what it may do."""

    def __init__(self, table: Table, viewer: int | None, place: Place) -> None:
        super().__init__(table, viewer, place)
        # Of the viewer's own events it knows those up to its version; a version from elsewhere means the beginning.
        known, told = place.version if place.version <= table.version(viewer) else -1, table.told(viewer)
        self._told = sum(one[0] <= known for one in told) if known >= 0 else 0
        if known >= 0 and 0 <= place.told <= len(told):
            self._told = place.told
        self.place = Place()

    def make(self) -> bytes | None:
        """Return what has happened since, and who has sat down or come back."""
        newest, place = Place(self.table.channels[self.viewer].version, self.table.people), self.place
        if newest == place:
            return None
        self.place = newest
        if newest.version == place.version and not self.table.told(self.viewer, self._told):
            return self.shared(("people", self._told), self._people)
        since, people_too = self._told, newest.people != place.people
        message, self._told = self.shared((since, people_too), lambda: self._news(since, people_too))
        return message

    def _people(self) -> bytes:
        data = wire.encode({"seats": wire.seats(self.table)} | wire.standing(self.table, self.viewer))
        place = self.place
        return b"id: %d.%d.%d\nevent: people\ndata: %b\n\n" % (place.version, place.people, self._told, data)

    def _news(self, since: int, people_too: bool) -> tuple[bytes, int]:
        place = self.place
        data, told = wire.news(self.table, self.viewer, place.version, since, people=people_too)
        return b"id: %d.%d.%d\nevent: table\ndata: %b\n\n" % (place.version, place.people, told, data), told


class Streams:
    """All open streams of the server."""

    def __init__(self, heartbeat: float) -> None:
        self._heartbeat = heartbeat
        self._all: set[Stream] = set()
        self._ticker: asyncio.Task[None] | None = None
        self._closed = False

    def start(self) -> None:
        """Begin to send signs of life."""
        self._ticker = asyncio.create_task(self._tick())

    def close(self) -> None:
        """End all streams, so that the server can stop; browsers come back by themselves when it is up again."""
        self._closed = True
        if self._ticker is not None:
            self._ticker.cancel()
        for stream in list(self._all):
            stream.close()

    @property
    def count(self) -> int:
        """How many streams are open."""
        return len(self._all)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(self._heartbeat)
            for stream in self._all:
                stream.beat()

    async def serve(self, stream: Stream, receive: Receive, send: Send, connection: Pushes | None = None) -> None:
        """Answer a request with an event stream until either side ends it."""
        stream.through(connection)
        table, viewer = stream.table, stream.viewer
        channel = table.channels.get(viewer)
        if channel is None:
            channel = table.channels[viewer] = Channel(table.version(viewer))
        channel.streams.add(stream)
        self._all.add(stream)
        table.presence_changed()
        gone = asyncio.create_task(_until_gone(stream, receive))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
            await send({"type": "http.response.body", "body": RETRY, "more_body": True})
            if self._closed:
                stream.close()
            while (message := await stream.next()) is not None:
                # Waits while the reader is slow: at most one message lies in this process's hands for it.
                await send({"type": "http.response.body", "body": message, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            gone.cancel()
            self._all.discard(stream)
            channel.streams.discard(stream)
            if not channel.streams:
                table.channels.pop(viewer, None)
            table.presence_changed()


HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]


async def _until_gone(stream: Stream, receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.close()


__all__ = ["Channel", "PageStream", "Place", "ProgramStream", "Stream", "Streams"]
