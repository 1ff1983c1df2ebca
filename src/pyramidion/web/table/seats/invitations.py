"""Table codes and the lobby: how players find a table with an open seat.

A table is private unless it was created as open: its address cannot be guessed, and only its link and its code lead to
it. A code stops working when every seat is taken.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from pyramidion.engine import registry
from pyramidion.web.db.club_access import at_private_club
from pyramidion.web.db.schema import INVITATIONS, MATCHES, PLIES, ROOMS, SEATS, hidden
from pyramidion.web.db.store import Store, now
from pyramidion.web.table.settings.declarations import TableSettings

if TYPE_CHECKING:
    from pyramidion.web.table.seats.protocols import TableOrRoom

CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
CODE_LENGTH = 6
DAY = 24 * 3600 * 1000
"""Milliseconds in a day."""
DAYS_LISTED = 14
"""Days after which the lobby no longer lists a table."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """How to find a table with an open seat: its `code`, and whether it is `listed` in the lobby."""

    code: str
    listed: bool


@dataclass(frozen=True, slots=True)
class PublicTable:
    """A table as the lobby lists it: one with an open seat, or one to watch.

    Attributes:
        id, game, title, options, settings: as at the table.
        seats, taken, bots: number of seats, of seats that are not open, and of bots among these.
        people: the names of the people at the table.
        created: milliseconds since 1970.
    """

    id: str
    game: str
    title: str
    options: dict[str, Any]
    settings: TableSettings
    seats: int
    taken: int
    bots: int
    people: list[str]
    created: int


def new_code() -> str:
    """Return a random table code, one of 887 million."""
    return "".join(secrets.choice(CODE_ALPHABET) for _nth in range(CODE_LENGTH))


def invite(connection: sa.Connection, match: str) -> None:
    """Give a new match a unique table code, and store it."""
    code = new_code()
    while connection.execute(sa.select(INVITATIONS.c.match).where(INVITATIONS.c.code == code)).first():
        code = new_code()
    connection.execute(sa.insert(INVITATIONS).values(match=match, code=code))


def tidy_code(code: str) -> str:
    """Normalize a typed code: upper case, without separators."""
    return "".join(letter for letter in code.upper()[:40] if letter.isalnum())


_LISTED = MATCHES.c.settings["listed"].as_boolean()
# Reserved seats do not count: only their invitations lead to them.
_HAS_OPEN_SEAT = sa.exists().where(
    SEATS.c.match == MATCHES.c.id, SEATS.c.kind == "open", SEATS.c.holder.is_(None), SEATS.c.token_hash.is_(None)
)


def find(store: Store, code: str) -> str | None:
    """Return the id of the match with this code while it has an open seat, else None; blocks."""
    m, i = MATCHES.c, INVITATIONS.c
    joined = sa.select(m.id).join(INVITATIONS, i.match == m.id).where(~hidden("table", m.id))
    rows = store.query(joined.where(i.code == tidy_code(code), m.finished.is_(None), _HAS_OPEN_SEAT))
    return rows[0].id if rows else None


def invitation(store: Store, match: str) -> Invitation | None:
    """Return a match's code and whether it is listed, or None if it has no code; blocks."""
    i = INVITATIONS.c
    rows = store.query(sa.select(i.code, _LISTED.label("listed")).where(i.match == match).join(MATCHES))
    return Invitation(rows[0].code, bool(rows[0].listed)) if rows else None


def open_tables(store: Store, limit: int, after: int = 0, game: str | None = None) -> list[PublicTable]:
    """Return at most `limit` tables in the lobby, newest first, from number `after` on, of one game or all; blocks."""
    m = MATCHES.c
    query = (
        _public_tables(game)
        .join(INVITATIONS, INVITATIONS.c.match == m.id)
        .where(m.created > now() - DAYS_LISTED * DAY, _HAS_OPEN_SEAT)
        .order_by(m.created.desc(), m.id)
    )
    return _listed_tables(store, query.limit(limit).offset(after))


def live_tables(store: Store, limit: int, game: str | None = None) -> list[PublicTable]:
    """Return at most `limit` public tables to watch, of one game or all; blocks.

    Their seats are taken, and something has happened within a day; the latest comes first.
    """
    m, p = MATCHES.c, PLIES.c
    last = sa.select(sa.func.max(p.at)).where(p.match == m.id).scalar_subquery()
    acted = sa.func.coalesce(last, m.created)
    in_room = sa.exists().where(ROOMS.c.match == m.id)
    missing = sa.exists().where(SEATS.c.match == m.id, SEATS.c.kind == "open")
    query = _public_tables(game).where(~in_room, ~missing, m.paused.is_(None), acted > now() - DAY)
    return _listed_tables(store, query.order_by(acted.desc(), m.id).limit(limit))


def _public_tables(game: str | None) -> sa.Select[*tuple[Any, ...]]:
    """Return the query for the unfinished tables that their hosts have made public, of one game or all."""
    m = MATCHES.c
    return sa.select(m.id, m.game, m.title, m.options, m.settings, m.seat_count, m.created).where(
        _LISTED,
        m.finished.is_(None),
        ~at_private_club(m.id),
        ~hidden("table", m.id),
        m.game == game if game is not None else sa.true(),
    )


def _listed_tables(store: Store, query: sa.Select[*tuple[Any, ...]]) -> list[PublicTable]:
    """Return the tables of a query of `_public_tables` with their seats; blocks."""
    s, rows = SEATS.c, store.query(query)
    seats: dict[str, list[Any]] = {row.id: [] for row in rows}
    for seat in store.query(sa.select(s.match, s.kind, s.name).where(s.match.in_(list(seats))).order_by(s.seat)):
        seats[seat.match].append(seat)
    return [
        PublicTable(
            row.id,
            row.game,
            row.title,
            _public(row.game, json.loads(row.options)),
            TableSettings.model_validate(row.settings),
            row.seat_count,
            sum(seat.kind != "open" for seat in seats[row.id]),
            sum(seat.kind == "bot" for seat in seats[row.id]),
            [seat.name for seat in seats[row.id] if seat.kind == "person" and seat.name],
            row.created,
        )
        for row in rows
    ]


def _public(game_id: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return a match's public options; none for a game that is not installed here."""
    game = registry.all_games().get(game_id)
    return game.options_for(options, None) if game is not None else {}


async def invited(store: Store, table: TableOrRoom) -> Invitation | None:
    """Return the code of a table with an open seat, and whether the lobby lists it; None for any other table."""
    if table.is_over or not table.open_seats:
        return None
    return await asyncio.to_thread(invitation, store, table.id)
