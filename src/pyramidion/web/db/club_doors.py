"""Whether a private club hides a season or tournament from a visitor."""

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


def in_private_club(kind: str, event: str) -> sa.Exists:
    """Return the condition that an event belongs to a private club."""
    return PRIVATE.where(E.kind == kind, E.event == event).exists()


def closed_to(store: Store, kind: str, event: str, holder: str | None) -> bool:
    """Return whether an event belongs to a private club, and a visitor is neither its member nor takes part; blocks."""
    m = CLUB_MEMBERS.c
    people, of_event = PEOPLE[kind]
    member = sa.exists().where(m.club == E.club, m.holder == holder, m.role != "asked")
    part = sa.exists().where(of_event == E.event, people.c.holder == holder)
    return bool(store.query(PRIVATE.where(E.kind == kind, E.event == event, ~member, ~part)))
