"""What a search has found out: for the bot that plays, for hints, and for the analysis of a game."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Choice:
    """One action at the root.

    Attributes:
        action: its id.
        visits: iterations that took it.
        share: of all visits, or, where they are a mixed strategy, how often it is to be played; all add up to 1.
        values: what every seat may expect if it is taken, 0 to 1. After few visits it says little.
    """

    action: int
    visits: int
    share: float
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Thought:
    """What a search came to.

    Attributes:
        action: the id of the action to play.
        seat: whose action it is.
        choices: the actions looked at, the one with the greatest share first.
        values: what every seat may expect, 0 to 1 (payoffs from -1 to 1 are scaled): the mean of all iterations.
        mixed: whether two or three seats decide at once, or nobody sees what is decided, so that the shares are a
            strategy to be drawn from.
        iterations: how many there were, on all threads.
        seconds: wall-clock time they took.
        threads: how many threads searched.
        nodes: nodes in their trees.
        full: whether a tree had no room left to grow.
    """

    action: int
    seat: int
    choices: tuple[Choice, ...]
    values: tuple[float, ...]
    mixed: bool
    iterations: int
    seconds: float
    threads: int
    nodes: int
    full: bool

    @property
    def best(self) -> Choice:
        """The action with the greatest share."""
        return self.choices[0]

    def choice(self, action: int) -> Choice | None:
        """Return what was found out about an action, or None if it was not looked at."""
        return next((c for c in self.choices if c.action == action), None)
