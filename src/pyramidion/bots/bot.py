"""`Bot`: what every program that plays has in common."""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyramidion.engine.actions import Action
    from pyramidion.engine.game import Game
    from pyramidion.engine.match import Match


class Bot(ABC):
    """A player of one game, at any number of tables and in any thread.

    Attributes:
        game: the game it plays.
        chance: its own generator; with the same seed and the same calls in the same order it chooses the same.
    """

    def __init__(self, game: Game, seed: int | str | None = None) -> None:
        self.game = game
        self.chance = Random(secrets.randbits(128) if seed is None else seed)

    @abstractmethod
    def choose(self, box: Any, state: Any, seat: int) -> int:
        """Return the id of a legal action of `seat`.

        `box` and `state` are structured arrays of shape (1,); `state` is redacted for `seat`, and neither is changed.
        Raises ValueError if the seat has nothing to decide.
        """

    def move(self, match: Match, seat: int) -> Action:
        """Return the action that the bot would take at `seat` of a match; it is not played.

        Raises ValueError if the seat has nothing to decide.
        """
        return self.game.actions[self.choose(match.box, match.redacted_state(seat), seat)]

    def _check_due(self, state: Any, seat: int) -> None:
        may_act = int(state["acting"][0]) | int(state["free"][0])
        if seat < 0 or state["over"][0] or not may_act >> seat & 1:
            raise ValueError(f"Seat {seat} has nothing to decide.")
