"""The numbered list of a seat's legal actions, and the selection of one by what the player types."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pyramidion.terminal.drawing import choice_of, short_choice_of
from pyramidion.terminal.notation import SHORTEST, parsed, written
from pyramidion.translation import _, family_word, ngettext

if TYPE_CHECKING:
    from pyramidion import Action, Match

NUMBERS_LISTED = 6
"""A family with more legal numbers than this is listed as one entry with a range."""
MOST_NAMED = 4
"""How many actions a message names that a text could mean."""


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


def choices(
    match: Match, seat: int, names: Sequence[str], worded: Callable[[Action], str | None] = lambda action: None
) -> list[ListEntry]:
    """Return a seat's legal actions as the entries of a numbered list, in their order.

    `worded` returns the label of an action where that is not the game's own. Labels that would be the same are followed
    by the notation.
    """
    space = match.game.actions
    legal = match.legal(seat)
    numbers: dict[str, list[Action]] = {}
    for action in legal:
        if space.families[action.family].numbers:
            numbers.setdefault(action.family, []).append(action)
    listed: list[ListEntry] = []
    for action, label in zip(legal, match.labels(legal, names), strict=True):
        run = numbers.get(action.family, [])
        if len(run) <= NUMBERS_LISTED:
            listed.append(ListEntry(worded(action) or label, written(action, space, names), action))
        elif action is run[0]:
            low, high = run[0].args[0], run[-1].args[0]
            template = _("{family}: any number from {low} to {high}")
            text = template.format(family=family_word(action.family, match.game.id), low=low, high=high)
            listed.append(ListEntry(text, f"{action.family} N", action, low, high))
    times = Counter(entry.label for entry in listed)
    return [
        entry if times[entry.label] == 1 else replace(entry, label=f"{entry.label} ({entry.notation})")
        for entry in listed
    ]


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


def read_action(
    match: Match, seat: int, line: str, listed: Sequence[ListEntry], names: Sequence[str]
) -> tuple[Action, int | None]:
    """Return the action of a line, legal or not, and the seat that the line gives as a number, if it does.

    The line is a number of the list, a notation or a label. Raises ValueError if it is none of them.
    """
    selected = selected_action(line, listed)
    if selected is not None and not isinstance(selected, str):
        return selected, None
    try:
        return parsed(selected or line, match.game.actions, names)
    except ValueError:
        action = labelled_action(line, _labels(match, seat, listed, names))
        if action is None:
            raise
        return action, None


def _labels(match: Match, seat: int, listed: Sequence[ListEntry], names: Sequence[str]) -> Iterator[tuple[str, Action]]:
    """Yield the texts under which a seat's legal actions are shown anywhere, with the actions."""
    for entry in listed:
        if entry.low is None:
            yield entry.label, entry.action
    game, view = match.game, match.view(seat, names)
    named, shortened = choice_of(game), short_choice_of(game)
    legal = match.legal(seat)
    for action, label in zip(legal, match.labels(legal, names), strict=True):
        own = (named(view, action.text), shortened(view, action.text, names))
        for text in (*own, label, written(action, game.actions, names)):
            if text:
                yield text, action


def labelled_action(line: str, labels: Iterable[tuple[str, Action]]) -> Action | None:
    """Return the action that a player selects by its label; None if there is none.

    A label counts as a whole, by its beginning, or by some of its words and their beginnings in order, whatever their
    case. Raises ValueError if that could be several actions.
    """
    candidates = [(text, _plain(text), action) for text, action in labels]
    wanted = _plain(line)
    words = _words(wanted)

    def same_words(text: str) -> bool:
        return _words(text) == words != []

    def begins(text: str) -> bool:
        return text.startswith(wanted)

    def has_words(text: str) -> bool:
        return _begun(words, _words(text))

    ways = [wanted.__eq__, *([same_words, begins, has_words] if len(wanted) >= SHORTEST else [])]
    for fits in ways:
        fitting = {action.id: (text, action) for text, plain, action in reversed(candidates) if fits(plain)}
        if len(fitting) == 1:
            return next(action for _text, action in fitting.values())
        if fitting:
            texts = [f"“{text}”" for text, _action in reversed(fitting.values())]
            more = [] if len(texts) <= MOST_NAMED else ["…"]
            message = _("That could be {actions}. Type more of it, or its number.")
            raise ValueError(message.format(actions=_(", ").join([*texts[:MOST_NAMED], *more])))
    return None


def _plain(text: str) -> str:
    """Return a text for comparison: without regard to case, spaces, kinds of quotation marks, and a final stop."""
    plain = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    return " ".join(plain.split()).removesuffix(".")


def _words(text: str) -> list[str]:
    """Return the words and numbers of a text."""
    return re.findall(r"\w+", text)


def _begun(typed: Sequence[str], words: Sequence[str]) -> bool:
    """Return whether the words begin with the typed ones, in order, with others between them; numbers must be whole."""
    rest = iter(words)
    return bool(typed) and all(
        any(word == part or (not part.isdecimal() and word.startswith(part)) for word in rest) for part in typed
    )
