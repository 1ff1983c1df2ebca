"""Tests of MG 1, cards and turns: one test per rule, named after it."""

# What goes here: a test for every numbered rule in rules.md, `test_mg_1_3_...`. Use `Match.from_state` to set up
# positions that are hard to reach by playing.

from __future__ import annotations

import pytest

import pyramidion
from pyramidion import IllegalAction, Match

GAME = pyramidion.load("my-game")


def hands(match: Match) -> list[int]:
    return [match.view(seat)["players"][seat]["card"] for seat in range(match.seats)]


def dealt(cards: list[int], **options: int) -> Match:
    """Return a match with the given hands; seat 0 begins."""
    match = GAME.new(len(cards), **options)
    state = match.state_copy()
    state["first"], state["acting"] = 0, 1
    state["hand"][0, : len(cards)] = cards
    rest = [card for card in range(1, 13) if card not in cards]
    state["deck"][0, : len(rest)] = rest
    return Match.from_state(GAME, state, options=match.options)


def test_mg_1_1_everybody_has_a_card_that_nobody_else_sees():
    match = GAME.new(5, seed=1)
    assert len(set(hands(match))) == 5
    for viewer in (None, *range(5)):
        cards = [player["card"] for player in match.view(viewer)["players"]]
        assert [seat for seat in range(5) if cards[seat] is not None] == ([] if viewer is None else [viewer])
    assert {GAME.new(3, seed).acting[0] for seed in range(20)} == {0, 1, 2}


def test_mg_1_2_everybody_has_as_many_turns_as_the_table_says():
    match = dealt([3, 9, 5], turns=2)
    turns = []
    while not match.over:
        turns += match.acting
        match.play(match.acting[0], "keep")
    assert turns == [0, 1, 2, 0, 1, 2]
    assert str(dealt([3, 9]).timeout(0)) == "keep"
    with pytest.raises(IllegalAction, match="It is not your turn: seat 0 is choosing"):
        dealt([3, 9]).play(1, "keep")


def test_mg_1_3_a_card_is_swapped_once_and_nobody_else_sees_it():
    match = dealt([3, 9])
    match.play(0, "swap")
    assert hands(match)[0] not in (3, 9)
    assert "drew" in [event.name for event in match.events(0)]
    assert "drew" not in [event.name for event in match.events(1)]
    match.play(1, "keep")
    with pytest.raises(IllegalAction, match=r"You have swapped your card already. \(MG 1.3\)"):
        match.play(0, "swap")


def test_mg_1_4_the_highest_card_wins():
    match = dealt([3, 9, 5], turns=1)
    for seat in range(3):
        match.play(seat, "keep")
    assert match.outcome.winners == (1,)
    assert match.outcome.points == (3, 9, 5)
    assert match.outcome.rule == "MG 1.4"
    assert [player["card"] for player in match.view(None)["players"]] == [3, 9, 5]
