"""The game registry: folders in `pyramidion.games` and the entry-point group of the same name."""

from __future__ import annotations

import copyreg
import difflib
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from pyramidion import translation
from pyramidion.engine.game import Game
from pyramidion.engine.minis import Mini, mini_id

GROUP = "pyramidion.games"
FOLDER = Path(__file__).parent.parent / "games"

_added: dict[str, Game] = {}
_loaded: dict[str, Game] = {}
_lock = threading.Lock()


def add(game: Game) -> None:
    """Register a game for this process only; packages use an entry point."""
    _added[game.id] = game


def remove(game_id: str) -> None:
    """Unregister a game that was registered with `add`."""
    _added.pop(game_id, None)


def forget(game_id: str) -> None:
    """Drop a game from the cache, so that it is reloaded on next use, for example after uninstalling its package."""
    with _lock:
        _loaded.pop(game_id, None)


def ids() -> list[str]:
    """Return the ids of all games without importing them."""
    return sorted({*_entries(), *_added})


def own_ids() -> list[str]:
    """Return the ids of the games in this package without importing them."""
    return sorted(_own())


def mini_ids() -> list[str]:
    """Return the ids of the small siblings of all games, such as `ponzi-scheme-mini`."""
    return [mini_id(game.id, mini) for game in all_games().values() for mini in game.minis]


def load(game_id: str | Game) -> Game:
    """Return a game, or the small sibling of one, by its id; a game is returned as it is.

    Raises UnknownGame (a KeyError) listing the available games.
    """
    if isinstance(game_id, Game):
        return game_id
    if game_id in _added:
        return _added[game_id]
    if game_id not in _loaded and game_id not in _entries():
        mini = _load_mini(game_id)
        with _lock:
            return _loaded.setdefault(game_id, mini)
    with _lock:
        if game_id not in _loaded:
            entry = _entries()[game_id]
            game = entry.load()
            if not isinstance(game, Game) or game.id != game_id:
                raise TypeError(f"The entry point {entry.value!r} is not a Game with the id {game_id!r}.")
            _loaded[game_id] = game
    return _loaded[game_id]


def _load_mini(game_id: str) -> Game:
    """Return the small sibling of a game by its id. Raises UnknownGame."""
    # Only games whose ids begin the same are imported.
    for base in [base for base in ids() if game_id.startswith(f"{base}-")]:
        game = load(base)
        for mini in game.minis:
            if mini_id(base, mini) == game_id:
                return sibling(game, mini)
    raise UnknownGame(game_id)


def sibling(game: Game, mini: Mini) -> Game:
    """Return a small sibling as a game, which shares the compiled rules of `game`.

    Raises ValueError if the declaration names an option or a value that the game does not have.
    """
    accepted = game.accept_options(mini.options)
    options = {
        name: replace(option, default=accepted[name], fixed=True) if name in mini.options else option
        for name, option in game.options.items()
    }
    seats = game.accept_seats(mini.seats)
    return replace(
        game,
        id=mini_id(game.id, mini),
        name=f"{game.name} {mini.name}",
        seats=range(seats, seats + 1),
        usual_seats=seats,
        options=options,
        card_file_name=mini.card_file or game.card_file_name,
        minis=(),
        base=game,
    )


def all_games() -> dict[str, Game]:
    """Return all games by id."""
    return {game_id: load(game_id) for game_id in ids()}


def games_for_newcomers() -> list[Game]:
    """Return all games in the order in which a newcomer who is alone should try them, the lightest first."""
    weights, games = {"light": 0, "medium": 1, "heavy": 2}, all_games().values()
    return sorted(games, key=lambda game: (weights[game.weight], game.usual_seats, game.minutes, game.id))


class UnknownGame(KeyError):
    """No game has this id; the message lists the available games."""

    def __init__(self, game_id: str) -> None:
        super().__init__(game_id)
        wanted = str(game_id).lower()
        begins = [name for name in ids() if len(wanted) > 2 and name.startswith(wanted)]
        near = difflib.get_close_matches(wanted, ids(), 1, 0.7) or begins
        hint = f" Did you mean {near[0]!r}?" if near else ""
        self._message = f"There is no game {str(game_id)[:40]!r}; there are {', '.join(ids())}.{hint}"

    def __str__(self) -> str:
        return self._message


def _entries() -> dict[str, EntryPoint]:
    """Return the entry points of all games by id: those of installed packages and of this one."""
    return _installed(tuple(sys.path)) | _own()


@lru_cache(maxsize=8)
def _installed(_path: tuple[str, ...]) -> dict[str, EntryPoint]:
    """Return the entry points of games in installed packages, cached, since reading metadata takes milliseconds."""
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def _own() -> dict[str, EntryPoint]:
    """Return entry points for the games of this package: its folders with a rules.py, which need no registration."""
    names = [folder.name for folder in FOLDER.iterdir() if (folder / "rules.py").exists()]
    ids = {name.replace("_", "-"): name for name in names}
    return {game_id: EntryPoint(game_id, f"{GROUP}.{name}:GAME", GROUP) for game_id, name in ids.items()}


def _locale_folders() -> list[Path]:
    """Return the locale folders of all games and of the parts that games share."""
    folders: list[Path] = []
    for game in all_games().values():
        folders += [folder for folder in (game.folder, game.shared) if folder is not None and folder not in folders]
    return [folder / "locale" for folder in folders]


def _by_id(game: Game) -> tuple[Callable[[str], Game], tuple[str]]:
    """Pickle a game as its id, since its compiled functions cannot be. Raises UnknownGame if it is not registered."""
    return load, (load(game.id).id,)


copyreg.pickle(Game, _by_id)
translation.add_folders(_locale_folders)
