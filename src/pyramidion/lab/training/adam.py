"""The Adam optimizer in NumPy (D. P. Kingma and J. Ba, "Adam: A Method for Stochastic Optimization", 2015)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

BETA1, BETA2 = 0.9, 0.99
"""Decay rates of the estimates of the gradient's first and second moments."""
EPSILON = 1e-4
"""Added to the root of the second moment, so that it can be a divisor."""


@dataclass
class Adam:
    """The Adam optimizer: it moves weights step by step against the gradient of a loss.

    Attributes:
        weights: an array of float64.
        first_moments, second_moments: running estimates of the gradient's moments, shaped like the weights.
        steps: the number of steps taken.
    """

    weights: Any
    first_moments: Any
    second_moments: Any
    steps: int = 0

    @staticmethod
    def of(weights: Any) -> Adam:
        """Make an optimizer of these weights that has taken no step."""
        return Adam(weights, np.zeros_like(weights), np.zeros_like(weights))

    def step(self, gradient: Any, learning_rate: float) -> None:
        """Move the weights one step against the gradient."""
        self.steps += 1
        # Correct both estimates for their start at 0, in the order of computation that section 2 of the paper suggests.
        step_size = learning_rate * math.sqrt(1 - BETA2**self.steps) / (1 - BETA1**self.steps)
        self.first_moments += (1 - BETA1) * (gradient - self.first_moments)
        self.second_moments += (1 - BETA2) * (gradient * gradient - self.second_moments)
        self.weights -= step_size * self.first_moments / (np.sqrt(self.second_moments) + EPSILON)
