"""Helpers of the tests in `test_rules_goals.py`, which other tests use, too."""

from __future__ import annotations

from tests.games.pyramid_scheme.positions import (
    play,
    position,
)

NO_PLACE = {
    "green-p": "founder", "blue-o": "founder", "blue-f": "green-p", "pink-f": "green-p", "pink-g": "blue-o",
    "yellow-g": "blue-o",
}  # fmt: skip
"""The Founder has 2 of 12 left, and no card below it more."""


def double(seats=4, turn=0, **more):
    """Seat `turn` claims two goals by placing yellow-e below the Founder."""
    tree = dict.fromkeys(["green-a", "green-b", "yellow-a", "yellow-b", "yellow-c", "yellow-d"], "founder")
    goals = ["five-1s", "five-yellow", "five-green", "five-blue", "five-pink", "smart-same-number"]
    table = position(
        seats=seats,
        turn=turn,
        goals=goals,
        hands={turn: ["yellow-e"]},
        pyramids={turn: tree, **more.pop("others", {})},
        market=["green-m", "blue-m", "pink-m"],
        top="green-n",
        **more,
    )
    return play(table, "place yellow-e founder")
