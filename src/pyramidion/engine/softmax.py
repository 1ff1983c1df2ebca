"""Helpers shared by the rules and minds of several games: win shares and softmax weights."""

from __future__ import annotations

import math
from typing import Any

from pyramidion.engine.rule import rule


@rule
def share_the_win(s: Any, out: Any) -> None:
    """Write each seat's share of one win to `out` (float64[seats]): equal for all in the mask `s.winners`, else 0."""
    count = 0
    for seat in range(s.seats):
        count += (int(s.winners) >> seat) & 1
    for seat in range(s.seats):
        out[seat] = 1.0 / count if (int(s.winners) >> seat) & 1 else 0.0


@rule
def soften(weights: Any, count: int, coldness: float, lowest: float) -> None:
    """Replace the values of `count` >= 1 actions in `weights` (float64) by softmax weights, scaled so the best is 1.

    `coldness` is the inverse temperature. No weight is below exp(`lowest`), so that no action is ruled out.
    """
    best = weights[0]
    for i in range(1, count):
        best = max(best, weights[i])
    for i in range(count):
        weights[i] = math.exp(max(coldness * (weights[i] - best), lowest))
