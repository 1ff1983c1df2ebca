"""How a sensible player of Pyramis plays."""

from __future__ import annotations

from pyramidion.engine.rule import rule
from pyramidion.games.pyramis.rules import legal


@rule
def policy(box, s, seat, ids, weights):
    n = legal(box, s, seat, ids)
    for i in range(n):
        weights[i] = 1.0
    return n
