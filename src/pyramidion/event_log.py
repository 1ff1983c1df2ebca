"""Event logs: a season, its conversations and a tournament are logs of events, from which their state follows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol, TypeVar, cast, get_args

T = TypeVar("T")
HOUR = 3_600_000
"""Milliseconds, in which entries count time."""


class NotPossible(ValueError):
    """Something that cannot happen in the present state; the message says why."""


class Happening(Protocol):
    """An event, a frozen dataclass: checks whether it can happen in a state, and changes the state."""

    @property
    def kind(self) -> str:
        """What kind of event it is."""
        ...

    def apply(self, state: Any, entry: Entry, /) -> None:
        """Change the state, or raise NotPossible."""
        ...


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a log.

    Attributes:
        number: counts from 1 without gaps.
        at: milliseconds since 1970.
        by: the id of a person, or empty for the server itself.
        event: what happened.
        reason: why, in the words of the person who did it.
    """

    number: int
    at: int
    by: str
    event: Happening
    reason: str = ""


class Logged(Protocol):
    """A state that follows from a log. `made` counts the entries of each kind."""

    log: list[Entry]
    made: Counter[str]


L = TypeVar("L", bound=Logged)


def fold(state: L, entries: Iterable[Entry]) -> L:
    """Return an empty state after the entries of its log. Raises NotPossible at one that does not follow."""
    for entry in entries:
        state.made[entry.event.kind] += 1
        entry.event.apply(state, entry)
        state.log.append(entry)
    return state


def longer(log: Sequence[Entry], events: Sequence[Happening], at: int, by: str, reason: str = "") -> list[Entry]:
    """Return a log with an entry for each of some new events."""
    return [*log, *(Entry(len(log) + n, at, by, event, reason) for n, event in enumerate(events, 1))]


def kinds_of(events: Any) -> dict[str, Any]:
    """Return the classes of a union of events by their kind."""
    return {one.__dataclass_fields__["kind"].default: one for one in get_args(events)}


def encode(event: Any) -> dict[str, Any]:
    """Return an event's fields, ready for JSON, without its kind, which is stored beside them."""
    data = asdict(event)
    del data["kind"]
    return data


def decode(kinds: Mapping[str, type[T]], kind: str, data: Mapping[str, Any]) -> T:
    """Return the event that `encode` was given, of one of `kinds`; its lists are tuples again."""
    return kinds[kind](**{name: _tuples(value) for name, value in data.items()})


def _tuples(value: Any) -> Any:
    return tuple(_tuples(one) for one in cast("list[Any]", value)) if isinstance(value, list) else value
