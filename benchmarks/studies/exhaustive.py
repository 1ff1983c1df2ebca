# pyright: basic
"""Exhaustive search: the exact value of a position for two seats that share one win (compiled).

Alpha-beta search over a game's own rules. It works only without chance and simultaneous decisions: if the random
generator advances, or both seats have more than one action, it reports that instead of a value.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from pyramidion.engine.game import Game
from pyramidion.engine.layout import as_bytes
from pyramidion.engine.rule import rule

DEEPEST = 200
TOO_LARGE, CHANCE, TOGETHER = -1.0, -2.0, -3.0
"""Results instead of a value: too many positions; chance is involved; two seats decide simultaneously."""


def make_solver(rules: Any, signed: bool) -> Any:
    """Return a compiled exhaustive search for a game's rules; `signed` tells that payoffs range from -1 to 1."""
    legal, apply, payoff = rules.legal, rules.apply, rules.payoff

    @rule
    def entry(boxes, states, raw, ids, counts, tried, movers, best, low, high, me, got, budget):
        """Return the value of states[0] for seat `me`, 0 to 1.

        `raw` is the memory of `states`, one row each; the other arrays also have one row per state. `budget` (int64[1])
        is the number of positions left to examine.
        """
        box = boxes[0]
        depth, value, fresh = 0, 0.0, True
        low[0], high[0] = 0.0, 1.0
        while True:
            s = states[depth]
            is_stored = False
            if fresh:
                budget[0] -= 1
                if budget[0] < 0 or depth + 1 == states.shape[0]:
                    return TOO_LARGE
                if s.over:
                    payoff(box, s, got)
                    value = 0.5 + 0.5 * got[me] if signed else got[me]
                    is_stored = True
                else:
                    due = int(s.acting) & ~int(s.submitted)
                    seat, choosing = -1, 0
                    for other in range(s.seats):
                        if (due >> other) & 1:
                            choosing += int(legal(box, s, other, ids[depth]) > 1)
                            if seat < 0:
                                seat = other
                    if choosing > 1:
                        return TOGETHER
                    counts[depth] = legal(box, s, seat, ids[depth])
                    tried[depth] = 0
                    movers[depth] = seat
                    best[depth] = -1.0 if seat == me else 2.0
            if not is_stored and (tried[depth] == counts[depth] or low[depth] >= high[depth]):
                value = best[depth]
                is_stored = True
            if is_stored:
                if depth == 0:
                    return value
                depth -= 1
                fresh = False
                if movers[depth] == me:
                    best[depth] = max(best[depth], value)
                    low[depth] = max(low[depth], value)
                else:
                    best[depth] = min(best[depth], value)
                    high[depth] = min(high[depth], value)
                continue
            for i in range(raw.shape[1]):
                raw[depth + 1, i] = raw[depth, i]
            after = states[depth + 1]
            after.event_count = 0
            drawn = after.rng[2]
            apply(box, after, movers[depth], ids[depth, tried[depth]])
            if after.rng[2] != drawn:
                return CHANCE
            tried[depth] += 1
            low[depth + 1], high[depth + 1] = low[depth], high[depth]
            depth += 1
            fresh = True

    return entry


class Solver:
    """Finds the exact values of positions of a game with two seats by exhaustive search.

    Attributes:
        looked_at: the number of positions that the last call of `values` examined.
    """

    def __init__(self, game: Game) -> None:
        self._game, self._body = game, solver_of(game)
        self.looked_at = 0
        self._states = game.layout.new(DEEPEST)
        self._raw = as_bytes(self._states).reshape(DEEPEST, -1)
        self._ids = np.zeros((DEEPEST, len(game.actions)), np.int32)
        self._whole = np.zeros((3, DEEPEST), np.int64)
        self._real = np.zeros((3, DEEPEST))
        self._got = np.zeros(game.layout.max_seats)

    def value(self, box: Any, state: Any, me: int, budget: Any) -> float:
        """Return the value (0 to 1) of a position for the seat `me`, or the reason why there is none.

        The reasons are `TOO_LARGE`, `CHANCE` and `TOGETHER`. `budget` (int64[1]) is the number of positions left to
        examine.
        """
        self._raw[0] = as_bytes(state)
        return float(
            self._body(box, self._states, self._raw, self._ids, *self._whole, *self._real, me, self._got, budget)
        )

    def values(self, box: Any, state: Any, seat: int, positions: int) -> dict[int, float] | float:
        """Return the value (0 to 1) of each action of a seat by action id, or the reason why there are none.

        `positions` is the largest number of positions to examine.
        """
        game, budget = self._game, np.array([positions], np.int64)
        ids, buffer = np.zeros(len(game.actions), np.int32), np.zeros(len(game.actions), np.int32)
        values: dict[int, float] = {}
        for action in ids[: game.compiled.legal(box, state, seat, ids)].tolist():
            after = state.copy()
            assert game.compiled.step(box, after, seat, action, buffer) == 0
            if after["rng"][0, 2] != state["rng"][0, 2]:
                return CHANCE
            value = self.value(box, after, seat, budget)
            if value < 0:
                return value
            values[action] = value
        self.looked_at = positions - int(budget[0])
        return values


@cache
def solver_of(game: Game) -> Any:
    """Return a game's compiled exhaustive search."""
    return make_solver(game.rules, game.payoff_form == "sign")
