"""The viewers of a table: their open event streams, and who is present."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Collection

from pyramidion.web.db.store import now
from pyramidion.web.table.seats.seating import Seating
from pyramidion.web.table.views.channels import Channel

PRESENCE_DELAY = 1.0


class Viewers:
    """Keeps the open event streams of all who play or watch at a table, and notes who is present.

    Attributes:
        channels: the open event streams by viewer.
        people: a number that changes whenever something about the players does.
    """

    def __init__(self, seating: Seating, forget_texts: Callable[[], None]) -> None:
        """`forget_texts` drops the table's cached texts, which contain the players' names."""
        self._seating, self._forget_texts = seating, forget_texts
        self.channels: dict[int | None, Channel] = {}
        # Starts at a new value after a restart, so that pages from before are sent the current players.
        self.people = now() % 10**9
        self._presence: asyncio.TimerHandle | None = None

    def channel(self, viewer: int | None, version: int) -> Channel:
        """Return a viewer's channel, created at this version if there is none."""
        if (channel := self.channels.get(viewer)) is None:
            channel = self.channels[viewer] = Channel(version)
        return channel

    def leave(self, viewer: int | None) -> None:
        """Drop a viewer's channel once its last stream has been closed."""
        self.channels.pop(viewer, None)
        if not self.channels:
            self._forget_texts()

    def people_changed(self) -> None:
        """Update all viewers after a change of players, and end the streams of those who lost their seats."""
        self._forget_texts()
        self.people += 1
        self.end_streams()
        for channel in self.channels.values():
            channel.wake()

    def whisper(self, holders: Collection[str], what: str) -> None:
        """Announce news of the kind `what` to the streams of these visitors only, whichever seats they look from."""
        for channel in self.channels.values():
            for stream in channel.streams:
                if stream.holder in holders:
                    stream.announce(what)

    def end_streams(self) -> None:
        """End the streams of players who no longer hold their seats, without telling anybody else."""
        for viewer, channel in self.channels.items():
            for stream in list(channel.streams) if viewer is not None else ():
                if not stream.allowed():
                    stream.close()

    def presence_changed(self) -> None:
        """Record that a stream was opened or closed; viewers learn of it a little later, because a reload does both."""
        if self._presence is None:
            self._presence = asyncio.get_running_loop().call_later(PRESENCE_DELAY, self._tell_presence)

    def _tell_presence(self) -> None:
        """Update which players are present, and tell all viewers if that has changed."""
        self._presence = None
        changed = False
        here = {stream.holder for channel in self.channels.values() for stream in channel.streams}
        rows = self._seating.rows
        shared = Counter(row.holder for row in rows)
        for seat, row in zip(self._seating.seats, rows, strict=True):
            channel = self.channels.get(seat.number)
            present = seat.kind == "bot" or bool(channel and channel.streams)
            # Players who share a screen are all present, whichever of their seats is open.
            present |= row.holder is not None and shared[row.holder] > 1 and row.holder in here
            changed |= present != seat.present
            seat.present = present
        if changed:
            self.people_changed()
