"""Fit of a small net with two hidden layers to shares of the win: cross entropy, by Adam, in NumPy."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion.bots.judging import WEIGHTS

Floats = npt.NDArray[np.float32]
HIDDEN = (64, 32)
BATCH = 1024
RATE, DECAY = 2e-3, 1e-5
"""Learning rate at its highest, and weight decay."""
FAST, SLOW = 0.9, 0.999
"""How much of their past Adam's means of slopes and of their squares keep."""


@dataclass
class Adam:
    """Weights, and Adam's two means for each; `steps` have been taken (Kingma and Ba 2015).

    Attributes:
        slow: how much of its past the mean of squares keeps.
    """

    weights: list[Any]
    means: list[Any]
    squares: list[Any]
    steps: int = 0
    slow: float = SLOW

    @staticmethod
    def of(weights: list[Any], slow: float = SLOW) -> Adam:
        """Return Adam before its first step."""
        return Adam(weights, [np.zeros_like(w) for w in weights], [np.zeros_like(w) for w in weights], 0, slow)

    def step(self, slopes: list[Any], rate: float, decay: float = 0.0, least: float = 1e-8) -> None:
        """Take one step down the slopes."""
        self.steps += 1
        scale = rate * math.sqrt(1 - self.slow**self.steps) / (1 - FAST**self.steps)
        for n, slope in enumerate(slopes):
            self.means[n] += (1 - FAST) * (slope - self.means[n])
            self.squares[n] += (1 - self.slow) * (slope * slope - self.squares[n])
            self.weights[n] *= 1 - rate * decay
            self.weights[n] -= scale * self.means[n] / (np.sqrt(self.squares[n]) + least)


class Fit:
    """A net being fitted, with weights in the order of `WEIGHTS`."""

    def __init__(self, adam: Adam) -> None:
        self.adam = adam

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
        return Fit(Adam.of(weights))

    @property
    def weights(self) -> list[Floats]:
        """The weights."""
        return self.adam.weights

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
        self.adam.step(slopes, rate, DECAY)

    def by_name(self) -> dict[str, Floats]:
        """Return the weights by name, as `Learned` holds them."""
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
