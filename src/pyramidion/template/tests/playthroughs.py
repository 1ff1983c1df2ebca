"""The golden games of My Game, and a text rendering of its board."""

# What goes here: PLAYTHROUGHS, the games that `python -m tests.playthroughs` plays and records, so that rule changes
# show up as a diff; BOARD_AFTER, the event after which the board is recorded; `board`, which renders it.

from __future__ import annotations

from tests.playthroughs.telling import Playthrough

from pyramidion import Match

GAME = "my-game"
BOARD_AFTER = "swapped"
PLAYTHROUGHS = [Playthrough(f"{GAME}-3-seats", GAME, 3, "three", "three seats, two turns each")]


def board(match: Match) -> list[str]:
    """Return the board as lines of text: the card of each seat."""
    return [f"seat {seat}: {match.view(seat)['players'][seat]['card']}" for seat in range(match.seats)]
