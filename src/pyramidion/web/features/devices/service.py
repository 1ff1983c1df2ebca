"""Device codes: opening a seat in another browser, by a personal code or link.

A code is a seat token in readable letters: 79 random bits, stored as a hash, shown once. A new code invalidates the old
one. Browsers that used it keep the seat until its owner signs out the others.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from pyramidion.translation import _
from pyramidion.web.db.schema import MATCHES, SEAT_DEVICES, SEATS
from pyramidion.web.db.writer import Conflict
from pyramidion.web.errors import NoSuchToken, NotYourSeat
from pyramidion.web.table.table import Table
from pyramidion.web.tokens import hash_code, new_code

LONGEST_CODE = 100


async def give_code(table: Table, seat: int) -> str:
    """Make a new code for a seat, which replaces the old one, and return it. Raises NotYourSeat or NotSaved."""
    code = new_code()

    def store_code(connection: sa.Connection) -> None:
        where = SEATS.c.match == table.id, SEATS.c.seat == seat, SEATS.c.kind == "person"
        _host_follows(connection, table.id, seat, host_token=hash_code(code))
        if connection.execute(sa.update(SEATS).where(*where).values(token_hash=hash_code(code))).rowcount != 1:
            raise Conflict("The seat is empty now.")

    try:
        await table.rewrite(store_code)
    except Conflict:
        raise NotYourSeat(_("You no longer have this seat.")) from None
    return code


def _host_follows(connection: sa.Connection, match: str, seat: int, **columns: Any) -> None:
    """Change these columns of a match if the seat's token is also the host's, so that the host keeps their rights."""
    token = sa.select(SEATS.c.token_hash).where(SEATS.c.match == match, SEATS.c.seat == seat).scalar_subquery()
    which = MATCHES.c.id == match, MATCHES.c.host_token == token
    connection.execute(sa.update(MATCHES).where(*which).values(columns))


async def come(table: Table, code: str, holder: str, name: str | None = None) -> int:
    """Open a seat in a visitor's browser by its code, or take the seat reserved for a code; return the seat.

    `name` is the name of a player who takes a reserved seat. Raises NoSuchToken, NotYourSeat for somebody who has
    another seat of a rated game, or what `Table.sit` raises.
    """
    code = code.strip()[:LONGEST_CODE]
    if (reserved := table.seating.reserved_for(None, code)) is not None:
        await table.sit(reserved, holder, name, code=code)
        return reserved
    seat = table.seating.seat_of_token(code)
    if seat is None:
        raise NoSuchToken(_("This code is not valid. A newer one may have replaced it."))
    own = table.seating.seats_of(holder)
    if seat in own:
        return seat
    if own and table.settings.rated:
        raise NotYourSeat(_("You already play at this rated table, so you cannot open another player's seat."))
    hashed = hash_code(code)

    def open_seat(connection: sa.Connection) -> None:
        s, d = SEATS.c, SEAT_DEVICES.c
        where = s.match == table.id, s.seat == seat, s.token_hash == hashed
        row = connection.execute(sa.select(s.holder).where(*where)).first()
        if row is None:
            raise Conflict("The code has changed.")
        if row.holder is None:
            connection.execute(sa.update(SEATS).where(*where).values(holder=holder))
            return
        this_device = d.match == table.id, d.seat == seat, d.holder == holder
        connection.execute(sa.delete(SEAT_DEVICES).where(*this_device))
        connection.execute(sa.insert(SEAT_DEVICES).values(match=table.id, seat=seat, holder=holder, owner=row.holder))
        # Other servers are notified of changed seats, not of changed devices: touch the seat.
        connection.execute(sa.update(SEATS).where(*where).values(seat=seat))

    try:
        await table.rewrite(open_seat)
    except Conflict:
        raise NoSuchToken(_("This code is not valid. A newer one may have replaced it.")) from None
    return seat


async def only_here(table: Table, seat: int, holder: str) -> None:
    """Close a seat in all other browsers and invalidate its code, so that only this visitor holds it.

    Raises NotYourSeat or NotSaved.
    """

    def close_elsewhere(connection: sa.Connection) -> None:
        s, d = SEATS.c, SEAT_DEVICES.c
        where = s.match == table.id, s.seat == seat
        _host_follows(connection, table.id, seat, host=holder, host_token=None)
        changed = connection.execute(
            sa.update(SEATS).where(*where, s.kind == "person").values(holder=holder, token_hash=None)
        )
        if changed.rowcount != 1:
            raise Conflict("The seat is empty now.")
        connection.execute(sa.delete(SEAT_DEVICES).where(d.match == table.id, d.seat == seat))

    try:
        await table.rewrite(close_elsewhere)
    except Conflict:
        raise NotYourSeat(_("You no longer have this seat.")) from None
