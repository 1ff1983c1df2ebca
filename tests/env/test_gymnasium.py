"""Tests of the Gymnasium environment: Gymnasium's own check passes, and opponents play as requested."""

from __future__ import annotations

import warnings

import gymnasium as theirs
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from tests.every_game import limits

import pyramidion
from pyramidion import bots
from pyramidion.engine.match import IllegalAction
from pyramidion.env.gymnasium import SeatEnv
from pyramidion.env.seeding import env_id


@pytest.fixture(params=sorted(pyramidion.all_games()))
def game(request):
    return pyramidion.load(request.param)


def first_legal(observation, mask):
    return int(mask.argmax())


def play(env, seed):
    """Play a match of the first legal actions; return its seed, its rewards and its observations."""
    seen, info = env.reset(seed=seed)
    observations, rewards, over = [seen], [], False
    while not over:
        assert env.unwrapped.seat in env.unwrapped.match.acting
        assert (info["action_mask"] == env.unwrapped.action_masks()).all()
        seen, reward, over, truncated, info = env.step(first_legal(seen, info["action_mask"]))
        assert not truncated
        observations.append(seen)
        rewards.append(reward)
    return observations, rewards


def test_their_check_passes(game, capsys):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*A Box observation space m.*imum value is.*infinity")
        warnings.filterwarnings("ignore", ".*not able to test alternative render modes")
        check_env(theirs.make(env_id(game), render_mode="ansi").unwrapped)


def test_a_match_is_played_to_the_seats_payoff(game):
    env = theirs.make(env_id(game), seat=1, opponents=first_legal, **limits(game))
    observations, rewards = play(env, 3)
    match = env.unwrapped.match
    assert match.seed == 3
    assert match.over
    assert rewards[-1] == match.rewards[1]
    assert not any(rewards[:-1])
    again, _ = play(env, 3)
    assert all((one == other).all() for one, other in zip(observations, again, strict=True))
    everybody = game.new(seed=3, **limits(game))
    while not everybody.over:
        everybody.play(everybody.acting[0], int(everybody.legal_ids(everybody.acting[0])[0]))
    assert match.outcome == everybody.outcome


def test_bots_are_seeded_with_the_match():
    env = SeatEnv("pyramis", opponents="random")
    one, _ = play(env, 1)
    assert all((a == b).all() for a, b in zip(one, play(env, 1)[0], strict=True))


def test_each_opponent_has_its_seat():
    game, asked = pyramidion.load("pyramis"), []

    def named(name):
        def policy(observation, mask):
            asked.append(name)
            return first_legal(observation, mask)

        return policy

    env = SeatEnv(game, 1, [named("next"), bots.load("random", game, 1)], seats=3)
    play(env, 2)
    turns = [seat for seat, _ in env.match.history]
    assert asked.count("next") == turns.count(2)
    with pytest.raises(ValueError, match="There are 2 other seats, and 1 opponents"):
        SeatEnv(game, 1, ["random"], seats=3)


def test_the_seat_can_be_drawn():
    env = SeatEnv("pyramis", seat=None)
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(20)} == {0, 1, 2}
    with pytest.raises(ValueError, match="There is no seat 3"):
        SeatEnv("pyramis", seat=3)


def test_an_illegal_action_forfeits_or_raises(game):
    env = SeatEnv(game)
    _, info = env.reset(seed=1)
    illegal = int(info["action_mask"].argmin())
    _, reward, terminated, _, info = env.step(illegal)
    assert terminated
    assert reward == (0 if game.payoff_form == "share" else -1)
    assert game.prefix in info["illegal"]
    with pytest.raises(RuntimeError, match=r"Call reset\(\) first"):
        env.step(illegal)
    strict = SeatEnv(game, illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(IllegalAction):
        strict.step(illegal)
    assert not strict.match.over


def test_the_seats_own_view_is_rendered():
    env = SeatEnv("ponzi-scheme", render_mode="ansi")
    env.reset(seed=1)
    assert env.render()
    env = SeatEnv("ponzi-scheme", render_mode="rgb_array")
    with pytest.raises(RuntimeError, match=r"Call reset\(\) first"):
        env.render()
    env.reset(seed=1)
    assert env.render().dtype == np.uint8


def test_several_environments_are_stepped_at_once():
    several = theirs.make_vec("Pyramidion/Pyramis-v1", num_envs=3, vectorization_mode="sync")
    observations, infos = several.reset(seed=1)
    assert observations.shape[0] == 3
    observations, *_ = several.step(infos["action_mask"].argmax(axis=1))
    assert observations.shape[0] == 3
    several.close()
