"""A program that learns and plays, for type checkers in strict mode; `test_types.py` checks and runs it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from pettingzoo import AECEnv

import pyramidion
from pyramidion import bots
from pyramidion.env import pettingzoo
from pyramidion.env.rewards import RewardName

Floats = npt.NDArray[np.float64]


class Player:
    """A softmax over a linear function of observations, learned by policy gradient."""

    def __init__(self, game: pyramidion.Game) -> None:
        self.weights: Floats = np.zeros((game.observation.size, len(game.actions)))

    def chances(self, observation: npt.NDArray[np.float32], mask: npt.NDArray[np.bool_]) -> Floats:
        """Return the probabilities of actions."""
        logits = np.where(mask, observation @ self.weights, -np.inf)
        powers: Floats = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares: Floats = powers / powers.sum(axis=1, keepdims=True)
        return shares


def learn(game: pyramidion.Game, n: int, steps: int, reward: RewardName) -> float:
    """Learn in self-play; return the mean reward of a game."""
    env = pyramidion.env.batch(game, n, seats=2, seed=1, reward=reward)
    player, random, total, games = Player(game), np.random.default_rng(0), 0.0, 0
    b = env.reset()
    for _ in range(steps):
        chances = player.chances(b.observation, b.legal_mask)
        actions = (chances.cumsum(axis=1) < random.random((n, 1))).sum(axis=1)
        seen, chosen = b.observation.copy(), np.eye(len(game.actions))[actions]
        b = env.step(actions)
        gains: Floats = b.rewards.mean(axis=1).astype(np.float64)
        player.weights += 0.01 * seen.T @ ((chosen - chances) * gains[:, None])
        total, games = total + float(gains.sum()), games + int(b.terminated.sum())
    assert b.points.shape == (n, 2)
    assert b.length.shape == (n,)
    env.close()
    return total / max(1, games)


def main() -> tuple[float, int, str]:
    """Learn, search and step an environment of PettingZoo."""
    game = pyramidion.load("pyramis")
    match = game.new(seats=2, seed=7)
    seat = match.acting[0]
    result = bots.load("expert", game, seed=1).think(
        match.box_for(seat), match.redacted_state(seat), seat, iterations=20
    )
    aec: AECEnv[str, pettingzoo.Observation, int] = pettingzoo.aec("pyramis", seats=2)
    aec.reset(seed=7)
    return learn(game, 8, 160, "win"), result.best.action, aec.agent_selection


if __name__ == "__main__":
    print(main())
