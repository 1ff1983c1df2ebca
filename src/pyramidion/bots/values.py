"""What a search has learned about a game: values of positions, or a policy (docs/bots.md).

Values come from a small net that judges positions by the game's facts. A game that can be learned so has `FACTS` and
`facts(box, s, seat, out)` in its mind: `out` (float32[FACTS], zeroed) gets numbers of about -1 to 1 about a whole,
dealt position, with seats in turn order from `seat`. A policy is a softmax over features of actions
(`learned_policy.py`). Weights are data, `values-SEATS.npz` in the game's folder, made by `pyramidion train`.
"""

from __future__ import annotations

import json
import logging
import zipfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pyramidion.bots.judging import CALM_LEARNED, WEIGHTS, Net

if TYPE_CHECKING:
    from pyramidion.engine.game import Game
    from pyramidion.engine.layout import Redacted

log = logging.getLogger(__name__)
Floats = npt.NDArray[np.float32]


class BadValues(ValueError):
    """A file of weights that cannot be used; the message is a sentence."""


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
        return int(state["seats"][0]) == self.about["seats"] and box.tobytes() == _usual(game)

    def save(self, path: Path) -> None:
        """Write the weights and where they come from."""
        write_arrays(path, {"about": np.array(json.dumps(self.about)), **self.weights})


def write_arrays(path: Path, arrays: dict[str, Any]) -> None:
    """Write named arrays to a file at once, so that it is never half written."""
    new = path.with_name(path.name + ".new")
    with new.open("wb") as file:
        np.savez(file, **arrays)
    new.replace(path)


@cache
def _usual(game: Game) -> bytes:
    """Return the bytes of a game's usual box, which every search compares."""
    return usual_box(game).tobytes()


def usual_box(game: Game) -> Any:
    """Return the box of a game with its own cards and the default options."""
    return game.make_box(game.accept_options({}))


def read_values(path: Path, game: Game) -> Values:
    """Read weights for a game. Raises BadValues with a sentence if they are not for it, or not for these rules."""
    try:
        with np.load(path, allow_pickle=False) as file:
            about = json.loads(str(file["about"]))
            weights = {
                name: np.ascontiguousarray(file[name], np.float32) for name in (*WEIGHTS, "policy") if name in file
            }
            if "policy" not in weights and len(weights) < len(WEIGHTS):
                raise KeyError(*(name for name in WEIGHTS if name not in weights))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise BadValues(f"{path} holds no weights: {error}.") from error
    if about.get("game") != game.id:
        raise BadValues(f"{path} holds weights for {about.get('game')}, not for {game.id}.")
    again = f"Train again with `pyramidion train {game.id}`."
    if about.get("rules_version") != game.rules_version:
        then, now = about.get("rules_version"), game.rules_version
        raise BadValues(f"{path} was trained with version {then} of the rules, which are at version {now} now. {again}")
    if "first" in weights and len(weights["first"]) != getattr(game.mind, "FACTS", 0):
        raise BadValues(f"{path} was trained with other facts of a position than the game has now. {again}")
    if "policy" in weights and len(weights["policy"]) != getattr(game.mind, "FEATURES", 0):
        raise BadValues(f"{path} was trained with other features of actions than the game has now. {again}")
    return Values(weights, about)


@cache
def values_of(game: Game, seats: int) -> Values | None:
    """Return the accepted weights in a game's folder for a number of seats, or None.

    Weights that cannot be used, as after a change of the rules, count as missing; a warning says why.
    """
    path = game.folder / f"values-{seats}.npz"
    try:
        values = read_values(path, game) if path.exists() else None
    except BadValues as error:
        log.warning("%s", error)
        return None
    return values if values is not None and "accepted" in values.about else None


def values_at(game: Game, seats: int, box: Any = None) -> Values | None:
    """Return the accepted weights for a table with these seats and this box (by default the usual one), or None."""
    return values_of(game, seats) if box is None or box.tobytes() == _usual(game) else None


@cache
def has_values(game: Game) -> bool:
    """Return whether a game has accepted weights for some number of seats."""
    return any(values_of(game, seats) is not None for seats in game.seats)
