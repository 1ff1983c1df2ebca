"""Players that are programs. Each works for every game, and sees no more than its seat may see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyramidion.bots.bot import Bot
from pyramidion.bots.policy import PolicyBot
from pyramidion.bots.random import RandomBot

if TYPE_CHECKING:
    from pyramidion.engine.game import Game

_BOTS: dict[str, type[Bot]] = {"random": RandomBot, "policy": PolicyBot}

__all__ = ["Bot", "PolicyBot", "RandomBot", "load", "names"]


def names() -> tuple[str, ...]:
    """Return the names of the bots there are, the weakest first."""
    return tuple(_BOTS)


def load(name: str, game: Game, seed: int | str | None = None) -> Bot:
    """Return a bot of that name for a game; its own chance comes from `seed`, or from the system if there is none.

    Raises ValueError naming the bots there are.
    """
    if name not in _BOTS:
        raise ValueError(f"There is no bot {name!r}; there are {' and '.join(_BOTS)}.")
    return _BOTS[name](game, seed)
