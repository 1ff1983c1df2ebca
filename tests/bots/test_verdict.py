"""Tests of advice in words: honest about noise, for every kind of decision of every game."""

import re
from dataclasses import replace

import pytest
from tests.games.pyramid_shambo.positions import position

import pyramidion
from pyramidion import bots
from pyramidion.bots import Choice, Thought
from pyramidion.bots.verdict import recommendation, standard_error, too_close
from pyramidion.engine import registry
from pyramidion.words import speaking

LABELS = {1: "Sell", 2: "Counter", 3: "Pass"}


def thought(*choices, mixed=False):
    """Return the result of a search for seat 0 of 2, from (action, visits, value) triples."""
    total = sum(visits for _, visits, _ in choices)
    made = tuple(Choice(action, visits, visits / total, (value, 1 - value)) for action, visits, value in choices)
    return Thought(choices[0][0], 0, made, (0.5, 0.5), mixed, total, 0.1, 1, 10, False)


def said(*choices, **more):
    return re.sub("[\u00a0\u202f]", " ", recommendation(thought(*choices, **more), LABELS.__getitem__).sentence)


def test_a_clear_case():
    assert said((1, 9000, 0.62), (2, 900, 0.55)) == "Sell: 62 % to win; Counter: 55 % (9,900 simulated games)."


def test_what_was_hardly_tried_is_not_compared():
    assert "Counter" not in said((1, 9000, 0.62), (2, 29, 0.9))
    assert said((1, 9000, 0.62), (2, 9, 0.9)).startswith(
        "Sell: 62 % to win; nothing else was tried often enough to compare"
    )


def test_what_is_within_the_noise_is_too_close_to_call():
    told = recommendation(thought((1, 2000, 0.50), (2, 200, 0.48), (3, 900, 0.2)), LABELS.__getitem__)
    assert told.close
    assert told.sentence.startswith("Too close to call. Sell: ")
    assert "Pass" not in told.sentence
    # Nor is it claimed that the first is better where another seems to be.
    assert said((1, 2000, 0.50), (2, 200, 0.6)).startswith("Too close to call.")


def test_where_several_decide_at_once_it_advises_to_vary():
    told = said((1, 500, 0.5), (2, 300, 0.5), (3, 200, 0.49), mixed=True)
    assert told.startswith(
        "Several players decide at once, so vary: Sell 50 %, Counter 30 %, Pass 20 % of the time; 50 %"
    )


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


def test_the_error_is_that_of_the_results_themselves():
    # Results that were all 0 or 1 vary as much as they can; those of a game that says its prospects hardly vary.
    assert standard_error(0.3, 1000, square=0.3) == standard_error(0.3, 1000)
    results = [0.28, 0.32] * 500
    square = sum(one * one for one in results) / len(results)
    assert standard_error(0.3, 1000, square) < 0.1 * standard_error(0.3, 1000)
    assert standard_error(0.3, 40, square=0.09) > 0
    one, other = Choice(1, 1000, 0.5, (0.32,)), Choice(2, 1000, 0.5, (0.30,))
    assert too_close(one, other, 0)
    assert not too_close(replace(one, square=0.103), replace(other, square=0.0904), 0)


def test_pyramid_shambo_is_not_too_close_to_call_where_the_numbers_tell():
    # Seat 1 holds one pip and can be knocked out by one throw: five others then pay a bonus.
    table = position(6, {0: "a1 a2 a3", 1: "b1", 2: "*", 3: "d1 d2 d3", 4: "e1 e2 e3", 5: "f1 f2 f3"})
    bot = bots.load("expert", table.game, 1)
    found = bot.think(table.box, table.redacted_state(0), 0, iterations=4000)
    assert table.game.actions[found.best.action].text == "challenge 1"
    best = found.best
    mean, square = best.values[0], best.square
    assert mean * mean <= square < mean
    told = recommendation(found, str)
    assert not told.close
    assert any(too_close(replace(best, square=None), replace(c, square=None), 0) for c in found.choices[1:])


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
            told = recommendation(found, lambda action: match.label(game.actions[action]))
            assert told.action in [action.id for action in legal]
            assert told.sentence.endswith("(40 simulated games).")
            assert "%" in told.sentence
        match.play(seat, policy.move(match, seat))
    assert met
