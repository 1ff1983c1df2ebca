"""A level's choice among the actions of a search result.

Actions are sampled in proportion to visits^(1 / temperature), as in AlphaGo Zero (Silver and others 2017), among those
within the level's slack.
"""

from __future__ import annotations

from random import Random

from pyramidion.bots.levels import Level
from pyramidion.bots.search_result import Choice, SearchResult
from pyramidion.bots.standard_errors import error_of

POINT = 0.01
"""A percentage point."""


def choose_action(result: SearchResult, level: Level, chance: Random) -> int:
    """Return the id of the action that a bot of this level plays after a search."""
    actions, weights = strategy(result, level)
    if not result.mixed and level.temperature <= 0.0:
        return actions[0]
    return chance.choices(actions, weights)[0]


def strategy(result: SearchResult, level: Level) -> tuple[list[int], list[float]]:
    """Return the ids of the actions among which a bot of this level chooses after a search, and their weights.

    They are those of a mixed strategy, otherwise they follow from visits, temperature and slack.
    """
    if result.mixed:
        # Drop the residual shares of actions that regret matching explored and abandoned.
        least = 0.1 * result.best.share
        choices = [c for c in result.choices if c.share >= least]
        weights = [c.share ** (1.0 / max(1.0, level.temperature)) for c in choices]
    elif level.temperature <= 0.0:
        return [max(result.choices, key=lambda c: (c.visits, -c.action)).action], [1.0]
    else:
        choices = within_slack(result, level.slack)
        max_visits = max(c.visits for c in choices)
        weights = [(c.visits / max_visits) ** (1.0 / level.temperature) for c in choices]
    return [c.action for c in choices], weights


def within_slack(result: SearchResult, slack: float) -> list[Choice]:
    """Return the choices whose value is at most `slack` percentage points below that of the most visited one.

    One standard error is subtracted from the other choices' values, since rare visits say little.
    """
    best, seat = result.best, result.seat
    least = best.values[seat] - slack * POINT
    return [c for c in result.choices if c is best or (c.visits and c.values[seat] - error_of(c, result) > least)]
