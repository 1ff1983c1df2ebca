"""The bots of the levels: searches whose mistakes are small."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from pyramidion.bots.accuracy import error_of
from pyramidion.bots.search import SearchBot, drawn
from pyramidion.bots.thought import Choice, Thought
from pyramidion.engine.layout import Redacted

POINT = 0.01


class LevelBot(SearchBot):
    """A search bot that plays at a level: it errs by the level's temperature, but never by more than its slack."""

    def think(self, box: Any, state: Redacted, seat: int, **limits: Any) -> Thought:
        """Search, and choose an action as the level does; see `SearchBot.think`."""
        thought = super().think(box, state, seat, **limits)
        return replace(thought, action=self.decided(thought))

    def decided(self, thought: Thought) -> int:
        """Return an action that the level may play after a search."""
        if thought.mixed or self.level.slack == math.inf:
            return thought.action
        return drawn(within(thought, self.level.slack), False, self.level.temperature, self.chance)


def within(thought: Thought, slack: float) -> list[Choice]:
    """Return the choices that look worse than the most visited one by less than `slack` points of win chance.

    A choice counts one standard error less than its value, since rare visits say little.
    """
    best, seat = thought.best, thought.seat
    least = best.values[seat] - slack * POINT
    return [c for c in thought.choices if c is best or (c.visits and c.values[seat] - error_of(c, thought) > least)]
