"""Seasons in the database: logs, people and tables; all functions block."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from pyramidion.seasons.encoding import decode, decode_talk, encode
from pyramidion.seasons.events import LinkRenewed, StoodIn
from pyramidion.seasons.season import Entry, Season
from pyramidion.seasons.talk import TalkEntry
from pyramidion.web.db.schema import (
    MATCHES,
    SEASON_LOG,
    SEASON_PEOPLE,
    SEASON_PORTRAITS,
    SEASON_TABLES,
    SEASON_TALK,
    SEASONS,
    SEATS,
)
from pyramidion.web.db.store import Store
from pyramidion.web.db.writer import Change, Conflict


@dataclass(frozen=True, slots=True)
class Person:
    """A host or contestant: the visitor who has opened the personal link, and how many links there were before it."""

    who: str
    holder: str | None
    turn: int


def read_log(store: Store, season: str) -> list[Entry]:
    """Return the log of a season, empty where there is none."""
    e = SEASON_LOG.c
    query = sa.select(e.number, e.at, e.author, e.kind, e.data, e.reason).where(e.season == season).order_by(e.number)
    return [Entry(row.number, row.at, row.author, decode(row.kind, row.data), row.reason) for row in store.query(query)]


def lengths(store: Store, season: str) -> tuple[int, int]:
    """Return how many entries a season's log and the log of its conversations have; no entries where there is none."""
    counts = [
        sa.select(sa.func.coalesce(sa.func.max(log.c.number), 0)).where(log.c.season == season).scalar_subquery()
        for log in (SEASON_LOG, SEASON_TALK)
    ]
    [row] = store.query(sa.select(counts[0].label("entries"), counts[1].label("lines")))
    return row.entries, row.lines


def read_talk(store: Store, season: str) -> list[TalkEntry]:
    """Return the log of a season's conversations."""
    t = SEASON_TALK.c
    query = sa.select(t.number, t.at, t.author, t.kind, t.data).where(t.season == season).order_by(t.number)
    return [TalkEntry(row.number, row.at, row.author, decode_talk(row.kind, row.data)) for row in store.query(query)]


def saying(season: str, entry: TalkEntry, key: str | None) -> Change:
    """Return what stores an entry of the conversations."""
    row = {"season": season, "number": entry.number, "at": entry.at, "author": entry.by, "key": key}
    row |= {"kind": entry.event.kind, "data": encode(entry.event)}

    def change(connection: sa.Connection) -> None:
        connection.execute(sa.insert(SEASON_TALK).values(row))

    return change


def faces(store: Store, holders: set[str]) -> dict[str, str]:
    """Return the faces that people have chosen, those of their latest tables."""
    if not holders:
        return {}
    s, m = SEATS.c, MATCHES.c
    query = sa.select(s.holder, s.face).join(MATCHES, m.id == s.match).where(s.holder.in_(holders), s.face.is_not(None))
    return {row.holder: row.face for row in store.query(query.order_by(m.created))}


def read_people(store: Store, season: str) -> dict[str, Person]:
    """Return the people of a season by their id."""
    p = SEASON_PEOPLE.c
    rows = store.query(sa.select(p.who, p.holder, p.turn).where(p.season == season).order_by(p.who))
    return {row.who: Person(*row) for row in rows}


def seasons_of(store: Store, holder: str) -> list[str]:
    """Return the ids of the seasons that a visitor hosts or takes part in, the newest first."""
    p = SEASON_PEOPLE.c
    query = sa.select(p.season).join(SEASONS, SEASONS.c.id == p.season).where(p.holder == holder)
    rows = store.query(query.distinct().add_columns(SEASONS.c.created).order_by(SEASONS.c.created.desc()))
    return [row.season for row in rows]


def season_at(store: Store, table: str) -> str | None:
    """Return the season that a table belongs to and still waits for, or None."""
    t = SEASON_TABLES.c
    rows = store.query(sa.select(t.season).where(t.match == table, t.settled.is_(False)))
    return rows[0].season if rows else None


def unsettled(store: Store) -> list[tuple[str, str]]:
    """Return the tables whose results seasons wait for: season and table."""
    t = SEASON_TABLES.c
    return [(row.season, row.match) for row in store.query(sa.select(t.season, t.match).where(t.settled.is_(False)))]


def finished(store: Store, tables: set[str]) -> list[str]:
    """Return those of these tables that are over; without tables the database is not asked."""
    if not tables:
        return []
    m = MATCHES.c
    return [row.id for row in store.query(sa.select(m.id).where(m.id.in_(tables), m.finished.is_not(None)))]


def inserting(season_id: str, before: Season, after: Season, key: str | None) -> Change:
    """Return what stores the entries that `after` has more than `before`, and the people and tables that follow."""
    first = len(before.log)
    rows = [
        {
            "season": season_id,
            "number": one.number,
            "at": one.at,
            "author": one.by,
            "kind": one.event.kind,
            "data": encode(one.event),
            "reason": one.reason,
            "key": key if one.number == first + 1 else None,
        }
        for one in after.log[first:]
    ]
    people = [who for who in (*after.cast, *after.hosts) if who not in before.cast and who not in before.hosts]
    settled = before.awaited() - after.awaited()
    new = [one.event for one in after.log[first:]]
    renewed = [
        event.contestant if isinstance(event, StoodIn) else event.person
        for event in new
        if isinstance(event, (StoodIn, LinkRenewed))
    ]
    p = SEASON_PEOPLE.c

    def change(connection: sa.Connection) -> None:
        connection.execute(sa.insert(SEASON_LOG), rows)
        if people:
            connection.execute(sa.insert(SEASON_PEOPLE), [_new_person(season_id, who) for who in people])
        for who in renewed:
            update = sa.update(SEASON_PEOPLE).where(p.season == season_id, p.who == who)
            connection.execute(update.values(holder=None, turn=p.turn + 1))
        for who in (event.contestant for event in new if isinstance(event, StoodIn)):
            portrait = SEASON_PORTRAITS.c
            connection.execute(sa.delete(SEASON_PORTRAITS).where(portrait.season == season_id, portrait.who == who))
        for table in settled:
            connection.execute(sa.update(SEASON_TABLES).where(SEASON_TABLES.c.match == table).values(settled=True))

    return change


def claiming(season_id: str, person: Person, holder: str) -> Change:
    """Return what gives a person to the visitor who opens their link first."""
    p = SEASON_PEOPLE.c
    where = (p.season == season_id, p.who == person.who, p.turn == person.turn)
    same = p.holder.is_not_distinct_from(person.holder)

    def change(connection: sa.Connection) -> None:
        update = sa.update(SEASON_PEOPLE).where(*where, same).values(holder=holder)
        if connection.execute(update).rowcount != 1:
            raise Conflict("Somebody else has opened the link.")

    return change


def known_key(store: Store, season: str, key: str) -> bool:
    """Return whether a request with this key has been stored."""
    return any(
        store.query(sa.select(log.c.number).where(log.c.season == season, log.c.key == key))
        for log in (SEASON_LOG, SEASON_TALK)
    )


def _new_person(season: str, who: str) -> dict[str, object]:
    return {"season": season, "who": who, "holder": None, "turn": 0}
