"""Seats that exist: what a match and a seat's view of it have in common."""

from __future__ import annotations

from typing import Protocol


class Seated(Protocol):
    """What has seats: a match, or a seat's view of it."""

    @property
    def seats(self) -> int:
        """The number of seats."""
        ...

    def require_seat(self, seat: int) -> None:
        """Raise ValueError for a seat that does not exist."""
        ...


def require_seat(seat: int, seats: int) -> None:
    """Raise ValueError if a match with `seats` seats has no seat `seat`."""
    if not hasattr(seat, "__index__"):
        raise ValueError(f"A seat is a whole number, not {seat!r:.40}.")
    if not 0 <= seat < seats:
        raise ValueError(f"There is no seat {seat}; this match has seats 0 to {seats - 1}.")
