# pyright: basic
"""OpenSpiel's NFSP (Heinrich and Silver 2016) and Deep CFR (Brown et al. 2019) as agents of the benchmark.

Training needs PyTorch (`pip install torch dm-tree`). The agents do not: the average policies are saved for NumPy.

    python benchmarks/open_spiel_learners.py nfsp pyramis-micro --openings 1 --iterations 20000
    pyramidion evaluate pyramis-micro --agent nfsp=benchmarks.open_spiel_learners:nfsp
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import time
from functools import cache, partial
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

import pyramidion
from pyramidion.bots import Bot

WEIGHTS = Path(__file__).parent / "weights"


def make_game(game_id: str, openings: int) -> Any:
    """Return the OpenSpiel game, with a tensor that suits a network: what the seat observes, then its number (one-hot).

    The adapter's information-state tensor has a digest of all that the seat has seen and done, from which nothing
    generalizes.
    """
    import pyspiel

    from pyramidion.env import open_spiel

    class SeatObserver(open_spiel.Observer):
        def __init__(self, rules: Any) -> None:
            super().__init__(rules, pyspiel.IIGObservationType(perfect_recall=False))
            self.tensor = np.zeros(rules.game.observation.size + rules.seats, np.float32)
            self._observation, self._seat = np.split(self.tensor, [-rules.seats])
            self.dict = {"observation": self._observation, "seat": self._seat}

        def set_from(self, state: Any, player: int) -> None:
            super().set_from(state, player)
            self._seat[player] = 1

    class SeatTensorGame(open_spiel.OpenSpielGame):
        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            return SeatObserver(self.rules)

    return SeatTensorGame(open_spiel.make(game_id, openings=openings).rules)


def train_nfsp(game: Any, iterations: int, seed: int) -> list[Any]:
    """Return the average policy of each seat after so many games, as PyTorch modules."""
    from open_spiel.python import rl_environment
    from open_spiel.python.pytorch.nfsp import NFSP

    env = rl_environment.Environment(game, chance_event_sampler=rl_environment.ChanceEventSampler(seed))
    size, actions = game.information_state_tensor_size(), game.num_distinct_actions()
    memories: dict[str, Any] = {"reservoir_buffer_capacity": 100_000, "replay_buffer_capacity": 50_000}
    exploration: dict[str, Any] = {"epsilon_start": 0.1, "epsilon_end": 0.01, "epsilon_decay_duration": 100_000}
    learning: dict[str, Any] = {"optimizer_str": "adam", "rl_learning_rate": 0.001, "sl_learning_rate": 0.001}
    kwargs = {"anticipatory_param": 0.1, "learn_every": 16, **memories, **exploration, **learning}
    agents = [NFSP(seat, size, actions, [128], seed=seed + 10 * seat, **kwargs) for seat in range(env.num_players)]
    for _ in range(iterations):
        step = env.reset()
        while not step.last():
            step = env.step([agents[step.observations["current_player"]].step(step).action])
        for agent in agents:
            agent.step(step)
    return [agent._avg_network for agent in agents]


def train_deep_cfr(game: Any, iterations: int, seed: int) -> list[Any]:
    """Return the average policy after so many iterations, one PyTorch module for all seats."""
    from open_spiel.python.pytorch.deep_cfr import DeepCFRSolver

    sizes: dict[str, Any] = {"policy_network_layers": (128, 128), "advantage_network_layers": (128, 128)}
    batches: dict[str, Any] = {"batch_size_advantage": 256, "batch_size_strategy": 256, "memory_capacity": 300_000}
    steps = {"policy_network_train_steps": 5000, "advantage_network_train_steps": 300}
    kwargs = {"num_traversals": 10, "learning_rate": 0.001, **sizes, **batches, **steps}
    return [DeepCFRSolver(game, num_iterations=iterations, seed=seed, **kwargs).solve()[0]]


def save(networks: list[Any], path: Path) -> None:
    """Write the layers of networks to a file, in half precision, each named by its network and its place."""
    layers: dict[str, Any] = {
        f"{number} {place}": layer.numpy().astype(np.float16)
        for number, network in enumerate(networks)
        for place, layer in enumerate(network.state_dict().values())
    }
    path.parent.mkdir(exist_ok=True)
    np.savez_compressed(path, **layers)


@cache
def read(path: Path) -> list[list[np.ndarray]]:
    """Read the layers of each network: weights and biases, or the scale and shift of a layer norm, in turn."""
    with np.load(path, allow_pickle=False) as file:
        layers = [(name.split()[0], file[name].astype(np.float32)) for name in file.files]
    return [[layer for _, layer in group] for _, group in groupby(layers, key=lambda layer: layer[0])]


def forward(layers: list[np.ndarray], values: np.ndarray) -> np.ndarray:
    """Return the logits of a network with ReLU after all linear layers but the last."""
    for place in range(0, len(layers), 2):
        weight, bias = layers[place : place + 2]
        if weight.ndim == 1:
            values = (values - values.mean()) / np.sqrt(values.var() + 1e-5) * weight + bias
        elif place == len(layers) - 2:
            values = weight @ values + bias
        else:
            values = np.maximum(weight @ values + bias, 0)
    return values


class AveragePolicyBot(Bot):
    """A bot that samples from a saved average policy."""

    def __init__(self, algorithm: str, game: pyramidion.Game, seed: str) -> None:
        super().__init__(game, seed)
        self.networks = read(WEIGHTS / f"{algorithm}-{game.id}.npz")

    def choose(self, box: Any, state: Any, seat: int) -> int:
        """Return the id of a sampled action."""
        chances = self.probabilities(box, state, seat)
        return self.chance.choices(list(chances), list(chances.values()))[0]

    def probabilities(self, box: Any, state: Any, seat: int) -> dict[int, float]:
        """Return the probabilities of the legal actions."""
        seen = np.zeros(self.game.observation.size, np.float32)
        self.game.compiled.observe(box, state, seat, seen)
        own_network = self.networks[seat if len(self.networks) > 1 else 0]
        ids = self.legal_ids(box, state, seat)
        logits = forward(own_network, np.append(seen, np.eye(int(state["seats"][0]), dtype=np.float32)[seat]))[ids]
        powers = np.exp((logits - logits.max()).astype(float))
        return dict(zip(ids.tolist(), (powers / powers.sum()).tolist(), strict=True))


nfsp, deep_cfr = partial(AveragePolicyBot, "nfsp"), partial(AveragePolicyBot, "deep-cfr")
TRAIN = {"nfsp": train_nfsp, "deep-cfr": train_deep_cfr}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("algorithm", choices=TRAIN)
    parser.add_argument("game")
    parser.add_argument("--iterations", type=int, required=True, help="games of NFSP, iterations of Deep CFR")
    parser.add_argument("--openings", type=int, default=10_000, help="number of deals between which chance chooses")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    import torch  # pyright: ignore[reportMissingImports]

    torch.set_num_threads(1)
    started = time.monotonic()
    trained = TRAIN[asked.algorithm](make_game(asked.game, asked.openings), asked.iterations, asked.seed)
    save(trained, WEIGHTS / f"{asked.algorithm}-{asked.game}.npz")
    taken, busy, load = time.monotonic() - started, time.process_time(), os.getloadavg()[0]
    print(f"{shlex.join(sys.argv)}: {taken:.0f} s, {busy:.0f} s of processor time; load {load:.1f}")
