"""Moments at which the values of an option of Upside Down differ for those at the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.games.telling_options import Case, Moment
from tests.games.upside_down.positions import GAME, battles, claimed, position, submit

ANA, BEN, EVE, FLO, GUS, HAL, JO = 0, 1, 4, 5, 6, 7, 9
CHAIN = {JO: HAL, HAL: EVE, EVE: ANA, FLO: BEN, GUS: 2, 8: FLO}
TWO_AGAINST_ANA = {JO: HAL, HAL: GUS, 8: GUS, EVE: ANA, FLO: ANA, GUS: BEN}


def rounds(value: Any) -> Iterator[Moment]:
    match = claimed({JO: HAL}, round_number=2, rounds=value)
    yield Moment("the battles of the second round", match, JO)
    battles(match, {JO: 3})
    yield Moment("the second round is over", match, JO)
    yield Moment("the second round is over", match, None)


def garnets(value: Any) -> Iterator[Moment]:
    yield Moment("the bids", GAME.new(10, 1, garnets=value), BEN)


def priority(value: Any) -> Iterator[Moment]:
    yield Moment("the bids", GAME.new(10, 1, priority=value), BEN)


def open_priority(value: Any) -> Iterator[Moment]:
    yield Moment("a claim phase", position(open_priority=value), BEN)
    yield Moment("a claim phase", position(open_priority=value), None)


def confirmations(value: Any) -> Iterator[Moment]:
    match = GAME.new(10, 1, confirmations=value)
    match.play(ANA, "confirm")
    yield Moment("the bids, when Ana has confirmed", match, BEN)


def challenges(value: Any) -> Iterator[Moment]:
    yield Moment("a claim phase", position(challenges=value), EVE)
    match = claimed(CHAIN, challenges=value)
    yield Moment("Jo challenges Hal, who challenges Eve, who challenges Ana", match, EVE)
    yield Moment("Jo challenges Hal, who challenges Eve, who challenges Ana", match, HAL)
    submit(match)
    yield Moment("the next claim phase", match, GUS)
    yield Moment("the next claim phase", match, EVE)


def sole_highest(value: Any) -> Iterator[Moment]:
    match = claimed(TWO_AGAINST_ANA, sole_highest=value)
    yield Moment("Eve and Flo both challenge Ana", match, ANA)
    yield Moment("Eve and Flo both challenge Ana", match, EVE)
    yield Moment("Eve and Flo both challenge Ana", match, JO)
    battles(match, {ANA: 2, EVE: 4, FLO: 4})
    yield Moment("Ana has submitted 2, Eve and Flo 4 each", match, ANA)
    yield Moment("Ana has submitted 2, Eve and Flo 4 each", match, None)
    priority = (11, *range(20, 11, -1))
    match = battles(claimed(TWO_AGAINST_ANA, sole_highest=value, priority=priority), {ANA: 4, EVE: 4, FLO: 4})
    yield Moment("Ana, who has the lowest priority, Eve and Flo have submitted 4 each", match, EVE)


def candidate(value: Any) -> Iterator[Moment]:
    yield Moment("the bids", GAME.new(10, 1, candidate=value), BEN)
    match = claimed({JO: HAL}, round_number=5, tickets={JO: 9}, candidate=value)
    yield Moment("the last battle phase: Jo, first placed on J, challenges Hal", match, JO)
    yield Moment("the last battle phase: Jo, first placed on J, challenges Hal", match, HAL)
    battles(match, {JO: 3})
    yield Moment("Jo has won and stands on H, Hal on J", match, HAL)
    while not match.over:
        match.play(match.acting[0], match.timeout(match.acting[0]))
    yield Moment("the end", match, JO)
    yield Moment("the end", match, HAL)


CASES = {
    "rounds": Case((5, 2), rounds),
    "garnets": Case(((), (1, *range(2, 11))), garnets),
    "priority": Case(((), (1, *range(2, 11))), priority),
    "open_priority": Case((False, True), open_priority),
    "confirmations": Case((False, True), confirmations),
    "challenges": Case(("as-written", "bottom-up"), challenges),
    "sole_highest": Case((False, True), sole_highest),
    "candidate": Case(("last-pyramid", "first-pyramid"), candidate),
}
