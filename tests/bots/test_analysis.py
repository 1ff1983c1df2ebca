"""Tests of analyses: the mistake is found, and judged by what the seat could know."""

import json

import numpy as np
import pytest
from tests.bots import toys

import pyramidion
from pyramidion import bots
from pyramidion.bots import SearchBot, analysis
from pyramidion.bots.analysis import Analysis, Analyst


def analysed(match, **options):
    analyst = Analyst(match, **options)
    assert [None for _ in analyst.steps()] == [None] * analyst.total
    assert analyst.done == analyst.total
    return analyst.result


def game_of(game_id, seed=5, **options):
    game = pyramidion.load(game_id)
    match, policy, wild = game.new(seed=seed, **options), bots.load("policy", game, 2), bots.load("random", game, 2)
    while not match.over:
        seat = match.acting[0]
        match.play(seat, (wild if seat == 0 else policy).move(match, seat))
    return match


@pytest.mark.slow
def test_the_losing_move_is_found_and_the_winning_one_named():
    game = toys.SUBTRACTION
    match = game.new(2, seed=1)
    heap = int(match.state_copy()["heap"][0])
    right = heap % 4
    blunder = next(n for n in (1, 2, 3) if n != right)
    moves = [f"take {blunder}"]
    heap -= blunder
    while heap:
        moves.append(f"take {heap % 4 or 1}")
        heap -= heap % 4 or 1
    for move in moves:
        match.play(match.acting[0], move)
    result = analysed(match, iterations=400)
    worst = result.decisions[0]
    assert (worst.ply, worst.seat, worst.played, worst.better) == (0, match.history[0][0], moves[0], f"take {right}")
    assert worst.cost > 0.3
    # Correct play from then on is not blamed.
    assert {decision.seat for decision in result.decisions} == {worst.seat}


def test_the_curve_has_a_value_for_every_seat_after_every_ply_and_ends_with_the_result():
    match = game_of("ponzi-scheme", round_limit=3)
    result = analysed(match, iterations=20)
    assert len(result.curve) == match.ply + 1
    assert np.allclose(np.sum(result.curve, axis=1), 1, atol=0.01)
    assert tuple(result.curve[-1]) == match.outcome.payoffs
    assert result.judged == sum(len(match.at(p).legal_ids(match.history[p][0])) > 1 for p in range(match.ply))
    assert len(result.decisions) <= 3
    assert all(decision.cost > 2 * decision.error for decision in result.decisions)
    assert Analysis.from_json(json.loads(json.dumps(result.as_json()))) == result


@pytest.mark.parametrize("game_id", ["ponzi-scheme", "pyramid-shambo"])
def test_every_decision_is_judged_by_what_its_seat_saw(game_id, monkeypatch):
    match = game_of(game_id, **({"round_limit": 2} if game_id == "ponzi-scheme" else {"turn_limit": 4}))
    judged, looked, layout = [], [], match.game.layout
    think, estimate = SearchBot.think, SearchBot.estimate

    def noted(self, box, state, seat, **limits):
        judged.append((seat, state.tobytes()))
        assert layout.redact(state, seat).tobytes() == state.tobytes()
        return think(self, box, state, seat, **limits)

    def noted_too(self, box, state, viewer, **limits):
        looked.append(viewer)
        assert layout.redact(state, viewer).tobytes() == state.tobytes()
        return estimate(self, box, state, viewer, **limits)

    monkeypatch.setattr(SearchBot, "think", noted)
    monkeypatch.setattr(SearchBot, "estimate", noted_too)
    analysed(match, iterations=5)
    plies = [p for p in range(match.ply) if len(match.at(p).legal_ids(match.history[p][0])) > 1]
    wanted = [(seat, match.at(p).redacted(seat)) for p in plies for seat in [match.history[p][0]]]
    assert judged == wanted
    assert -1 in looked


def test_a_game_that_goes_on_is_not_analysed():
    match = pyramidion.load("ponzi-scheme").new(3, seed=1)
    with pytest.raises(ValueError, match="when it is over"):
        Analyst(match)


def test_decisions_of_learners_are_examined_even_where_others_seem_to_have_erred_more(monkeypatch):
    match = game_of("ponzi-scheme", round_limit=2)
    examined, compared = [], Analyst._compared

    def noted(self, ply, better):
        examined.append(match.history[ply][0])
        return compared(self, ply, better)

    monkeypatch.setattr(analysis, "MAX_EXAMINED", 0)
    monkeypatch.setattr(Analyst, "_compared", noted)
    analysed(match, iterations=5)
    assert examined == []
    analysed(match, iterations=5, learners=(1,))
    assert set(examined) == {1}
