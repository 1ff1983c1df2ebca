"""Tests of benchmarks/open_spiel_learners.py without PyTorch: the saved average policies as agents."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest
from benchmarks import baselines
from benchmarks.open_spiel_learners import WEIGHTS, AveragePolicyBot, forward, make_game

import pyramidion
from pyramidion.lab.evaluation import read_evaluation

SAVED = sorted(WEIGHTS.glob("*.npz"))


def test_logits_are_those_of_linear_layers_a_layer_norm_and_a_linear_layer():
    linear = [np.array([[1.0, 1.0], [1.0, -1.0], [2.0, 0.0]]), np.array([0.0, 0.0, 1.0])]
    last = [np.array([[1.0, 0.0, 1.0]]), np.array([0.5])]
    # The hidden layer is (3, 0, 3): -1 becomes 0. Its mean is 2 and its variance 2.
    assert forward([*linear, *last], np.array([1.0, 2.0])) == pytest.approx([6.5])
    norm = [np.array([1.0, 1.0, 2.0]), np.array([0.0, 0.0, 1.0])]
    normal = 1 / math.sqrt(2)
    assert forward([*linear, *norm, *last], np.array([1.0, 2.0])) == pytest.approx([3 * normal + 1.5], abs=1e-4)


@pytest.mark.parametrize("path", SAVED, ids=lambda path: path.stem)
def test_a_saved_policy_gives_every_legal_action_a_probability(path):
    algorithm = next(name for name in ("nfsp", "deep-cfr") if path.stem.startswith(f"{name}-"))
    game = pyramidion.load(path.stem.removeprefix(f"{algorithm}-"))
    bot, match = AveragePolicyBot(algorithm, game, "seed"), game.new(seed=1)
    while match.outcome is None:
        seat = match.acting[0]
        seen = match.box_for(seat), match.redacted_state(seat), seat
        chances = bot.probabilities(*seen)
        assert list(chances) == match.legal_ids(seat).tolist()
        assert sum(chances.values()) == pytest.approx(1)
        match.play(seat, bot.choose(*seen))


def test_networks_are_trained_on_what_a_seat_sees_and_its_number():
    pytest.importorskip("pyspiel")
    state = make_game("pyramid-shambo-mini", openings=10).new_initial_state()
    for action in (3, None, None, None):
        state.apply_action(action or state.legal_actions()[0])
    seat = state.current_player()
    tensor = state.information_state_tensor(seat)
    assert len(tensor) == state.get_game().information_state_tensor_size() == state.rules.game.observation.size + 3
    assert tensor[-3:] == [float(player == seat) for player in range(3)]
    others = [state.resample_from_infostate(seat, Random(draw).random) for draw in range(20)]
    assert len({str(other) for other in others}) > 1, "something is hidden"
    assert all(other.information_state_tensor(seat) == tensor for other in others)


def test_every_saved_policy_is_measured_and_small():
    measured = {
        f"{agent.name}-{game}"
        for game in baselines.LEARNERS
        for agent in read_evaluation(baselines.RESULTS / f"{game}-learners.json").agents
    }
    assert {path.stem for path in SAVED} == measured
    assert all(path.stat().st_size < 1_000_000 for path in SAVED)
