"""Event logs: a season, its conversations and a tournament are logs of events, from which their state follows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import Any, Protocol, TypeVar, cast, get_args, get_type_hints

from pyramidion.names import BadName, OptionalText, clean_words, lookalike
from pyramidion.translation import _

T = TypeVar("T")
HOUR = 3_600_000
"""Milliseconds, in which entries count time."""


class NotPossible(ValueError):
    """Something that cannot happen in the present state; the message says why."""


class BadText(NotPossible):
    """A name, title or text that is not allowed; the message says why."""


class LogEvent(Protocol):
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
    event: LogEvent
    reason: OptionalText = ""


class LogState(Protocol):
    """A state that follows from a log. `made` counts the entries of each kind."""

    log: list[Entry]
    made: Counter[str]

    @property
    def names(self) -> Sequence[str]:
        """The names of which no new one may look like another."""
        ...


L = TypeVar("L", bound=LogState)


def fold(state: L, entries: Iterable[Entry]) -> L:
    """Return an empty state after the entries of its log. Raises NotPossible at one that does not follow."""
    for entry in entries:
        state.made[entry.event.kind] += 1
        entry.event.apply(state, entry)
        state.log.append(entry)
    return state


def extended(
    state: L, events: Sequence[LogEvent], at: int, by: str, reason: str, refold: Callable[[list[Entry]], L]
) -> L:
    """Return a state after new events, made by `refold` from the longer log; `state` stays as it is.

    Names and texts are checked here, and not where a stored log is read, so that every log can still be read when the
    rules for names change. Raises NotPossible.
    """
    after = refold(log_with(state.log, events, at, by, reason))
    names = list(after.names)
    for name in (Counter(names) - Counter(state.names)).elements():
        others = [*names]
        others.remove(name)
        if (other := lookalike(name, others)) is not None:
            raise NotPossible(_("The name {name} is taken.").format(name=other))
    return after


def log_with(log: Sequence[Entry], events: Sequence[LogEvent], at: int, by: str, reason: str = "") -> list[Entry]:
    """Return a longer log, with an entry for each of the new events; their texts are cleaned. Raises BadText."""
    numbered = enumerate(events, len(log) + 1)
    entries = (Entry(number, at, by, with_clean_texts(event), reason) for number, event in numbered)
    return [*log, *map(with_clean_texts, entries)]


def with_clean_texts(event: T) -> T:
    """Return a dataclass with its names, titles and texts cleaned (`names.Name` ...). Raises BadText."""
    values = {name: getattr(event, name) for name in _cleaners(type(event))}
    texts = {name: value for name, value in values.items() if isinstance(value, str)}
    try:
        cleaned = {name: _cleaners(type(event))[name](value) for name, value in texts.items()}
    except BadName as error:
        raise BadText(str(error)) from None
    return replace(cast("Any", event), **cleaned)


@cache
def _cleaners(kind: type) -> dict[str, Callable[[str], str]]:
    """Return what cleans each field of a dataclass that holds text; fields that are no names are texts."""
    cleaners: dict[str, Callable[[str], str]] = {}
    for name, hint in get_type_hints(kind, include_extras=True).items():
        if name != "kind":
            cleaners[name] = next(iter(getattr(hint, "__metadata__", ())), clean_words)
    return cleaners


def kinds_of(events: Any) -> dict[str, Any]:
    """Return the classes of a union of events by their kind."""
    return {event.__dataclass_fields__["kind"].default: event for event in get_args(events)}


def encode(event: Any) -> dict[str, Any]:
    """Return an event's fields, ready for JSON, without its kind, which is stored beside them."""
    data = asdict(event)
    del data["kind"]
    return data


def decode(kinds: Mapping[str, type[T]], kind: str, data: Mapping[str, Any]) -> T:
    """Return the event that `encode` was given, of one of `kinds`; its lists are tuples again."""
    return kinds[kind](**{name: _tuples(value) for name, value in data.items()})


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in cast("list[Any]", value)) if isinstance(value, list) else value
