"""Steps down a slope, in NumPy (Adam: Kingma and Ba 2015)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

FAST, SLOW = 0.9, 0.99
"""How much of their past the means of slopes and of their squares keep."""
LEAST = 1e-4
"""What is added to the root of the mean of squares."""


@dataclass
class Adam:
    """Weights, and two means for each; `steps` have been taken."""

    weights: Any
    means: Any
    squares: Any
    steps: int = 0

    @staticmethod
    def of(weights: Any) -> Adam:
        """Return Adam before its first step."""
        return Adam(weights, np.zeros_like(weights), np.zeros_like(weights))

    def step(self, slope: Any, rate: float) -> None:
        """Take one step down the slope."""
        self.steps += 1
        scale = rate * math.sqrt(1 - SLOW**self.steps) / (1 - FAST**self.steps)
        self.means += (1 - FAST) * (slope - self.means)
        self.squares += (1 - SLOW) * (slope * slope - self.squares)
        self.weights -= scale * self.means / (np.sqrt(self.squares) + LEAST)
