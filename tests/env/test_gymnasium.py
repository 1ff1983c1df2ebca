"""Tests of the Gymnasium environment: Gymnasium's own check passes, and opponents play as requested."""

from __future__ import annotations

import copy
import pickle
import warnings

import gymnasium as theirs
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import RecordEpisodeStatistics
from gymnasium.wrappers.vector import RecordEpisodeStatistics as RecordSeveralEpisodes
from tests.every_game import limits

import pyramidion
from pyramidion import bots
from pyramidion.engine.errors import IllegalAction
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
    assert all((first == second).all() for first, second in zip(observations, again, strict=True))
    everybody = game.new(seed=3, **limits(game))
    while not everybody.over:
        everybody.play(everybody.acting[0], int(everybody.legal_ids(everybody.acting[0])[0]))
    assert match.outcome == everybody.outcome


def test_bots_are_seeded_with_the_match():
    env = SeatEnv("pyramis", opponents="random")
    observations, _ = play(env, 1)
    assert all((a == b).all() for a, b in zip(observations, play(env, 1)[0], strict=True))


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_goes_on_like_the_original_and_apart_from_it(copied):
    env = SeatEnv("pyramis", opponents=["random", "policy"], seats=3)
    _, info = env.reset(seed=1)
    for _ in range(3):
        *_, info = env.step(info["action_mask"].argmax())
    other, ply = copied(env), env.match.ply
    assert other.match is not env.match
    observations, over = [], False
    while not over:
        seen, _, over, _, info = env.step(info["action_mask"].argmax())
        observations.append(seen.tolist())
    assert other.match.ply == ply
    for expected in observations:
        seen, *_ = other.step(other.action_masks().argmax())
        assert seen.tolist() == expected
    assert other.match.record() == env.match.record()


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
    with pytest.raises(ValueError, match="A table with 3 seats needs 2 opponents, not 1"):
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


def test_the_mode_human_shows_every_position(capsys):
    env = SeatEnv("pyramis", render_mode="human")
    _, info = env.reset(seed=1)
    opening = capsys.readouterr().out
    assert opening.strip()
    env.step(int(info["action_mask"].argmax()))
    assert capsys.readouterr().out.strip() not in ("", opening.strip())


def test_a_misspelt_treatment_of_illegal_actions_is_refused():
    with pytest.raises(ValueError, match=r"`illegal` is 'forfeit' or 'raise', not 'riase'"):
        SeatEnv("pyramis", illegal="riase")


def test_several_environments_are_stepped_at_once():
    several = theirs.make_vec("Pyramidion/Pyramis-v1", num_envs=3, vectorization_mode="sync")
    observations, infos = several.reset(seed=1)
    assert observations.shape[0] == 3
    observations, *_ = several.step(infos["action_mask"].argmax(axis=1))
    assert observations.shape[0] == 3
    several.close()


def test_masks_are_as_sb3_contrib_reads_them(game):
    """`get_action_masks` calls the method through all wrappers, and stacks the masks of several environments."""
    envs = [RecordEpisodeStatistics(theirs.make(env_id(game))) for _ in range(3)]
    infos = [env.reset(seed=seed)[1] for seed, env in enumerate(envs)]
    actions = envs[0].action_space
    assert isinstance(actions, spaces.Discrete)
    assert actions.start == 0
    for _ in range(4):
        masks = np.stack([env.get_wrapper_attr("action_masks")() for env in envs])
        assert (masks.dtype, masks.shape) == (np.bool_, (3, actions.n))
        assert masks.any(axis=1).all()
        assert masks.tolist() == [info["action_mask"].tolist() for info in infos]
        infos = [env.step(mask.argmax())[4] for env, mask in zip(envs, masks, strict=True)]


@pytest.mark.parametrize("mode", ["sync", "vector_entry_point"])
def test_masks_and_returns_are_as_programs_in_the_style_of_cleanrl_read_them(mode):
    """They index infos["action_mask"] like the observations, and take episodes from RecordEpisodeStatistics."""
    envs = theirs.make_vec("Pyramidion/Pyramis-v1", num_envs=3, vectorization_mode=mode, opponents="random")
    envs = RecordSeveralEpisodes(envs)
    _, infos = envs.reset(seed=1)
    returns, wins = [], []
    while len(returns) < 5:
        masks = infos["action_mask"]
        assert (masks.dtype, masks.shape) == (np.bool_, (3, envs.single_action_space.n))
        _, rewards, ended, truncated, infos = envs.step(masks.argmax(axis=1))
        assert not truncated.any()
        if "episode" in infos:
            assert infos["_episode"].tolist() == ended.tolist()
            returns += infos["episode"]["r"][ended].tolist()
            wins += rewards[ended].tolist()
    assert returns == wins
    envs.close()


def test_a_specification_is_written_as_json_and_read_back(game):
    """Programs that keep what they played, such as Minari, write the specification of the environment."""
    env = theirs.make(env_id(game), opponents="policy", seat=1, **limits(game))
    assert env.spec is not None
    read = EnvSpec.from_json(env.spec.to_json())
    assert read == env.spec
    again = theirs.make(read)
    assert again.reset(seed=3)[0].tolist() == env.reset(seed=3)[0].tolist()
    for each in (theirs.spec(env_id(game)), theirs.make_vec(env_id(game), num_envs=2).spec):
        assert EnvSpec.from_json(each.to_json()) == each
    assert pickle.loads(pickle.dumps(env.spec)) == env.spec


@pytest.mark.parametrize("mode", ["sync", "async", "vector_entry_point"])
def test_a_vector_of_any_kind_plays_the_same_matches(mode):
    envs, alone = theirs.make_vec("Pyramidion/Pyramis-v1", num_envs=2, vectorization_mode=mode, seats=2), []
    observations, infos = envs.reset(seed=5)
    assert observations.shape == (2, envs.single_observation_space.shape[0])
    for _ in range(3):
        observations, rewards, *_, infos = envs.step(infos["action_mask"].argmax(axis=1))
        alone.append(observations)
        assert not rewards.any()
    assert all(infos["action_mask"].any(axis=1))
    envs.close()
    single = SeatEnv("pyramis", seats=2)
    _, info = single.reset(seed=5)
    if mode != "vector_entry_point":
        for observations in alone:
            seen, *_, info = single.step(info["action_mask"].argmax())
            assert observations[0].tolist() == seen.tolist()


@pytest.mark.parametrize("reward", ["points", "rank"])
def test_rewards_can_be_points_or_ranks(reward):
    rewards = [play(SeatEnv("pyramis", seat, seats=2, reward=reward), 5)[1] for seat in range(2)]
    env = SeatEnv("pyramis", seats=2)
    play(env, 5)
    points = env.playing.outcome.points
    expected = points if reward == "points" else [0.5 + (a > b) / 2 - (a < b) / 2 for a, b in (points, points[::-1])]
    assert rewards[0][-1] == expected[0]
    assert not any(any(sequence[:-1]) for sequence in rewards)
