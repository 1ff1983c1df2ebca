"""Observations, masks, rewards and action features: their shapes, dtypes, bounds and meanings."""

from __future__ import annotations

import random

import numpy as np
import pytest

from pyramidion.engine import registry
from pyramidion.engine.actions import action_space, parameter, seats, whole
from pyramidion.engine.observation import observation_space, part
from pyramidion.engine.random_games import play_randomly, random_options
from pyramidion.engine.ranges import observed_range, out_of_bounds

GAMES = registry.own_ids()
SPACE = observation_space(phase=part("phase", 2), turn=part("turn", low=-1.0, high=3.0), grid=part("grid", 2, 3))


def test_parts_follow_each_other_in_the_order_of_their_declaration() -> None:
    assert [(p.name, p.offset, p.size, p.shape) for p in SPACE.values()] == [
        ("phase", 0, 2, (2,)),
        ("turn", 2, 1, ()),
        ("grid", 3, 6, (2, 3)),
    ]
    assert SPACE.size == 9
    assert SPACE.low.tolist() == [0, 0, -1, 0, 0, 0, 0, 0, 0]
    assert SPACE.high.tolist() == [1, 1, 3, 1, 1, 1, 1, 1, 1]


def test_a_vector_is_split_into_views_of_its_parts() -> None:
    vectors = np.arange(18, dtype=np.float32).reshape(2, 9)
    parts = SPACE.split(vectors)
    assert parts["turn"].tolist() == [2, 11]
    assert parts["grid"].shape == (2, 2, 3)
    parts["grid"][1, 0, 0] = 7
    assert vectors[1, 3] == 7


def test_a_part_may_not_have_the_name_of_a_method_of_records() -> None:
    with pytest.raises(ValueError, match="'round' is taken"):
        observation_space(round=part("round"))


@pytest.mark.parametrize("game_id", GAMES)
def test_observations_stay_in_bounds_at_every_number_of_seats_and_with_any_options(game_id: str) -> None:
    """More than 100,000 observations of each game, and at least 2,000 with each of its numbers of seats."""
    game, chance, count = registry.load(game_id), random.Random(game_id), 0
    for count_of_seats in game.seats:
        for kind in range(6):
            options = random_options(game, chance) if kind else {}
            for by_policy in (False, True):
                low, high, more = observed_range(
                    game,
                    count_of_seats,
                    game.accept_options(options),
                    games=50,
                    seed=chance.getrandbits(63),
                    by_policy=by_policy,
                )
                assert out_of_bounds(game, low, high) == [], (count_of_seats, options, by_policy)
                count += more
    assert count > 100_000
    assert np.isfinite(game.observation.low).all()
    assert np.isfinite(game.observation.high).all()


def test_the_range_of_observations_is_that_of_the_games() -> None:
    """A range is as wide as what a match shows, and the parts that leave their bounds are named."""
    game = registry.load("pyramid-shambo")
    low, high, count = observed_range(game, 3, game.accept_options({}), games=3, seed=5)
    assert count > 100
    assert (low <= high).all()
    assert low.min() == 0
    assert game.observation.split(high)["phase"].tolist()[:4] == [1, 1, 1, 1]
    assert out_of_bounds(game, low, high) == []
    for wrong in (-1, np.nan):
        low[game.observation["need"].offset] = wrong
        assert [words.split()[0] for words in out_of_bounds(game, low, high)] == ["need"]


@pytest.mark.parametrize("game_id", GAMES)
def test_arrays_have_their_documented_shapes_and_dtypes(game_id: str) -> None:
    game = registry.load(game_id)
    match = game.new(seed=1)
    out = np.full(game.observation.size, np.nan, np.float32)
    for seat in range(match.seats):
        assert match.observation(seat, out) is out
        assert np.isfinite(out).all()
        fresh, mask = match.observation(seat), match.legal_mask(seat)
        assert (fresh.dtype, fresh.tobytes()) == (np.float32, out.tobytes())
        assert (mask.dtype, mask.shape) == (np.bool_, (len(game.actions),))
        assert np.flatnonzero(mask).tolist() == match.legal_ids(seat).tolist()
        ids = match.legal_ids(match.acting[0])
        features = game.action_features(match, seat, ids)
        assert (features.dtype, features.shape) == (np.float32, (len(ids), game.actions.features.size))
    assert (match.rewards.dtype, match.rewards.tolist()) == (np.float32, [0.0] * match.seats)


@pytest.mark.parametrize("game_id", GAMES)
def test_rewards_are_the_payoffs_of_a_finished_match(game_id: str) -> None:
    match = play_randomly(registry.load(game_id), random.Random(2)).match
    assert match.outcome is not None
    assert match.rewards.tolist() == [np.float32(payoff) for payoff in match.outcome.payoffs]
    assert not match.legal_mask(0).any()


def test_an_observation_is_refused_an_array_that_does_not_fit() -> None:
    match = registry.load("pyramis").new(seed=1)
    size = match.game.observation.size
    for out in (np.zeros(size - 1, np.float32), np.zeros(size), np.zeros(2 * size, np.float32)[::2]):
        with pytest.raises(ValueError, match=rf"contiguous float32\[{size}\]"):
            match.observation(0, out)
    for seat in (-1, match.seats):
        with pytest.raises(ValueError, match="There is no seat"):
            match.observation(seat)


ACTIONS = action_space(
    pass_=(), move=(parameter("card", "abc"), parameter("card", "cd")), rob=(seats(4),), bid=whole(0, 10)
)


def test_action_features_come_from_the_declaration() -> None:
    space = ACTIONS.features
    assert [(p.name, p.shape) for p in space.values()] == [
        ("family", (4,)),
        ("card", (3,)),
        ("card_2", (2,)),
        ("seat", (4,)),
        ("bid_number", (2,)),
    ]
    ids = np.array([ACTIONS.parse(text).id for text in ("pass", "move b d", "rob 0", "bid 10", "bid 0")])
    found = space.split(space.of(ids, seat=2, seats=3))
    assert found["family"].argmax(1).tolist() == [0, 1, 2, 3, 3]
    assert found["card"].tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert found["card_2"].tolist() == [[0, 0], [0, 1], [0, 0], [0, 0], [0, 0]]
    # Seat 0 is the next one clockwise from seat 2 of 3.
    assert found["seat"].tolist() == [[0, 0, 0, 0], [0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    assert found["bid_number"].tolist() == [[0, 0], [0, 0], [0, 0], [1, 1], [0, 0]]


@pytest.mark.parametrize("game_id", GAMES)
def test_different_actions_have_different_features(game_id: str) -> None:
    game = registry.load(game_id)
    match = game.new(seed=1)
    features = game.action_features(match, 1, range(len(game.actions)))
    assert len(np.unique(features, axis=0)) == len(game.actions)
    assert (features >= game.actions.features.low).all()
    assert (features <= game.actions.features.high).all()


def test_action_features_are_refused_an_unknown_id() -> None:
    match = registry.load("pyramis").new(seed=1)
    for ids in ([46], [-1]):
        with pytest.raises(ValueError, match="from 0 to 45"):
            match.game.action_features(match, 0, ids)
    for seat in (-1, 3):
        with pytest.raises(ValueError, match=f"There is no seat {seat}; this match has seats 0 to 2"):
            match.game.action_features(match, seat, [0])
    assert match.game.action_features(match, 0, []).shape == (0, match.game.actions.features.size)
