"""What a search has learned about a game, values of positions or a policy, and the files of it (docs/bots.md).

Values come from a small net that judges positions by the game's facts. A game that can be learned so has `FACTS` and
`facts(box, s, seat, out)` in its mind: `out` (float32[FACTS], zeroed) gets numbers of about -1 to 1 about a whole,
dealt position, with seats in turn order from `seat`. A policy is a softmax over features of actions
(`learned_policy.py`). Weights are data, `learned-SEATS.npz` in the game's folder, made by `pyramidion train`.

Files hold arrays and where they come from: NumPy's `.npz`, without pickle. Those of habits are alike (`habits.py`).
"""

from __future__ import annotations

import json
import logging
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from pyramidion.bots.judging import CALM_LEARNED, WEIGHTS, Net

if TYPE_CHECKING:
    from pyramidion.engine.game import Game
    from pyramidion.engine.layout import Redacted

log = logging.getLogger(__name__)


class BadFile(ValueError):
    """A file that cannot be used; the message is a sentence."""


class Sourced(Protocol):
    """What a file holds; `about` says where it comes from."""

    @property
    def about(self) -> Mapping[str, Any]:
        """Where it comes from."""
        ...


T = TypeVar("T", bound=Sourced)


def write_arrays(path: Path, about: Mapping[str, Any], arrays: Mapping[str, Any]) -> None:
    """Write named arrays and where they come from to a file at once, so that it is never half written."""
    new = path.with_name(path.name + ".new")
    with new.open("wb") as file:
        np.savez(file, about=np.array(json.dumps(about)), **arrays)
    new.replace(path)


def read_arrays(
    path: Path, game: Game, take: Callable[[Any], dict[str, Any]], *, what: str, made: str, again: str
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return where arrays come from, and the arrays that `take` chooses of an open file.

    Raises BadFile with a sentence if they are missing, for another game or for other rules: the file holds `what`,
    which was `made` and can be made `again`.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            about, arrays = json.loads(str(file["about"])), take(file)
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise BadFile(f"{path} holds no {what}: {error}.") from error
    if about.get("game") != game.id:
        raise BadFile(f"{path} holds {what} for {about.get('game')}, not for {game.id}.")
    if about.get("rules_version") != game.rules_version:
        then, now = about.get("rules_version"), game.rules_version
        raise BadFile(f"{path} was {made} with version {then} of the rules, which are at version {now} now. {again}")
    return about, arrays


def accepted(path: Path, game: Game, read: Callable[[Path, Game], T]) -> T | None:
    """Return what a file in a game's folder holds if it was accepted in a contest, else None.

    A file that cannot be used, as after a change of the rules, counts as missing; a warning says why.
    """
    try:
        found = read(path, game) if path.exists() else None
    except BadFile as error:
        log.warning("%s", error)
        return None
    return found if found is not None and "accepted" in found.about else None


def usual_box(game: Game) -> Any:
    """Return the box of a game with its own cards and the default options."""
    return game.make_box(game.accept_options({}))


def is_usual(game: Game, box: Any = None) -> bool:
    """Return whether a box has the game's own cards and the default options; None stands for such a box."""
    return box is None or box.tobytes() == _usual_bytes(game)


@cache
def _usual_bytes(game: Game) -> bytes:
    """Return the bytes of the usual box, which every search compares."""
    return usual_box(game).tobytes()


# Values and policies

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Learned:
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


def read_learned(path: Path, game: Game) -> Learned:
    """Read weights for a game. Raises BadFile with a sentence if they are not for it, or not for these rules."""
    again = f"Train again with `pyramidion train {game.id}`."
    about, weights = read_arrays(path, game, _weights_in, what="weights", made="trained", again=again)
    if "first" in weights and len(weights["first"]) != getattr(game.mind, "FACTS", 0):
        raise BadFile(f"{path} was trained with other facts of a position than the game has now. {again}")
    if "policy" in weights and len(weights["policy"]) != getattr(game.mind, "FEATURES", 0):
        raise BadFile(f"{path} was trained with other features of actions than the game has now. {again}")
    return Learned(weights, about)


def _weights_in(file: Any) -> dict[str, Floats]:
    """Return the weights of a net, of a policy, or of both. Raises KeyError if neither is there, or a net in part."""
    names = ["policy"] if "policy" in file else []
    if not names or WEIGHTS[0] in file:
        names.extend(WEIGHTS)
    return {name: np.ascontiguousarray(file[name], np.float32) for name in names}


@cache
def learned_of(game: Game, seats: int) -> Learned | None:
    """Return the accepted weights in a game's folder for a number of seats, or None (`accepted`)."""
    return accepted(game.folder / f"learned-{seats}.npz", game, read_learned)


def learned_at(game: Game, seats: int, box: Any = None) -> Learned | None:
    """Return the accepted weights for a table with these seats and this box (by default the usual one), or None."""
    return learned_of(game, seats) if is_usual(game, box) else None
