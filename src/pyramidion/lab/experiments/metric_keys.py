"""The keys of a game: a number and a name for everything that an experiment counts (see `counters`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion.engine.rule import INTERPRETED
from pyramidion.lab.experiments.counters import MOST_RULES, keys_dtype, tally_dtype

if TYPE_CHECKING:
    from pyramidion.engine.game import Game
    from pyramidion.engine.pictures import BoardMap, CardSet, Levels

MOST_ACTIONS = 50_000
"""Games with more actions than this have no keys for single actions, only for families and parameters."""


@dataclass(frozen=True, eq=False)
class MetricKeys:
    """The keys of a game: the number and the name of everything that experiments count in it.

    Attributes:
        numbers: the tables that the compiled loop reads, a record array of shape (1,) with `counters.keys_dtype`.
        names: metric and name of each key, such as ("actions", "fund card 41").
    """

    numbers: Any
    names: tuple[tuple[str, str], ...]

    def new_tally(self, seats: int) -> Any:
        """Return zeroed counters, a record array of shape (1,) with `counters.tally_dtype`."""
        tally = np.zeros(1, tally_dtype(len(self.names), seats))
        tally["stamp"] = -1
        return _records(tally)


def _records(array: Any) -> Any:
    """Return `array` with attribute access, as interpreted rules need it."""
    return array.view(np.recarray) if INTERPRETED else array


def own_module(game: Game) -> Any:
    """Return the module `lab` in the game's package, which says what is special to the game in experiments, or None.

    It may define `ARGUMENTS`, names for the values of event arguments (`{"colour": ("blue", "green")}`); `METRICS`,
    the labels and the rule of each of the game's own metrics; and `PICTURES` and `CARDS`, see `engine.pictures`
    (docs/lab.md).
    """
    package = getattr(game.rules, "__package__", None)
    if not package or find_spec(f"{package}.lab") is None:
        return None
    return import_module(f"{package}.lab")


def pictures_of(game: Game) -> Sequence[BoardMap | Levels]:
    """Return the pictures that a game declares for reports."""
    return getattr(own_module(game), "PICTURES", ())


def cards_of(game: Game) -> CardSet | None:
    """Return the cards that a game declares for editing and for reports."""
    return getattr(own_module(game), "CARDS", None)


@cache
def metric_keys(game: Game) -> MetricKeys:
    """Give a number and a name to all that is counted in a game: its actions, their parameters, events and rules."""
    names: list[tuple[str, str]] = []

    def key(metric: str, name: str) -> int:
        """Add a key of this metric and name, and return its number."""
        names.append((metric, name))
        return len(names) - 1

    words: dict[str, Sequence[str]] = {}
    by_action: list[list[int]] = [[] for _ in range(len(game.actions))]
    for family in game.actions.families.values():
        whole = key("families", family.name)
        parts: dict[tuple[str, str], int] = {}
        for parameter in family.parameters:
            words.setdefault(parameter.kind, parameter.values)
        single = family.numbers is not None or len(family.parameters) == 1
        for number in range(family.first, family.last + 1):
            mine = by_action[number] = [whole]
            if not single:
                for place in game.actions[number].path if family.parameters else ():
                    kind, _, value = place.partition(":")
                    if (kind, value) not in parts:
                        parts[kind, value] = key("choices", f"{family.name} {kind} {value}")
                    if parts[kind, value] not in mine:
                        mine.append(parts[kind, value])
            if (family.parameters or family.numbers) and len(game.actions) <= MOST_ACTIONS:
                mine.append(key("actions", game.actions[number].text))
    widest = max(map(len, by_action)) + 1
    module = own_module(game)
    declared: Mapping[str, Sequence[str]] = getattr(module, "ARGUMENTS", {})
    words |= declared
    kinds = game.events.kinds
    tables = np.zeros(1, keys_dtype(len(game.actions), widest, len(kinds)))
    tables["of_action"][0] = [mine + [-1] * (widest - len(mine)) for mine in by_action]
    tables["owner"] = -1
    tables["argument"] = -1
    of_event, owner, argument, sizes = (tables[name][0] for name in ("of_event", "owner", "argument", "sizes"))
    of_event[0] = key("events", "")
    for code, (name, arguments) in enumerate(kinds.items(), 1):
        of_event[code] = key("events", name)
        for place, what in enumerate(arguments):
            if what == "seat":
                owner[code] = place
            elif what in words and what != "rule":
                argument[code, place] = len(names)
                sizes[code, place] = len(words[what])
                for value in words[what]:
                    key("details", f"{name} {what} {value}")
    tables["rules"] = len(names)
    names += [("rules", game.rule_name(number)) for number in range(MOST_RULES)]
    return MetricKeys(_records(tables), tuple(names))
