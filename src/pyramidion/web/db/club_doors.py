"""Clubs as other features need them: a visitor's clubs, and whether a private one hides a season or tournament."""

from __future__ import annotations

import sqlalchemy as sa

from pyramidion.web.db.schema import CLUB_EVENTS, CLUB_MEMBERS, CLUBS, SEASON_PEOPLE, TOURNAMENT_PEOPLE
from pyramidion.web.db.store import Store

PEOPLE = {
    "season": (SEASON_PEOPLE, SEASON_PEOPLE.c.season),
    "tournament": (TOURNAMENT_PEOPLE, TOURNAMENT_PEOPLE.c.tournament),
}
E = CLUB_EVENTS.c
PRIVATE = sa.select(E.event).join(CLUBS, CLUBS.c.id == E.club).where(CLUBS.c.door == "private")


def in_private_club(kind: str, event: str | sa.ColumnElement[str]) -> sa.Exists:
    """Return the condition that an event belongs to a private club."""
    return PRIVATE.where(E.kind == kind, E.event == event).exists()


def closed_to(store: Store, kind: str, event: str, holder: str | None) -> bool:
    """Return whether an event belongs to a private club, and a visitor is neither its member nor takes part; blocks."""
    m = CLUB_MEMBERS.c
    people, of_event = PEOPLE[kind]
    member = sa.exists().where(m.club == E.club, m.holder == holder, m.role != "asked")
    part = sa.exists().where(of_event == E.event, people.c.holder == holder)
    return bool(store.query(PRIVATE.where(E.kind == kind, E.event == event, ~member, ~part)))


def clubs_of(store: Store, holder: str) -> dict[str, str]:
    """Return the name of each club of which a visitor is a member, by its id; blocks."""
    m = CLUB_MEMBERS.c
    query = sa.select(CLUBS.c.id, CLUBS.c.name).join(CLUB_MEMBERS, m.club == CLUBS.c.id)
    rows = store.query(query.where(m.holder == holder, m.role != "asked").order_by(CLUBS.c.name, CLUBS.c.id))
    return {row.id: row.name for row in rows}
