"""Helpers for tests that cover every game. They name no game, so new games are covered as well."""

from __future__ import annotations

from typing import Any

from pyramidion.engine.game import Game

SHORT = 4
"""The value for options that limit rounds or turns."""


def few_seats(game: Game, wanted: int = 3) -> int:
    """Return the supported number of seats nearest to `wanted`."""
    return min(max(wanted, game.seats[0]), game.seats[-1])


def limits(game: Game, most: int = SHORT) -> dict[str, Any]:
    """Return options that make a game short: each limit as low as possible, but not below `most`."""
    found = {name: o for name, o in game.options.items() if o.kind == "whole" and name.endswith("_limit")}
    return {name: max(o.low, min(o.high, most)) for name, o in found.items()}


def other_options(game: Game) -> dict[str, Any]:
    """Return unusual options of a short game: every flag inverted."""
    turned = {name: not option.default for name, option in game.options.items() if option.kind == "flag"}
    return turned | limits(game, 12)
