"""Event streams (SSE): one for each open page or program, for one viewer of one table.

A stream is woken when its viewer's position or the players have changed. It then builds one message that leads from the
last one it sent to the current position. Nothing piles up for a slow reader: the next message covers everything since.
Streams of the same viewer, such as spectators, share messages.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from starlette.types import Receive, Send

from pyramidion.translation import language
from pyramidion.web.http.forms import parse_number
from pyramidion.web.play.panels import fragment_of
from pyramidion.web.table.snapshots import json_encoder as wire
from pyramidion.web.table.snapshots.snapshot import snapshot_of

if TYPE_CHECKING:
    from pyramidion.web.table.table import Table

HEARTBEAT = b": still here\n\n"
RETRY = b"retry: 1000\n\n"
ANNOUNCEMENT = "event: {}\ndata: {{}}\n\n"
log = logging.getLogger(__name__)


@dataclass(slots=True)
class StreamPosition:
    """What a stream's reader has received so far: version, players' version and, for programs, the number of events.

    -1 stands for nothing.
    """

    version: int = -1
    people: int = -1
    events: int = -1

    @staticmethod
    def parse(text: str | None) -> StreamPosition:
        """Parse a `Last-Event-ID` or `since`, such as `12.345.6` or `12`; an invalid one means nothing received yet."""
        version, *more = (text or "").strip().split(".", 2)
        number = parse_number(version)
        if number is None:
            return StreamPosition()
        people, events = ([parse_number(count, 11) for count in more] + [None, None])[:2]
        return StreamPosition(number, -1 if people is None else people, -1 if events is None else events)


class Stream:
    """One reader's open event stream of a table: waits for news and gives the next message to send.

    A subclass makes the messages: `make` returns the one that leads from `place`, what the reader has received, to the
    current position.
    """

    def __init__(self, table: Table, viewer: int | None, place: StreamPosition) -> None:
        self.table, self.viewer, self.place = table, viewer, place
        self.closed = False
        self.holder: str | None = None
        self.allowed: Callable[[], bool] = lambda: True
        """Returns whether the reader still holds the seat that the stream shows."""
        self._due = True
        self._beat = False
        self._announced = dict[str, None]()
        self._waiter: asyncio.Future[None] | None = None

    def wake(self) -> None:
        """Signal that the table has changed, so that there may be a message to send."""
        self._due = True
        self._nudge()

    def beat(self) -> None:
        """Send a keep-alive if there is no message, so that proxies keep the stream and lost readers are noticed."""
        self._beat = True
        self._nudge()

    def announce(self, what: str = "chat") -> None:
        """Announce to the reader that there is something new to fetch, by default in the chat."""
        self._announced[what] = None
        self._nudge()

    def close(self) -> None:
        """End the stream after the current message."""
        self.closed = True
        self._nudge()

    def _nudge(self) -> None:
        """Let `next` look again for something to send."""
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def next(self) -> bytes | None:
        """Wait for something to send and return its bytes, or None once the stream has ended."""
        while not self.closed:
            if self._announced:
                what = next(iter(self._announced))
                del self._announced[what]
                return ANNOUNCEMENT.format(what).encode()
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
        """Return the message that leads from `place` to the current position, or None; advance `place`."""
        raise NotImplementedError

    def shared(self, key: Any, make: Callable[[], Any]) -> Any:
        """Return what `make` makes for a key; streams of the same viewer and language share the result."""
        made, key = self.table.viewers.channels[self.viewer].made, (language(), key)
        if (message := made.get(key)) is None:
            message = made[key] = make()
        return message


class PageStream(Stream):
    """The stream of a browser's page: the table as HTML, of which only the latest position is sent."""

    def make(self) -> bytes | None:
        """Return the message with the table as HTML if the position or the players have changed, else None."""
        table, viewer = self.table, self.viewer
        newest = StreamPosition(table.viewers.channels[viewer].version, table.viewers.people)
        # A page that sends only its version has just been rendered, with the current players.
        if newest.version == self.place.version and self.place.people in (newest.people, -1):
            self.place = newest
            return None
        self.place = newest
        return self.shared("page", self._message)

    def _message(self) -> bytes:
        """Return the message with the current position as HTML."""
        snapshot = snapshot_of(self.table, self.viewer, reader=self.viewer)
        message: dict[str, Any] = {"version": snapshot.version, "html": fragment_of(snapshot)}
        if (counting := self.table.broadcast.counting) is not None:
            message["reveal"] = counting
        data = json.dumps(message, ensure_ascii=False)
        return f"id: {snapshot.stream_id}\nevent: table\ndata: {data}\n\n".encode()


class ProgramStream(Stream):
    """The stream of a program: as JSON all events in order, the seats to act, and the seat's legal actions."""

    def __init__(self, table: Table, viewer: int | None, place: StreamPosition) -> None:
        super().__init__(table, viewer, place)
        # The reader knows the viewer's events up to its version; an unknown version starts from the beginning.
        version = place.version if place.version <= table.version(viewer) else -1
        entries = table.log_entries(viewer)
        self._sent = sum(entry[0] <= version for entry in entries) if version >= 0 else 0
        if version >= 0 and 0 <= place.events <= len(entries):
            self._sent = place.events
        self.place = StreamPosition()

    def make(self) -> bytes | None:
        """Return the message with the events since the last one, or with a change of players; None without news."""
        newest, place = (
            StreamPosition(self.table.viewers.channels[self.viewer].version, self.table.viewers.people),
            self.place,
        )
        if newest == place:
            return None
        self.place = newest
        if newest.version == place.version and not self.table.log_entries(self.viewer, self._sent):
            return self.shared(("people", self._sent), self._people)
        since, people_too = self._sent, newest.people != place.people
        message, self._sent = self.shared((since, people_too), lambda: self._news(since, people_too))
        return message

    def _people(self) -> bytes:
        """Return the message with the current players and the table's status."""
        data = wire.encode({"seats": wire.seats(self.table)} | wire.status_of(self.table, self.viewer))
        place = self.place
        return b"id: %d.%d.%d\nevent: people\ndata: %b\n\n" % (place.version, place.people, self._sent, data)

    def _news(self, since: int, people_too: bool) -> tuple[bytes, int]:
        """Return the message with the events from number `since` on, and how many events the reader then has."""
        place = self.place
        data, sent = wire.news(self.table, self.viewer, place.version, since, people=people_too)
        return b"id: %d.%d.%d\nevent: table\ndata: %b\n\n" % (place.version, place.people, sent, data), sent


class Streams:
    """Serves the open event streams of this server, and sends keep-alives to them."""

    def __init__(self, heartbeat: float) -> None:
        self._heartbeat = heartbeat
        self._all: set[Stream] = set()
        self._ticker: asyncio.Task[None] | None = None
        self._closed = False

    def start(self) -> None:
        """Start sending keep-alives."""
        self._ticker = asyncio.create_task(self._tick())

    def close(self) -> None:
        """End all streams, so that the server can stop; browsers reconnect when it is back."""
        self._closed = True
        if self._ticker is not None:
            self._ticker.cancel()
        for stream in list(self._all):
            stream.close()

    @property
    def count(self) -> int:
        """The number of open streams."""
        return len(self._all)

    async def _tick(self) -> None:
        """Send keep-alives at regular intervals."""
        while True:
            await asyncio.sleep(self._heartbeat)
            for stream in self._all:
                stream.beat()

    async def serve(self, stream: Stream, receive: Receive, send: Send) -> None:
        """Serve an event stream until the server or the client closes it."""
        table, viewer = stream.table, stream.viewer
        channel = table.viewers.channel(viewer, table.version(viewer))
        channel.streams.add(stream)
        self._all.add(stream)
        table.viewers.presence_changed()
        gone = asyncio.create_task(_until_gone(stream, receive))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
            await send({"type": "http.response.body", "body": RETRY, "more_body": True})
            if self._closed:
                stream.close()
            while (message := await stream.next()) is not None:
                # This waits for a slow reader, so at most one message is buffered for it.
                await send({"type": "http.response.body", "body": message, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            gone.cancel()
            self._all.discard(stream)
            channel.streams.discard(stream)
            if not channel.streams:
                table.viewers.leave(viewer)
            table.viewers.presence_changed()


HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]


async def _until_gone(stream: Stream, receive: Receive) -> None:
    """Wait until the client disconnects, and close its stream."""
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.close()


__all__ = ["PageStream", "ProgramStream", "Stream", "StreamPosition", "Streams"]
