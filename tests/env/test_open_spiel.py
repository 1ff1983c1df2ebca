"""The games as OpenSpiel sees them: the same play, the same payoffs, and nothing that a player may not see."""

from __future__ import annotations

from random import Random

import numpy as np
import pyspiel
import pytest

import pyramidion
from pyramidion.env import open_spiel
from pyramidion.lab.arena import Contest, read_entrants, run


@pytest.fixture(params=sorted(pyramidion.all_games()))
def game(request):
    return pyramidion.load(request.param)


def opened(game, seed=5):
    state = open_spiel.make(game).new_initial_state()
    assert state.current_player() == pyspiel.PlayerId.CHANCE
    assert state.chance_outcomes() == [(0, 1.0)]
    state.open(seed)
    return state


def test_a_game_is_played_as_in_a_match_to_the_same_payoffs(game):
    chance, state, match = Random(1), opened(game), game.new(seed=5)
    kind = state.get_game().get_type()
    while not state.is_terminal():
        seat = state.current_player()
        assert seat == match.acting[0]
        legal = state.legal_actions()
        assert legal == match.legal_ids(seat).tolist() == sorted(legal)
        action = chance.choice(legal)
        assert state.action_to_string(seat, action) == str(match.play(seat, action))
        state.apply_action(action)
    assert match.outcome is not None
    assert tuple(state.returns()) == match.outcome.payoffs
    assert all(state.get_game().min_utility() <= payoff <= 1 for payoff in state.returns())
    if kind.utility == pyspiel.GameType.Utility.CONSTANT_SUM:
        assert sum(state.returns()) == pytest.approx(state.get_game().utility_sum())
    assert match.ply <= state.get_game().max_game_length()


def test_a_clone_goes_its_own_way_and_the_opening_draws(game):
    state = opened(game)
    before = state.observation_string(0)
    clone = state.clone()
    clone.apply_action(clone.legal_actions()[0])
    assert state.observation_string(0) == before
    assert clone.state.tobytes() != state.state.tobytes()
    drawn = set()
    for _ in range(5):
        other = open_spiel.make(game).new_initial_state()
        other.apply_action(0)
        drawn.add(other.state["rng"].tobytes())
    assert len(drawn) == 5


def test_what_a_player_observes_is_redacted_and_blind_to_what_is_redealt(game):
    chance, state = Random(2), opened(game)
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    observer = state.get_game().make_py_observer()
    for _ in range(30):
        if state.is_terminal():
            break
        seat = state.current_player()
        other = state.resample_from_infostate(seat, sampler)
        assert other.observation_string(seat) == state.observation_string(seat) == state.observation_string()
        observer.set_from(state, seat)
        seen = observer.tensor.copy()
        observer.set_from(other, seat)
        assert (seen == observer.tensor).all()
        assert seen.any()
        assert other.legal_actions() == state.legal_actions()
        state.apply_action(chance.choice(state.legal_actions()))
    assert np.isfinite(seen).all()


def test_what_is_not_legal_is_refused():
    state = opened(pyramidion.load("ponzi-scheme"))
    refused = next(a for a in range(len(state.rules.game.actions)) if a not in state.legal_actions())
    with pytest.raises(ValueError, match=f"The action {refused} is not legal here"):
        state.apply_action(refused)
    with pytest.raises(ValueError, match="3 to 5 seats"):
        open_spiel.make("ponzi-scheme", 9)


class Quick(open_spiel.InformationSetSearch):
    seconds = 0.02


def test_its_search_plays_in_the_arena(tmp_path):
    game = pyramidion.load("pyramis")
    entrants = read_entrants(["theirs=tests.env.test_open_spiel:Quick", "random"], game)
    with run(Contest(game.id, entrants, 2, 2), tmp_path / "a.db") as results:
        assert len(results.places()) == 2


def test_its_search_counts_what_it_has_done():
    match = pyramidion.load("pyramis").new(2, 1)
    bot = Quick(match.game, "seed")
    action = bot.choose(match.box, match.redacted_state(match.acting[0]), match.acting[0])
    assert action in match.legal_ids(match.acting[0])
    assert bot.decisions == 1
    assert bot.simulations >= 1
