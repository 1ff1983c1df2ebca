"""The bots available at tables, and their search budget."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pyramidion import Game, bots
from pyramidion.bots import MASTER, Bot, Level, levels_at, levels_of

USUAL_BOT = "normal"
STRONGEST = "expert"
"""The strongest bot of every game."""
LESSON_BOT = "lesson"
"""The bot at lesson tables: follows the script, and plays like `policy` off the script."""


def bot_names(game: Game) -> tuple[str, ...]:
    """Return the bots available at a game's tables: the levels, weakest first, then those that do not search."""
    return _named(levels_of(game))


def bots_at(game: Game, seats: int, box: Any = None) -> tuple[str, ...]:
    """Return the bots to offer at a table: those of `bot_names`, but not two that play alike there (`levels_at`)."""
    return _named(levels_at(game, seats, box))


def settled_bot(game: Game, name: str, seats: int, box: Any = None) -> str:
    """Return the bot that a table gets when it asks for `name`: Expert instead of Master where both play alike."""
    return STRONGEST if name == MASTER.name and name not in levels_at(game, seats, box) else name


def _named(levels: Collection[str]) -> tuple[str, ...]:
    """Return these levels, and after them the bots that do not search."""
    return (*levels, *(name for name in bots.names()[::-1] if name not in levels))


@lru_cache(maxsize=256)
def bot_of(game: Game, name: str) -> Bot:
    """Return the bot with a name; it is loaded once per game, and all tables share it.

    At a table from before what was learned of its game became unusable, Expert takes the place of Master.
    """
    if name == MASTER.name and name not in bots.names(game):
        name = STRONGEST
    return bots.load("policy" if name == LESSON_BOT else name, game)


@dataclass(frozen=True, slots=True)
class Budget:
    """The server's limits on a bot's search for one decision: seconds on one core, and iterations."""

    seconds: float = 2.0
    iterations: int = 200_000

    def of(self, level: Level) -> dict[str, Any]:
        """Return the limits for a level, which may have fewer iterations, as arguments of `SearchBot.think`."""
        return {"seconds": self.seconds, "iterations": min(self.iterations, level.iterations)}
