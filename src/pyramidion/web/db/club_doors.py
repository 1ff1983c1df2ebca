"""Whether a private club hides a season or tournament from a visitor; blocks."""

from __future__ import annotations

import sqlalchemy as sa

from pyramidion.web.db.schema import CLUB_EVENTS, CLUB_MEMBERS, CLUBS, SEASON_PEOPLE, TOURNAMENT_PEOPLE
from pyramidion.web.db.store import Store

PEOPLE = {
    "season": (SEASON_PEOPLE, SEASON_PEOPLE.c.season),
    "tournament": (TOURNAMENT_PEOPLE, TOURNAMENT_PEOPLE.c.tournament),
}


def closed_to(store: Store, kind: str, event: str, holder: str | None) -> bool:
    """Return whether an event belongs to a private club, and a visitor is neither its member nor takes part."""
    e, m = CLUB_EVENTS.c, CLUB_MEMBERS.c
    people, of_event = PEOPLE[kind]
    member = sa.exists().where(m.club == e.club, m.holder == holder, m.role != "asked")
    part = sa.exists().where(of_event == e.event, people.c.holder == holder)
    query = sa.select(e.event).join(CLUBS, CLUBS.c.id == e.club)
    where = (e.kind == kind, e.event == event, CLUBS.c.door == "private", ~member, ~part)
    return bool(store.query(query.where(*where)))
