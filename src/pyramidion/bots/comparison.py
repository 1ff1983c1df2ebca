"""Comparison of actions: a seat's expected payoff after each, over the same determinizations."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion.bots.search import SearchBot, scaled_payoffs
from pyramidion.bots.standard_errors import standard_error
from pyramidion.engine.game import chance_words
from pyramidion.engine.layout import Redacted

WORLDS = 48
"""Number of determinizations over which two actions are compared."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two actions compared: a seat's expected share of the win after each, and the standard error of the difference."""

    first: float
    second: float
    error: float


def compare(
    bot: SearchBot,
    box: Any,
    state: Redacted,
    seat: int,
    actions: tuple[int, int],
    *,
    iterations: int,
    seed: str,
    stop: threading.Event | None = None,
) -> Comparison:
    """Compare two legal actions of a seat by searches from its redacted state; each action gets `iterations`.

    A search visits bad actions rarely, so its own values for them are rough. Here both actions get the same number of
    iterations, spent on the positions that they lead to.
    """
    first, second = (
        values_after(bot, box, state, seat, action, iterations=iterations, seed=seed, stop=stop) for action in actions
    )
    return difference(first, second, iterations)


def difference(
    first_values: npt.NDArray[np.float64], second_values: npt.NDArray[np.float64], iterations: int
) -> Comparison:
    """Return the comparison of two actions from the results of `values_after` for each, float64[WORLDS].

    Both were made with the same seed, and with `iterations` each.
    """
    first, second = float(np.mean(first_values)), float(np.mean(second_values))
    between = float(np.std(first_values - second_values)) / math.sqrt(WORLDS)
    within = math.hypot(standard_error(first, iterations), standard_error(second, iterations))
    return Comparison(first, second, math.hypot(between, within))


def values_after(
    bot: SearchBot,
    box: Any,
    state: Redacted,
    seat: int,
    action: int,
    *,
    iterations: int,
    seed: str,
    stop: threading.Event | None = None,
) -> npt.NDArray[np.float64]:
    """Return the seat's expected share of the win (0 to 1) after an action, for each determinization: float64[WORLDS].

    The seed fixes the determinizations; those that look the same to the seat after the action share one search.
    """
    game, chance = bot.game, chance_words(seed)
    buffer = np.empty(len(game.actions), np.int32)
    worlds_by_view: dict[bytes, list[int]] = {}
    views: dict[bytes, Redacted] = {}
    for world in range(WORLDS):
        world_state = state.copy()
        game.compiled.redeal(box, world_state, seat, chance)
        if game.compiled.step(box, world_state, seat, action, buffer):
            raise AssertionError(f"{game.id}: {game.actions[action]} is not legal after a redeal")
        view = game.layout.redact(world_state, seat)
        worlds_by_view.setdefault(view.tobytes(), []).append(world)
        views[view.tobytes()] = view
    values = np.zeros(WORLDS)
    for key, worlds in worlds_by_view.items():
        view, share = views[key], max(1, iterations * len(worlds) // WORLDS)
        if view["over"][0]:
            values[worlds] = scaled_payoffs(game, box, view)[seat]
        else:
            values[worlds] = bot.estimate(box, view, seat, iterations=share, stop=stop)[seat]
    return values
