"""The games there are: those of this package and of any other that declares the entry-point group
`pyramidion.games`.
"""

from __future__ import annotations

import difflib
import threading
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from pyramidion.engine.game import Game

GROUP = "pyramidion.games"

_added: dict[str, Game] = {}
_loaded: dict[str, Game] = {}
_lock = threading.Lock()


def add(game: Game) -> None:
    """Register a game for this process, as an entry point does for good."""
    _added[game.id] = game


def remove(game_id: str) -> None:
    """Take a game out that was registered with `add`."""
    _added.pop(game_id, None)


def forget(game_id: str) -> None:
    """Load a game anew when it is next asked for: its package may have gone."""
    with _lock:
        _loaded.pop(game_id, None)


def ids() -> list[str]:
    """Return the ids of all games, without importing any."""
    return sorted({*_entries(), *_added})


def load(game_id: str) -> Game:
    """Return a game by its id. Raises KeyError naming the games there are."""
    if game_id in _added:
        return _added[game_id]
    with _lock:
        if game_id not in _loaded:
            entry = _entries().get(game_id)
            if entry is None:
                raise UnknownGame(game_id)
            game = entry.load()
            if not isinstance(game, Game) or game.id != game_id:
                raise TypeError(f"The entry point {entry.value!r} is not a Game with the id {game_id!r}.")
            _loaded[game_id] = game
    return _loaded[game_id]


def all_games() -> dict[str, Game]:
    """Return all games by id."""
    return {game_id: load(game_id) for game_id in ids()}


class UnknownGame(KeyError):
    """No game has this id; the message names those there are."""

    def __init__(self, game_id: str) -> None:
        near = difflib.get_close_matches(str(game_id), ids(), 1, 0.4)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        super().__init__(f"There is no game {str(game_id)[:40]!r}; there are {', '.join(ids())}.{hint}")

    def __str__(self) -> str:
        return str(self.args[0])


def _entries() -> dict[str, EntryPoint]:
    found = {entry.name: entry for entry in entry_points(group=GROUP)}
    # Every folder of pyramidion.games is a game, also where the package is not installed anew after one was added.
    for folder in (Path(__file__).parent.parent / "games").iterdir():
        if (folder / "rules.py").exists():
            name = folder.name.replace("_", "-")
            found.setdefault(name, EntryPoint(name, f"pyramidion.games.{folder.name}:GAME", GROUP))
    return found
