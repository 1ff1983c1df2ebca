"""The log of a tournament, and the state that follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pyramidion.seasons.encoding import decoded
from pyramidion.tournaments.events import KINDS, Event
from pyramidion.tournaments.state import Entry, Tournament


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


def decode(kind: str, data: dict[str, Any]) -> Event:
    """Return the event that `seasons.encoding.encode` was given."""
    return decoded(KINDS, kind, data)
