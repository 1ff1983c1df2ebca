"""What a player of Upside Down needs who cannot see everything: redeal, policy and observation."""

from __future__ import annotations

import numpy as np

from pyramidion.engine.random import random_half
from pyramidion.engine.rule import rule
from pyramidion.games.upside_down.rules import legal

_32 = np.uint64(32)

OBSERVATION = [("phase", 5, "one of over, pregame, claim, battle, giving")]


@rule(wraps_around=True)
def redeal(box, s, seat, chance):
    """Reseed."""
    for word in range(2):
        s.rng[word] = (random_half(chance) << _32) | random_half(chance)


@rule
def policy(box, s, seat, ids, weights):
    """All legal actions."""
    n = legal(box, s, seat, ids)
    for i in range(n):
        weights[i] = 1.0
    return n


@rule
def observe(box, s, seat, out):
    """Phase."""
    for i in range(out.shape[0]):
        out[i] = 0.0
    out[int(s.phase)] = 1.0
