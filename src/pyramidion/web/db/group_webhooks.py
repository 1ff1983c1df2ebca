"""The webhooks of clubs, seasons and tournaments: contacts without a person, which go with whoever has set them."""

from __future__ import annotations

import sqlalchemy as sa

from pyramidion.web.db.changes import executing
from pyramidion.web.db.schema import CLUB_MEMBERS, CONTACTS
from pyramidion.web.db.writer import Change


def withdrawing(channel: str, author: str) -> Change:
    """Return the change that removes a webhook set by `author`, no longer officer or host, or by somebody unknown.

    Its address leads to wherever the author wanted, so it must not go on telling them what they may not know now.
    """
    c = CONTACTS.c
    theirs = sa.update(CONTACTS).where(c.person == channel, sa.or_(c.author == author, c.author.is_(None)))
    return executing(theirs.values(webhook=None))


def withdraw_of_club(connection: sa.Connection, club: str) -> None:
    """Remove a club's webhook unless a present officer has set it; to be called when an officer has gone."""
    c, m = CONTACTS.c, CLUB_MEMBERS.c
    officers = sa.select(m.member).where(m.club == club, m.role.in_(("owner", "officer")))
    theirs = sa.or_(c.author.is_(None), c.author.not_in(officers))
    connection.execute(sa.update(CONTACTS).where(c.person == club_channel(club), theirs).values(webhook=None))


def club_channel(club: str) -> str:
    """Return the id that stands for the person in notices for a club's webhook."""
    return f"club:{club}"
