"""Bots: they play any game and see only what their seat may see."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING, Literal, overload

from pyramidion.bots.bot import Bot
from pyramidion.bots.levels import (
    ALL_LEVELS,
    LEVELS,
    MASTER,
    WEAKEST,
    Level,
    level_of,
    levels_at,
    levels_of,
    strongest,
)
from pyramidion.bots.policy import PolicyBot
from pyramidion.bots.random import RandomBot
from pyramidion.bots.search import SearchBot, warm
from pyramidion.bots.search_result import Choice, SearchResult
from pyramidion.engine import registry

if TYPE_CHECKING:
    from pyramidion.engine.game import Game

_BOTS: dict[str, Callable[..., Bot]] = {
    "random": RandomBot,
    "policy": PolicyBot,
    **{name: partial(SearchBot, level=name) for name in ALL_LEVELS},
}

__all__ = [
    "ALL_LEVELS",
    "LEVELS",
    "MASTER",
    "WEAKEST",
    "Bot",
    "Choice",
    "Level",
    "PolicyBot",
    "RandomBot",
    "SearchBot",
    "SearchResult",
    "level_of",
    "levels_at",
    "levels_of",
    "load",
    "names",
    "strongest",
    "warm",
]


def names(game: Game | str | None = None) -> tuple[str, ...]:
    """Return the names of a game's bots: random, policy and the search levels, weakest first.

    Without a game, these are the bots that every game has.
    """
    offered = LEVELS if game is None else levels_of(registry.load(game))
    return tuple(name for name in _BOTS if name in offered or name not in ALL_LEVELS)


LevelName = Literal["beginner", "easy", "normal", "hard", "expert", "master"]


@overload
def load(name: Literal["random"], game: Game | str, seed: int | str | None = None) -> RandomBot: ...
@overload
def load(name: Literal["policy"], game: Game | str, seed: int | str | None = None) -> PolicyBot: ...
@overload
def load(name: LevelName, game: Game | str, seed: int | str | None = None) -> SearchBot: ...
@overload
def load(name: str, game: Game | str, seed: int | str | None = None) -> Bot: ...
def load(name: str, game: Game | str, seed: int | str | None = None) -> Bot:
    """Return a bot by name for a game or its id. `seed` seeds its random generator; None takes a seed from the system.

    Raises ValueError listing the available bots.
    """
    game = registry.load(game)
    available = names(game)
    if name == MASTER.name and name not in available:
        raise ValueError(
            f"{game.id} has no bot {name!r}: it has neither a learned policy nor habits. "
            f"The strongest is {available[-1]}."
        )
    if name not in available:
        near = get_close_matches(name.lower(), available, 1)
        meant = f" Did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"There is no bot {name!r}; there are {', '.join(available[:-1])} and {available[-1]}.{meant}")
    return _BOTS[name](game, seed)
