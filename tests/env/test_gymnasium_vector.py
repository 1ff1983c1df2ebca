"""Tests of the vector environment over the batch: the same games as matches, and Gymnasium's autoreset modes."""

from __future__ import annotations

import gymnasium as theirs
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, VectorEnv

import pyramidion.env.gymnasium  # noqa: F401  # registers the games
from pyramidion.env.batch_env import IllegalBatchAction
from pyramidion.env.gymnasium_vector import SeatVectorEnv


def first_legal(observations, masks):
    assert len(observations) == len(masks) > 0
    return masks.argmax(axis=1)


def made(num_envs=4, **given):
    return SeatVectorEnv("pyramis", num_envs, **{"seats": 3, "seat": 1, "opponents": first_legal, **given})


def test_it_is_what_make_vec_makes():
    env = theirs.make_vec("Pyramidion/Pyramis-v1", num_envs=3, opponents=["policy", "random"])
    assert isinstance(env, SeatVectorEnv)
    assert isinstance(env, VectorEnv)
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observations, infos = env.reset(seed=7)
    for _ in range(60):
        assert env.observation_space.contains(observations)
        actions = infos["action_mask"].argmax(axis=1)
        assert env.action_space.contains(actions)
        observations, rewards, terminations, truncations, infos = env.step(actions)
        assert (rewards.dtype, terminations.dtype) == (np.float64, np.bool_)
        assert not truncations.any()
    env.close()


def test_it_plays_the_games_of_matches_and_tells_their_ends():
    env = made()
    observations, infos = env.reset(seed=5)
    matches, finished = [env.game.new(3, int(seed)) for seed in env.batch.seeds], 0
    while finished < 6:
        for i, match in enumerate(matches):
            while match.acting[0] != 1:
                match.play(match.acting[0], int(match.legal_ids(match.acting[0])[0]))
            assert observations[i].tolist() == match.observation(1).tolist()
            assert infos["action_mask"][i].tolist() == match.legal_mask(1).tolist()
            match.play(1, int(match.legal_ids(1)[0]))
            while not match.over and match.acting[0] != 1:
                match.play(match.acting[0], int(match.legal_ids(match.acting[0])[0]))
        observations, rewards, terminations, _, infos = env.step(infos["action_mask"].argmax(axis=1))
        assert terminations.tolist() == [match.over for match in matches]
        assert rewards.tolist() == [match.rewards[1] for match in matches]
        for i in np.flatnonzero(terminations):
            assert infos["_final_obs"][i]
            assert infos["final_obs"][i].tolist() == matches[i].observation(1).tolist()
            matches[i] = env.game.new(3, int(env.batch.seeds[i]))
            finished += 1


def test_in_the_mode_next_step_an_end_is_seen_before_the_next_game():
    same, after = made(), made(autoreset_mode="NextStep")
    seen, infos = same.reset(seed=5)
    later, their_infos = after.reset(seed=5)
    ended = np.zeros(4, bool)
    while not ended.any():
        actions = infos["action_mask"].argmax(axis=1)
        seen, rewards, ended, _, infos = same.step(actions)
        later, their_rewards, their_ended, _, their_infos = after.step(actions)
        assert rewards.tolist() == their_rewards.tolist()
        assert ended.tolist() == their_ended.tolist()
    assert (later[ended] == infos["final_obs"][ended]).all()
    assert (later[~ended] == seen[~ended]).all()
    actions = np.where(ended, 0, their_infos["action_mask"].argmax(axis=1))
    later, their_rewards, their_ended, _, their_infos = after.step(actions)
    assert (later[ended] == seen[ended]).all()
    assert (their_infos["action_mask"][ended] == infos["action_mask"][ended]).all()
    assert not their_rewards[ended].any()
    assert not their_ended[ended].any()


def test_the_seat_can_be_drawn_for_each_game():
    env = made(64, seat=None, opponents="random")
    _, infos = env.reset(seed=1)
    first = infos["seat"].copy()
    assert set(first.tolist()) == {0, 1, 2}
    while (infos["seat"] == first).all():
        _, _, _, _, infos = env.step(infos["action_mask"].argmax(axis=1))
    assert env.reset(seed=1)[1]["seat"].tolist() == first.tolist()


def test_in_the_mode_next_step_an_end_names_the_seat_that_it_is_of():
    same, after = (made(16, seat=None, autoreset_mode=mode) for mode in ("SameStep", "NextStep"))
    infos, theirs = same.reset(seed=5)[1], after.reset(seed=5)[1]
    ended = np.zeros(16, bool)
    while not ended.any():
        before = theirs["seat"]
        actions = infos["action_mask"].argmax(axis=1)
        _, _, ended, _, infos = same.step(actions)
        theirs = after.step(actions)[4]
        assert (theirs["seat"] == before).all()
    assert (infos["seat"] != before)[ended].any()  # the seat of the next game
    theirs = after.step(np.where(ended, 0, theirs["action_mask"].argmax(axis=1)))[4]
    assert (theirs["seat"] == infos["seat"])[ended].all()


def test_an_illegal_action_moves_nothing():
    env = made()
    _, infos = env.reset(seed=1)
    before = env.batch.state_bytes()
    with pytest.raises(IllegalBatchAction, match="Environment 0, seat 1"):
        env.step(infos["action_mask"].argmin(axis=1))
    assert (env.batch.state_bytes() == before).all()


def test_what_cannot_be_made_is_refused():
    for given, sentence in (
        ({"seat": 3}, "There is no seat 3"),
        ({"opponents": ["random"]}, "A table with 3 seats needs 2 opponents, not 1"),
        ({"opponents": "hard"}, "use mode 'sync'"),
        ({"autoreset_mode": "Disabled"}, "SAME_STEP or NEXT_STEP"),
    ):
        with pytest.raises(ValueError, match=sentence):
            made(**given)
