"""The declaration of a table setting: its type, default, audience, label, help and choices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pyramidion.engine.game import Game
from pyramidion.translation import marked

Audience = Literal["public", "host"]
GROUPS = {
    "seats": marked("Open seats"),
    "rating": marked("Ratings"),
    "help": marked("Help"),
    "chat": marked("Chat"),
    "time": marked("Time"),
    "start": marked("Start"),
}
"""The headings of the form, in order."""


@dataclass(frozen=True, slots=True)
class SettingChoice:
    """One choice for a setting: `text` is the form value that stands for `value`, `words` its label."""

    text: str
    value: Any
    words: str


def _always(game: Game) -> bool:
    """Return that a setting applies to every game."""
    return True


@dataclass(frozen=True, slots=True)
class Setting:
    """The declaration of a setting, in addition to its type, default and description.

    Attributes:
        label, help: texts for the form; `help` may depend on the game.
        group: its heading in the form, a key of `GROUPS`.
        choices: the choices for a game; None for a checkbox.
        other: what the form accepts besides the choices: a whole number (`number`), a text checked by `accept`, or
            nothing.
        words: formats a value that is not among the choices.
        accept: returns the effective value for a game; raises BadTable with a sentence.
        applies: whether a game has this setting.
        preset: what the form selects initially, if not the default.
        paced: whether a game's own pace determines it.
        audience: who can see the value: everybody, or only the host.
    """

    label: str
    group: str
    help: str | Callable[[Game], str] = ""
    choices: Callable[[Game], Sequence[SettingChoice]] | None = None
    other: Literal["number", "text"] | None = None
    words: Callable[[Any], str] | None = None
    accept: Callable[[Any, Game], Any] | None = None
    applies: Callable[[Game], bool] = _always
    preset: str | None = None
    paced: bool = False
    audience: Audience = "public"
