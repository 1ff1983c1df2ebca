"""Files of what a search has learned about a game: arrays, and where they come from. NumPy's `.npz`, without pickle."""

from __future__ import annotations

import json
import logging
import zipfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

if TYPE_CHECKING:
    from pyramidion.engine.game import Game

log = logging.getLogger(__name__)


class BadValues(ValueError):
    """A file that cannot be used; the message is a sentence."""


class Learned(Protocol):
    """What a file holds; `about` says where it comes from."""

    @property
    def about(self) -> Mapping[str, Any]:
        """Where it comes from."""
        ...


T = TypeVar("T", bound=Learned)


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

    Raises BadValues with a sentence if they are missing, for another game or for other rules: the file holds `what`,
    which was `made` and can be made `again`.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            about, arrays = json.loads(str(file["about"])), take(file)
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise BadValues(f"{path} holds no {what}: {error}.") from error
    if about.get("game") != game.id:
        raise BadValues(f"{path} holds {what} for {about.get('game')}, not for {game.id}.")
    if about.get("rules_version") != game.rules_version:
        then, now = about.get("rules_version"), game.rules_version
        raise BadValues(f"{path} was {made} with version {then} of the rules, which are at version {now} now. {again}")
    return about, arrays


def accepted(path: Path, game: Game, read: Callable[[Path, Game], T]) -> T | None:
    """Return what a file in a game's folder holds if it was accepted in a contest, else None.

    A file that cannot be used, as after a change of the rules, counts as missing; a warning says why.
    """
    try:
        found = read(path, game) if path.exists() else None
    except BadValues as error:
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
