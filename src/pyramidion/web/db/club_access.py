"""Clubs as other features need them: a visitor's clubs, and what belongs to a private one.

All functions take a visitor id; callers handle requests without one.
"""

from __future__ import annotations

import sqlalchemy as sa

from pyramidion.web.db.schema import (
    CLUB_EVENTS,
    CLUB_MEMBERS,
    CLUB_TABLES,
    CLUBS,
    SEASON_TABLES,
    TOURNAMENT_TABLES,
    hidden,
)
from pyramidion.web.db.store import Store

E, T = CLUB_EVENTS.c, CLUB_TABLES.c
PRIVATE = sa.select(E.event).join(CLUBS, CLUBS.c.id == E.club).where(CLUBS.c.door == "private")


def in_private_club(kind: str, event: str | sa.ColumnElement[str]) -> sa.Exists:
    """Return the SQL condition that a season or tournament (`kind`), with the id `event`, belongs to a private club."""
    return PRIVATE.where(E.kind == kind, E.event == event).exists()


def at_private_club(match: sa.ColumnElement[str]) -> sa.ColumnElement[bool]:
    """Return the SQL condition that a match belongs to a private club: to its lobby, its seasons or its tournaments."""
    lobby = sa.select(T.match).join(CLUBS, CLUBS.c.id == T.club).where(T.match == match, CLUBS.c.door == "private")
    events = (
        sa.exists().where(tables.c.match == match, in_private_club(kind, tables.c[kind]))
        for kind, tables in (("season", SEASON_TABLES), ("tournament", TOURNAMENT_TABLES))
    )
    return sa.or_(lobby.exists(), *events)


def is_member_of_home(store: Store, kind: str, event: str, visitor: str) -> bool:
    """Return whether a visitor is a member of the club to which a season or tournament (`kind`) belongs; blocks."""
    m = CLUB_MEMBERS.c
    member = sa.select(E.event).join(CLUB_MEMBERS, m.club == E.club).where(E.kind == kind, E.event == event)
    return bool(store.query(member.where(m.holder == visitor, m.role != "asked")))


def clubs_of(store: Store, visitor: str) -> dict[str, str]:
    """Return the names of the clubs of which a visitor is a member, by club id, without hidden ones; blocks."""
    m = CLUB_MEMBERS.c
    query = sa.select(CLUBS.c.id, CLUBS.c.name).join(CLUB_MEMBERS, m.club == CLUBS.c.id)
    mine = query.where(m.holder == visitor, m.role != "asked", ~hidden("club", CLUBS.c.id))
    rows = store.query(mine.order_by(CLUBS.c.name, CLUBS.c.id))
    return {row.id: row.name for row in rows}
