"""What a search has learned about a game: values of positions, or a policy (docs/bots.md).

Values come from a small net that judges positions by the game's facts. A game that can be learned so has `FACTS` and
`facts(box, s, seat, out)` in its mind: `out` (float32[FACTS], zeroed) gets numbers of about -1 to 1 about a whole,
dealt position, with seats in turn order from `seat`. A policy is a softmax over features of actions
(`learned_policy.py`). Weights are data, `values-SEATS.npz` in the game's folder, made by `pyramidion train`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pyramidion.bots.judging import CALM_LEARNED, WEIGHTS, Net
from pyramidion.bots.learned_files import BadValues, accepted, is_usual, read_arrays, write_arrays

if TYPE_CHECKING:
    from pyramidion.engine.game import Game
    from pyramidion.engine.layout import Redacted

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Values:
    """The weights of a net, or of a policy.

    Attributes:
        weights: the arrays of `WEIGHTS`, or `policy`.
        about: where they come from: `game`, `seats`, `rules_version`, `facts`, and how they were trained and accepted.
    """

    weights: dict[str, Floats]
    about: dict[str, Any]

    @property
    def has_net(self) -> bool:
        """Whether there is a net."""
        return "first" in self.weights

    @property
    def policy(self) -> Any:
        """The coefficients of the learned policy, or None."""
        return self.weights.get("policy")

    @property
    def calm(self) -> float:
        """Factor on the search's exploration."""
        return float(self.about.get("calm", CALM_LEARNED))

    def net(self) -> Net:
        """Return the net with buffers of its own."""
        first, second, last = (self.weights[name].shape for name in ("first", "second", "last"))
        buffers = (np.zeros(n, np.float32) for n in (first[0], first[1], second[1], last[1]))
        return Net(*(self.weights[name] for name in WEIGHTS), *buffers)

    def suits(self, game: Game, box: Any, state: Redacted) -> bool:
        """Return whether a position has the seats, cards and options that the net was trained with."""
        return int(state["seats"][0]) == self.about["seats"] and is_usual(game, box)

    def save(self, path: Path) -> None:
        """Write the weights and where they come from."""
        write_arrays(path, self.about, self.weights)


def read_values(path: Path, game: Game) -> Values:
    """Read weights for a game. Raises BadValues with a sentence if they are not for it, or not for these rules."""
    again = f"Train again with `pyramidion train {game.id}`."
    about, weights = read_arrays(path, game, _weights_in, what="weights", made="trained", again=again)
    if "first" in weights and len(weights["first"]) != getattr(game.mind, "FACTS", 0):
        raise BadValues(f"{path} was trained with other facts of a position than the game has now. {again}")
    if "policy" in weights and len(weights["policy"]) != getattr(game.mind, "FEATURES", 0):
        raise BadValues(f"{path} was trained with other features of actions than the game has now. {again}")
    return Values(weights, about)


def _weights_in(file: Any) -> dict[str, Floats]:
    """Return the weights of a net, of a policy, or of both. Raises KeyError if neither is there, or a net in part."""
    names = ["policy"] if "policy" in file else []
    if not names or WEIGHTS[0] in file:
        names.extend(WEIGHTS)
    return {name: np.ascontiguousarray(file[name], np.float32) for name in names}


@cache
def values_of(game: Game, seats: int) -> Values | None:
    """Return the accepted weights in a game's folder for a number of seats, or None (`learned_files.accepted`)."""
    return accepted(game.folder / f"values-{seats}.npz", game, read_values)


def values_at(game: Game, seats: int, box: Any = None) -> Values | None:
    """Return the accepted weights for a table with these seats and this box (by default the usual one), or None."""
    return values_of(game, seats) if is_usual(game, box) else None
