"""What all environments have in common: the actions they refuse, and their masks when a match is over."""

from __future__ import annotations

from decimal import Decimal
from random import Random

import gymnasium
import numpy as np
import pyspiel
import pytest
from tests.every_game import limits

import pyramidion
from pyramidion.engine.actions import action_id
from pyramidion.engine.errors import IllegalAction
from pyramidion.env import batch, open_spiel, pettingzoo
from pyramidion.env.gymnasium import SeatEnv
from pyramidion.env.gymnasium_vector import SeatVectorEnv

NO_NUMBERS = [
    0.0,
    0.9,
    1.0,
    -0.5,
    float("nan"),
    float("inf"),
    np.float32(1),
    np.float64(0.9),
    np.array(0.9),
    np.array([0]),
    np.array([1, 2]),
    True,
    False,
    np.True_,
    np.array(True),
    None,
    "0",
    "x",
    "",
    b"0",
    [0],
    (0,),
    {},
    Decimal(1),
    1 + 0j,
    object(),
]
"""Values that are no id of an action, though Python or NumPy would make a number of some."""
NOT_THERE = [-1, 10**6, 2**40, -(2**40), 10**30, np.int64(-1), np.uint64(2**63)]
"""Whole numbers that are no action of any game."""


@pytest.fixture(params=sorted(pyramidion.all_games()))
def game(request):
    return pyramidion.load(request.param)


class Adapter:
    """An environment of one of the frameworks: `play` plays an action of the seat that has to act, `ply` counts."""

    def __init__(self, kind, game):
        self.kind, self.game = kind, game
        if kind == "match":
            self.env = game.new(seed=1)
            self.play = lambda action: self.env.play(self.env.acting[0], action)
        elif kind == "gymnasium":
            self.env = SeatEnv(game, illegal="raise")
            self.env.reset(seed=1)
            self.play = self.env.step
        elif kind == "turns":
            self.env = pettingzoo.aec(game)
            self.env.reset(seed=1)
            self.play = self.env.step
        elif kind == "together":
            self.env = pettingzoo.parallel(game)
            self.env.reset(seed=1)
            self.play = lambda action: self.env.step(self.actions(action))
        elif kind == "batch":
            self.env = batch(game, 2, seed=1)
            self.env.reset()
            self.play = lambda action: self.env.step([action] * 2)
        elif kind == "simultaneous":
            self.env = batch(game, 1, seed=1, simultaneous=True)
            self.env.reset()
            self.play = lambda action: self.env.step([[action] * self.env.seats])
        elif kind == "vector":
            self.env = SeatVectorEnv(game, 2)
            self.env.reset(seed=1)
            self.play = lambda action: self.env.step([action] * 2)
        else:
            self.env = open_spiel.make(game, openings=1, seed=1).new_initial_state()
            self.env.apply_action(0)
            # Past the checks of OpenSpiel's own, which knows no whole number but int.
            self.play = self.env._apply_action

    def actions(self, action):
        """Return an action for every agent that is due: a legal one for all but the last."""
        match = self.env.match
        legal = {f"player_{seat}": int(match.legal_ids(seat)[0]) for seat in match.acting}
        return legal | {f"player_{match.acting[-1]}": action}

    def position(self):
        """Return what would change if anything were played."""
        if self.kind in ("batch", "simultaneous"):
            return self.env.state_bytes().tobytes()
        if self.kind == "vector":
            return self.env.batch.state_bytes().tobytes()
        if self.kind == "open_spiel":
            return self.env.state.tobytes()
        match = self.env if self.kind == "match" else self.env.unwrapped.match
        return match.state_copy().tobytes()


KINDS = ["match", "gymnasium", "turns", "together", "batch", "simultaneous", "vector", "open_spiel"]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_whole_number_is_refused_and_nothing_moves(kind):
    for game_id in ("pyramis", "pyramid-shambo", "upside-down"):
        adapter = Adapter(kind, pyramidion.load(game_id))
        before = adapter.position()
        for value in NO_NUMBERS:
            with pytest.raises(ValueError, match=r"\.$|must be|has to act"):
                adapter.play(value)
            assert adapter.position() == before, value


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_that_are_no_action_are_refused_and_nothing_moves(kind):
    adapter = Adapter(kind, pyramidion.load("pyramis"))
    before = adapter.position()
    for value in NOT_THERE:
        with pytest.raises(ValueError, match=r"\.$"):
            adapter.play(value)
        assert adapter.position() == before, value


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", [int, np.int8, np.uint8, np.int32, np.int64, np.array])
def test_whole_numbers_of_every_kind_are_played(kind, form):
    adapter = Adapter(kind, pyramidion.load("pyramis"))
    before = adapter.position()
    if kind in ("batch", "vector"):
        current = (adapter.env.batch if kind == "vector" else adapter.env).arrays
        actions = [int(mask.argmax()) for mask in current.legal_mask]
        adapter.env.step(np.array([form(action) for action in actions]))
    elif kind == "simultaneous":
        adapter.play(form(int(adapter.env.arrays.legal_mask[0][adapter.env.arrays.to_play[0]][0].argmax())))
    elif kind == "open_spiel":
        adapter.play(form(adapter.env.legal_actions()[0]))
    else:
        match = adapter.env if kind == "match" else adapter.env.unwrapped.match
        adapter.play(form(int(match.legal_ids(match.acting[0])[0])))
    assert adapter.position() != before


def test_openspiel_itself_refuses_what_is_no_int():
    state = open_spiel.make("pyramis", openings=2).new_initial_state()
    for action in (0.9, None, "x", np.float64(0)):
        with pytest.raises((TypeError, ValueError)):
            state.apply_action(action)
    assert state.is_chance_node()


def test_the_message_says_what_was_given_in_short():
    with pytest.raises(ValueError, match=r"^The id of an action is a whole number, not 0\.9\.$"):
        action_id(0.9)
    with pytest.raises(ValueError, match=r"not 'xxxx") as caught:
        action_id("x" * 1000)
    assert len(str(caught.value)) < 100


@pytest.mark.parametrize("value", [0.9, None, True, "pass"])
def test_opponents_and_features_are_asked_for_whole_numbers_too(value):
    env = SeatEnv("pyramis", seat=1, opponents=lambda observation, mask: value)
    with pytest.raises(ValueError, match="whole number"):
        [env.reset(seed=seed) for seed in range(9)]
    several = SeatVectorEnv("pyramis", 4, seat=1, opponents=lambda observation, masks: np.array([value] * len(masks)))
    with pytest.raises(ValueError, match="whole numbers"):
        [several.reset(seed=seed) for seed in range(9)]
    game = pyramidion.load("pyramis")
    with pytest.raises(ValueError, match="whole numbers"):
        game.action_features(game.new(), 0, [value])
    with pytest.raises(ValueError, match="whole number"):
        game.actions[value]


def test_an_agent_that_is_due_needs_an_action():
    env = pettingzoo.parallel("pyramis")
    env.reset(seed=1)
    agent = env.agents[env.match.acting[0]]
    for actions in ({}, {agent: None}):
        with pytest.raises(ValueError, match=f"{agent} has to act, and no action of it was given"):
            env.step(actions)
    assert env.match.ply == 0


def test_seats_to_redeal_and_to_watch_are_whole_numbers():
    env = batch("pyramis", 2)
    env.reset()
    for call in (lambda: env.redeal(0.5), lambda: env.watch([0.5, 1]), lambda: env.watch(True)):
        with pytest.raises(ValueError, match="Seats are whole numbers"):
            call()


# When a match is over


def test_all_actions_are_unmasked_when_a_match_is_over(game):
    """So a softmax over what is not masked out is a number in every adapter."""
    options, chance = limits(game, 1), Random(1)
    env = SeatEnv(game, **options)
    _, info = env.reset(seed=3)
    over = False
    while not over:
        *_, over, _, info = env.step(chance.choice(info["action_mask"].nonzero()[0]))
    assert info["action_mask"].all()
    assert env.action_masks().all()

    turns = pettingzoo.aec(game, **options)
    turns.reset(seed=3)
    for _ in turns.agent_iter():
        observation, _, over, _, _ = turns.last()
        assert observation["action_mask"].all() == over
        turns.step(None if over else chance.choice(observation["action_mask"].nonzero()[0]))

    together = pettingzoo.parallel(game, **options)
    observations, _ = together.reset(seed=3)
    while together.agents:
        masks = {agent: observation["action_mask"] for agent, observation in observations.items()}
        due = {agent: chance.choice(mask.nonzero()[0]) for agent, mask in masks.items() if mask.any()}
        observations, *_ = together.step(due)
    assert all(observation["action_mask"].all() for observation in observations.values())
    assert len(observations) == together.match.seats


def test_a_forfeited_match_is_over_for_its_mask_too():
    env = SeatEnv("pyramis")
    _, info = env.reset(seed=1)
    *_, over, _, info = env.step(int(info["action_mask"].argmin()))
    assert over
    assert info["action_mask"].all()
    assert not env.reset(seed=1)[1]["action_mask"].all()


@pytest.mark.parametrize(
    ("masks", "simultaneous", "threads"), [(True, False, 1), ("packed", False, 2), (True, True, 1)]
)
def test_finished_games_of_a_batch_are_unmasked_until_the_next_begins(game, masks, simultaneous, threads):
    options = limits(game, 1)
    kind = {"autoreset": False, "simultaneous": simultaneous, "masks": masks, "threads": threads}
    env, fresh = batch(game, 2, seed=4, **kind, **options), batch(game, 2, seed=4, **kind, **options)
    b = env.reset()
    while not b.terminated.all():
        masks_of_batch = env.unpack(b.legal_mask) if masks == "packed" else b.legal_mask
        assert masks_of_batch[b.terminated].all()
        assert not masks_of_batch[~b.terminated].all(axis=-1).any()
        b = env.step(env.random_actions())
    for seen in (b, env.step(env.random_actions())):
        assert (env.unpack(seen.legal_mask) if masks == "packed" else seen.legal_mask).all()
        assert not seen.to_play.any() if simultaneous else (seen.to_play == -1).all()
    fresh.reset()
    assert env.reset(4).legal_mask.tolist() == fresh.arrays.legal_mask.tolist()
    env.close()
    fresh.close()


@pytest.mark.parametrize("mode", ["SameStep", "NextStep"])
def test_rows_of_the_vector_environment_are_never_empty(mode):
    env, chance, ends = SeatVectorEnv("pyramid-shambo", 4, autoreset_mode=mode, seats=3, turn_limit=2), Random(2), 0
    _, infos = env.reset(seed=1)
    while ends < 12:
        actions = [chance.choice(mask.nonzero()[0]) for mask in infos["action_mask"]]
        *_, over, _, infos = env.step(np.array(actions))
        ends += over.sum()
        assert infos["action_mask"].any(axis=1).all()
        assert mode == "SameStep" or infos["action_mask"][over].all()


def test_openspiel_says_that_nobody_acts():
    """Its own tests want no legal actions at the end; `legal_actions` has nothing to mask there."""
    state = pyspiel.load_game("pyramidion_pyramid_shambo(seats=2,turn_limit=1,tie_limit=1)").new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert state.current_player() == pyspiel.PlayerId.TERMINAL
    assert state.legal_actions() == []


def test_an_illegal_number_is_an_illegal_action():
    env = gymnasium.make("Pyramidion/Pyramis-v1", illegal="raise")
    env.reset(seed=1)
    with pytest.raises(IllegalAction, match="There is no action 1000000"):
        env.unwrapped.step(10**6)
