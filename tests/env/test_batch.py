"""Tests of the batch environment: the same games as matches, and arrays as documented."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.every_game import limits

import pyramidion
from pyramidion.engine import registry
from pyramidion.engine.match import Match
from pyramidion.engine.random import seed_words
from pyramidion.engine.rule import rule
from pyramidion.env import batch
from pyramidion.env.batch_env import Batch, BatchEnv, IllegalBatchAction
from pyramidion.env.batch_seeds import seed_generator

COMPILED_SLOWLY = ("pyramid-scheme", "downside-up", "upside-down", "pyramid-shambo")
GAMES = [
    pytest.param(game_id, marks=[pytest.mark.slow] * (game_id in COMPILED_SLOWLY)) for game_id in registry.own_ids()
]
SIMULTANEOUS = ("upside-down", "pyramid-shambo", "pyramis")


def open_matches(env: BatchEnv) -> list[Match]:
    return [env.game.new(env.seats, int(seed), cards=env.cards, **env.options) for seed in env.seeds]


def rows(array: Any) -> Any:
    assert array is not None
    return array


def check_row(env: BatchEnv, b: Batch, matches: list[Match], i: int) -> None:
    """Check that an environment's arrays agree with a match."""
    match = matches[i]
    assert env.state_bytes()[i].tobytes() == match.state_copy().tobytes()
    if env.simultaneous:
        assert np.flatnonzero(b.to_play[i]).tolist() == list(match.acting)
        for seat in range(env.seats):
            assert rows(b.observation)[i, seat].tolist() == match.observation(seat).tolist()
            mask = match.legal_mask(seat) if seat in match.acting else np.zeros(len(env.game.actions), bool)
            assert (rows(b.legal_mask)[i, seat] == mask).all()
    else:
        seat = int(b.to_play[i])
        assert seat == match.acting[0]
        assert rows(b.observation)[i].tolist() == match.observation(seat).tolist()
        assert (rows(b.legal_mask)[i] == match.legal_mask(seat)).all()


def play_both(env: BatchEnv, games: int) -> None:
    """Play random actions in a batch and in matches until each environment has finished `games` games."""
    b = env.reset()
    matches, finished = open_matches(env), np.zeros(env.n, int)
    while finished.min() < games:
        for i in range(env.n):
            check_row(env, b, matches, i)
        actions = env.random_actions()
        places = actions if env.simultaneous else actions[:, None]
        last = np.zeros(env.n, int)
        for i, match in enumerate(matches):
            for seat in match.acting if env.simultaneous else match.acting[:1]:
                last[i] = seat
                match.play(seat, int(places[i, seat if env.simultaneous else 0]))
        b = env.step(actions)
        assert b.terminated.tolist() == [match.over for match in matches]
        assert b.rewards.tolist() == [match.rewards.tolist() for match in matches]
        for i in np.flatnonzero(b.terminated):
            seats = range(env.seats) if env.simultaneous else [int(last[i])]
            final = rows(b.final_observation)[i].reshape(len(seats), -1)
            assert final.tolist() == [matches[i].observation(seat).tolist() for seat in seats]
            finished[i] += 1
            matches[i] = open_matches(env)[i]


@pytest.mark.parametrize("game_id", GAMES)
def test_one_seat_after_another_it_plays_the_games_of_matches(game_id: str) -> None:
    env = batch(game_id, 3, seed=5, **limits(registry.load(game_id)))
    play_both(env, 2)


@pytest.mark.parametrize("game_id", SIMULTANEOUS)
def test_with_simultaneous_decisions_it_plays_the_games_of_matches(game_id: str) -> None:
    env = batch(game_id, 2, seed=6, simultaneous=True, **limits(registry.load(game_id)))
    play_both(env, 2)


def arrays(env: BatchEnv, steps: int) -> list[bytes]:
    """Return everything a batch shows over some steps."""
    contents: list[bytes] = []
    b = env.reset()
    for step in range(steps):
        parts = (b.to_play, b.observation, b.legal_mask, b.rewards, b.terminated)
        contents += [rows(array).tobytes() for array in parts] + [env.state_bytes().tobytes()]
        b = env.step(env.policy_actions() if step % 2 else env.random_actions())
    return contents


@pytest.mark.parametrize("simultaneous", [False, True])
def test_the_number_of_threads_changes_nothing(simultaneous: bool) -> None:
    single = batch("pyramis", 7, seats=2, seed="x", simultaneous=simultaneous)
    three = batch("pyramis", 7, seats=2, seed="x", threads=3, simultaneous=simultaneous)
    assert arrays(single, 60) == arrays(three, 60)
    three.close()


def test_a_reset_with_a_seed_plays_the_same_games_and_without_one_the_next() -> None:
    env = batch("pyramis", 4, seats=2, seed=1)
    first = arrays(env, 5)
    seeds = env.seeds.copy()
    assert arrays(env, 5) != first
    assert not set(env.seeds) & set(seeds)
    env.reset(seed=1)
    assert env.seeds.tolist() == seeds.tolist()
    assert arrays(batch("pyramis", 4, seats=2, seed=1), 5) == first


def test_seeds_of_batches_do_not_overlap() -> None:
    seeds: set[int] = set()
    for seed in range(5):
        env = batch("pyramis", 4, seats=2, seed=seed)
        env.reset()
        seeds |= {int(seed) for seed in env.seeds}
    assert len(seeds) == 20


def test_generators_are_those_of_matches() -> None:
    words, rng = np.zeros(64, np.uint64), np.zeros(4, np.uint64)
    for seed in (0, 9, 10, 12345678901, 2**63 - 1):
        seed_generator(rng, seed, words)
        assert rng.tolist() == seed_words(seed).tolist()


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("simultaneous", [False, True])
def test_arrays_have_their_documented_shapes_and_dtypes(game_id: str, simultaneous: bool) -> None:
    env = batch(game_id, 2, simultaneous=simultaneous)
    b, game = env.reset(), env.game
    places = (2, env.seats) if simultaneous else (2,)
    assert (b.to_play.shape, b.to_play.dtype) == (places, np.bool_ if simultaneous else np.int32)
    for array in (b.observation, b.final_observation):
        assert (rows(array).shape, rows(array).dtype) == ((*places, game.observation.size), np.float32)
    assert (rows(b.legal_mask).shape, rows(b.legal_mask).dtype) == ((*places, len(game.actions)), np.bool_)
    assert (b.rewards.shape, b.rewards.dtype) == ((2, env.seats), np.float32)
    assert (b.terminated.shape, b.terminated.dtype) == ((2,), np.bool_)
    assert (env.random_actions().shape, env.policy_actions().dtype) == (places, np.int64)
    for array in (b.to_play, b.observation, b.legal_mask, b.rewards, b.terminated, b.final_observation):
        shared = np.from_dlpack(rows(array))
        assert shared.ctypes.data == rows(array).ctypes.data


def test_without_observations_and_masks_the_games_are_the_same() -> None:
    env, bare = batch("pyramis", 5, seed=3), batch("pyramis", 5, seed=3, observe=False, masks=False)
    env.reset()
    b = bare.reset()
    with pytest.raises(AttributeError, match=r"writes no observations; make it with observe=True\."):
        b.observation  # noqa: B018
    with pytest.raises(AttributeError, match=r"writes no masks; make it with masks=True\."):
        b.legal_mask  # noqa: B018
    assert (hasattr(b, "final_observation"), hasattr(b.copy(), "legal_mask")) == (False, False)
    for _ in range(80):
        env.step(env.random_actions())
        bare.step(bare.random_actions())
    assert env.state_bytes().tobytes() == bare.state_bytes().tobytes()


@pytest.mark.parametrize("simultaneous", [False, True])
def test_packed_masks_say_the_same_in_an_eighth_of_the_memory(simultaneous: bool) -> None:
    env, packed = (batch("pyramis", 5, seed=3, simultaneous=simultaneous, masks=masks) for masks in (True, "packed"))
    env.reset()
    packed.reset()
    for _ in range(60):
        mask, bits = rows(env.arrays.legal_mask), rows(packed.arrays.legal_mask)
        assert (bits.dtype, bits.shape) == (np.uint8, (*mask.shape[:-1], 6))
        assert (packed.unpack(bits) == mask).all()
        actions = env.random_actions()
        env.step(actions)
        packed.step(actions)
    assert packed.clone().arrays.legal_mask is not None
    with pytest.raises(ValueError, match="Masks are True, False or 'packed'"):
        batch("pyramis", 2, masks="bits")  # type: ignore[arg-type]


def test_only_chosen_environments_move() -> None:
    env = batch("pyramis", 4, seed=3, threads=2)
    env.reset()
    chosen = np.array([True, False, True, False])
    env.step(env.random_actions())
    before = env.state_bytes()
    actions = env.random_actions(chosen)
    assert ((actions >= 0) == chosen).all()
    env.step(actions, where=chosen)
    assert ((env.state_bytes() != before).any(axis=1) == chosen).all()
    assert ((env.policy_actions(~chosen) >= 0) == ~chosen).all()
    with pytest.raises(ValueError, match=r"booleans of shape \(4,\)"):
        env.step(actions, where=[1, 0, 1, 0])
    env.close()


def test_a_watching_seat_sees_the_last_position() -> None:
    env = batch("pyramis", 3, seats=2, seed=3)
    env.watch([0, 1, 0])
    env.reset()
    matches, watching = open_matches(env), [0, 1, 0]
    while not env.arrays.terminated.any():
        actions = env.random_actions()
        for i, match in enumerate(matches):
            match.play(match.acting[0], int(actions[i]))
        env.step(actions)
    for i in np.flatnonzero(env.arrays.terminated):
        assert rows(env.arrays.final_observation)[i].tolist() == matches[i].observation(watching[i]).tolist()
    with pytest.raises(ValueError, match="seats of this batch are 0 to 1"):
        env.watch(2)


def test_arrays_are_reused_unless_copies_are_asked_for() -> None:
    env, copying = batch("pyramis", 2, seed=3), batch("pyramis", 2, seed=3, copy=True)
    first, kept = env.reset(), copying.reset()
    before = rows(kept.observation).copy()
    assert env.step(env.random_actions()) is first
    assert copying.step(copying.random_actions()) is not kept
    assert (rows(kept.observation) == before).all()
    assert not (rows(first.observation) == before).all()


def test_an_illegal_action_names_environment_seat_and_rule_and_moves_nothing() -> None:
    env = batch("ponzi-scheme", 5, seed=2, threads=2)
    b = env.reset()
    before = env.state_bytes(), rows(b.observation).copy(), rows(b.legal_mask).copy()
    actions = env.random_actions()
    actions[3] = env.game.actions.parse("sell").id
    with pytest.raises(IllegalBatchAction, match=r"Environment 3, seat \d: .+ \(PZ 4\.1\)") as caught:
        env.step(actions)
    assert (caught.value.index, caught.value.seat) == (3, int(b.to_play[3]))
    assert caught.value.rule == "PZ 4.1"
    assert isinstance(caught.value, pyramidion.IllegalAction)
    after = env.state_bytes(), rows(b.observation), rows(b.legal_mask)
    assert all((old == new).all() for old, new in zip(before, after, strict=True))
    for wrong in (-1, len(env.game.actions), 2**40):
        actions[3] = wrong
        with pytest.raises(IllegalBatchAction, match="Environment 3"):
            env.step(actions)
    actions[3] = env.game.actions.parse("pass").id
    env.step(actions)
    env.close()


def test_an_illegal_simultaneous_action_names_its_seat() -> None:
    env = batch("upside-down", 2, simultaneous=True)
    env.reset()
    actions = env.random_actions()
    actions[1, 7] = env.game.actions.parse("give 3").id
    before = env.state_bytes()
    with pytest.raises(IllegalBatchAction, match="Environment 1, seat 7"):
        env.step(actions)
    assert (env.state_bytes() == before).all()


@pytest.mark.parametrize("actions", [np.zeros(3, int), np.zeros((2, 2), int), np.zeros(2), [[0, 1]]])
def test_actions_of_another_shape_or_dtype_are_refused(actions: Any) -> None:
    env = batch("pyramis", 2)
    env.reset()
    with pytest.raises(ValueError, match=r"whole numbers of shape \(2,\)"):
        env.step(actions)


def test_nothing_works_before_the_first_reset() -> None:
    env = batch("pyramis", 2)
    for call in (env.random_actions, env.policy_actions, env.state_bytes, lambda: env.step([0, 0])):
        with pytest.raises(ValueError, match="reset"):
            call()


def test_without_autoreset_finished_games_wait() -> None:
    env = batch("pyramis", 3, seats=2, seed=4, autoreset=False)
    b = env.reset()
    ended = np.zeros(3, bool)
    while not b.terminated.all():
        actions = env.policy_actions()
        assert ((actions == -1) == b.terminated).all()
        b = env.step(actions)
        assert (b.rewards.any(axis=1) == (b.terminated & ~ended)).all()
        assert (b.to_play[b.terminated] == -1).all()
        assert rows(b.legal_mask)[b.terminated].all()
        ended = b.terminated.copy()
    end = env.state_bytes()
    b = env.step(np.zeros(3, int))
    assert b.terminated.all()
    assert not b.rewards.any()
    assert (env.state_bytes() == end).all()
    seeds = env.seeds.copy()
    assert not env.reset().terminated.any()
    assert not set(env.seeds) & set(seeds)


def test_a_clone_goes_its_own_way_to_the_same_games() -> None:
    env = batch("pyramis", 4, seats=2, seed=9)
    env.reset()
    for _ in range(10):
        env.step(env.random_actions())
    other = env.clone()
    before = env.state_bytes()
    ahead = [other.step(other.policy_actions()).rewards.tolist() for _ in range(60)]
    assert (env.state_bytes() == before).all()
    assert [env.step(env.policy_actions()).rewards.tolist() for _ in range(60)] == ahead
    assert (env.state_bytes() == other.state_bytes()).all()
    assert env.seeds.tolist() == other.seeds.tolist()


@pytest.mark.parametrize("game_id", GAMES)
def test_a_redeal_changes_only_what_the_seat_cannot_see(game_id: str) -> None:
    env = batch(game_id, 16, seed=1)
    b = env.reset()
    for _ in range(12):
        b = env.step(env.policy_actions())
    seats, seen, mask = b.to_play.copy(), rows(b.observation).copy(), rows(b.legal_mask).copy()
    before = [env.match(i).redacted(int(seats[i])) for i in range(env.n)]
    first, second = env.clone(), env.clone()
    b = first.redeal(seats, seed=1)
    second.redeal(seats, seed=2)
    assert [first.match(i).redacted(int(seats[i])) for i in range(env.n)] == before
    assert (b.to_play == seats).all()
    assert (rows(b.observation) == seen).all()
    assert (rows(b.legal_mask) == mask).all()
    assert first.state_bytes().tobytes() != second.state_bytes().tobytes()
    three = env.clone()
    three.redeal(seats, seed=1)
    assert first.state_bytes().tobytes() == three.state_bytes().tobytes()


def test_policy_actions_play_better_than_random_ones() -> None:
    env = batch("pyramis", 64, seats=2, seed=1, observe=False, masks=False)
    b = env.reset()
    won = np.zeros(2)
    for _ in range(400):
        actions = np.where(b.to_play == 0, env.policy_actions(), env.random_actions())
        b = env.step(actions)
        won += b.rewards.sum(axis=0)
    assert won.sum() > 200
    assert won[0] > 0.8 * won.sum()


def test_cards_and_options_reach_the_games() -> None:
    game = registry.load("ponzi-scheme")
    text = (game.folder / "cards.toml").read_text("utf-8")
    dearer = text.replace("value = 9, period = 5, interest = 8", "value = 9, period = 5, interest = 80")
    env = batch("ponzi-scheme", 2, seats=5, cards=dearer, advanced=True)
    env.reset()
    assert env.match(0).view(None)["market"][0]["interest"] == 80
    assert env.match(1).options["advanced"] is True
    for index in (-1, 2):
        with pytest.raises(IndexError, match=f"There is no environment {index}; there are 0 to 1."):
            env.match(index)
    with pytest.raises(ValueError, match="round_limit"):
        batch("ponzi-scheme", 2, round_limit=0)
    with pytest.raises(ValueError, match="at least one environment"):
        batch("ponzi-scheme", 0)


def test_hidden_options_stay_hidden_in_observations_and_redeals() -> None:
    garnets = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    env = batch("upside-down", 1, seed=3, garnets=garnets, simultaneous=True)
    b = env.reset()
    match = open_matches(env)[0]
    for seat in range(10):
        assert rows(b.observation)[0, seat].tolist() == match.observation(seat).tolist()
    seen = env.clone().redeal(4, seed=5)
    assert rows(seen.observation)[0, 4].tolist() == match.observation(4).tolist()


@pytest.mark.parametrize("simultaneous", [False, True])
def test_points_and_length_are_those_of_the_games_that_ended(simultaneous: bool) -> None:
    env = batch("pyramis", 4, seats=3, seed=5, simultaneous=simultaneous)
    b, matches = env.reset(), open_matches(env)
    assert (b.length.tolist(), b.points.tolist()) == ([0] * 4, [[0] * 3] * 4)
    ended = 0
    while ended < 6:
        actions = env.policy_actions()
        for i, match in enumerate(matches):
            for seat in match.acting if simultaneous else match.acting[:1]:
                match.play(seat, int(actions[i, seat] if simultaneous else actions[i]))
        b = env.step(actions)
        assert b.length.tolist() == [match.ply for match in matches]
        for i, match in enumerate(matches):
            assert tuple(b.points[i].tolist()) == (match.outcome.points if match.outcome else (0, 0, 0))
        ended += int(b.terminated.sum())
        begun = open_matches(env)
        matches = [begun[i] if match.over else match for i, match in enumerate(matches)]


@rule
def _lead(box, s, payoffs, points, out):
    """Reward the lead in points over the next seat, and 100 for a win."""
    for seat in range(s.seats):
        out[seat] = 100.0 * payoffs[seat] + points[seat] - points[(seat + 1) % s.seats]


@pytest.mark.parametrize("reward", ["points", "rank", _lead])
def test_rewards_are_points_ranks_or_those_of_a_rule(outside: Any, reward: Any) -> None:
    env, usual = batch("high-card", 8, seats=4, seed=5, reward=reward), batch("high-card", 8, seats=4, seed=5)
    env.reset()
    usual.reset()
    ended = 0
    while ended < 8:
        actions = usual.random_actions()
        b, won = env.step(actions), usual.step(actions)
        for i in np.flatnonzero(b.terminated):
            payoffs, points = won.rewards[i].tolist(), won.points[i].tolist()
            order = list(zip(payoffs, points, strict=True))
            if reward == "points":
                expected = [max(0, number) for number in points]
            elif reward == "rank":
                expected = [(sum((a > b) + (a == b) / 2 for b in order) - 0.5) / 3 for a in order]
            else:
                expected = [100 * payoffs[n] + points[n] - points[(n + 1) % 4] for n in range(4)]
            assert b.rewards[i].tolist() == pytest.approx(expected)
            ended += 1
        assert not b.rewards[~b.terminated].any()
    assert env.clone().policy_actions().shape == (8,)


def test_an_unknown_reward_is_refused_with_a_sentence() -> None:
    with pytest.raises(ValueError, match="There is no reward 'margin'; there are 'win', 'points', 'rank', and rules"):
        batch("pyramis", 2, reward="margin")
    with pytest.raises(TypeError, match=r"A reward is a function with the decorator pyramidion\.engine\.rule\.rule"):
        batch("pyramis", 2, reward=len)
