"""A learned policy, compiled: a softmax over a game's features of its actions, whose coefficients are data."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from pyramidion.engine.rule import rule


class Taught(NamedTuple):
    """The coefficients of a learned policy, float64[features], and one thread's buffers."""

    coefficients: Any
    where: Any
    much: Any


NO_POLICY = np.zeros(0)
"""Given to a search whose policy is the game's own."""
LOWEST = -20.0
"""No weight is below exp(LOWEST), so that no action is ruled out."""


def policy_arrays(mind: Any, coefficients: Any, actions: int) -> Taught:
    """Return a policy with buffers of its own."""
    shape = (actions, mind.ENTRIES + 1)
    return Taught(
        np.ascontiguousarray(coefficients, np.float64), np.zeros(shape, np.int16), np.zeros(shape, np.float32)
    )


def make_learned_policy(features: Any) -> Any:
    """Return a rule that writes candidates and weights like a game's `policy`, from `taught`."""

    @rule
    def choose(box, s, seat, ids, weights, taught):
        n = features(box, s, seat, ids, weights, taught.where, taught.much)
        best = -1e9
        for i in range(n):
            total, k = 0.0, 0
            while taught.where[i, k] >= 0:
                total += taught.coefficients[taught.where[i, k]] * taught.much[i, k]
                k += 1
            weights[i] = total
            best = max(best, total)
        for i in range(n):
            weights[i] = math.exp(max(weights[i] - best, LOWEST))
        return n

    return choose


def make_own_policy(policy: Any) -> Any:
    """Return a rule that asks a game's own policy."""

    @rule
    def choose(box, s, seat, ids, weights, taught):
        return policy(box, s, seat, ids, weights)

    return choose


def policy_rule(mind: Any, learned: bool) -> Any:
    """Return a rule for candidates and weights: a learned policy, or a game's own."""
    return make_learned_policy(mind.features) if learned else make_own_policy(mind.policy)
