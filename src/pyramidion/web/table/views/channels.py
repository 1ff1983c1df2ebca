"""Channels: the open event streams of one viewer of one table."""

from __future__ import annotations

from typing import Any

STATUS_CHANGED = -2
"""Replaces a stream's people number to make it send the people and the table's status again."""


class Channel:
    """Wakes the open streams of one viewer of one table, and keeps their latest messages."""

    def __init__(self, version: int) -> None:
        self.version = version
        self.streams: set[Any] = set()
        self.made: dict[Any, Any] = {}

    def wake(self) -> None:
        """Drop the messages made so far and wake the streams, which then send what is new."""
        self.made.clear()
        for stream in self.streams:
            stream.wake()

    def announce(self) -> None:
        """Have the streams announce that there is a new chat message for their viewer, without its contents."""
        for stream in self.streams:
            stream.announce()

    def resend_status(self) -> None:
        """Have the streams send the table's status, although the position is unchanged (clock, own submission)."""
        for stream in self.streams:
            stream.place.people = STATUS_CHANGED
        self.wake()
