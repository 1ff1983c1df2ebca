"""Advice in words: honest about noise, at every kind of decision of every game."""

import re

import pytest

import pyramidion
from pyramidion import bots
from pyramidion.bots import Choice, Thought
from pyramidion.bots.verdict import advice, standard_error, too_close
from pyramidion.engine import registry
from pyramidion.words import speaking

LABELS = {1: "Sell", 2: "Counter", 3: "Pass"}


def thought(*choices, mixed=False):
    """A thought about (action, visits, value) of seat 0 of 2."""
    total = sum(visits for _, visits, _ in choices)
    made = tuple(Choice(action, visits, visits / total, (value, 1 - value)) for action, visits, value in choices)
    return Thought(choices[0][0], 0, made, (0.5, 0.5), mixed, total, 0.1, 1, 10, False)


def said(*choices, **more):
    return re.sub("[\u00a0\u202f]", " ", advice(thought(*choices, **more), LABELS.__getitem__).sentence)


def test_a_clear_case():
    assert said((1, 9000, 0.62), (2, 900, 0.55)) == "Sell: 62 % to win; Counter: 55 % (9,900 simulated games)."


def test_what_was_hardly_tried_is_not_compared():
    assert "Counter" not in said((1, 9000, 0.62), (2, 29, 0.9))
    assert said((1, 9000, 0.62), (2, 9, 0.9)).startswith(
        "Sell: 62 % to win; nothing else was tried often enough to compare"
    )


def test_what_is_within_the_noise_is_too_close_to_call():
    told = advice(thought((1, 2000, 0.50), (2, 200, 0.48), (3, 900, 0.2)), LABELS.__getitem__)
    assert told.close
    assert told.sentence.startswith("Too close to call. Sell: ")
    assert "Pass" not in told.sentence
    # Nor is it claimed that the first is better where another seems to be.
    assert said((1, 2000, 0.50), (2, 200, 0.6)).startswith("Too close to call.")


def test_where_several_decide_at_once_it_advises_to_vary():
    told = said((1, 500, 0.5), (2, 300, 0.5), (3, 200, 0.49), mixed=True)
    assert told.startswith("Several decide at once, so vary: Sell 50 %, Counter 30 %, Pass 20 % of the time; 50 %")


def test_it_is_said_in_the_language_spoken():
    with speaking("fr"):
        assert said((1, 3000, 0.61), (2, 1000, 0.48)).endswith(
            "61 % de chances de gagner ; Counter : 48 % (4 000 parties simulées)."
        )
    with speaking("zh-Hant"):
        assert said((1, 3000, 0.61), (2, 1000, 0.48)).endswith("勝率61%；Counter：48%（4,000局模擬對局）。")
    assert said((1, 3000, 0.61), (2, 1000, 0.48)).endswith("61 % to win; Counter: 48 % (4,000 simulated games).")


def test_the_error_shrinks_with_the_visits_and_is_never_zero():
    assert standard_error(0.5, 100) == pytest.approx(0.05, rel=0.01)
    assert standard_error(0.5, 400) == pytest.approx(0.025, rel=0.01)
    assert standard_error(1.0, 50) > 0
    assert too_close(Choice(1, 40, 0.5, (0.6,)), Choice(2, 40, 0.5, (0.5,)), 0)
    assert not too_close(Choice(1, 4000, 0.5, (0.6,)), Choice(2, 4000, 0.5, (0.5,)), 0)


@pytest.mark.parametrize("game_id", sorted(registry.all_games()))
def test_there_is_a_sentence_for_every_kind_of_decision(game_id):
    game = pyramidion.load(game_id)
    match, policy, expert = game.new(seed=3), bots.load("policy", game, 1), bots.load("expert", game, 1)
    met = set()
    while not match.over and match.ply < 400:
        seat = match.acting[0]
        legal = match.legal(seat)
        kind = tuple(sorted({action.family for action in legal}))
        if kind not in met and len(legal) > 1:
            met.add(kind)
            found = expert.think(match.box, match.redacted_state(seat), seat, iterations=40)
            told = advice(found, lambda action: match.label(game.actions[action]))
            assert told.action in [action.id for action in legal]
            assert told.sentence.endswith("(40 simulated games).")
            assert "%" in told.sentence
        match.play(seat, policy.move(match, seat))
    assert met
