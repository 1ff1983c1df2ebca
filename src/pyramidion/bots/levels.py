"""Levels of the search bot, the same for every game."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

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
    """

    name: str
    label: str
    iterations: int
    seconds: float | None
    temperature: float
    rollout: str = "policy"


LEVELS = {
    level.name: level
    for level in (
        Level("easy", marked("Easy"), 20, None, 1.0),
        Level("normal", marked("Normal"), 60, None, 0.5),
        Level("hard", marked("Hard"), 600, None, 0.2),
        Level("expert", marked("Expert"), 200_000, 2.0, 0.0),
    )
}


def level_of(game: Game, name: str) -> Level:
    """Return a level for a game, which may override iterations and temperature (`Game.levels`).

    Raises KeyError for an unknown level.
    """
    usual, own = LEVELS[name], game.levels.get(name)
    return usual if own is None else replace(usual, iterations=own[0], temperature=own[1])
