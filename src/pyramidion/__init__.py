"""Pyramidion: pyramid board games for people, bots and research.

import pyramidion
match = pyramidion.load("ponzi-scheme").new(seats=4, seed=7)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

if TYPE_CHECKING:
    from pyramidion import env
    from pyramidion.engine.actions import Action
    from pyramidion.engine.errors import BadRecord, IllegalAction
    from pyramidion.engine.events import Event
    from pyramidion.engine.game import Game, Refusal
    from pyramidion.engine.layout import EVERYTHING
    from pyramidion.engine.match import Match
    from pyramidion.engine.outcome import Outcome
    from pyramidion.engine.registry import all_games, load
    from pyramidion.engine.seat_view import SeatView

__all__ = [
    "EVERYTHING",
    "Action",
    "BadRecord",
    "Event",
    "Game",
    "IllegalAction",
    "Match",
    "Outcome",
    "Refusal",
    "SeatView",
    "all_games",
    "env",
    "load",
]

_HOMES = {
    "Action": "actions",
    "BadRecord": "errors",
    "EVERYTHING": "layout",
    "Event": "events",
    "Game": "game",
    "IllegalAction": "errors",
    "Match": "match",
    "Outcome": "outcome",
    "Refusal": "game",
    "SeatView": "seat_view",
    "all_games": "registry",
    "load": "registry",
}


def __getattr__(name: str) -> Any:
    # Import lazily: `pyramidion --help` should not wait for Numba to load.
    from importlib import import_module

    if name == "env":
        return import_module("pyramidion.env")
    if name not in _HOMES:
        raise AttributeError(f"module 'pyramidion' has no attribute {name!r}")
    return getattr(import_module(f"pyramidion.engine.{_HOMES[name]}"), name)
