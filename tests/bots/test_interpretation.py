"""Tests of advice in words: honest about noise, for every kind of decision of every game."""

import re
from dataclasses import replace

import pytest
from tests.games.pyramid_shambo.positions import position

import pyramidion
from pyramidion import bots
from pyramidion.bots import Choice, SearchResult
from pyramidion.bots.interpretation import recommendation, too_close
from pyramidion.bots.standard_errors import error_of, standard_error, width_of
from pyramidion.engine import registry
from pyramidion.translation import in_language

LABELS = {1: "Sell", 2: "Counter", 3: "Pass"}


def result(*choices, mixed=False):
    """Return the result of a search for seat 0 of 2, from (action, visits, value) triples."""
    total = sum(visits for _, visits, _ in choices)
    made = tuple(Choice(action, visits, visits / total, (value, 1 - value)) for action, visits, value in choices)
    return SearchResult(choices[0][0], 0, made, (0.5, 0.5), mixed, total, 0.1, 1, 10, False)


def squared(given, *squares):
    """Return a search whose results had these mean squares."""
    choices = tuple(replace(c, square=square) for c, square in zip(given.choices, squares, strict=True))
    return replace(given, choices=choices)


def sentence(*choices, **options):
    return re.sub("[\u00a0\u202f]", " ", recommendation(result(*choices, **options), LABELS.__getitem__).sentence)


def test_a_clear_case():
    assert (
        sentence((1, 9000, 0.62), (2, 900, 0.55))
        == "“Sell” is best: 62 % to win. Next: “Counter” 55 %. 9,900 positions examined."
    )


def test_what_was_hardly_tried_is_not_compared():
    assert "Counter" not in sentence((1, 9000, 0.62), (2, 29, 0.9))
    assert sentence((1, 9000, 0.62), (2, 9, 0.9)).startswith(
        "“Sell” is best: 62 % to win. Nothing else was tried often enough to compare."
    )


def test_what_is_within_the_noise_is_too_close_to_call():
    advice = recommendation(result((1, 2000, 0.50), (2, 200, 0.48), (3, 900, 0.2)), LABELS.__getitem__)
    assert advice.close
    assert advice.sentence.startswith("Too close to call. Chance to win: “Sell” 50")
    assert "Pass" not in advice.sentence
    # Nor is it claimed that the first is better where another seems to be.
    assert sentence((1, 2000, 0.50), (2, 200, 0.6)).startswith("Too close to call.")


def test_where_several_decide_at_once_it_advises_to_vary():
    advice = sentence((1, 500, 0.5), (2, 300, 0.5), (3, 200, 0.49), mixed=True)
    assert advice.startswith(
        "Several players decide at once, so vary: “Sell” 50 %, “Counter” 30 %, “Pass” 20 % of the time. "
        "Chance to win: 50 %."
    )


def test_it_is_said_in_the_language_spoken():
    with in_language("fr"):
        assert sentence((1, 3000, 0.61), (2, 1000, 0.48)).endswith(
            "61 % de chances de gagner. Ensuite : « Counter » 48 %. 4 000 positions examinées."
        )
    with in_language("zh-Hant"):
        assert sentence((1, 3000, 0.61), (2, 1000, 0.48)).endswith("勝率61%。其次：「Counter」48%。檢視4,000個局面。")
    assert sentence((1, 3000, 0.61), (2, 1000, 0.48)).endswith(
        "61 % to win. Next: “Counter” 48 %. 4,000 positions examined."
    )


def test_the_error_shrinks_with_the_visits_and_is_never_zero():
    assert standard_error(0.5, 100) == pytest.approx(0.05, rel=0.01)
    assert standard_error(0.5, 400) == pytest.approx(0.025, rel=0.01)
    assert standard_error(1.0, 50) > 0
    for visits, close in ((40, True), (4000, False)):
        searched = result((1, visits, 0.6), (2, visits, 0.5))
        assert too_close(*searched.choices, searched) is close


def test_the_error_is_that_of_the_results_themselves():
    # Results that were all 0 or 1 vary as much as they can; those of a game that says its prospects hardly vary.
    assert standard_error(0.3, 1000, square=0.3) == standard_error(0.3, 1000)
    results = [0.28, 0.32] * 500
    square = sum(value * value for value in results) / len(results)
    assert standard_error(0.3, 1000, square) < 0.1 * standard_error(0.3, 1000)
    assert standard_error(0.3, 40, square=0.09) > 0
    searched = result((1, 1000, 0.32), (2, 1000, 0.30))
    assert width_of(searched) == pytest.approx(1.0)
    assert too_close(*searched.choices, searched)
    searched = squared(searched, 0.103, 0.0904)
    assert width_of(searched) == pytest.approx(0.05, abs=0.01)
    assert not too_close(*searched.choices, searched)


def test_where_results_vary_little_a_rare_action_is_not_uncertain():
    """The pseudo-results that stand for what was not seen are as near each other as the results are."""
    wide = result((1, 1000, 0.30), (2, 30, 0.25))
    narrow = squared(wide, 0.0904, 0.0629)
    assert error_of(narrow.choices[1], narrow) < 0.2 * error_of(wide.choices[1], wide)
    assert too_close(*wide.choices, wide)
    assert not too_close(*narrow.choices, narrow)
    sure = result((1, 50, 1.0), (2, 50, 1.0))
    assert error_of(sure.choices[0], sure) == standard_error(1.0, 50) > 0


def test_pyramid_shambo_is_not_too_close_to_call_where_the_numbers_tell():
    # Seat 1 holds one pip and can be knocked out by one throw: five others then pay a bonus.
    table = position(6, {0: "a1 a2 a3", 1: "b1", 2: "*", 3: "d1 d2 d3", 4: "e1 e2 e3", 5: "f1 f2 f3"})
    bot = bots.load("expert", table.game, 1)
    searched = bot.think(table.box, table.redacted_state(0), 0, iterations=4000)
    assert table.game.actions[searched.best.action].text == "challenge 1"
    best = searched.best
    mean, square = best.values[0], best.square
    assert mean * mean <= square < mean
    advice = recommendation(searched, str)
    assert not advice.close
    blind = replace(searched, choices=tuple(replace(c, square=None) for c in searched.choices))
    binary = squared(searched, *(c.values[0] for c in searched.choices))
    assert recommendation(binary, str).sentence == recommendation(blind, str).sentence
    assert any(too_close(blind.best, c, blind) for c in blind.choices[1:])


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
            searched = expert.think(match.box, match.redacted_state(seat), seat, iterations=40)
            advice = recommendation(searched, lambda action: match.label(game.actions[action]))
            assert advice.action in [action.id for action in legal]
            assert advice.sentence.endswith(" 40 positions examined.")
            assert "%" in advice.sentence
        match.play(seat, policy.move(match, seat))
    assert met
