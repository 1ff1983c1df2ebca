"""How people find a table: codes for any table with an open seat, and the list of those that are open to everybody.

A table is private unless it was made open: its address cannot be guessed, and nothing leads there but its link and its
code. A code opens nothing once every seat is taken.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from pyramidion.web.schema import INVITATIONS, MATCHES, SEATS
from pyramidion.web.store import Store, now

if TYPE_CHECKING:
    from pyramidion.web.seating import Seating

CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
CODE_LENGTH = 6
MOST_LISTED = 60
DAYS_LISTED = 14
"""A table that nobody has filled in so many days is not shown any more."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """How a table with an open seat is found: by its `code`, and in the lobby where it is `listed`."""

    code: str
    listed: bool


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table in the lobby.

    Attributes:
        id, game, title, options, clock: as at the table; `clock` in seconds, None for no limit.
        seats: how many there are; `taken` how many are not open, `bots` of them bots'.
        people: the names of the people who sit there.
        created: milliseconds since 1970.
    """

    id: str
    game: str
    title: str
    options: dict[str, Any]
    clock: int | None
    seats: int
    taken: int
    bots: int
    people: list[str]
    created: int


def new_code() -> str:
    """Return a code; there are 887 million."""
    return "".join(secrets.choice(CODE_ALPHABET) for _nth in range(CODE_LENGTH))


def invite(connection: sa.Connection, match: str, *, listed: bool) -> None:
    """Give a new match a code that no other one has."""
    code = new_code()
    while connection.execute(sa.select(INVITATIONS.c.match).where(INVITATIONS.c.code == code)).first():
        code = new_code()
    connection.execute(sa.insert(INVITATIONS).values(match=match, code=code, listed=listed))


def tidy_code(code: str) -> str:
    """Return a code as it is stored: what people put between the letters is left out, and small letters are large."""
    return "".join(letter for letter in code.upper()[:40] if letter.isalnum())


_HAS_OPEN_SEAT = sa.exists().where(SEATS.c.match == MATCHES.c.id, SEATS.c.kind == "open")


def find(store: Store, code: str) -> str | None:
    """Return the id of the match that a code leads to while there is an open seat; blocks."""
    m, i = MATCHES.c, INVITATIONS.c
    joined = sa.select(m.id).join(INVITATIONS, i.match == m.id)
    rows = store.query(joined.where(i.code == tidy_code(code), m.finished.is_(None), _HAS_OPEN_SEAT))
    return rows[0].id if rows else None


def invitation(store: Store, match: str) -> Invitation | None:
    """Return how a match is found, or None for one that is not; blocks."""
    i = INVITATIONS.c
    rows = store.query(sa.select(i.code, i.listed).where(i.match == match))
    return Invitation(rows[0].code, bool(rows[0].listed)) if rows else None


def open_tables(store: Store) -> list[OpenTable]:
    """Return the tables in the lobby, the newest first; blocks."""
    m, i, s = MATCHES.c, INVITATIONS.c, SEATS.c
    since = now() - DAYS_LISTED * 24 * 3600 * 1000
    query = (
        sa.select(m.id, m.game, m.title, m.options, m.clock, m.seat_count, m.created)
        .join(INVITATIONS, i.match == m.id)
        .where(i.listed, m.finished.is_(None), m.created > since, _HAS_OPEN_SEAT)
        .order_by(m.created.desc(), m.id)
        .limit(MOST_LISTED)
    )
    rows = store.query(query)
    seats: dict[str, list[Any]] = {row.id: [] for row in rows}
    for seat in store.query(sa.select(s.match, s.kind, s.name).where(s.match.in_(list(seats))).order_by(s.seat)):
        seats[seat.match].append(seat)
    return [
        OpenTable(
            row.id,
            row.game,
            row.title,
            json.loads(row.options),
            row.clock,
            row.seat_count,
            sum(seat.kind != "open" for seat in seats[row.id]),
            sum(seat.kind == "bot" for seat in seats[row.id]),
            [seat.name for seat in seats[row.id] if seat.kind == "person" and seat.name],
            row.created,
        )
        for row in rows
    ]


async def invited(store: Store, table: Seating) -> Invitation | None:
    """Return how a table with an open seat is found; None for any other."""
    if table.is_over or not table.open_seats:
        return None
    return await asyncio.to_thread(invitation, store, table.id)
