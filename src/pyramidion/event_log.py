"""Event logs: a season, its conversations and a tournament are logs of events, from which their state follows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass, replace
from functools import cache
from typing import Any, Protocol, TypeVar, cast, get_args, get_origin, get_type_hints

from pyramidion.names import BadName, OptionalText, clean_words, lookalike
from pyramidion.translation import _, marked

T = TypeVar("T")
HOUR = 3_600_000
"""Milliseconds, in which entries count time."""
LATEST = 4_000_000_000_000
"""No event names a later time: 2 October 2096."""
DATE_RANGE = marked("Choose a date between 1970 and October 2096.")


class NotPossible(ValueError):
    """Something cannot happen in the present state; the message says why."""


class BadText(NotPossible):
    """A name, title or text is not allowed; the message says why."""


def check_times(*times: int) -> None:
    """Raise NotPossible with a sentence for a time, in milliseconds since 1970, that is out of range."""
    if not all(0 < at < LATEST for at in times):
        raise NotPossible(_(DATE_RANGE))


class LogEvent(Protocol):
    """The interface of an event, a frozen dataclass that checks whether it can happen in a state, and changes it."""

    @property
    def kind(self) -> str:
        """The name of the event's kind, which is stored beside its fields."""
        ...

    def apply(self, state: Any, entry: Entry, /) -> None:
        """Change the state, or raise NotPossible if the event cannot happen in it; `entry` is its line in the log."""
        ...


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a log: an event, with when it happened and who caused it.

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
    """The interface of a state that follows from a log. `made` counts the entries of each kind."""

    log: list[Entry]
    made: Counter[str]

    @property
    def names(self) -> Sequence[str]:
        """The names in use; no new name may look like one of them."""
        ...


L = TypeVar("L", bound=LogState)


def fold(state: L, entries: Iterable[Entry]) -> L:
    """Apply the entries of a log to an empty state and return it. Raises NotPossible where one cannot follow."""
    for entry in entries:
        state.made[entry.event.kind] += 1
        entry.event.apply(state, entry)
        state.log.append(entry)
    return state


def extended(
    state: L, events: Sequence[LogEvent], at: int, by: str, reason: str, refold: Callable[[list[Entry]], L]
) -> L:
    """Return the state after new events, which `refold` makes from the longer log; `state` stays as it is.

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
    """Return a log with an entry added for each new event, with texts cleaned. Raises BadText.

    `at` is the time in milliseconds since 1970, `by` is the id of the person who acts (empty for the server itself).
    """
    numbered = enumerate(events, len(log) + 1)
    entries = (Entry(number, at, by, with_clean_texts(event), reason) for number, event in numbered)
    return [*log, *map(with_clean_texts, entries)]


def with_clean_texts(event: T) -> T:
    """Return an event or entry, a dataclass, with its names, titles and texts cleaned. Raises BadText.

    How a field is cleaned follows from its annotation, such as `names.Name`. Tuples of texts or dataclasses are cleaned
    item by item.
    """

    def cleaned(value: Any, clean: Callable[[str], str]) -> Any:
        """Return a value of a field with the texts in it cleaned."""
        if isinstance(value, str):
            return clean(value)
        if isinstance(value, tuple):
            return tuple(cleaned(item, clean) for item in cast("tuple[Any, ...]", value))
        return with_clean_texts(value) if is_dataclass(value) and not isinstance(value, type) else value

    cleaners = _cleaners(type(event))
    try:
        values = {name: cleaned(getattr(event, name), clean) for name, clean in cleaners.items() if name != "event"}
    except BadName as error:
        raise BadText(str(error)) from None
    return replace(cast("Any", event), **values)


@cache
def _cleaners(kind: type) -> dict[str, Callable[[str], str]]:
    """Return, by name of each field of a dataclass, the function that cleans its text.

    That is the one in its annotation (`names.Name` ...), or else the one for texts.
    """
    cleaners: dict[str, Callable[[str], str]] = {}
    for name, hint in get_type_hints(kind, include_extras=True).items():
        if name != "kind":
            item = next(iter(get_args(hint)), None) if get_origin(hint) is tuple else hint
            cleaners[name] = next(iter(getattr(item, "__metadata__", ())), clean_words)
    return cleaners


def kinds_of(events: Any) -> dict[str, Any]:
    """Return the event classes of a union, by the name of their kind."""
    return {event.__dataclass_fields__["kind"].default: event for event in get_args(events)}


def encode(event: Any) -> dict[str, Any]:
    """Return the fields of an event, JSON-ready, without its kind, which is stored beside them."""
    data = asdict(event)
    del data["kind"]
    return data


def decode(kinds: Mapping[str, type[T]], kind: str, data: Mapping[str, Any]) -> T:
    """Return the event whose fields `encode` has returned as `data`; `kinds` holds the class of each kind.

    JSON's lists become tuples again, and its objects in them dataclasses where the field's annotation says so.
    """
    event, parts = kinds[kind], _parts(kinds[kind])
    return event(
        **{
            name: tuple(parts[name](**{key: _tuples(part) for key, part in item.items()}) for item in value)
            if name in parts
            else _tuples(value)
            for name, value in data.items()
        }
    )


@cache
def _parts(kind: type) -> dict[str, type[Any]]:
    """Return, by name, the dataclasses of those fields of a dataclass that are tuples of dataclasses."""
    items = {name: next(iter(get_args(hint)), None) for name, hint in get_type_hints(kind).items()}
    return {name: item for name, item in items.items() if isinstance(item, type) and is_dataclass(item)}


def _tuples(value: Any) -> Any:
    """Return a value with tuples in place of lists, at all depths."""
    return tuple(_tuples(item) for item in cast("list[Any]", value)) if isinstance(value, list) else value
