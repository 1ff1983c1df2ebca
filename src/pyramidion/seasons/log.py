"""The log of a season, and the state that follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pyramidion.event_log import Entry, NotPossible, longer
from pyramidion.seasons.events import Event, ResultTaken, Revoked
from pyramidion.seasons.season import Season
from pyramidion.words import _


def fold(entries: Iterable[Entry]) -> Season:
    """Return the season that a log leads to. Raises NotPossible at an entry that does not follow from the others."""
    log, season = list(entries), Season()
    season.revoked = frozenset(one.event.entry for one in log if isinstance(one.event, Revoked))
    for entry in log:
        season.made[entry.event.kind] += 1
        if entry.number not in season.revoked:
            try:
                entry.event.apply(season, entry)
            except NotPossible as error:
                if not isinstance(log[-1].event, Revoked) or entry is log[-1]:
                    raise
                said = _("Entry {number} depends on this one. Undo that entry first.")
                raise NotPossible(said.format(number=entry.number)) from error
        if isinstance(entry.event, ResultTaken):
            season.taken.add(entry.event.table)
        season.log.append(entry)
    return season


def earlier(season: Season, count: int) -> Season:
    """Return the season as it was after its first `count` entries; only the latest answer is kept."""
    if count == len(season.log):
        return season
    if count not in season.earlier:
        season.earlier.clear()
        season.earlier[count] = fold(season.log[:count])
    return season.earlier[count]


def extended(season: Season, events: Sequence[Event], at: int, by: str, reason: str = "") -> Season:
    """Return the season after more events. Raises NotPossible with a sentence; `season` stays as it is."""
    return fold(longer(season.log, events, at, by, reason))
