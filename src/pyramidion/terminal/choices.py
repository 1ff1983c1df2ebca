"""The list of a seat's legal actions with a key for each, and the selection of one by what the player types."""

from __future__ import annotations

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from pyramidion.terminal.drawing import choice_of, short_choice_of
from pyramidion.terminal.keyboard import QUIT
from pyramidion.terminal.notation import SHORTEST, parsed, written
from pyramidion.translation import _, family_word

if TYPE_CHECKING:
    from pyramidion import Action, Match

NUMBERS_LISTED = 6
"""A family with more legal numbers than this is listed as one entry with a range."""
LETTERS = [letter for letter in string.ascii_lowercase if letter not in QUIT]
"""The keys of actions where numbers mean something else."""
MOST_NAMED = 4
"""How many actions a message names that a text could mean."""


@dataclass(frozen=True, slots=True)
class ListEntry:
    """One entry of the list: an action, or a range of numeric actions of one family.

    Attributes:
        label: the displayed text. `notation` can be typed instead.
        low, high: for a range, the smallest and largest legal number; `action` is then the action for `low`.
        key: what selects the entry: a number or a letter; `N` for the numbers of a range.
        heading, part: how a small screen divides the label, where several entries have the same heading.
    """

    label: str
    notation: str
    action: Action
    low: int | None = None
    high: int | None = None
    key: str = ""
    heading: str = ""
    part: str = ""


def choices(
    match: Match,
    seat: int,
    names: Sequence[str],
    worded: Callable[[Action], str | tuple[str, str] | None] = lambda action: None,
) -> list[ListEntry]:
    """Return a seat's legal actions as the entries of a list, in their order.

    `worded` returns the label of an action where that is not the game's own, perhaps as a heading and the rest. Labels
    that would be the same are followed by the notation. If only one family has numbers, they are the keys of its
    actions, and the others have letters; otherwise the entries are numbered from 1.
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
            text = worded(action) or label
            heading, part = text if isinstance(text, tuple) else ("", text)
            notation = written(action, space, names)
            listed.append(ListEntry(f"{heading} {part}".strip(), notation, action, heading=heading, part=part))
        elif action is run[0]:
            low, high = run[0].args[0], run[-1].args[0]
            template = _("{family}: any number from {low} to {high}")
            text = template.format(family=family_word(action.family, match.game.id), low=low, high=high)
            listed.append(ListEntry(text, f"{action.family} N", action, low, high, part=text))
    times = Counter(entry.label for entry in listed)
    keys = _keys(listed, next(iter(numbers)) if len(numbers) == 1 else None)
    return [
        replace(entry, key=key)
        if times[entry.label] == 1
        else replace(entry, key=key, label=f"{entry.label} ({entry.notation})", part=f"{entry.part} ({entry.notation})")
        for entry, key in zip(listed, keys, strict=True)
    ]


def _keys(listed: Sequence[ListEntry], numeric: str | None) -> list[str]:
    """Return the key of each entry: numbers from 1, or letters and the numbers of the one `numeric` family."""
    others = [entry for entry in listed if entry.action.family != numeric]
    if numeric is None or len(others) > len(LETTERS):
        return [str(number) for number in range(1, len(listed) + 1)]
    letters = iter(LETTERS)
    return [
        next(letters) if entry in others else str(entry.action.args[0]) if entry.low is None else "N"
        for entry in listed
    ]


def keys_text(listed: Sequence[ListEntry]) -> str:
    """Return which keys select entries, in short, such as `0 to 10, a to c`."""
    numbers = [entry.key for entry in listed if entry.key.isdecimal()]
    ranged = [(str(entry.low), str(entry.high)) for entry in listed if entry.key == "N"]
    letters = [entry.key for entry in listed if entry.key in LETTERS]
    spans = [*ranged, *((keys[0], keys[-1]) for keys in (numbers, letters) if len(keys) > 2)]
    texts = [_("{first} to {last}").format(first=first, last=last) for first, last in spans]
    return _(", ").join([*texts, *(key for keys in (numbers, letters) if len(keys) < 3 for key in keys)])


def only_key(listed: Sequence[ListEntry]) -> str:
    """Return the key of the only action in a list; an empty string if there are several, or a range of numbers."""
    return listed[0].key if len(listed) == 1 and listed[0].low is None else ""


def drawn(listed: Sequence[ListEntry], *, compact: bool, divided: bool = True) -> RenderableType:
    """Return the list as it stands on the screen: a line for each entry, with its notation.

    A `compact` one has the entries in columns; if it is `divided`, those with the same heading have a row of their own.
    """
    width = max((len(entry.key) for entry in listed), default=1)
    grid = Table.grid(padding=(0, 2, 0, 0))
    if not compact:
        grid.add_column(justify="right", min_width=3)
        for entry in listed:
            grid.add_row(Text(entry.key, style="bold"), Text(entry.label), Text(entry.notation, style="dim"))
        return grid
    parts: list[RenderableType] = []
    for heading, group in groupby(listed, lambda entry: entry.heading if divided else ""):
        entries = [
            Text.assemble((f"{entry.key:>{width}} ", "bold"), entry.part if heading else entry.label) for entry in group
        ]
        if heading:
            if not parts or parts[-1] is not grid:
                grid = Table.grid(padding=(0, 2, 0, 0))
                parts.append(grid)
            grid.add_row(Text(f" {heading}"), Columns(entries, padding=(0, 2)))
        else:
            parts.append(Columns([Text.assemble(" ", entry) for entry in entries], padding=(0, 1), column_first=True))
    return Group(*parts)


def selected_action(line: str, listed: Sequence[ListEntry]) -> Action | str | None:
    """Return the action, or its notation, that a player selects by typing a key; None if `line` is none.

    Raises ValueError with a message for the player if a number does not select an action.
    """
    text = line.strip().lower()
    for entry in listed:
        if entry.key == text and entry.low is None:
            return entry.action
    if not text.removeprefix("-").isdecimal() or not text.isascii() or len(text) > 9:
        return None
    for entry in listed:
        if entry.key == "N":
            return f"{entry.action.family} {int(text)}"
        if entry.key == text:
            template = _("Type {notation!r} with N from {low} to {high}.")
            raise ValueError(template.format(notation=entry.notation, low=entry.low, high=entry.high))
    raise ValueError(_("Choose one of these: {keys}.").format(keys=keys_text(listed)))


def read_action(
    match: Match, seat: int, line: str, listed: Sequence[ListEntry], names: Sequence[str]
) -> tuple[Action, int | None]:
    """Return the action of a line, legal or not, and the seat that the line gives as a number, if it does.

    The line is a key of the list, a notation or a label. Raises ValueError if it is none of them.
    """
    selected = selected_action(line, listed)
    if selected is not None and not isinstance(selected, str):
        return selected, None
    try:
        return parsed(selected or line, match.game.actions, names)
    except ValueError:
        if isinstance(selected, str):
            ranged = next(entry for entry in listed if entry.key == "N")
            message = _("Type a number from {low} to {high}.").format(low=ranged.low, high=ranged.high)
            raise ValueError(message) from None
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
        short = shortened(view, action.text, names)
        own = (named(view, action.text), " ".join(short) if isinstance(short, tuple) else short)
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
