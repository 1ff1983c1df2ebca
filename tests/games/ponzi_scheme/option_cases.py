"""Moments at which the values of an option of Ponzi Scheme differ for those at the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.games.ponzi_scheme.positions import finish_round, pass_all, play, position
from tests.games.telling_options import Case, Moment


def advanced(value: Any) -> Iterator[Moment]:
    tiles = {0: {"media": 2}, 1: {"media": 1}}
    match = position(3, phase="trading", cash={0: 60, 1: 56}, tiles=tiles, advanced=value, round_limit=2)
    yield Moment("Ana may trade", match, 0)
    play(match, "buy 56" if value else "pass")
    yield Moment("Ana has bought a luxury, where she may", match, 1)
    finish_round(match)
    yield Moment("the end", match, None)


def round_limit(value: Any) -> Iterator[Moment]:
    match = position(3, phase="trading", round_number=2, cash={0: 60}, tiles={1: {"media": 1}}, round_limit=value)
    yield Moment("the second round", match, 0)
    pass_all(match)
    play(match, "remove 26")
    yield Moment("the second round is over", match, 0)
    yield Moment("the second round is over", match, None)


CASES = {
    "advanced": Case((False, True), advanced),
    "round_limit": Case((60, 2), round_limit),
}
