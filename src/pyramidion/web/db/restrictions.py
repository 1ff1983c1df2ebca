"""What operators have closed or hidden, for services. Queries use `schema.hidden`."""

from __future__ import annotations

from typing import Literal

import sqlalchemy as sa

from pyramidion.translation import _, marked
from pyramidion.web.db.schema import RESTRICTIONS, hidden
from pyramidion.web.db.store import Store
from pyramidion.web.errors import ClosedByOperators, Unreadable

Closable = Literal["sign-up", "creation"]
CLOSED = "closed"
"""The kind of the restrictions that close something, for everybody."""
_SENTENCES: dict[Closable, str] = {
    "sign-up": marked("The operators of this server accept no new accounts at present."),
    "creation": marked(
        "The operators of this server allow no new tables, clubs, seasons or tournaments at present. "
        "Those that exist go on."
    ),
}


def is_hidden(store: Store, kind: str, subject: str) -> bool:
    """Return whether operators have hidden something, by its kind and id; blocks."""
    return bool(store.query(sa.select(sa.literal(1)).where(hidden(kind, subject))))


def closed(store: Store) -> dict[Closable, str]:
    """Return what operators have closed, each with a sentence in the reader's language; blocks.

    Nothing, if the database does not answer.
    """
    query = sa.select(RESTRICTIONS.c.subject).where(RESTRICTIONS.c.kind == CLOSED)
    try:
        subjects = {row.subject for row in store.query(query)}
    except Unreadable:
        return {}
    return {what: _(sentence) for what, sentence in _SENTENCES.items() if what in subjects}


def require_open(store: Store, what: Closable) -> None:
    """Raise ClosedByOperators if operators have closed sign-up or creation; blocks."""
    if is_hidden(store, CLOSED, what):
        raise ClosedByOperators(_(_SENTENCES[what]))
