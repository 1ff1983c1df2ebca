"""The list of a seat's legal actions, with a key for each."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from pyramidion.terminal.keyboard import QUIT
from pyramidion.terminal.notation import written
from pyramidion.translation import _, family_word

if TYPE_CHECKING:
    from pyramidion import Action, Match

NUMBERS_LISTED = 6
"""A family with more legal numbers than this is listed as one entry with a range."""
LETTERS = [letter for letter in string.ascii_lowercase if letter not in QUIT]
"""The keys of actions where numbers mean something else."""


@dataclass(frozen=True, slots=True)
class ListEntry:
    """One entry of the list: an action, or a range of numeric actions of one family.

    Attributes:
        label: the displayed text. `notation` can be typed instead.
        low, high: for a range, the smallest and largest legal number; `action` is then the action for `low`.
        key: what selects the entry: a number or a letter; `N` for the numbers of a range, `a N` if there are several.
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
    actions; if several have, each is one entry with a range. All other entries have letters then, and are otherwise
    numbered from 1.
    """
    space = match.game.actions
    legal = match.legal(seat)
    texts = dict(zip(legal, match.labels(legal, names), strict=True))
    numbers: dict[str, list[Action]] = {}
    for action in legal:
        if space.families[action.family].numbers:
            numbers.setdefault(action.family, []).append(action)
    listed: list[ListEntry] = []
    for action in legal:
        run = numbers.get(action.family, [])
        if len(run) <= NUMBERS_LISTED and (not run or len(numbers) == 1):
            text = worded(action) or texts[action]
            heading, part = text if isinstance(text, tuple) else ("", text)
            notation = written(action, space, names)
            listed.append(ListEntry(f"{heading} {part}".strip(), notation, action, heading=heading, part=part))
        elif action is run[0]:
            low, high = run[0].args[0], run[-1].args[0]
            template = _("{family}: any number from {low} to {high}")
            text = template.format(family=family_word(action.family, match.game.id), low=low, high=high)
            listed.append(ListEntry(text, f"{action.family} N", action, low, high, part=text))
    times = Counter(entry.label for entry in listed)
    keys = _keys(listed, [texts[entry.action].lower() for entry in listed], list(numbers), _letters_of(match))
    return [
        replace(entry, key=key)
        if times[entry.label] == 1
        else replace(entry, key=key, label=f"{entry.label} ({entry.notation})", part=f"{entry.part} ({entry.notation})")
        for entry, key in zip(listed, keys, strict=True)
    ]


def _letters_of(match: Match) -> set[str]:
    """Return the single letters that are values in a game's notation, such as spaces."""
    families = match.game.actions.families.values()
    return {value for family in families for parameter in family.parameters for value in parameter.values} & {*LETTERS}


def _keys(listed: Sequence[ListEntry], texts: Sequence[str], numeric: Sequence[str], taken: set[str]) -> list[str]:
    """Return the key of each entry: numbers from 1, or letters and the numbers of the only `numeric` family.

    An entry whose notation gives a letter, one of those `taken`, has that. A range, and an action of one word, has the
    first letter of its text that is free, which it keeps while others come and go.
    """
    only = numeric[0] if len(numeric) == 1 else None
    others = [entry for entry in listed if entry.action.family != only]
    if not numeric or len(others) > len(LETTERS) - len(taken):
        return [str(number) for number in range(1, len(listed) + 1)]
    letters: dict[int, str] = {}
    for entry, text in zip(listed, texts, strict=True):
        if entry not in others or (entry.low is None and len(entry.notation.split()) > 1):
            continue
        used = {*letters.values(), *(taken if entry.low is None else ())}
        free = (letter for letter in [*text, *LETTERS] if letter in LETTERS and letter not in used)
        letters[entry.action.id] = next(free)
    for entry in (entry for entry in others if entry.action.id not in letters):
        own = [word for word in entry.notation.split()[1:] if word in taken]
        letters[entry.action.id] = next(c for c in [*own, *LETTERS] if c not in letters.values())
    return [
        letters[entry.action.id] + (" N" if entry.low is not None else "")
        if entry in others
        else str(entry.action.args[0])
        if entry.low is None
        else "N"
        for entry in listed
    ]


def keys_text(listed: Sequence[ListEntry]) -> str:
    """Return which keys select entries, in short, such as `0 to 10, c, t`."""
    numbers = [entry.key for entry in listed if entry.key.isdecimal()]
    spans = [(str(entry.low), str(entry.high)) for entry in listed if entry.key == "N"]
    spans += [(numbers[0], numbers[-1])] if len(numbers) > 2 else []
    texts = [_("{first} to {last}").format(first=first, last=last) for first, last in spans]
    letters = sorted(entry.key for entry in listed if entry.key[0] in LETTERS)
    return _(", ").join([*texts, *(numbers if len(numbers) < 3 else []), *letters])


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
            notation = entry.notation if entry.notation.lower() != entry.label.lower() else ""
            grid.add_row(Text(entry.key, style="bold"), Text(entry.label), Text(notation, style="dim"))
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
