"""Levels of the search bot: five for every game, and Master for games with a learned policy or habits."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyramidion.bots.habits import habits_at
from pyramidion.bots.learned import learned_at
from pyramidion.translation import marked

if TYPE_CHECKING:
    from pyramidion.engine.game import Game


@dataclass(frozen=True, slots=True)
class Level:
    """A playing strength of the search bot: its search budget, and how much it may err.

    Attributes:
        name: the name passed to `bots.load`.
        label: the display name, in English.
        iterations: maximum number of iterations.
        seconds: time limit on one core; None for no limit.
        temperature: 0 plays the best action; 1 plays each action in proportion to its visits.
        slack: an action that looks worse than the best by this many points of win chance is never played.
        rollout: how games are played out below the tree, "policy" or "random".
        learned: whether a learned policy takes the place of the game's own, and habits that of the others', where there
            are any (`bots.learned`, `bots.habits`).
    """

    name: str
    label: str
    iterations: int
    seconds: float | None
    temperature: float
    slack: float = math.inf
    rollout: str = "policy"
    learned: bool = False


LEVELS = {
    level.name: level
    for level in (
        Level("beginner", marked("Beginner"), 200, None, 8.0, 40.0),
        Level("easy", marked("Easy"), 200, None, 4.0, 25.0),
        Level("normal", marked("Normal"), 200, None, 2.0, 15.0),
        Level("hard", marked("Hard"), 600, None, 0.2, 10.0),
        Level("expert", marked("Expert"), 200_000, 2.0, 0.0),
    )
}
"""The levels of every game, weakest first; docs/strength/decisions.md measures the cost of their decisions."""
WEAKEST = next(iter(LEVELS))
MASTER = Level("master", marked("Master"), 200_000, 2.0, 0.0, learned=True)
"""The level above Expert, for games whose learned policy or habits were accepted in a contest."""
ALL_LEVELS = {**LEVELS, MASTER.name: MASTER}


def levels_of(game: Game) -> dict[str, Level]:
    """Return the levels, by name and weakest first, that a game has with at least one number of seats."""
    return max((levels_at(game, seats) for seats in game.seats), key=len)


def levels_at(game: Game, seats: int, box: Any = None) -> dict[str, Level]:
    """Return the levels, by name and weakest first, that differ from each other at a table.

    Without a learned policy for its seats or habits, or with a `box` of other cards or options than they were learned
    with, Master would play like Expert. `box` is that of the usual cards and options by default.
    """
    learned = learned_at(game, seats, box) is not None or habits_at(game, box) is not None
    return ALL_LEVELS if learned else LEVELS


def strongest(game: Game, seats: int, box: Any = None) -> Level:
    """Return the strongest level that a table can have, which gives hints and analyses; see `levels_at`."""
    return list(levels_at(game, seats, box).values())[-1]


def level_of(game: Game, name: str) -> Level:
    """Return a level that a game offers. Raises KeyError for any other."""
    return levels_of(game)[name]
