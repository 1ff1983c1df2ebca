"""What rules and minds of several games compute alike: who gets what of a win, and weights from worths."""

from __future__ import annotations

import math
from typing import Any

from pyramidion.engine.rule import rule


@rule
def share_the_win(s: Any, out: Any) -> None:
    """Write every seat's share of one win to `out` (float64[seats]): equal for all of `s.winners`, a mask; else 0."""
    count = 0
    for seat in range(s.seats):
        count += (int(s.winners) >> seat) & 1
    for seat in range(s.seats):
        out[seat] = 1.0 / count if (int(s.winners) >> seat) & 1 else 0.0


@rule
def soften(weights: Any, count: int, coldness: float, lowest: float) -> None:
    """Turn the worths of `count` >= 1 actions in `weights` (float64) into weights by a softmax; the best has 1.

    `coldness` is the inverse temperature; no weight is below exp(`lowest`), so that nothing is ruled out.
    """
    best = weights[0]
    for i in range(1, count):
        best = max(best, weights[i])
    for i in range(count):
        weights[i] = math.exp(max(coldness * (weights[i] - best), lowest))
