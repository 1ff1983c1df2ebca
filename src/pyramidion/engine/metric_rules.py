"""Rules for what the lab measures."""

from __future__ import annotations

from pyramidion.engine.rule import rule


@rule
def first_winner(s):
    """Return the winner with the lowest seat number, or -1 if nobody has won."""
    for seat in range(s.seats):
        if (int(s.winners) >> seat) & 1 == 1:
            return seat
    return -1
