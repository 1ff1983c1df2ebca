"""Moments at which the values of an option of Pyramid-Sham-Bo differ for those at the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.games.pyramid_shambo.positions import play, position, tie, win
from tests.games.telling_options import Case, Moment


def tie_limit(value: Any) -> Iterator[Moment]:
    match = tie(play(position(3, tie_limit=value), "challenge 1"))
    yield Moment("Ana has challenged Ben, and they have tied once", match, 0)
    tie(match)
    yield Moment("they have tied twice", match, 0)
    yield Moment("they have tied twice", match, 2)


def turn_limit(value: Any) -> Iterator[Moment]:
    match = position(3, turn_limit=value)
    yield Moment("the fourth challenge", match, 0)
    play(win(match, 1), "pay b1")
    yield Moment("Ana has won it, and Ben has paid", match, 0)
    yield Moment("Ana has won it, and Ben has paid", match, None)


def call(value: Any) -> Iterator[Moment]:
    yield Moment("Ana has challenged Ben", play(position(3, call=value), "challenge 1"), 0)


CASES = {
    "tie_limit": Case((20, 2), tie_limit),
    "turn_limit": Case((1000, 4), turn_limit),
    "call": Case(("1-2-3", "1-2-3-go"), call),
}
