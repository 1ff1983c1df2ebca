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
class Presentation:
    """How a game's events are shown on its board.

    The game's `stage.html` draws big events: it has a macro for each kind of event that is drawn.

    Attributes:
        pieces: by kind of event, the pieces it concerns: `data-key`s of the board, with the event's arguments in
            braces, as in `card-{value}`. Seats need not be listed. An argument that is a bitmask of seats stands for
            one key for each of them.
        walks: by kind of event, the pieces that change places, pair by pair.
        one_by_one: by kind of event, the arguments that distinguish its events. Others of the same kind at the
            same position form one beat.
        words: by name of an argument, a function from its number to the word in a key.
        seats: further arguments that are seats.
        chapters: kinds of events that begin a chapter, to which a replay can jump.
        falls: kinds of events that eliminate the seat they name.
        open_choice: given a view, whether everybody can tell what the acting seat can choose from. Only then may a page
            make a forced move by itself; otherwise its speed would reveal a secret.
    """

    pieces: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    words: Mapping[str, Callable[[int], str]] = field(default_factory=dict[str, Callable[[int], str]])
    walks: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    one_by_one: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    seats: tuple[str, ...] = ()
    chapters: tuple[str, ...] = ()
    falls: tuple[str, ...] = ()
    open_choice: Callable[[Mapping[str, Any]], bool] = never

    def touched(self, name: str, data: Mapping[str, int]) -> tuple[list[int], list[str]]:
        """Return the seats and the keys of the pieces that an event concerns."""
        seats = [data[key] for key in (*SEATS, *self.seats) if key in data]
        for key in SEAT_SETS:
            seats += seats_in(data.get(key, 0))
        keys = [key for piece in self.pieces.get(name, ()) for key in self._keys(piece, data)]
        return list(dict.fromkeys(seats)), keys

    def walking(self, name: str, data: Mapping[str, int]) -> list[str]:
        """Return the keys of the pieces that change places in an event, pair by pair."""
        return [key for piece in self.walks.get(name, ()) for key in self._keys(piece, data)]

    def beat(self, name: str, data: Mapping[str, int]) -> str:
        """Return a name for the beat that an event belongs to, along with its neighbours of the same name."""
        return " ".join([name, *(str(data[key]) for key in self.one_by_one.get(name, ()))])

    def _keys(self, piece: str, data: Mapping[str, int]) -> list[str]:
        several = next((key for key in SEAT_SETS if f"{{{key}}}" in piece), None)
        worlds = [data] if several is None else [{**data, several: seat} for seat in seats_in(data[several])]
        worded = (
            {key: self.words[key](value) if key in self.words else value for key, value in world.items()}
            for world in worlds
        )
        return [piece.format(**words) for words in worded]


def seats_in(mask: int) -> list[int]:
    """Return the seats in a bitmask, in ascending order."""
    return [seat for seat in range(mask.bit_length()) if mask >> seat & 1]
