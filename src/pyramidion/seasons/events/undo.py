"""Undoing an entry of the log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pyramidion.event_log import Entry, NotPossible, kinds_of
from pyramidion.seasons.events.people import HostAdded, HostRemoved, LinkRenewed, SettingsChanged, StoodIn, Withdrawn
from pyramidion.seasons.season import Season
from pyramidion.translation import _

LASTING = frozenset({*kinds_of(SettingsChanged | HostAdded | HostRemoved | StoodIn | LinkRenewed), "revoked"})
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
        """Raise NotPossible if a new entry would undo itself, or change a match that is being played."""
        if not 1 <= self.entry <= len(season.log):
            raise NotPossible(_("This entry cannot be undone."))
        undone = season.log[self.entry - 1].event
        if isinstance(undone, Withdrawn) and season.episode is not None:
            raise NotPossible(_("Contestants can come back between episodes."))
        for transfer in season.ledger.transfers:
            if transfer.entry == self.entry and transfer.currency != "tokens":
                season.require_free(transfer.giver)
                season.require_free(transfer.taker)
