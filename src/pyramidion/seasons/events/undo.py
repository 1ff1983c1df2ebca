"""Undoing an entry of the log."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from pyramidion.event_log import Entry, LogEvent, NotPossible, kinds_of
from pyramidion.seasons.events.episodes import FormatSet, MatchOpened
from pyramidion.seasons.events.own_matches import OwnMatchSet, OwnRoundSealed, SubmissionsRevealed
from pyramidion.seasons.events.people import (
    HostAdded,
    HostRemoved,
    LinkRenewed,
    Retitled,
    SettingsChanged,
    StoodIn,
    Withdrawn,
)
from pyramidion.seasons.formats import FINAL
from pyramidion.seasons.season import Season
from pyramidion.translation import _

LASTING = frozenset(
    {*kinds_of(SettingsChanged | Retitled | HostAdded | HostRemoved | StoodIn | LinkRenewed), "revoked"}
)
"""The kinds of entries that cannot be undone: settings and people, which a new entry changes, and undoing itself."""


@dataclass(frozen=True, slots=True)
class Revoked:
    """A host takes back an entry: everything is as if it had not happened, and the log shows both."""

    entry: int
    kind: Literal["revoked"] = "revoked"

    def apply(self, season: Season, entry: Entry) -> None:
        """Check that the entry can be undone; `seasons.fold` leaves it out."""
        undone = [logged for logged in season.log if logged.number == self.entry]
        if not undone or undone[0].event.kind in LASTING:
            raise NotPossible(_("This entry cannot be undone."))
        if not entry.reason.strip():
            raise NotPossible(_("Give a reason."))

    def check(self, season: Season) -> None:
        """Raise NotPossible if a new entry would undo itself, or change a match or episode that has been opened.

        Contestants submit because of what the form of a match says, such as who sees it. Nobody changes a submission
        after those of others have been revealed, even if the reveal was undone.
        """
        if not 1 <= self.entry <= len(season.log):
            raise NotPossible(_("This entry cannot be undone."))
        undone = season.log[self.entry - 1].event
        if (
            isinstance(undone, Withdrawn)
            and season.episode is not None
            and season.cast[undone.contestant].out is not None
        ):
            raise NotPossible(_("Contestants can come back between episodes."))
        if _is_used(season, undone):
            raise NotPossible(
                _("A match or an episode has been opened with this. Declare it again instead, for the next one.")
            )
        if isinstance(undone, OwnRoundSealed) and any(
            isinstance(later.event, SubmissionsRevealed) and later.event.match == undone.match
            for later in season.log[self.entry :]
        ):
            raise NotPossible(_("Submissions of this round have been revealed. They can no longer change."))
        for transfer in season.ledger.transfers:
            if transfer.entry == self.entry and transfer.currency != "tokens":
                season.require_free(transfer.giver)
                season.require_free(transfer.taker)


def undoing(season: Season, event: Revoked) -> list[Revoked]:
    """Return the events that undo what an event undoes: the start of a match at several tables is undone as one.

    Once one of its tables has a result, each start is undone alone.
    """
    episode = season.episode
    starts = [
        (logged.number, logged.event)
        for logged in reversed(season.log)
        if isinstance(logged.event, MatchOpened) and logged.number not in season.revoked
    ]
    undone = next((start for number, start in starts if number == event.entry), None)
    if undone is None or episode is None or undone.table not in episode.tables:
        return [event]
    tables = {table.table: table for table in episode.at(undone.part)}
    if any(table.winners is not None for table in tables.values()):
        return [event]
    return [Revoked(number) for number, start in starts if start.table in tables]


def _is_used(season: Season, event: LogEvent) -> bool:
    """Return whether an event declares what a match or an episode has been opened with."""
    match event:
        case OwnMatchSet():
            return any(opened.form == event.form for opened in season.own_matches.values())
        case FormatSet():
            declared = (event.format, replace(event.format, **FINAL))
            return any(episode.format in declared for episode in season.episodes)
        case _other:
            return False
