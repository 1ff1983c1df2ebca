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
    """A file that cannot be used; the message is a sentence."""


class HasProvenance(Protocol):
    """The content of a file; `about` says where it comes from."""

    @property
    def about(self) -> Mapping[str, Any]:
        """Where it comes from."""
        ...


T = TypeVar("T", bound=HasProvenance)


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


def read_accepted(path: Path, game: Game, read: Callable[[Path, Game], T]) -> T | None:
    """Read a file in a game's folder; return None if there is none, or if it was not accepted in a contest.

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
    """Return the bytes of the usual box, which every search compares."""
    return usual_box(game).tobytes()


# Policies


@dataclass(frozen=True, eq=False)
class Learned:
    """A learned policy.

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
        """Write the coefficients and where they come from."""
        write_arrays(path, self.about, {"policy": self.policy})


def read_learned(path: Path, game: Game) -> Learned:
    """Read a policy for a game. Raises BadFile with a sentence if it is not for it, or not for these rules."""
    again = f"Train again with `pyramidion train {game.id}`."
    about, arrays = read_arrays(path, game, _policy_in, what="policy", made="trained", again=again)
    if len(arrays["policy"]) != getattr(game.mind, "FEATURES", 0):
        raise BadFile(f"{path} was trained with other features of actions than the game has now. {again}")
    return Learned(arrays["policy"], about)


def _policy_in(file: Any) -> dict[str, Any]:
    return {"policy": np.ascontiguousarray(file["policy"], np.float32)}


@cache
def learned_of(game: Game, seats: int) -> Learned | None:
    """Return the accepted policy in a game's folder for a number of seats, or None (`read_accepted`)."""
    return read_accepted(game.folder / f"learned-{seats}.npz", game, read_learned)


def learned_at(game: Game, seats: int, box: Any = None) -> Learned | None:
    """Return the accepted policy for a table with these seats and this box (by default the usual one), or None."""
    return learned_of(game, seats) if is_usual(game, box) else None
