"""Notation as people type it at a terminal table: players by their names, or by seats that count from 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pyramidion.translation import _, listed

if TYPE_CHECKING:
    from pyramidion import Action
    from pyramidion.engine.actions import ActionSpace

SEAT = "seat"
"""The kind of parameters that name players."""
SHORTEST = 3
"""How many characters the beginning of a value in notation must have to stand for it."""


class NobodyCalled(ValueError):
    """A line of notation names a player who is not at the table; the message is a sentence."""


def written(action: Action, space: ActionSpace, names: Sequence[str]) -> str:
    """Return an action's notation with names in place of seats: `offer Bot 2 grain`."""
    parameters = space.families[action.family].parameters
    words = action.text.split()
    for place, parameter in enumerate(parameters, 1):
        if parameter.kind == SEAT and int(words[place]) < len(names):
            words[place] = names[int(words[place])]
    return " ".join(words)


def seat_named(text: str, names: Sequence[str]) -> int | None:
    """Return the seat that a text names, or gives as a number from 1; None if it does neither."""
    wanted = folded(text)
    exact = [seat for seat, name in enumerate(names) if folded(name) == wanted]
    begun = [seat for seat, name in enumerate(names) if wanted and folded(name).startswith(wanted)]
    if exact or len(begun) == 1:
        return (exact or begun)[0]
    number = int(wanted) if wanted.isdecimal() and len(wanted) < 4 else 0
    return number - 1 if 1 <= number <= len(names) else None


def parsed(line: str, space: ActionSpace, names: Sequence[str]) -> tuple[Action, int | None]:
    """Return the action of a line in notation, and the seat that the line gives as a number, if it does.

    Raises ValueError with a sentence for the player, NobodyCalled where a name is wrong.
    """
    words = line.split()
    family = space.families.get(words[0].lower()) if words else None
    number = None
    if family is not None:
        rest, words = words[1:], [family.name]
        for place, parameter in enumerate(family.parameters, 1):
            if parameter.kind == SEAT and rest:
                seat, rest, by_number = _seat_at(rest, names, len(family.parameters) - place)
                words.append(str(seat))
                number = seat if by_number else number
            else:
                words += [_completed(word, parameter.values) for word in rest[:1]]
                rest = rest[1:]
        words += rest
    return space.parse(" ".join(words)), number


def _seat_at(words: Sequence[str], names: Sequence[str], following: int) -> tuple[int, list[str], bool]:
    """Return the seat that the first words name, the other words, and whether the seat was given as a number.

    So many words should be `following`. Raises NobodyCalled.
    """
    for count in range(len(words), 0, -1):
        name = folded(" ".join(words[:count]))
        for seat, player in enumerate(names):
            if folded(player) == name:
                return seat, list(words[count:]), False
    seat = seat_named(words[0], names)
    if seat is None:
        message = _("Nobody here is called {name}. Name one of {names}.")
        name = " ".join(words[: max(1, len(words) - following)])
        raise NobodyCalled(message.format(name=name[:40], names=listed(list(names))))
    return seat, list(words[1:]), words[0].isdecimal()


def _completed(word: str, values: Sequence[str]) -> str:
    """Return the only value that has a part that begins with a word: `real-estate` for `estate`; else the word."""
    begun = [value for value in values if any(part.startswith(word.lower()) for part in (value, *value.split("-")))]
    return begun[0] if len(begun) == 1 and len(word) >= SHORTEST and word.isalpha() else word


def folded(text: str) -> str:
    """Return a text for comparison, without regard to case and spaces."""
    return " ".join(text.casefold().split())
