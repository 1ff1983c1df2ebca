"""The contestants of a season as a table for its hosts: balances with their changes, links and last visits."""

from __future__ import annotations

from dataclasses import dataclass, field

from pyramidion.event_log import Entry
from pyramidion.seasons.events import EpisodeOpened
from pyramidion.seasons.ledger import CURRENCIES
from pyramidion.seasons.season import Season
from pyramidion.translation import _
from pyramidion.web.features.seasons.console.sightings import Sightings
from pyramidion.web.features.seasons.loaded import LoadedSeason
from pyramidion.web.features.seasons.texts import KINDS


@dataclass(slots=True)
class BalanceChange:
    """How a balance has changed in an episode: the sum, and each change with its reason in words."""

    amount: int = 0
    reasons: list[str] = field(default_factory=list[str])


@dataclass(frozen=True, slots=True)
class ContestantRow:
    """What the table shows of a contestant beside the season's view.

    `seen` is when they were last seen, in milliseconds since 1970, or None. `changes` are by currency.
    """

    id: str
    joined: bool
    seen: int | None
    changes: dict[str, BalanceChange]


def contestant_rows(loaded: LoadedSeason, sightings: Sightings) -> dict[str, ContestantRow]:
    """Return the rows of all contestants by id, with the changes since the latest episode was opened."""
    changes = _changes(loaded.season)
    return {
        who: ContestantRow(
            who,
            loaded.joined(who),
            sightings.last(loaded, who),
            {currency: changes[who, currency] for currency in CURRENCIES if (who, currency) in changes},
        )
        for who in loaded.season.cast
    }


def _changes(season: Season) -> dict[tuple[str, str], BalanceChange]:
    """Return the changes since the latest episode was opened, by contestant and currency."""
    opened = [
        entry.number
        for entry in season.log
        if isinstance(entry.event, EpisodeOpened) and entry.number not in season.revoked
    ]
    since = opened[-1] if opened else len(season.log)
    changes: dict[tuple[str, str], BalanceChange] = {}
    for transfer in reversed(season.ledger.transfers):
        if transfer.entry <= since:
            break
        entry = season.log[transfer.entry - 1]
        for who in {transfer.giver, transfer.taker} & season.cast.keys():
            change = changes.setdefault((who, transfer.currency), BalanceChange())
            change.amount += transfer.change(who)
            change.reasons.insert(0, _reason(entry, transfer.change(who)))
    return changes


def _reason(entry: Entry, amount: int) -> str:
    """Return one change in words, such as `+2 Correction: Counted twice`."""
    kind = _(KINDS[entry.event.kind])
    about = _("{kind}: {what}").format(kind=kind, what=entry.reason) if entry.reason else kind
    return f"{amount:+d} {about}"
