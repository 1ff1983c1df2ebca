"""Environment variables of the package itself. Those of the server are in `web/settings.py`."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile

from platformdirs import user_cache_path

PREFIX = "PYRAMIDION_"
CACHE_DIR = f"{PREFIX}CACHE_DIR"
INTERPRET = f"{PREFIX}INTERPRET"
CHECK_BOUNDS = f"{PREFIX}CHECK_BOUNDS"
LANGUAGE = f"{PREFIX}LANGUAGE"
DEBUG = f"{PREFIX}DEBUG"
ON = ("1", "true", "yes", "on")
OFF = ("", "0", "false", "no", "off")


class WrongVariable(ValueError):
    """An environment variable has a value that cannot be used; the message names both, and says what to do."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of the package.

    Attributes:
        default: as text, empty if it depends on the machine.
        allowed: what its value has to be, as the end of a sentence.
        read: returns the value in force. Raises WrongVariable.
    """

    name: str
    default: str
    allowed: str
    description: str
    read: Callable[[], object]


def flag(name: str) -> bool:
    """Return whether a variable is on. Raises WrongVariable for a value that is neither on nor off."""
    value = os.environ.get(name, "")
    if value.strip().lower() in ON:
        return True
    if value.strip().lower() in OFF:
        return False
    raise WrongVariable(f"The setting {name} is wrong: {value!r:.80} is not 1 (on) or 0 (off).")


def cache_folder() -> Path:
    """Return the folder for compiled rules; make it if it was chosen. Raises WrongVariable for one that is no use."""
    chosen = os.environ.get(CACHE_DIR)
    if not chosen:
        return user_cache_path("pyramidion", appauthor=False) / "compiled"
    folder = Path(chosen)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise WrongVariable(
            f"The setting {CACHE_DIR} is wrong: compiled rules cannot be kept in {folder} ({error.strerror}). "
            "Name a folder that can be made, read and written, or leave the setting out."
        ) from error
    return folder


def language() -> str | None:
    """Return the language of the terminal that was chosen, if any. Raises WrongVariable if it is not available."""
    chosen = os.environ.get(LANGUAGE)
    if not chosen:
        return None
    from pyramidion.translation import LANGUAGES

    if chosen.strip().lower() not in map(str.lower, LANGUAGES):
        raise WrongVariable(f"The setting {LANGUAGE} is wrong: {chosen!r:.80} is not one of {', '.join(LANGUAGES)}.")
    return chosen


VARIABLES = (
    Variable(CACHE_DIR, "", "a folder", "Folder for compiled rules; created on first use.", cache_folder),
    Variable(
        INTERPRET,
        "false",
        "1 or 0",
        "Run the rules uncompiled, for a debugger; a thousand times slower.",
        partial(flag, INTERPRET),
    ),
    Variable(
        CHECK_BOUNDS,
        "false",
        "1 or 0",
        "Compile the rules with checks of array bounds, to find errors in a new game.",
        partial(flag, CHECK_BOUNDS),
    ),
    Variable(
        LANGUAGE,
        "",
        "en, fr, pt, zh-Hant",
        "Language of commands at the terminal; by default that of LC_ALL, LC_MESSAGES or LANG.",
        language,
    ),
    Variable(DEBUG, "false", "1 or 0", "Show the traceback of an unexpected error of a command.", partial(flag, DEBUG)),
)


def check_variables() -> None:
    """Raise WrongVariable for the first variable with a value that cannot be used.

    The folder for compiled rules is checked by the commands that use rules; `pyramidion backup` works without it.
    """
    for variable in VARIABLES:
        if variable.name != CACHE_DIR:
            variable.read()
