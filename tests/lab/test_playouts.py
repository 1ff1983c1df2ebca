"""Tests of playouts: counts of random games, and results of games between policies."""

from __future__ import annotations

import numpy as np
import pytest

from pyramidion.engine import registry
from pyramidion.engine.rule import INTERPRETED, rule
from pyramidion.lab import playouts
from pyramidion.lab.experiments.custom_metrics import Metric

GAME = registry.load("pyramis")
PLACE_LAST = GAME.actions.parse("place 3 d1").id
legal = GAME.rules.legal


@rule
def first_action(box, s, seat, ids, weights):
    legal(box, s, seat, ids)
    weights[0] = 1.0
    return 1


@rule
def cheats(box, s, seat, ids, weights):
    """Prefer the action whose number is a secret of the next seat, which the policy must not be able to see."""
    count = legal(box, s, seat, ids)
    for n in range(count):
        weights[n] = 1.0
    other = (seat + 1) % int(s.seats)
    if s.stars[other] != 0 or s.rng[0] != 0 or s.top[0] != 0:
        return 0
    return count


@rule
def illegal(box, s, seat, ids, weights):
    ids[0] = PLACE_LAST
    weights[0] = 1.0
    return 1


def test_policies_are_recorded_game_by_game() -> None:
    policy = GAME.mind.policy
    done = playouts.run(GAME, seats=3, games=300, seed=4, threads=2, policies=[policy, first_action, None])
    assert (done.wins.shape, done.points.shape, done.lengths.shape) == ((300, 3), (300, 3), (300,))
    assert (done.wins.dtype, done.points.dtype, done.lengths.dtype) == (np.bool_, np.int32, np.int32)
    assert done.decisions == done.lengths.sum()
    assert done.wins.any(axis=1).all()
    # Whoever wins has the most points.
    best = done.points.max(axis=1, keepdims=True)
    assert (done.points[done.wins] == np.broadcast_to(best, done.points.shape)[done.wins]).all()
    assert done.wins[:, 0].mean() > 0.8
    again = playouts.run(GAME, seats=3, games=300, seed=4, threads=2, policies=[policy, first_action, None])
    assert (again.points == done.points).all()


def test_random_games_are_only_counted() -> None:
    done = playouts.run(GAME, seats=2, games=50, seed=1)
    assert done.games == 50
    assert done.decisions > 50 * 20
    assert len(done.wins) == len(done.lengths) == 0


@pytest.mark.parametrize("wrong", [{"games": 0}, {"games": -1}, {"threads": 0}])
def test_a_run_has_games_and_threads(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="at least one game and one thread"):
        playouts.run(GAME, seats=2, **wrong)


def test_a_seed_is_a_whole_number() -> None:
    with pytest.raises(TypeError, match="integer"):
        playouts.run(GAME, seats=2, games=5, seed="x")  # pyright: ignore[reportArgumentType]
    assert playouts.run(GAME, seats=2, games=5, seed=np.int64(3)).decisions == (
        playouts.run(GAME, seats=2, games=5, seed=3).decisions
    )


def test_a_policy_sees_no_secrets() -> None:
    done = playouts.run(GAME, seats=2, games=40, seed=1, policies=[cheats, cheats])
    assert (done.lengths > 0).all()


def test_an_illegal_action_of_a_policy_is_refused() -> None:
    with pytest.raises(ValueError, match="policy of seat 1 proposed an illegal action"):
        playouts.run(GAME, seats=2, games=20, threads=2, policies=[None, illegal])


def test_any_exception_of_a_thread_is_raised() -> None:
    def work(n: int, first: int, end: int) -> None:
        if end > first:
            raise IndexError(f"thread {n}")

    with pytest.raises(IndexError, match="thread"):
        playouts._on_threads(work, [1, 1])


def test_there_is_a_policy_for_every_seat() -> None:
    with pytest.raises(ValueError, match="A table with 3 seats needs 3 policies, not 2"):
        playouts.run(GAME, seats=3, policies=[None, None])


def test_a_function_that_is_no_rule_is_named_before_anything_is_compiled() -> None:
    def plain(*_given: object) -> int:
        return 0

    wrong: list[object] = [None] if INTERPRETED else [None, plain]
    for function in wrong:
        with pytest.raises(TypeError, match="A measure is a function with the decorator pyramidion"):
            Metric("mine", ("in a game",), function)
    if not INTERPRETED:
        with pytest.raises(TypeError, match="A policy is a function with the decorator"):
            playouts.run(GAME, seats=2, games=1, policies=[None, plain])
