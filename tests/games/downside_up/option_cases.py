"""Moments at which the values of an option of Downside Up differ for those at the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.games.downside_up.positions import GAME, claimed, position, submit
from tests.games.telling_options import Case, Moment

ANA, BEN, EVE, FLO, JO = 0, 1, 4, 5, 9


def garnets(value: Any) -> Iterator[Moment]:
    yield Moment("the bids", GAME.new(10, 1, garnets=value), BEN)


def priority(value: Any) -> Iterator[Moment]:
    yield Moment("the bids", GAME.new(10, 1, priority=value), BEN)


def open_priority(value: Any) -> Iterator[Moment]:
    yield Moment("the bids", GAME.new(10, 1, open_priority=value), BEN)
    yield Moment("a claim phase", position(open_priority=value), FLO)
    match = claimed("bbcefh", open_priority=value)
    yield Moment("Eve and Flo both attack Ben", match, EVE)
    yield Moment("Eve and Flo both attack Ben", match, FLO)


def all_pay(value: Any) -> Iterator[Moment]:
    match = GAME.new(10, 1, all_pay=value, priority=tuple(range(10, 0, -1)))
    yield Moment("the bids", match, JO)
    submit(match, dict.fromkeys(range(10), "bid 3"))
    yield Moment("the placement, everybody having bid 3", match, ANA)
    yield Moment("the placement, everybody having bid 3", match, JO)


def confirmations(value: Any) -> Iterator[Moment]:
    match = GAME.new(10, 1, confirmations=value)
    match.play(ANA, "confirm")
    yield Moment("the bids, when Ana has confirmed", match, BEN)


CASES = {
    "garnets": Case(((), (1, *range(2, 11))), garnets),
    "priority": Case(((), (1, *range(2, 11))), priority),
    "open_priority": Case((True, False), open_priority),
    "all_pay": Case((True, False), all_pay),
    "confirmations": Case((False, True), confirmations),
}
