"""The numbered list of a seat's legal actions, and parsing of the player's input."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyramidion.translation import _, family_word, ngettext

if TYPE_CHECKING:
    from pyramidion import Action, Match

NUMBERS_LISTED = 6
"""A family with more legal numbers than this is listed as one entry with a range."""


@dataclass(frozen=True, slots=True)
class ListEntry:
    """One entry of the list: an action, or a range of numeric actions of one family.

    Attributes:
        label: the displayed text. `notation` can be typed instead of the entry's number.
        low, high: for a range, the smallest and largest legal number; `action` is then the action for `low`.
    """

    label: str
    notation: str
    action: Action
    low: int | None = None
    high: int | None = None


def choices(match: Match, seat: int, names: Sequence[str]) -> list[ListEntry]:
    """Return a seat's legal actions as the entries of a numbered list, in their order."""
    space = match.game.actions
    legal = match.legal(seat)
    numbers: dict[str, list[Action]] = {}
    for action in legal:
        if space.families[action.family].numbers:
            numbers.setdefault(action.family, []).append(action)
    listed: list[ListEntry] = []
    for action in legal:
        run = numbers.get(action.family, [])
        if len(run) <= NUMBERS_LISTED:
            listed.append(ListEntry(match.label(action, names), action.text, action))
        elif action is run[0]:
            low, high = run[0].args[0], run[-1].args[0]
            template = _("{family}: any number from {low} to {high}")
            label = template.format(family=family_word(action.family, match.game.id), low=low, high=high)
            listed.append(ListEntry(label, f"{action.family} N", action, low, high))
    return listed


def selected_action(line: str, listed: Sequence[ListEntry]) -> Action | str | None:
    """Return the action, or its notation, that a player selects by typing a number; None if `line` is no number.

    The number selects an entry of the list. If the only entry is a range, it is the action's own number instead.
    Raises ValueError with a message for the player if the number does not select an action.
    """
    text = line.strip()
    if not text.removeprefix("-").isdecimal() or not text.isascii() or len(text) > 9:
        return None
    ranged = [choice for choice in listed if choice.low is not None]
    if len(listed) == len(ranged) == 1:
        return f"{ranged[0].action.family} {int(text)}"
    number = int(text)
    if not 1 <= number <= len(listed):
        message = ngettext("Choose 1: it is the only one.", "Choose a number from 1 to {last}.", len(listed))
        raise ValueError(message.format(last=len(listed)))
    choice = listed[number - 1]
    if choice.low is not None:
        template = _("Type {notation!r} with N from {low} to {high}.")
        raise ValueError(template.format(notation=choice.notation, low=choice.low, high=choice.high))
    return choice.action
