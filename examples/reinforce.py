"""Learn Pyramis against the policy bot: REINFORCE (Williams 1992) with a mask of legal actions, on a batch of games.

The learner is a softmax over the legal actions, linear in the observation. After a batch of games, the actions of each
game become more probable in proportion to its payoff, less the batch's average.

    python examples/reinforce.py
"""

from __future__ import annotations

import numpy as np

import pyramidion

GAME = pyramidion.load("pyramis")
SEATS, BATCH, RATE, SKILL = 2, 256, 0.01, 0.5
Step = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""Decisions of one step: the games they belong to, observations, legal masks, actions."""


class Learner:
    """A softmax policy whose logits are linear in the observation."""

    def __init__(self) -> None:
        self.weights = np.zeros((GAME.observation.size, len(GAME.actions)))
        self.mean, self.square = np.zeros_like(self.weights), np.zeros_like(self.weights)
        self.updates = 0

    def chances(self, seen: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Return the probability of each action, float64[k, A]; 0 for illegal ones."""
        logits = np.where(mask, seen @ self.weights, -np.inf)
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True)

    def learn(self, steps: list[Step], payoffs: np.ndarray) -> None:
        """Follow the policy gradient of a batch of games with Adam (Kingma and Ba 2015)."""
        advantages = (payoffs - payoffs.mean()) / (payoffs.std() + 1e-8)
        gradient = np.zeros_like(self.weights)
        for games, seen, mask, actions in steps:
            error = -self.chances(seen, mask)
            error[np.arange(len(games)), actions] += 1
            gradient += seen.T @ (error * advantages[games, None])
        self.updates += 1
        self.mean += 0.1 * (gradient - self.mean)
        self.square += 0.001 * (gradient**2 - self.square)
        mean, square = self.mean / (1 - 0.9**self.updates), self.square / (1 - 0.999**self.updates)
        self.weights += RATE * mean / (np.sqrt(square) + 1e-8)


def play(learner: Learner, seed: int, games: int = BATCH) -> tuple[list[Step], np.ndarray]:
    """Play games against the policy bot, in both seats; return the learner's decisions and payoffs."""
    env = pyramidion.env.batch(GAME, games, SEATS, seed=seed, autoreset=False)
    random, seat, every = np.random.default_rng(seed), np.arange(games) % SEATS, np.arange(games)
    steps, payoffs, b = [], np.zeros(games), env.reset()
    while not b.terminated.all():
        actions = np.where(random.random(games) < SKILL, env.policy_actions(), env.random_actions())
        own = np.flatnonzero(b.to_play == seat)
        if len(own):
            seen, mask = b.observation[own], b.legal_mask[own]
            sums = learner.chances(seen, mask).cumsum(axis=1)
            actions[own] = (sums < random.random((len(own), 1)) * sums[:, -1:]).sum(axis=1)
            steps.append((own, seen, mask, actions[own]))
        b = env.step(actions)
        payoffs += b.rewards[every, seat]
    return steps, payoffs


def main(rounds: int = 60, seed: int = 0) -> tuple[float, float]:
    """Return the share of wins against the policy bot, before learning (random play) and afterwards."""
    learner = Learner()
    before = play(learner, 10**6, 1000)[1].mean()
    for number in range(rounds):
        learner.learn(*play(learner, seed + number))
    return float(before), float(play(learner, 10**6, 1000)[1].mean())


if __name__ == "__main__":
    before, after = main()
    print(f"wins {after:.0%} of its games against the policy bot; random play wins {before:.0%}")
