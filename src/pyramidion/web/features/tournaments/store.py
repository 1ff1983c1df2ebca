"""Tournaments in the database: logs, people and tables; all functions block."""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa

from pyramidion.seasons.encoding import encode
from pyramidion.tournaments.log import decode
from pyramidion.tournaments.state import Entry, Tournament
from pyramidion.web.db.schema import MATCHES, TOURNAMENT_LOG, TOURNAMENT_PEOPLE, TOURNAMENT_TABLES, TOURNAMENTS
from pyramidion.web.db.store import Store
from pyramidion.web.db.writer import Change

LOG, PEOPLE, TABLES = TOURNAMENT_LOG.c, TOURNAMENT_PEOPLE.c, TOURNAMENT_TABLES.c


def length(store: Store, tournament: str) -> int:
    """Return how many entries a tournament's log has; 0 where there is none."""
    [row] = store.query(sa.select(sa.func.count().label("entries")).where(LOG.tournament == tournament))
    return row.entries


def read_log(store: Store, tournament: str) -> list[Entry]:
    """Return the log of a tournament."""
    query = sa.select(LOG.number, LOG.at, LOG.author, LOG.kind, LOG.data).where(LOG.tournament == tournament)
    rows = store.query(query.order_by(LOG.number))
    return [Entry(row.number, row.at, row.author, decode(row.kind, row.data)) for row in rows]


def read_people(store: Store, tournament: str) -> dict[str, str]:
    """Return the visitors of a tournament by the id of the player, or `host`."""
    rows = store.query(sa.select(PEOPLE.who, PEOPLE.holder).where(PEOPLE.tournament == tournament))
    return {row.who: row.holder for row in rows}


def tournaments_of(store: Store, holder: str) -> list[str]:
    """Return the ids of the tournaments that a visitor hosts or plays in, the newest first."""
    query = sa.select(PEOPLE.tournament, TOURNAMENTS.c.created).distinct().where(PEOPLE.holder == holder)
    joined = query.join(TOURNAMENTS, TOURNAMENTS.c.id == PEOPLE.tournament)
    return [row.tournament for row in store.query(joined.order_by(TOURNAMENTS.c.created.desc()))]


def tournament_at(store: Store, table: str) -> str | None:
    """Return the tournament that a table belongs to and still waits for, or None."""
    rows = store.query(sa.select(TABLES.tournament).where(TABLES.match == table, TABLES.settled.is_(False)))
    return rows[0].tournament if rows else None


def finished(store: Store, tournament: str) -> list[str]:
    """Return the tables of a tournament that are over and whose results have not been taken."""
    query = sa.select(TABLES.match).join(MATCHES, MATCHES.c.id == TABLES.match)
    where = (TABLES.tournament == tournament, TABLES.settled.is_(False), MATCHES.c.finished.is_not(None))
    return [row.match for row in store.query(query.where(*where))]


def unsettled(store: Store) -> list[tuple[str, str]]:
    """Return the tables whose results tournaments wait for: tournament and table."""
    query = sa.select(TABLES.tournament, TABLES.match).where(TABLES.settled.is_(False))
    return [(row.tournament, row.match) for row in store.query(query)]


def due(store: Store, now: int) -> list[str]:
    """Return the tournaments for which something is to be done: what is due, and results of finished tables."""
    t = TOURNAMENTS.c
    timed = sa.select(t.id).where(t.due <= now)
    over = sa.select(TABLES.tournament.label("id")).join(MATCHES, MATCHES.c.id == TABLES.match)
    over = over.where(TABLES.settled.is_(False), MATCHES.c.finished.is_not(None))
    return [row.id for row in store.query(timed.union(over))]


def inserting(tournament: str, before: Tournament, after: Tournament, people: Mapping[str, str]) -> Change:
    """Return what stores the entries that `after` has more than `before`, and what follows from them.

    `people` are the visitors of new players, by id.
    """
    rows = [
        {
            "tournament": tournament,
            "number": one.number,
            "at": one.at,
            "author": one.by,
            "kind": one.event.kind,
            "data": encode(one.event),
        }
        for one in after.log[len(before.log) :]
    ]
    settled = before.awaited() - after.awaited()

    def change(connection: sa.Connection) -> None:
        connection.execute(sa.insert(TOURNAMENT_LOG), rows)
        if people:
            new = [{"tournament": tournament, "who": who, "holder": holder} for who, holder in people.items()]
            connection.execute(sa.insert(TOURNAMENT_PEOPLE), new)
        for table in settled:
            settling(table)(connection)
        connection.execute(sa.update(TOURNAMENTS).where(TOURNAMENTS.c.id == tournament).values(due=after.due()))

    return change


def settling(table: str) -> Change:
    """Return the change after which the result of a table is awaited no more."""

    def change(connection: sa.Connection) -> None:
        connection.execute(sa.update(TOURNAMENT_TABLES).where(TABLES.match == table).values(settled=True))

    return change
