"""The range of a game's observations in many compiled games, and the parts that leave their declared bounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion.engine.game import Game
from pyramidion.engine.layout import as_bytes


def observed_range(
    game: Game, seats: int, options: Mapping[str, Any], *, games: int, seed: int, by_policy: bool = False
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], int]:
    """Play games, at random or by the policy, and return the range of what is observed in them: (low, high, count).

    `low` and `high`, float32[size], hold the lowest and highest value of each number of the observation, `count` is the
    number of observations. `options` are accepted ones. Free actions are not played.
    """
    states, size, actions = game.layout.new(), game.observation.size, len(game.actions)
    low, high = np.full(size, np.inf, np.float32), np.full(size, -np.inf, np.float32)
    count = game.compiled.observed_range(
        game.make_box(options),
        states,
        as_bytes(states),
        seats,
        np.array([seed], np.uint64),
        games,
        game.longest(seats),
        int(by_policy),
        np.zeros(actions, np.int32),
        np.zeros(actions),
        np.zeros(size, np.float32),
        low,
        high,
    )
    return low, high, int(count)


def out_of_bounds(game: Game, low: npt.NDArray[np.float32], high: npt.NDArray[np.float32]) -> list[str]:
    """Return the parts of the observation that leave their declared bounds, each as `need is -0.1 to 0.6, not 0 to 2`.

    `low` and `high` are those of `observed_range`.
    """
    space = game.observation
    inside = (low >= space.low) & (high <= space.high)
    outside: list[str] = []
    for part in space.values():
        places = slice(part.offset, part.offset + part.size)
        if not inside[places].all():
            seen = f"{low[places].min():g} to {high[places].max():g}"
            outside.append(f"{part.name} is {seen}, not {part.low:g} to {part.high:g}")
    return outside
