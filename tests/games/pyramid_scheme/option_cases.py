"""Moments at which the values of an option of Pyramid Scheme differ for those at the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.games.pyramid_scheme.helpers.rules_goals import NO_PLACE
from tests.games.pyramid_scheme.helpers.rules_turn import STUCK
from tests.games.pyramid_scheme.positions import GAME, play, position, with_wants
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


def police_in_conditions(value: Any) -> Iterator[Moment]:
    match = position(
        hands={0: ["yellow-e"]},
        pyramids={0: {"blue-p": "founder", "police-1": "blue-p"}},
        cards=with_wants("blue-p", "[3, 1]", "reset +1"),
        police_in_conditions=value,
    )
    yield Moment("Ana's blue 5 wants a 3 and a 1, and has a Police card below it", match, 0)
    play(match, "place yellow-e blue-p")
    yield Moment("Ana has placed a 1 below it", match, 0)
    yield Moment("Ana has placed a 1 below it", match, 1)


def claim_between_flips(value: Any) -> Iterator[Moment]:
    match = position(
        goals=["five-1s", "three-reset-tokens", "five-green", "five-blue", "five-pink", "five-yellow"],
        hands={0: ["yellow-e"]},
        pyramids={0: {"blue-p": "founder", **dict.fromkeys(["green-a", "green-b", "pink-a", "pink-b"], "founder")}},
        cards=with_wants("blue-p", "[1]", "reset +1"),
        claim_between_flips=value,
    )
    yield Moment("Ana has four 1s, and a 5 that wants one", match, 0)
    play(match, "place yellow-e blue-p")
    yield Moment("Ana has placed her fifth 1 below the 5", match, 0)
    yield Moment("Ana has placed her fifth 1 below the 5", match, 1)


def free_reserved(value: Any) -> Iterator[Moment]:
    goals = ["five-1s", "three-3s", "five-green", "five-blue", "five-pink", "five-yellow"]
    match = position(
        seats=3,
        goals=goals,
        hands={0: ["pink-f"], 1: ["yellow-j", "yellow-e"]},
        pyramids={
            0: {name: under for name, under in NO_PLACE.items() if name != "pink-f"},
            1: {
                **dict.fromkeys(["green-j", "blue-j", "green-a", "green-b"], "founder"),
                "blue-a": "green-j",
                "blue-b": "green-j",
            },
        },
        cards=with_wants("green-p", "[2, 2]", "reserve goal"),
        market=["yellow-a", "yellow-b", "yellow-c"],
        free_reserved=value,
    )
    play(match, "place pink-f green-p", "flip green-p", "reserve five-1s", "take yellow-a")
    yield Moment("Ana has reserved the goal of five 1s", match, 1)
    play(match, "place yellow-j founder", "police founder")
    yield Moment("Ben has claimed another goal, and Ana has no place for her Police", match, 1)
    play(match, "place yellow-e founder")
    yield Moment("Ben has placed his fifth 1", match, 1)


CASES = {
    "start": Case(("lowest", "random"), start),
    "recycle_crumbled": Case((True, False), recycle_crumbled),
    "police_in_conditions": Case((False, True), police_in_conditions),
    "claim_between_flips": Case((False, True), claim_between_flips),
    "free_reserved": Case((False, True), free_reserved),
}
