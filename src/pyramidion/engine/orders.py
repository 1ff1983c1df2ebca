"""Orders: what a player says in advance, for decisions that have not come yet.

A game that has them declares a module with the functions of `OrderBook` as `Game(orders=...)`. An order is a text of a
few lines, in the game's own notation; what it makes of a decision follows from the text and from what its seat sees.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

MOST_LINES = 60


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the form in which a line of an order is made: one of `choices` (value, words), or a number."""

    name: str
    label: str
    choices: Sequence[tuple[str, str]] = ()
    low: int = 0
    high: int = 0


@dataclass(frozen=True, slots=True)
class Followed:
    """What an order says to a decision: the notation of an action, and what is left of the order, '' for nothing."""

    action: str
    rest: str


class OrderBook(Protocol):
    """What a game's module of orders has. `s` is always a state as the order's own seat sees it."""

    def due(self, s: Any, seat: int) -> bool:
        """Whether a seat whose decision is due may have ordered it."""
        ...

    def accept(self, text: str, seats: int, seat: int) -> str:
        """Return an order as it is kept. Raises ValueError with a sentence."""
        ...

    def follow(self, box: Any, s: Any, seat: int, text: str) -> Followed | None:
        """Return what an order says to the decision that is due, or None for nothing; it need not be legal."""
        ...

    def tell(self, text: str, names: Sequence[str]) -> list[str]:
        """Return an order in words, a sentence for each line."""
        ...

    def explain(self) -> str:
        """Return what can be ordered, in a few sentences."""
        ...

    def fields(self, seats: int, seat: int, names: Sequence[str]) -> list[Field]:
        """Return the form in which a line is made."""
        ...

    def compose(self, given: Mapping[str, str]) -> str:
        """Return the line that a filled form means. Raises ValueError with a sentence."""
        ...


def lines_of(text: str) -> list[str]:
    """Return the lines of an order, tidied. Raises ValueError for too many."""
    lines = [" ".join(line.lower().split()) for line in text.splitlines()]
    lines = [line for line in lines if line]
    if len(lines) > MOST_LINES:
        raise ValueError(f"An order has at most {MOST_LINES} lines.")
    return lines
