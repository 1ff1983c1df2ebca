"""What can be reported on a page: the names, texts and pictures that people have put there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa

from pyramidion.translation import _
from pyramidion.web.db.schema import (
    CHAT_LINES,
    CLUB_MEMBERS,
    CLUB_POSTS,
    CLUBS,
    MATCHES,
    SEATS,
)
from pyramidion.web.db.store import Store
from pyramidion.web.table.seats.chat_rules import marks_of

MOST_MESSAGES: Final = 100
"""The latest messages and announcements that are listed."""
LONGEST_QUOTE: Final = 500


@dataclass(frozen=True, slots=True)
class Item:
    """Something on a page that can be reported.

    Attributes:
        id: names it within the page, such as `seat:2`.
        label: what it is, for the reader.
        text: the name or text itself, or the address of a picture.
    """

    id: str
    label: str
    text: str
    picture: bool = False


OTHER: Final = "other"
"""The id of the item for what is not in the list; its report needs a sentence."""


def items_of_table(store: Store, table: str, seat: int | None) -> list[Item]:
    """Return what somebody at a seat, or a spectator, can report of a table or waiting room; blocks."""
    m, s, c = MATCHES.c, SEATS.c, CHAT_LINES.c
    title = sa.select(m.title, m.host_name).where(m.id == table)
    seats = sa.select(s.seat, s.name).where(s.match == table, s.kind == "person", s.name.is_not(None))
    with store.reading() as connection:
        row = connection.execute(title).one()
        people = connection.execute(seats.order_by(s.seat)).all()
        readable: sa.ColumnElement[bool] = c.readers.is_(None)
        if seat is not None:
            mine = sa.and_(c.readers.bitwise_and(1 << seat) != 0, c.number > marks_of(connection, table, seat).since)
            readable = sa.or_(readable, mine)
        lines = sa.select(c.id, c.name, c.seat, c.text).where(c.match == table, ~c.removed, readable)
        messages = connection.execute(lines.order_by(c.number.desc()).limit(MOST_MESSAGES)).all()
    names = {person.seat: person.name for person in people}
    return [
        *_texts({"title": (_("The title of the table"), row.title), "host": (_("The host's name"), row.host_name)}),
        *(Item(f"seat:{person.seat}", _("A player's name"), person.name) for person in people),
        *(_message(line.id, line.name or names.get(line.seat, "?"), line.text) for line in messages),
    ]


def items_of_club(store: Store, club: str, visitor: str | None) -> list[Item]:
    """Return what a visitor can report of a club; only members see announcements and the names of members; blocks."""
    c, m, p = CLUBS.c, CLUB_MEMBERS.c, CLUB_POSTS.c
    [row] = store.query(sa.select(c.name, c.about).where(c.id == club))
    members = store.query(sa.select(m.member, m.name, m.holder).where(m.club == club, m.role != "asked"))
    posts = store.query(
        sa.select(p.number, p.author, p.text).where(p.club == club).order_by(p.number.desc()).limit(MOST_MESSAGES)
    )
    belongs = visitor is not None and any(member.holder == visitor for member in members)
    return [
        *_texts({"name": (_("The club's name"), row.name), "about": (_("The club's description"), row.about)}),
        *(_message(f"{post.number}", post.author, post.text, kind="post") for post in posts if belongs),
        *(Item(f"member:{member.member}", _("A member's name"), member.name) for member in members if belongs),
    ]


def items_of_season(title: str, pictures: Mapping[str, str]) -> list[Item]:
    """Return the title of a season, and its uploaded pictures, given by person.

    Its other texts are described in a sentence.
    """
    pictured = [Item(f"picture:{who}", _("A picture"), path, True) for who, path in sorted(pictures.items())]
    return [*_texts({"title": (_("The title of the season"), title)}), *pictured]


def items_of_tournament(title: str) -> Sequence[Item]:
    """Return the title of a tournament; its other texts are described in a sentence."""
    return _texts({"title": (_("The title of the tournament"), title)})


def item_of_account(name: str) -> Item:
    """Return what can be reported of the account with a name."""
    return Item("name", _("The name of the account"), name)


def _texts(texts: Mapping[str, tuple[str, str | None]]) -> Sequence[Item]:
    """Return the items of texts, without those that are empty."""
    return [Item(name, label, text) for name, (label, text) in texts.items() if text]


def _message(id: str, author: Any, text: str, *, kind: str = "message") -> Item:
    """Return the item of a message or announcement."""
    return Item(f"{kind}:{id}", _("A message by {name}").format(name=author), text[:LONGEST_QUOTE])
