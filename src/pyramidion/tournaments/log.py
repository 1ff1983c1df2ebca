"""The log of a tournament, the state that follows from it, and its events as JSON-ready dictionaries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any, cast

from pyramidion.tournaments.events import KINDS, Event
from pyramidion.tournaments.state import Entry, Happening, Tournament


def fold(entries: Iterable[Entry]) -> Tournament:
    """Return the tournament that a log leads to. Raises NotPossible at an entry that does not follow."""
    tournament = Tournament()
    for entry in entries:
        tournament.made[entry.event.kind] += 1
        entry.event.apply(tournament, entry)
        tournament.log.append(entry)
    return tournament


def extended(tournament: Tournament, events: Sequence[Event], at: int, by: str) -> Tournament:
    """Return the tournament after more events. Raises NotPossible with a sentence; `tournament` stays as it is."""
    first = len(tournament.log) + 1
    return fold([*tournament.log, *(Entry(first + n, at, by, event) for n, event in enumerate(events))])


def encode(event: Happening) -> dict[str, Any]:
    """Return an event's fields without its kind, which is stored beside them."""
    data = asdict(cast("Event", event))
    del data["kind"]
    return data


def decode(kind: str, data: dict[str, Any]) -> Event:
    """Return the event that `encode` was given."""
    made: Any = KINDS[kind]
    return made(**{name: _tuples(value) for name, value in data.items()})


def _tuples(value: Any) -> Any:
    return tuple(_tuples(one) for one in cast("list[Any]", value)) if isinstance(value, list) else value
