"""Learned policies of games, and their files (docs/bots.md).

The policy is a softmax over features of actions (`learned_policy.py`). A game that can be taught one has `FEATURES`,
`ENTRIES`, `START` and `features` in its mind. Coefficients are data, `learned-SEATS.npz` in the game's folder, made by
`pyramidion train`.

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

if TYPE_CHECKING:
    from pyramidion.engine.game import Game
    from pyramidion.engine.layout import Redacted

log = logging.getLogger(__name__)


class BadFile(ValueError):
    """A file of learned data that cannot be used; the message is a sentence."""


class HasProvenance(Protocol):
    """What was read from a file of learned data; `about` says where it comes from."""

    @property
    def about(self) -> Mapping[str, Any]:
        """Where the content comes from: the game, the version of its rules, and how it was made and accepted."""
        ...


T = TypeVar("T", bound=HasProvenance)


def write_arrays(path: Path, about: Mapping[str, Any], arrays: Mapping[str, Any]) -> None:
    """Write named arrays, and where they come from (`about`), to a file in one step: it is never half written."""
    new = path.with_name(path.name + ".new")
    with new.open("wb") as file:
        np.savez(file, about=np.array(json.dumps(about)), **arrays)
    new.replace(path)


def read_arrays(
    path: Path, game: Game, take: Callable[[Any], dict[str, Any]], *, what: str, made: str, again: str
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read a file of learned data: return where it comes from (`about`), and the arrays that `take` picks from it.

    The other arguments are words for messages: the file holds `what`, which was `made` and can be made `again`. Raises
    BadFile with a sentence if arrays are missing, or are for another game or other rules.
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


def read_accepted(path: Path, game: Game, read: Callable[[Path, Game], T]) -> T | None:
    """Return what `read` reads from a file in a game's folder; None if there is no file, or no contest has accepted it.

    A file that cannot be used, as after a change of the rules, counts as missing; a warning says why.
    """
    try:
        content = read(path, game) if path.exists() else None
    except BadFile as error:
        log.warning("%s", error)
        return None
    return content if content is not None and "accepted" in content.about else None


def usual_box(game: Game) -> Any:
    """Return the box of a game with its own cards and the default options."""
    return game.make_box(game.accept_options({}))


def is_usual(game: Game, box: Any = None) -> bool:
    """Return whether a box has the game's own cards and the default options; None stands for such a box."""
    return box is None or box.tobytes() == _usual_bytes(game)


@cache
def _usual_bytes(game: Game) -> bytes:
    """Return the usual box as bytes, cached because every search compares its own box with it."""
    return usual_box(game).tobytes()


# Policies


@dataclass(frozen=True, eq=False)
class Learned:
    """A policy that was trained for a game with a number of seats, with the game's own cards and default options.

    Attributes:
        policy: its coefficients, float32[features].
        about: where they come from: `game`, `seats`, `rules_version`, and how they were trained and accepted.
    """

    policy: npt.NDArray[np.float32]
    about: dict[str, Any]

    def suits(self, game: Game, box: Any, state: Redacted) -> bool:
        """Return whether a position has the seats, cards and options that the policy was trained with."""
        return int(state["seats"][0]) == self.about["seats"] and is_usual(game, box)

    def save(self, path: Path) -> None:
        """Write the policy's coefficients, and where they come from, to a file."""
        write_arrays(path, self.about, {"policy": self.policy})


def read_learned(path: Path, game: Game) -> Learned:
    """Read a game's learned policy from a file.

    Raises BadFile with a sentence if it is for another game, or for other rules or features.
    """
    again = f"Train again with `pyramidion train {game.id}`."
    about, arrays = read_arrays(path, game, _policy_in, what="policy", made="trained", again=again)
    if len(arrays["policy"]) != getattr(game.mind, "FEATURES", 0):
        raise BadFile(f"{path} was trained with other features of actions than the game has now. {again}")
    return Learned(arrays["policy"], about)


def _policy_in(file: Any) -> dict[str, Any]:
    """Return the coefficients in an open `.npz` file, by name."""
    return {"policy": np.ascontiguousarray(file["policy"], np.float32)}


@cache
def learned_of(game: Game, seats: int) -> Learned | None:
    """Return the learned policy in a game's folder for a number of seats; None without one that a contest has accepted.

    See `read_accepted`.
    """
    return read_accepted(game.folder / f"learned-{seats}.npz", game, read_learned)


def learned_at(game: Game, seats: int, box: Any = None) -> Learned | None:
    """Return the accepted policy for a table with so many seats, if it has the usual cards and options; else None.

    `box` is the table's; None stands for the usual one.
    """
    return learned_of(game, seats) if is_usual(game, box) else None
