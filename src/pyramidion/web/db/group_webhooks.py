"""The webhooks of clubs, seasons and tournaments: contacts without a person, which go with whoever has set them."""

from __future__ import annotations

import sqlalchemy as sa

from pyramidion.web.db.saving import executing
from pyramidion.web.db.schema import CONTACTS
from pyramidion.web.db.writer import Change


def withdrawing(channel: str, author: str) -> Change:
    """Return what removes a webhook if somebody who is no officer or host any more has set it, or if nobody knows who.

    Its address leads to wherever they wanted, so it must not go on telling them what they may not know now.
    """
    c = CONTACTS.c
    theirs = sa.update(CONTACTS).where(c.person == channel, sa.or_(c.author == author, c.author.is_(None)))
    return executing(theirs.values(webhook=None))
