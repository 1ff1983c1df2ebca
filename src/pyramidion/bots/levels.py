"""How hard a search tries: the same names for every game."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pyramidion.words import marked

if TYPE_CHECKING:
    from pyramidion.engine.game import Game


@dataclass(frozen=True, slots=True)
class Level:
    """A budget and a temperature.

    Attributes:
        name: what `bots.load` knows it by.
        label: what people read, in English.
        iterations: at most so many.
        seconds: at most so long on one core, None for no limit.
        temperature: 0 plays the best action; at 1 each is played as often as the search tried it.
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
    """Return a level as it plays a game, which may set iterations and temperature of its own (`Game.levels`).

    Raises KeyError if there is no such level.
    """
    usual, own = LEVELS[name], game.levels.get(name)
    return usual if own is None else replace(usual, iterations=own[0], temperature=own[1])
