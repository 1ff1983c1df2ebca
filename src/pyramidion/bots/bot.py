"""The `Bot` base class."""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion.engine import registry
from pyramidion.engine.random import accept_seed

if TYPE_CHECKING:
    import numpy.typing as npt

    from pyramidion.engine.actions import Action
    from pyramidion.engine.game import Game
    from pyramidion.engine.layout import Redacted
    from pyramidion.engine.match import Match
    from pyramidion.engine.seat_view import SeatView


class Bot(ABC):
    """Base class of bots: chooses any seat's actions in one game, at many tables and in several threads at once.

    Attributes:
        game: the game it plays; it may be given by its id.
        chance: its random generator; the same seed and the same sequence of calls give the same choices.
    """

    def __init__(self, game: Game | str, seed: int | str | None = None) -> None:
        self.game = registry.load(game)
        self.chance = Random(secrets.randbits(128) if seed is None else accept_seed(seed))

    @abstractmethod
    def choose(self, box: Any, state: Redacted, seat: int) -> int:
        """Return the id of the legal action that the bot chooses for `seat`.

        `box` (cards and options) and `state` are structured arrays of shape (1,), both redacted for `seat`; neither is
        modified. Raises ValueError if the seat has nothing to decide.
        """

    def legal_ids(self, box: Any, state: Redacted, seat: int) -> npt.NDArray[np.int32]:
        """Return the ids of the seat's legal actions, ascending; empty if it may not act.

        The arguments are those of `choose`. `game.actions[id]` is the action with an id.
        """
        # Allocate the buffer per call, so that threads can share a bot.
        ids = np.empty(len(self.game.actions), np.int32)
        return ids[: self.game.compiled.legal(box, state, seat, ids)]

    def probabilities(self, box: Any, state: Redacted, seat: int) -> dict[int, float]:
        """Return the probabilities with which `choose` takes each action, by its id; other actions have none.

        The arguments are those of `choose`. Raises NotImplementedError for a bot that does not know them, and
        ValueError if the seat has nothing to decide.
        """
        raise NotImplementedError(f"{type(self).__name__} chooses an action and does not say with which probability.")

    def move(self, match: Match | SeatView, seat: int) -> Action:
        """Return the bot's action for `seat`, without playing it. Raises ValueError if the seat has nothing to decide.

        A bot that needs more than `choose` is given overrides this method. The arena and all environments ask bots
        through `bots.player.Player`, which passes `match.seen_by(seat)`; pass it, too, to bots that are not your own.
        """
        return self.game.actions[self.choose(match.box_for(seat), match.redacted_state(seat), seat)]

    def _check_due(self, state: Redacted, seat: int) -> None:
        """Raise ValueError if the seat has nothing to decide in this state."""
        may_act = int(state["acting"][0]) | int(state["free"][0])
        if seat < 0 or state["over"][0] or not may_act >> seat & 1:
            raise ValueError(f"Seat {seat} has nothing to decide.")
