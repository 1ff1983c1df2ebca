"""Tournaments in the database: logs, people and tables; functions that read block."""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa

from pyramidion.tournaments.events import KINDS
from pyramidion.web.competitions.rows import LogRows, TableRows, head_query
from pyramidion.web.db.changes import executing
from pyramidion.web.db.schema import TOURNAMENT_LOG, TOURNAMENT_PEOPLE, TOURNAMENT_TABLES, TOURNAMENTS
from pyramidion.web.db.store import Store
from pyramidion.web.db.writer import Change

LOG = LogRows(TOURNAMENT_LOG, "tournament", KINDS)
TABLES = TableRows(TOURNAMENT_TABLES, "tournament")
PEOPLE = TOURNAMENT_PEOPLE.c
_HEAD = head_query("tournament", [LOG])


def read_head(store: Store, tournament: str) -> tuple[int, bool]:
    """Return the length of a tournament's log, and whether a private club is its home; blocks."""
    [row] = store.query(_HEAD, {"owner": tournament})
    return row.length0, bool(row.private)


def read_people(store: Store, tournament: str) -> dict[str, str]:
    """Return the visitors of a tournament by player id, and the host under `host`; blocks."""
    rows = store.query(sa.select(PEOPLE.who, PEOPLE.holder).where(PEOPLE.tournament == tournament))
    return {row.who: row.holder for row in rows}


def due(store: Store, now: int) -> list[str]:
    """Return the ids of tournaments in which something is due now or a finished table's result is not taken; blocks."""
    timed = sa.select(TOURNAMENTS.c.id).where(TOURNAMENTS.c.due <= now)
    over = TABLES.finished().with_only_columns(TOURNAMENT_TABLES.c.tournament)
    return [row[0] for row in store.query(timed.union(over))]


def set_due(tournament: str, due: int | None) -> Change:
    """Return the change that stores when a tournament needs a server next: milliseconds since 1970, or None."""
    update = sa.update(TOURNAMENTS).where(TOURNAMENTS.c.id == tournament).values(due=due)
    return executing(update)


def insert_people(tournament: str, people: Mapping[str, str]) -> Change:
    """Return the change that stores the visitors of new players, given by player id."""
    rows = [{"tournament": tournament, "who": who, "holder": holder} for who, holder in people.items()]
    return executing(sa.insert(TOURNAMENT_PEOPLE), rows)
