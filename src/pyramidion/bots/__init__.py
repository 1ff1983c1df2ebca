"""Bots: they play any game and see only what their seat may see."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from pyramidion.bots.bot import Bot
from pyramidion.bots.levels import LEVELS, Level, level_of
from pyramidion.bots.policy import PolicyBot
from pyramidion.bots.random import RandomBot
from pyramidion.bots.search import SearchBot, warm
from pyramidion.bots.thought import Choice, Thought

if TYPE_CHECKING:
    from pyramidion.engine.game import Game

_BOTS: dict[str, Callable[..., Bot]] = {
    "random": RandomBot,
    "policy": PolicyBot,
    **{name: partial(SearchBot, level=name) for name in LEVELS},
}

__all__ = [
    "LEVELS",
    "Bot",
    "Choice",
    "Level",
    "PolicyBot",
    "RandomBot",
    "SearchBot",
    "Thought",
    "level_of",
    "load",
    "names",
    "warm",
]


def names() -> tuple[str, ...]:
    """Return the names of all bots: random, policy and the search levels, weakest first."""
    return tuple(_BOTS)


def load(name: str, game: Game, seed: int | str | None = None) -> Bot:
    """Return a bot by name for a game. `seed` seeds its random generator; None takes a seed from the system.

    Raises ValueError listing the available bots.
    """
    if name not in _BOTS:
        raise ValueError(f"There is no bot {name!r}; there are {', '.join(names()[:-1])} and {names()[-1]}.")
    return _BOTS[name](game, seed)
