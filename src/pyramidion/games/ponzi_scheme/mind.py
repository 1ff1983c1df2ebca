"""What a player of Ponzi Scheme who cannot see everything needs: redeal, policy and observation."""

from __future__ import annotations

from pyramidion.engine.rule import rule
from pyramidion.games.ponzi_scheme.rules import legal

OBSERVATION = [("nothing yet", 1, "to be replaced")]


@rule
def redeal(box, s, seat, chance):
    s.rng[0] = chance[0]


@rule
def policy(box, s, seat, ids, weights):
    n = legal(box, s, seat, ids)
    for i in range(n):
        weights[i] = 1.0
    return n


@rule
def observe(box, s, seat, out):
    out[0] = 0.0
