"""Tests of the PettingZoo environments: PettingZoo's own tests pass, and play equals that of a match."""

from __future__ import annotations

import pickle
import warnings
from random import Random

import numpy as np
import pettingzoo as theirs
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test
from tests.every_game import limits

import pyramidion
from pyramidion.engine.errors import IllegalAction
from pyramidion.env import pettingzoo
from pyramidion.env.seeding import env_id


@pytest.fixture(params=sorted(pyramidion.all_games()))
def game(request):
    return pyramidion.load(request.param)


@pytest.fixture
def tolerated():
    """Their tests warn about every environment with action masks: observations are dicts, and masks end up empty."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be")
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        warnings.filterwarnings("ignore", "Action mask numpy array is all zeros")
        yield


def test_their_tests_of_turns_pass(game, tolerated, capsys):
    """At the number of cycles that is theirs by default, and ten times, since they draw actions as they like."""
    for _ in range(10):
        api_test(pettingzoo.aec(game))
    assert capsys.readouterr().out.count("Passed") == 10


def test_their_tests_of_simultaneous_play_pass(game, tolerated, capsys):
    for _ in range(10):
        parallel_api_test(pettingzoo.parallel(game))
    assert capsys.readouterr().out.count("Passed") == 10


def test_their_tests_of_seeds_pass(game):
    seed_test(lambda: pettingzoo.aec(game))


def test_their_tests_of_seeds_in_simultaneous_play_pass(game):
    """They draw from all actions, so an illegal one has to end the match."""
    parallel_seed_test(lambda: pettingzoo.parallel(game, illegal="terminate"))


@pytest.mark.parametrize("make", [pettingzoo.aec, pettingzoo.parallel])
def test_an_illegal_action_ends_the_match_if_it_shall(make):
    env = make("pyramis", seats=3, illegal="terminate")
    env.reset(seed=7)
    seat = env.unwrapped.match.acting[0]
    agent, wrong = f"player_{seat}", int(np.flatnonzero(~env.unwrapped.match.legal_mask(seat))[0])
    if make is pettingzoo.aec:
        env.step(wrong)
        observation, ended, infos = env.observe(agent), env.terminations, env.infos
        assert env.unwrapped.rewards == dict.fromkeys(env.possible_agents, 0.0)
    else:
        observations, rewards, ended, _, infos = env.step(dict.fromkeys(env.agents, wrong))
        observation = observations[agent]
        assert rewards == dict.fromkeys(env.possible_agents, 0.0)
        assert env.agents == []
    assert all(ended.values())
    assert observation["action_mask"].all()
    assert "(PY " in infos[agent]["illegal"]
    assert [bool(info) for name, info in infos.items() if name != agent] == [False, False]
    assert env.unwrapped.match.ply == 0
    env.reset()
    assert not env.unwrapped.match.over
    with pytest.raises(ValueError, match="`illegal` is 'raise' or 'terminate', not 'forfeit'"):
        make("pyramis", illegal="forfeit")


@pytest.mark.parametrize("make", [pettingzoo.aec, pettingzoo.parallel])
def test_the_state_is_what_all_seats_see_together(make):
    env = make("pyramis", seats=3)
    env.reset(seed=7)
    match = env.unwrapped.match
    assert env.state().tolist() == np.concatenate([match.observation(seat) for seat in range(3)]).tolist()
    assert env.unwrapped.state_space.contains(env.state())


def test_rewards_can_be_points():
    env = pettingzoo.parallel("pyramis", seats=2, reward="points")
    observations, _ = env.reset(seed=7)
    while env.agents:
        observations, rewards, *_ = env.step({a: int(seen["action_mask"].argmax()) for a, seen in observations.items()})
    assert tuple(rewards.values()) == env.match.outcome.points


def test_their_tests_of_rendering_pass(game, capsys):
    drawings = {
        "ansi": lambda text: isinstance(text, str) and "\n" in text,
        "svg": lambda text: text.startswith("<svg") and text.rstrip().endswith("</svg>"),
    }
    render_test(lambda render_mode: pettingzoo.aec(game, render_mode=render_mode), drawings)
    assert capsys.readouterr().out.strip()


def test_a_game_is_played_as_in_a_match(game):
    env, match, chance = pettingzoo.aec(game, **limits(game)), game.new(seed=5, **limits(game)), Random(1)
    env.reset(seed=5)
    for agent in env.agent_iter():
        seat = int(agent.removeprefix("player_"))
        seen, reward, terminated, truncated, info = env.last()
        assert (terminated, truncated, info) == (match.over, False, {})
        assert (seen["observation"] == match.observation(seat)).all()
        unmasked = range(len(game.actions)) if match.over else match.legal_ids(seat).tolist()
        assert seen["action_mask"].nonzero()[0].tolist() == [*unmasked]
        assert reward == match.rewards[seat]
        if terminated:
            env.step(None)
            continue
        assert seat == match.acting[0]
        action = chance.choice(match.legal_ids(seat).tolist())
        match.play(seat, action)
        env.step(action)
    assert match.over
    assert env.agents == []


def test_all_who_are_due_act_at_once():
    env = pettingzoo.parallel("pyramid-shambo", seats=2)
    observations, _ = env.reset(seed=3)
    challenger = next(a for a in env.agents if observations[a]["action_mask"].any())
    observations, *_ = env.step({challenger: int(observations[challenger]["action_mask"].argmax())})
    assert all(observations[agent]["action_mask"].sum() == 3 for agent in env.agents)
    throws = {agent: int(observations[agent]["action_mask"].argmax()) for agent in env.agents}
    assert len(env.match.acting) == 2
    with pytest.raises(ValueError, match=r"player_1 has to act"):
        env.step({"player_0": throws["player_0"]})
    with pytest.raises(IllegalAction):
        env.step(throws | {"player_1": 0})
    assert env.match.ply == 1
    env.step(throws)
    assert env.match.ply == 3
    assert env.match.view(None)["ties"] == 1


def test_an_agent_that_is_not_due_has_an_empty_mask():
    """In Upside Down the others may trade at any time, but only those who are due are asked."""
    env = pettingzoo.parallel("upside-down")
    observations, _ = env.reset(seed=3)
    free, chance = 0, Random(1)
    while env.agents and not free:
        due = [env.agents[seat] for seat in env.match.acting]
        assert [agent for agent in env.agents if observations[agent]["action_mask"].any()] == due
        free = sum(bool(env.match.legal_mask(seat).any()) for seat in range(10)) - len(due)
        masks = {agent: observations[agent]["action_mask"] for agent in due}
        observations, *_ = env.step({agent: chance.choice(mask.nonzero()[0]) for agent, mask in masks.items()})
    assert free


@pytest.mark.parametrize("made", [pettingzoo.aec, pettingzoo.parallel])
def test_the_mode_human_shows_the_opening(made, capsys):
    made("pyramis", render_mode="human").reset(seed=1)
    assert capsys.readouterr().out.strip()


def test_rewards_are_the_payoffs_at_the_end(game):
    env, chance = pettingzoo.parallel(game, **limits(game)), Random(2)
    observations, _ = env.reset(seed=1)
    total = dict.fromkeys(env.agents, 0.0)
    while env.agents:
        actions = {
            agent: chance.choice(seen["action_mask"].nonzero()[0].tolist())
            for agent, seen in observations.items()
            if seen["action_mask"].any()
        }
        observations, rewards, terminations, _, _ = env.step(actions)
        assert any(terminations.values()) or not any(rewards.values())
        total = {agent: total[agent] + reward for agent, reward in rewards.items()}
    assert np.allclose(list(total.values()), env.match.outcome.payoffs)


@pytest.mark.parametrize("made", [pettingzoo.aec, pettingzoo.parallel])
def test_environments_are_pickled(made):
    env = made("pyramis")
    env.reset(seed=4)
    again = pickle.loads(pickle.dumps(env))
    assert again.unwrapped.match.record() == env.unwrapped.match.record()


def test_resets_go_on_from_the_seed():
    first, second = pettingzoo.aec("pyramis"), pettingzoo.aec("pyramis")
    first.reset(seed=4)
    second.reset(seed=4)
    assert first.unwrapped.match.seed == 4
    for env in (first, second):
        env.reset()
    assert first.unwrapped.match.seed == second.unwrapped.match.seed != 4


def test_an_illegal_action_raises_with_its_rule_and_nothing_moves():
    env = pettingzoo.aec("ponzi-scheme")
    env.reset(seed=1)
    illegal = int(env.last()[0]["action_mask"].argmin())
    with pytest.raises(IllegalAction, match="PZ"):
        env.step(illegal)
    assert env.unwrapped.match.ply == 0


def test_games_have_registered_ids_with_the_version_of_their_rules(game):
    assert env_id(game).endswith(f"-v{game.rules_version}")
    env = theirs.make("aec", env_id(game), seats=game.seats[0])
    assert len(env.possible_agents) == game.seats[0]
    assert theirs.make("parallel", env_id(game)).possible_agents


def test_what_cannot_be_made_is_refused():
    with pytest.raises(ValueError, match="There is no render mode 'film'"):
        pettingzoo.aec("pyramis", render_mode="film")
    with pytest.raises(RuntimeError, match=r"Call reset\(\) first"):
        pettingzoo.parallel("pyramis").match  # noqa: B018
