"""Premoves for throws: a queue of throws, used in order against any opponent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pyramidion.engine.premoves import Field, Followed, lines_of
from pyramidion.games.pyramid_shambo.layout import THROW, THROWS
from pyramidion.translation import _, marked

NAMES = {"rock": marked("rock"), "paper": marked("paper"), "scissors": marked("scissors")}


def due(s: Any, seat: int) -> bool:
    """Return whether a premove can be used now: a throw is due (SB 2.2)."""
    return int(s.phase) == THROW


def accept(text: str, seats: int, seat: int) -> str:
    """Return the throws that a player has typed, one per line. Raises ValueError with a message."""
    throws = lines_of("\n".join(text.replace(",", " ").split()))
    for throw in throws:
        if throw not in THROWS:
            raise ValueError(_("{word} is not a throw. Choose rock, paper or scissors.").format(word=throw[:20]))
    return "\n".join(throws)


def follow(box: Any, s: Any, seat: int, text: str) -> Followed | None:
    """Return the next throw of the queue `text`, with the rest of the queue, or None if it is empty."""
    throw, _line, rest = text.partition("\n")
    return Followed(f"throw {throw}", rest) if throw else None


def tell(text: str, names: Sequence[str]) -> list[str]:
    """Return the throws of the queue `text` in words, in order."""
    return [_(NAMES[throw]) for throw in text.splitlines()]


def explain() -> str:
    """Return the help text on throws in advance."""
    return _("Throws in advance are used in order, against any opponent. When they are used up, you choose again.")


def fields(seats: int, seat: int, names: Sequence[str]) -> list[Field]:
    """Return the form fields for one more throw in the queue."""
    return [Field("throw", _("The next throw"), [(throw, _(NAMES[throw])) for throw in THROWS])]


def compose(given: Mapping[str, str]) -> str:
    """Return the throw that a submitted form describes."""
    return given.get("throw", "")
