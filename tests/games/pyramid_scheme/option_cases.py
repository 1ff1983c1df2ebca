"""Moments at which the values of an option of Pyramid Scheme differ for those at the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.games.pyramid_scheme.positions import GAME, play, position
from tests.games.pyramid_scheme.test_rules_turn import STUCK
from tests.games.telling_options import Case, Moment


def start(value: Any) -> Iterator[Moment]:
    yield Moment("the opening of a deal in which chance starts with somebody else", GAME.new(3, 2, start=value), None)


def recycle_crumbled(value: Any) -> Iterator[Moment]:
    hands = {0: ["green-k", "blue-k", "pink-k"]}
    match = position(seats=3, turn=2, hands=hands, pyramids={0: STUCK}, recycle_crumbled=value)
    yield Moment("Ana has a full hand and no open space", match, 2)
    play(match, "take yellow-a", "take yellow-b")
    yield Moment("Ana is out", match, 0)
    yield Moment("Ana is out", match, 1)


CASES = {
    "start": Case(("lowest", "random"), start),
    "recycle_crumbled": Case((True, False), recycle_crumbled),
}
