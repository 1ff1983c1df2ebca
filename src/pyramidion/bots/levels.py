"""Levels of the search bot: four for every game, and Master for games with learned values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pyramidion.bots.values import has_values, values_at
from pyramidion.words import marked

if TYPE_CHECKING:
    from pyramidion.engine.game import Game


@dataclass(frozen=True, slots=True)
class Level:
    """A search budget and a temperature.

    Attributes:
        name: the name passed to `bots.load`.
        label: the display name, in English.
        iterations: maximum number of iterations.
        seconds: time limit on one core; None for no limit.
        temperature: 0 plays the best action; 1 plays each action in proportion to its visits.
        rollout: how games are played out below the tree, "policy" or "random".
        learned: whether learned values take the place of playouts where there are any (`bots.values`).
    """

    name: str
    label: str
    iterations: int
    seconds: float | None
    temperature: float
    rollout: str = "policy"
    learned: bool = False


LEVELS = {
    level.name: level
    for level in (
        Level("easy", marked("Easy"), 20, None, 1.0),
        Level("normal", marked("Normal"), 60, None, 0.5),
        Level("hard", marked("Hard"), 600, None, 0.2),
        Level("expert", marked("Expert"), 200_000, 2.0, 0.0),
    )
}
"""The levels of every game."""
MASTER = Level("master", marked("Master"), 200_000, 2.0, 0.0, learned=True)
"""The level above Expert, for games whose learned values were accepted in a contest."""
ALL_LEVELS = {**LEVELS, MASTER.name: MASTER}


def levels_of(game: Game) -> dict[str, Level]:
    """Return the levels that a game offers, weakest first."""
    return ALL_LEVELS if has_values(game) else LEVELS


def levels_at(game: Game, seats: int, box: Any = None) -> dict[str, Level]:
    """Return the levels that differ from each other at a table, weakest first.

    Without learned values for its seats, or with a `box` of other cards or options than they were trained with, Master
    would play like Expert. `box` is that of the usual cards and options by default.
    """
    return ALL_LEVELS if values_at(game, seats, box) is not None else LEVELS


def level_of(game: Game, name: str) -> Level:
    """Return a level for a game, which may override iterations and temperature (`Game.levels`).

    Raises KeyError for an unknown level.
    """
    usual, own = ALL_LEVELS[name], game.levels.get(name)
    return usual if own is None else replace(usual, iterations=own[0], temperature=own[1])
