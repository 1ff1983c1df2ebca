"""Premoves: answers given in advance to decisions that are not due yet.

A game that supports them passes a module that implements `PremoveModule` as `Game(premoves=...)`. A seat's premoves are
a few lines of text in the game's own notation. Their effect depends only on the text and on the state visible to the
seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

MOST_LINES = 60


@dataclass(frozen=True, slots=True)
class Field:
    """An input field of the form for composing a line: a choice among `choices` (value, label), or a number."""

    name: str
    label: str
    choices: Sequence[tuple[str, str]] = ()
    low: int = 0
    high: int = 0


@dataclass(frozen=True, slots=True)
class Followed:
    """What the premoves decide: the notation of an action, and the premoves that remain ('' if none)."""

    action: str
    rest: str


class PremoveModule(Protocol):
    """The interface of a game's module `premoves`. `s` is the state redacted for the seat that gave them."""

    def due(self, s: Any, seat: int) -> bool:
        """Return whether premoves can answer the decision that is due from a seat."""
        ...

    def accept(self, text: str, seats: int, seat: int) -> str:
        """Check the text of a seat's premoves and return it in its stored form. Raises ValueError with a sentence."""
        ...

    def follow(self, box: Any, s: Any, seat: int, text: str) -> Followed | None:
        """Return the action with which the premoves answer the decision that is due; None if none applies.

        The action may be illegal.
        """
        ...

    def tell(self, text: str, names: Sequence[str]) -> list[str]:
        """Return the premoves in words, a sentence for each line."""
        ...

    def explain(self) -> str:
        """Return a short help text about the supported premoves."""
        ...

    def fields(self, seats: int, seat: int, names: Sequence[str]) -> list[Field]:
        """Return the input fields of the form in which a player composes a line."""
        ...

    def compose(self, given: Mapping[str, str]) -> str:
        """Return the line that a completed form stands for. Raises ValueError with a sentence."""
        ...


def lines_of(text: str) -> list[str]:
    """Return the lines of premoves, normalized and without empty ones. Raises ValueError for too many."""
    lines = [" ".join(line.lower().split()) for line in text.splitlines()]
    lines = [line for line in lines if line]
    if len(lines) > MOST_LINES:
        raise ValueError(f"There can be at most {MOST_LINES} lines.")
    return lines
