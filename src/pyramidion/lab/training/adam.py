"""Steps down a slope (Adam), in NumPy."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

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
