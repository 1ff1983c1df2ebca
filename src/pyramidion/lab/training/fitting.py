"""Fit of a small net with two hidden layers to shares of the win: cross entropy, by Adam, in NumPy."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pyramidion.bots.values import WEIGHTS

Floats = npt.NDArray[np.float32]
HIDDEN = (64, 32)
BATCH = 1024
RATE, DECAY = 2e-3, 1e-5
"""Learning rate at its highest, and weight decay."""
FIRST, SECOND = 0.9, 0.999
"""How much of their past Adam's means keep (Kingma and Ba 2015)."""


@dataclass
class Fit:
    """A net being fitted: weights in the order of `WEIGHTS`, Adam's two means for each, and the number of steps."""

    weights: list[Floats]
    means: list[Floats]
    squares: list[Floats]
    steps: int = 0

    @staticmethod
    def new(facts: int, outputs: int, seed: int) -> Fit:
        """Return a net with random weights, which says nearly the same about all positions."""
        chance = np.random.default_rng(seed)
        one, two = HIDDEN

        def drawn(rows: int, columns: int, scale: float = 1.0) -> Floats:
            drawn = chance.standard_normal((rows, columns)) * scale * math.sqrt(2.0 / rows)
            return drawn.astype(np.float32)

        def zeros(size: int) -> Floats:
            return np.zeros(size, np.float32)

        weights = [drawn(facts, one), zeros(one), drawn(one, two), zeros(two), drawn(two, outputs, 0.1), zeros(outputs)]
        return Fit(weights, [np.zeros_like(w) for w in weights], [np.zeros_like(w) for w in weights])

    def expected(self, known: Floats) -> Floats:
        """Return the expected shares for facts, float32[n, outputs]."""
        return _softmax(self._layers(known)[2])

    def loss(self, known: Floats, shares: Floats) -> float:
        """Return the mean cross entropy in nats."""
        return float(-(shares * np.log(self.expected(known) + 1e-9)).sum(axis=1).mean())

    def learn(self, known: Floats, shares: Floats, rate: float) -> None:
        """Take one step of Adam on one batch."""
        _, _, second, _, last, _ = self.weights
        one, two, out = self._layers(known)
        wrong = (_softmax(out) - shares) / np.float32(len(known))
        of_two = (wrong @ last.T) * (two > 0)
        of_one = (of_two @ second.T) * (one > 0)
        slopes = [known.T @ of_one, of_one.sum(0), one.T @ of_two, of_two.sum(0), two.T @ wrong, wrong.sum(0)]
        self.steps += 1
        scale = rate * math.sqrt(1 - SECOND**self.steps) / (1 - FIRST**self.steps)
        for n, slope in enumerate(slopes):
            self.means[n] += (1 - FIRST) * (slope - self.means[n])
            self.squares[n] += (1 - SECOND) * (slope * slope - self.squares[n])
            self.weights[n] *= 1 - rate * DECAY
            self.weights[n] -= scale * self.means[n] / (np.sqrt(self.squares[n]) + 1e-8)

    def by_name(self) -> dict[str, Floats]:
        """Return the weights by name, as `Values` holds them."""
        return dict(zip(WEIGHTS, self.weights, strict=True))

    def _layers(self, known: Floats) -> tuple[Floats, Floats, Floats]:
        first, first_bias, second, second_bias, last, last_bias = self.weights
        one = np.maximum(known @ first + first_bias, 0)
        two = np.maximum(one @ second + second_bias, 0)
        return one, two, two @ last + last_bias


def rate_at(done: float) -> float:
    """Return the learning rate after a share of all steps: up within the first hundredth, then down like a cosine."""
    return RATE * min(1.0, 0.01 + 100.0 * done) * 0.5 * (1.0 + math.cos(math.pi * min(1.0, done)))


def _softmax(out: Floats) -> Floats:
    powers = np.exp(out - out.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)
