"""How a game's events are shown on its board: the pieces they concern, and the events that stand out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

SEATS = ("seat", "to", "other", "victim", "because")
"""Names of event arguments that are seats."""
SEAT_SETS = ("seats", "challengers", "attackers")
"""Names of event arguments that are bitmasks of seats."""


def never(_view: Mapping[str, Any]) -> bool:
    """Return False: nobody but the acting player knows whether there is a choice."""
    return False


@dataclass(frozen=True, slots=True)
class Show:
    """How a game's events are shown on its board.

    The game's `stage.html` draws big events: it has a macro for each kind of event that is drawn.

    Attributes:
        pieces: by kind of event, the pieces it concerns: `data-key`s of the board, with the event's arguments in
            braces, as in `card-{value}`. Seats need not be listed.
        words: by name of an argument, a function from its number to the word in a key.
        seats: further arguments that are seats.
        chapters: kinds of events that begin a chapter, to which a replay can jump.
        falls: kinds of events that eliminate the seat they name.
        open_choice: given a view, whether everybody can tell what the acting seat can choose from. Only then may a page
            make a forced move by itself; otherwise its speed would reveal a secret.
    """

    pieces: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    words: Mapping[str, Callable[[int], str]] = field(default_factory=dict[str, Callable[[int], str]])
    seats: tuple[str, ...] = ()
    chapters: tuple[str, ...] = ()
    falls: tuple[str, ...] = ()
    open_choice: Callable[[Mapping[str, Any]], bool] = never

    def touched(self, name: str, data: Mapping[str, int]) -> tuple[list[int], list[str]]:
        """Return the seats and the keys of the pieces that an event concerns."""
        seats = [data[key] for key in (*SEATS, *self.seats) if key in data]
        for key in SEAT_SETS:
            seats += [seat for seat in range(16) if data.get(key, 0) >> seat & 1]
        words = {key: self.words[key](value) if key in self.words else value for key, value in data.items()}
        return list(dict.fromkeys(seats)), [key.format(**words) for key in self.pieces.get(name, ())]
