"""Turn order: the seats clockwise from one seat."""

from __future__ import annotations

from typing import Any

from pyramidion.engine.rule import rule


@rule
def seat_after(s: Any, seat: int, steps: int) -> int:
    """Return the seat `steps` places clockwise from `seat`, for 0 to `s.seats` steps."""
    # Subtracting takes a quarter of the time of a remainder.
    other = int(seat) + int(steps)
    return other if other < s.seats else other - int(s.seats)
