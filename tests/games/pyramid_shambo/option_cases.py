"""Moments at which the values of an option of Pyramid-Sham-Bo differ for those at the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.games.pyramid_shambo.positions import GAME, play, position, tie, win
from tests.games.telling_options import Case, Moment


def pyramids(value: Any) -> Iterator[Moment]:
    match = GAME.new(3, 1, pyramids=value)
    yield Moment("the opening", match, match.acting[0])
    yield Moment("the opening", match, None)


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


def double_bonus(value: Any) -> Iterator[Moment]:
    match = position(3, {0: "a1 a2 a3 b2", 1: "c1", 2: "*"}, double_bonus=value)
    yield Moment("Ana can knock Ben out, which leaves two", match, 0)
    win(match, 1)
    yield Moment("Ana has knocked Ben out", match, 0)
    yield Moment("Ana has knocked Ben out", match, 2)


def cascade_ends_bonuses(value: Any) -> Iterator[Moment]:
    match = position(4, {0: "a1 a2 a3", 1: "c1", 2: "b1 b3", 3: "*"}, cascade_ends_bonuses=value)
    win(match, 1)
    yield Moment("Ana has knocked Ben out, and Cal with him, who held the last B pieces", match, 0)
    yield Moment("Ana has knocked Ben out, and Cal with him, who held the last B pieces", match, 3)


def call(value: Any) -> Iterator[Moment]:
    yield Moment("Ana has challenged Ben", play(position(3, call=value), "challenge 1"), 0)


CASES = {
    "pyramids": Case((3, 1), pyramids),
    "tie_limit": Case((20, 2), tie_limit),
    "turn_limit": Case((1000, 4), turn_limit),
    "double_bonus": Case((False, True), double_bonus),
    "cascade_ends_bonuses": Case((False, True), cascade_ends_bonuses),
    "call": Case(("1-2-3", "1-2-3-go"), call),
}
