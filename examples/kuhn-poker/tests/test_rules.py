"""KP 1: hands and bets. One test per rule, named after the rule."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

import pyramidion
from pyramidion import IllegalAction, Match

GAME = pyramidion.load("kuhn-poker")
JACK, QUEEN, KING = 1, 2, 3


def dealt(*cards: int, hands: int = 10) -> Match:
    """Return a match at its first hand: seat 0 to act, with the given cards dealt."""
    match = GAME.new(2, hands=hands)
    state = match.state_copy()
    state["first"], state["acting"], state["card"][0] = 0, 1, cards
    return Match.from_state(GAME, state, options=match.options)


def play(match: Match, *actions: str) -> Match:
    for action in actions:
        match.play(match.acting[0], action)
    return match


def chips(match: Match) -> list[int]:
    return [player["chips"] for player in match.view(None)["players"]]


def test_kp_1_1_chance_chooses_who_begins_and_then_it_alternates():
    assert {GAME.new(seed=seed).acting for seed in range(20)} == {(0,), (1,)}
    match = dealt(KING, QUEEN)
    play(match, "bet", "fold")
    assert match.acting == (1,)
    play(match, "bet", "fold")
    assert match.acting == (0,)


def test_kp_1_2_nobody_sees_the_other_card():
    match = GAME.new(seed=3)
    for viewer in (None, 0, 1):
        cards = [player["card"] for player in match.view(viewer)["players"]]
        assert [card is not None for card in cards] == [viewer == 0, viewer == 1]
    assert match.view(None)["pot"] == 2
    deals = {tuple(GAME.new(seed=seed).state_copy()["card"][0].tolist()) for seed in range(100)}
    assert deals == set(permutations((JACK, QUEEN, KING), 2))


def test_kp_1_3_check_or_bet_and_two_checks_show_the_cards():
    match = dealt(KING, QUEEN)
    with pytest.raises(IllegalAction, match=r"There is no bet: check, or bet. \(KP 1.3\)"):
        match.play(0, "call")
    with pytest.raises(IllegalAction, match="It is not your turn: seat 0 is to act"):
        match.play(1, "check")
    play(match, "check", "check")
    assert match.view(None)["shown"] == ["king", "queen"]
    assert chips(match) == [1, -1]


def test_kp_1_4_a_bet_is_called_or_folded():
    match = play(dealt(JACK, QUEEN), "check", "bet")
    assert match.acting == (0,)
    with pytest.raises(IllegalAction, match=r"There is a bet: call it or fold. \(KP 1.4\)"):
        match.play(0, "check")
    assert str(match.timeout(0)) == "fold"
    play(match, "fold")
    assert chips(match) == [-1, 1]
    assert match.view(None)["shown"] is None
    assert str(dealt(JACK, QUEEN).timeout(0)) == "check"


def test_kp_1_5_the_higher_card_wins_the_others_stake():
    assert chips(play(dealt(JACK, QUEEN), "bet", "call")) == [-2, 2]
    assert chips(play(dealt(KING, QUEEN), "check", "bet", "call")) == [2, -2]


def test_kp_1_6_the_most_chips_win_after_the_last_hand():
    match = play(dealt(KING, QUEEN, hands=1), "bet", "call")
    assert match.outcome.winners == (0,)
    assert match.outcome.payoffs == (2, -2)
    match = play(dealt(KING, QUEEN, hands=2), "bet", "fold", "bet", "fold")
    assert match.outcome.payoffs == (0, 0)
    assert match.outcome.winners == (0, 1)
    assert match.outcome.rule == "KP 1.6"


def test_the_policy_is_the_equilibrium_that_costs_the_first_player_an_eighteenth_of_a_chip():
    def worth(match: Match) -> Fraction:
        """Return seat 0's expected gain in this hand from here."""
        if match.over:
            return Fraction(match.outcome.points[0])
        seat, ids, weights = match.acting[0], np.zeros(4, np.int32), np.zeros(4)
        count = GAME.compiled.policy(match.box, match.redacted_state(seat), seat, ids, weights)
        shares = [Fraction(weight).limit_denominator(100) for weight in weights[:count]]
        assert sum(shares) == 1
        total = Fraction(0)
        for action, share in zip(ids[:count].tolist(), shares, strict=True):
            after = match.at(match.ply)
            after.play(seat, action)
            total += share * worth(after)
        return total

    deals = list(permutations((JACK, QUEEN, KING), 2))
    assert sum(worth(dealt(*cards, hands=1)) for cards in deals) / len(deals) == Fraction(-1, 18)
