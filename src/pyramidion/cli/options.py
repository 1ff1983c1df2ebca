"""Shared command-line parameters (game, seats, seed, options) and the error that commands raise."""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from pyramidion import text_files
from pyramidion.environment_variables import LANGUAGE

if TYPE_CHECKING:
    from pyramidion import Game, Match


def game_id(name: str | None) -> str | None:
    """Return the id of the game that a word means: its id or name, however it is spelled, or the beginning of one.

    Raises CommandFailed listing the games if the word means none of them, or several.
    """
    from pyramidion.engine import registry

    if name is None:
        return None
    try:
        return registry.load(name).id
    except KeyError as error:
        wanted, unknown = _letters(name), error
    words = {game: (_letters(game), _letters(registry.load(game).name)) for game in registry.ids()}
    begins = [game for game in words if wanted and any(word.startswith(wanted) for word in words[game])]
    meant = [game for game in words if wanted in words[game]] or begins
    if not meant:
        raise CommandFailed(str(unknown)) from unknown
    if len(meant) > 1:
        raise CommandFailed(f"{name[:40]!r} is the beginning of several games: {', '.join(meant)}. Name one of them.")
    return meant[0]


def game_ids(names: list[str] | None) -> list[str] | None:
    """Return the ids of the games that words mean. Raises CommandFailed like `game_id`."""
    return names and [game for name in names if (game := game_id(name)) is not None]


def _letters(text: str) -> str:
    """Return the letters and digits of a text, in lower case."""
    return "".join(filter(str.isalnum, text.casefold()))


GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help="A game's id, as listed by `pyramidion games`, or its beginning.", callback=game_id
    ),
]
SomeGames = Annotated[
    list[str] | None,
    typer.Argument(metavar="GAME", help="Game ids; by default, every game.", callback=game_ids, show_default=False),
]
Seats = Annotated[
    int | None, typer.Option("--seats", "-n", help="Number of seats; by default, the game's usual number.")
]
Seed = Annotated[
    str | None,
    typer.Option("--seed", help="The seed, a number or a word; it determines the cards and the bots' random choices."),
]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="A game option; repeat for each option."),
]
Language = Annotated[
    str | None,
    typer.Option(
        help="The language to use; by default, that of LC_ALL, LC_MESSAGES or LANG.",
        metavar="en|fr|pt|zh-Hant",
        envvar=LANGUAGE,
        show_default=False,
    ),
]


def output_file(what: str, *, resumes: bool = False) -> Any:
    """Return a command-line option, with this help, for an output file or folder; its parent folder must exist.

    The file must be new, unless the command `resumes` an earlier run in it; then the command itself refuses a file of
    another kind or another run.
    """
    return typer.Option(help=what, callback=check_folder if resumes else check_new, show_default=False)


def check_new(path: Path | None) -> Path | None:
    """Return the path of a new output file. Raises CommandFailed if something is there already, or has no folder."""
    if path is not None and (path.is_file() or path.is_dir()):  # a device, such as /dev/stdout, is no loss
        raise CommandFailed(
            f"{path} is there already, and is not overwritten. Name another file, or move this one away.", code=1
        )
    return check_folder(path)


def check_folder(path: Path | None) -> Path | None:
    """Return the path of an output file. Raises CommandFailed if its parent folder does not exist."""
    if path is not None and not path.absolute().parent.is_dir():
        raise CommandFailed(f"There is no folder {path.parent} for {path.name}; create it, or name another one.")
    return path


def print_json(data: Any) -> None:
    """Print data as JSON; numbers that JSON does not have, infinite ones and NaN, are null."""
    print(json.dumps(_finite(data), allow_nan=False))


def _finite(data: Any) -> Any:
    """Return data with None in place of the infinite and NaN, which JSON does not have."""
    if isinstance(data, dict):
        return {name: _finite(value) for name, value in cast("dict[str, Any]", data).items()}
    if isinstance(data, (list, tuple)):
        return [_finite(value) for value in cast("Sequence[Any]", data)]
    return None if isinstance(data, float) and not isfinite(data) else data


class CommandFailed(Exception):
    """A command failed. The message is one line for the user; the default exit code 2 means a usage error."""

    def __init__(self, line: str, code: int = 2) -> None:
        super().__init__(line)
        self.code = code


@contextmanager
def in_language(tag: str | None) -> Generator[None]:
    """Context manager: use a language while a command runs, by default that of the terminal.

    Raises CommandFailed listing the available languages.
    """
    from pyramidion import translation

    if tag is None:
        tag = translation.of_environment(os.environ)
    language = next((language for language in translation.LANGUAGES if language.lower() == tag.strip().lower()), None)
    if language is None:
        raise CommandFailed(
            f"There is no language {tag[:20]!r}; there are {translation.listed(list(translation.LANGUAGES))}."
        )
    with translation.in_language(language):
        yield


def load(name: str) -> Game:
    """Return the game with this id. Raises CommandFailed listing the available games."""
    import pyramidion

    try:
        return pyramidion.load(name)
    except KeyError as error:
        raise CommandFailed(str(error)) from error


def load_all(names: Sequence[str] | None) -> list[Game]:
    """Return the games with these ids, or every game. Raises CommandFailed like `load`."""
    import pyramidion

    return [load(name) for name in (names or list(pyramidion.all_games()))]


def read_text(path: Path) -> str:
    """Return the text of a file (`text_files`). Raises CommandFailed with a sentence if it cannot be read."""
    try:
        return text_files.read_text(path)
    except text_files.NotText as error:
        raise CommandFailed(str(error)) from error
    except OSError as error:
        raise CommandFailed(f"{path} cannot be read: {error.strerror}.") from error


def read_record(path: Path) -> Any:
    """Return the JSON of a record file, not checked any further. Raises CommandFailed if it has none."""
    try:
        return json.loads(read_text(path))
    except (json.JSONDecodeError, RecursionError) as error:
        raise CommandFailed(f"{path} is not a game record: it is not JSON.") from error


def read_cards(game: Game, path: Path) -> str:
    """Return the text of a card file. Raises CommandFailed, naming file and line, if it is no card file of the game."""
    text = read_text(path)
    try:
        game.check_cards(text, path.name)
    except ValueError as error:
        owner = _game_of_cards(text, game)
        raise CommandFailed(
            f"{path.name} is a card file of {owner.id}, not of {game.id}." if owner is not None else str(error)
        ) from error
    return text


def _game_of_cards(text: str, other: Game) -> Game | None:
    """Return the game that a card file is for, None if it is for none but perhaps `other`."""
    from pyramidion.engine import registry

    for game in map(registry.load, registry.ids()):
        with suppress(ValueError):
            if game.id != other.id:
                game.check_cards(text, "")
                return game
    return None


def read_options(pairs: Sequence[str] | None) -> dict[str, str]:
    """Parse NAME=VALUE pairs into a mapping. Raises CommandFailed for a malformed pair or a duplicate name."""
    given: dict[str, str] = {}
    for pair in pairs or ():
        name, equals, value = pair.partition("=")
        # Accept hyphens for underscores, as command-line options usually do.
        name = name.strip().replace("-", "_")
        if not equals or not name:
            raise CommandFailed(f"--option {pair[:60]!r} is not of the form NAME=VALUE.")
        if name in given:
            raise CommandFailed(f"The option {name} is given twice.")
        given[name] = value.strip()
    return given


def new_match(
    game: Game, seats: int | None, seed: str | None, options: Sequence[str] | None, cards: str | None = None
) -> Match:
    """Return a new match; `cards` is the text of a card file.

    Raises CommandFailed naming the allowed seats, the option and its range, or the line and field of the card file.
    """
    given: dict[str, Any] = {}
    if seed is not None:
        given["seed"] = int(seed) if seed.isascii() and seed.isdigit() and len(seed) < 19 else seed
    try:
        return game.new(seats, cards=cards, **given, **accept_options(game, options))
    except ValueError as error:
        raise CommandFailed(str(error)) from error


def accept_options(game: Game, pairs: Sequence[str] | None) -> dict[str, Any]:
    """Return the values of all options of a game: those given as NAME=VALUE, and the defaults of the others.

    Raises CommandFailed naming an option and its range.
    """
    given = read_options(pairs)
    for name in given:
        if name in ("seats", "seed"):
            raise CommandFailed(f"{name} is no option of a game; use --{name}.")
    try:
        return game.accept_options(given)
    except ValueError as error:
        raise CommandFailed(str(error)) from error
