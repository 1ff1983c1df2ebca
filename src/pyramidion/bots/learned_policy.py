"""A learned policy, compiled: a softmax over a game's features of its actions, whose coefficients are data."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from pyramidion.engine.rule import rule


class PolicyArrays(NamedTuple):
    """The coefficients of a learned policy, float64[features], and one thread's buffers for sparse feature vectors.

    Row i holds the features of candidate i: their `indices` (int16), ended by -1, and their `values` (float32).
    """

    coefficients: Any
    indices: Any
    values: Any


NO_POLICY = np.zeros(0)
"""Stands for the arrays in a search that uses the game's own policy."""
MIN_LOG_WEIGHT = -20.0
"""Least logarithm of a weight relative to the largest, so that no action is ruled out."""


def policy_arrays(mind: Any, coefficients: Any, actions: int) -> PolicyArrays:
    """Return a learned policy's coefficients with new buffers for one search thread.

    `mind` is that of the game, `actions` the number of all its actions.
    """
    shape = (actions, mind.ENTRIES + 1)
    return PolicyArrays(
        np.ascontiguousarray(coefficients, np.float64), np.zeros(shape, np.int16), np.zeros(shape, np.float32)
    )


def make_learned_policy(features: Any) -> Any:
    """Return a rule that proposes actions as a game's `policy` does, but weighs them by learned coefficients.

    `features` is the game's rule that writes candidates and their features.
    """

    @rule
    def choose(box, s, seat, ids, weights, learned):
        """Write candidate actions and their softmax weights by the learned coefficients; return how many there are."""
        n = features(box, s, seat, ids, weights, learned.indices, learned.values)
        best = -1e9
        for i in range(n):
            total, k = 0.0, 0
            while learned.indices[i, k] >= 0:
                total += learned.coefficients[learned.indices[i, k]] * learned.values[i, k]
                k += 1
            weights[i] = total
            best = max(best, total)
        for i in range(n):
            weights[i] = math.exp(max(weights[i] - best, MIN_LOG_WEIGHT))
        return n

    return choose


def make_own_policy(policy: Any) -> Any:
    """Return a rule that proposes actions by the game's own `policy`, and ignores learned coefficients."""

    @rule
    def choose(box, s, seat, ids, weights, learned):
        """Write candidate actions and their weights by the game's own policy; return how many there are."""
        return policy(box, s, seat, ids, weights)

    return choose


def policy_rule(mind: Any, learned: bool) -> Any:
    """Return the rule by which a search proposes actions and weighs them.

    With `learned`, it is that of a learned policy, otherwise the game's own.
    """
    return make_learned_policy(mind.features) if learned else make_own_policy(mind.policy)
