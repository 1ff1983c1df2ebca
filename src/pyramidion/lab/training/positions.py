"""Training positions: facts of positions in games between policies, and how those games ended."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion.bots.learned import usual_box
from pyramidion.engine.game import Game
from pyramidion.engine.layout import as_bytes
from pyramidion.lab.training.sampling import make_sampler

MOST_KEPT = 32
"""Room for positions of a game, on average."""
Floats = npt.NDArray[np.float32]


@cache
def _sampler(game: Game) -> Any:
    return make_sampler(game.rules, game.mind)


def positions(game: Game, seats: int, games: int, seed: int) -> tuple[Floats, Floats]:
    """Return the facts of positions in a number of games, and the shares of the win that followed."""
    state, actions = game.layout.new(), len(game.actions)
    known = np.zeros((games * MOST_KEPT, game.mind.FACTS), np.float32)
    shares = np.zeros((games * MOST_KEPT, seats + 1), np.float32)
    count = _sampler(game)(
        usual_box(game),
        state,
        as_bytes(state),
        seats,
        np.array([seed % 2**63], np.uint64),
        games,
        game.longest(seats),
        np.zeros(actions, np.int32),
        np.zeros(actions),
        np.zeros(game.layout.max_seats),
        known,
        shares,
    )
    return known[:count], shares[:count]
