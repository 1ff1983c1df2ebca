# pyright: basic
"""Learn Pyramis against the policy bot: PPO (Schulman et al. 2017) with a mask of legal actions, in NumPy alone.

A network with one hidden layer gives logits for the actions and the value of a position. Advantages are payoffs less
values, which is generalized advantage estimation with lambda = 1: there is a reward only at the end of a game.

    python examples/ppo.py
"""

from __future__ import annotations

import numpy as np

import pyramidion

GAME = pyramidion.load("pyramis")
SEATS, BATCH, HIDDEN, SKILL = 2, 256, 64, 0.5
RATE, EPOCHS, PARTS, CLIP, ENTROPY = 0.01, 3, 4, 0.2, 0.003


class Network:
    """Logits and a value, trained with Adam."""

    def __init__(self, seed: int) -> None:
        random, size, actions = np.random.default_rng(seed), GAME.observation.size, len(GAME.actions)
        self.layers = [random.normal(0, size**-0.5, (size, HIDDEN)), np.zeros((HIDDEN, actions + 1))]
        self.means = [np.zeros_like(layer) for layer in self.layers]
        self.squares = [np.zeros_like(layer) for layer in self.layers]
        self.updates = 0

    def forward(self, seen: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the hidden layer, the probabilities of actions (0 for illegal ones) and the values."""
        hidden = np.tanh(seen @ self.layers[0])
        out = hidden @ self.layers[1]
        logits = np.where(mask, out[:, :-1], -np.inf)
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        return hidden, powers / powers.sum(axis=1, keepdims=True), out[:, -1]

    def learn(
        self, seen: np.ndarray, mask: np.ndarray, actions: np.ndarray, old: np.ndarray, payoffs: np.ndarray,
        advantages: np.ndarray,
    ) -> None:  # fmt: skip
        """Take one step on the clipped objective, with a bonus for entropy and the squared error of the values."""
        hidden, chances, values = self.forward(seen, mask)
        rows = np.arange(len(actions))
        ratio = chances[rows, actions] / old
        # The gradient of the clipped objective is zero where clipping has set in.
        active = np.where(advantages > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
        push = -chances * (active * ratio * advantages)[:, None]
        push[rows, actions] += active * ratio * advantages
        logs = np.log(np.where(chances > 0, chances, 1))
        push -= ENTROPY * chances * (logs - (chances * logs).sum(axis=1, keepdims=True))
        out = np.hstack([push, 0.5 * (payoffs - values)[:, None]]) / len(rows)
        inner = (out @ self.layers[1].T) * (1 - hidden**2)
        self.updates += 1
        for n, gradient in enumerate((seen.T @ inner, hidden.T @ out)):
            self.means[n] += 0.1 * (gradient - self.means[n])
            self.squares[n] += 0.001 * (gradient**2 - self.squares[n])
            mean, square = self.means[n] / (1 - 0.9**self.updates), self.squares[n] / (1 - 0.999**self.updates)
            self.layers[n] += RATE * mean / (np.sqrt(square) + 1e-8)


def play(network: Network, seed: int, games: int = BATCH) -> tuple[list[tuple[np.ndarray, ...]], np.ndarray]:
    """Play games against the policy bot, in both seats; return the network's decisions and payoffs.

    A decision has the games, observations, masks, actions, their probabilities and the values.
    """
    env = pyramidion.env.batch(GAME, games, SEATS, seed=seed, autoreset=False)
    random, seat, every = np.random.default_rng(seed), np.arange(games) % SEATS, np.arange(games)
    steps, payoffs, b = [], np.zeros(games), env.reset()
    while not b.terminated.all():
        actions = np.where(random.random(games) < SKILL, env.policy_actions(), env.random_actions())
        own = np.flatnonzero(b.to_play == seat)
        if len(own):
            seen, mask = b.observation[own], b.legal_mask[own]
            _, chances, values = network.forward(seen, mask)
            sums = chances.cumsum(axis=1)
            actions[own] = (sums < random.random((len(own), 1)) * sums[:, -1:]).sum(axis=1)
            steps.append((own, seen, mask, actions[own], chances[np.arange(len(own)), actions[own]], values))
        b = env.step(actions)
        payoffs += b.rewards[every, seat]
    return steps, payoffs


def main(rounds: int = 40, seed: int = 0) -> tuple[float, float]:
    """Return the share of wins against the policy bot, before learning (random play) and afterwards."""
    network, random = Network(seed), np.random.default_rng(seed)
    before = play(network, 10**6, 1000)[1].mean()
    for number in range(rounds):
        steps, won = play(network, seed + number)
        games, seen, mask, actions, old, values = (np.concatenate(column) for column in zip(*steps, strict=True))
        payoffs = won[games]
        advantages = payoffs - values
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        for _ in range(EPOCHS):
            for part in np.array_split(random.permutation(len(games)), PARTS):
                network.learn(seen[part], mask[part], actions[part], old[part], payoffs[part], advantages[part])
    return float(before), float(play(network, 10**6, 1000)[1].mean())


if __name__ == "__main__":
    before, after = main()
    print(f"wins {after:.0%} of its games against the policy bot; random play wins {before:.0%}")
