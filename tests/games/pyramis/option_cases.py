"""Moments at which the values of an option of Pyramis differ for those at the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.games.pyramis.positions import GAME, position, showing
from tests.games.telling_options import Case, Moment


def river_left(value: Any) -> Iterator[Moment]:
    yield Moment("the opening", GAME.new(3, 1, river_left=value), None)


def fleet_cards(value: Any) -> Iterator[Moment]:
    match = position(fleets={0: {"a1": 21}, 1: {"a1": 1, "a2": 2}}, river=[22, 44, 3], fleet_cards=value)
    yield Moment("the last placement of two cards each", match, 0)
    match.play(0, "place 1 a2")
    match.play(0, "refill left")
    yield Moment("both Fleets have two cards", match, 0)
    yield Moment("both Fleets have two cards", match, None)


def rotations(value: Any) -> Iterator[Moment]:
    fleets = {0: {"a1": 17, "a2": 18}, 1: {"a1": 19}, 2: {"a1": 20}}
    match = showing(["green"], seats=3, active=1, fleets=fleets, tops=(None, 24), river=[1, 2, 43], rotations=value)
    yield Moment("a pair of green in Ben's turn", match, 0)
    yield Moment("a pair of green in Ben's turn", match, 1)
    match.play(1, "rotate a1")
    yield Moment("Ben has chosen", match, 0)
    yield Moment("Ben has chosen", match, 1)
    yield Moment("Ben has chosen", match, 2)
    match.play(2, "rotate a1")
    yield Moment("Cal has chosen, too", match, 0)
    yield Moment("Cal has chosen, too", match, 2)
    match.play(0, "rotate a2")
    yield Moment("Ana has chosen, too", match, None)


def largest_zone(value: Any) -> Iterator[Moment]:
    fleets = {0: {"a1": 21, "a2": 24, "a3": 30, "a4": 45}}
    match = position(fleets=fleets, river=[22, 44, 1], filler={1: 4}, largest_zone=value)
    yield Moment("three green cards with 2 Pyramids beside a grey one with 4", match, 0)


CASES = {
    "river_left": Case((2, 0), river_left),
    "fleet_cards": Case((10, 2), fleet_cards),
    "rotations": Case(("at-once", "in-turn"), rotations),
    "largest_zone": Case(("cards", "pyramids"), largest_zone),
}
