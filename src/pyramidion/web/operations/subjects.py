"""What the ids in operators' commands stand for: the name, title or text that is there now."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from pyramidion import names
from pyramidion.web.db.restrictions import is_hidden
from pyramidion.web.db.schema import (
    ACCOUNTS,
    CHAT_LINES,
    CLUB_MEMBERS,
    CLUB_POSTS,
    CLUBS,
    MATCHES,
    SEASON_PORTRAITS,
    SEASONS,
    SEATS,
    TOURNAMENTS,
)
from pyramidion.web.db.store import Store
from pyramidion.web.operations.moderation_lists import title_of
from pyramidion.web.operations.renaming import number_in

PAGES = {
    "host": "table",
    "seat": "table",
    "club": "club",
    "description": "club",
    "member": "club",
    "announcement": "club",
    "picture": "season",
    "tournament": "tournament",
}
"""The kinds of pages that operators can hide, by the kind of what is on them."""


def text_of(store: Store, kind: str, id: str) -> str | None:
    """Return the name, title or text of something that a command names, "" without one, None if it is gone; blocks."""
    rows = store.query(_query(kind, id))
    return (rows[0][0] or "") if rows else None


def is_in_place(store: Store, verb: str, kind: str, id: str) -> bool:
    """Return whether something is still there and shown, so that a command (`hide`, `rename` ...) is of use; blocks."""
    page, text = PAGES.get(kind, kind), text_of(store, kind, id)
    if text is None or (page in PAGES.values() and is_hidden(store, page, id.partition("/")[0])):
        return False
    return verb == "hide" or kind != "description" or bool(text)


def _query(kind: str, id: str) -> sa.Select[Any]:
    """Return the query for the text of something; it finds no row if that is gone."""
    page, _slash, part = id.partition("/")
    c, m, p, s = CHAT_LINES.c, CLUB_MEMBERS.c, CLUB_POSTS.c, SEATS.c
    match kind:
        case "table":
            return sa.select(MATCHES.c.title).where(MATCHES.c.id == id)
        case "host":
            return sa.select(MATCHES.c.host_name).where(MATCHES.c.id == id, MATCHES.c.host_name.is_not(None))
        case "seat":
            return sa.select(s.name).where(s.match == page, s.seat == number_in(part) - 1, s.kind == "person")
        case "author":
            return sa.select(c.name).where(c.id == id)
        case "message":
            whole = c.name + ": " + c.text
            return sa.select(sa.func.coalesce(whole, c.text)).where(c.id == id, ~c.removed)
        case "club":
            return sa.select(CLUBS.c.name).where(CLUBS.c.id == id)
        case "description":
            return sa.select(CLUBS.c.about).where(CLUBS.c.id == id)
        case "member":
            return sa.select(m.name).where(m.club == page, m.member == part)
        case "announcement":
            return sa.select(p.author + ": " + p.text).where(p.club == page, p.number == number_in(part))
        case "account":
            return sa.select(ACCOUNTS.c.name).where(ACCOUNTS.c.key == names.key(id))
        case "picture":
            q = SEASON_PORTRAITS.c
            return sa.select(sa.literal("")).where(q.season == page, q.who == part)
        case "season":
            return sa.select(title_of(kind, SEASONS.c.id)).where(SEASONS.c.id == id)
        case "tournament":
            return sa.select(title_of(kind, TOURNAMENTS.c.id)).where(TOURNAMENTS.c.id == id)
        case _:
            raise ValueError(kind)
