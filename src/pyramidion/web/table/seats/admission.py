"""Sitting down at a table or in a waiting room."""

from __future__ import annotations

from typing import Protocol

import sqlalchemy as sa

from pyramidion import names
from pyramidion.translation import _, marked
from pyramidion.web.db.schema import SEATS
from pyramidion.web.db.store import SeatRow
from pyramidion.web.db.writer import Change, Conflict
from pyramidion.web.errors import SeatTaken, UnknownSeat
from pyramidion.web.names import clean_name, player_name
from pyramidion.web.table.seats.given_names import guest_name
from pyramidion.web.table.seats.protocols import TableOrRoom, former_names
from pyramidion.web.table.seats.seating import name_of
from pyramidion.web.tokens import hash_token, new_token

TAKEN = marked("Someone else has just taken that seat.")
SEAT_NOT_SAVED = marked("Your seat could not be saved: {cause}.")
SEAT_NOT_CHANGED = marked("The seat could not be changed: {cause}.")


class AdmissionChecks(Protocol):
    """What is needed of the event bus (`events.EventBus`) when somebody sits down."""

    async def admit(self, table: TableOrRoom, holder: str | None, *, invited: bool) -> None:
        """Raise Refused if a feature forbids a visitor to sit down. `holder` is the visitor, or None for a program."""
        ...

    async def seat_name(self, table: TableOrRoom, seat: int) -> str | None:
        """Return the name that a feature gives whoever takes a seat, or None where players bring their own names."""
        ...


async def newcomer(
    table: TableOrRoom,
    arrivals: AdmissionChecks,
    seat: int,
    holder: str | None,
    name: str | None,
    token: str | None = None,
    *,
    code: str | None = None,
    bot: bool = False,
) -> tuple[SeatRow, str | None]:
    """Check that a player may take an open seat; return its new row and, if `holder` is None, the program's token.

    The token is new unless `token` is given. A seat reserved by a code requires that `code`. Only the account of a
    declared `bot` may have a bot's name (`names.player_name`). At a table of a season or tournament the player has the
    name that it gives the seat. Raises SeatTaken, UnknownSeat, BadRequest, or what a
    feature raises.
    """
    seating = table.seating
    if not 0 <= seat < len(seating.seats):
        raise UnknownSeat(
            _("There is no seat {seat}; this table has seats {first} to {last}.").format(
                seat=seat, first=0, last=len(seating.seats) - 1
            )
        )
    called = clean_name(name) if bot else player_name(name)
    if table.is_over:
        raise SeatTaken(_("The game is over, so you can no longer join."))
    # Several seats are reserved for one visitor where players share a screen.
    invited = holder is not None and seating.rows[seat].reserved and seating.rows[seat].holder == holder
    if (held := seating.seats_of(holder)) and not invited:
        raise SeatTaken(_("You already sit at this table, as {name}.").format(name=table.names[held[0]]), seat=held[0])
    if seating.seats[seat].kind != "open":
        raise SeatTaken(_("{name} already has that seat.").format(name=table.names[seat]), open=table.open_seats)
    if seating.seats[seat].reserved and not invited and seat != seating.reserved_for(None, code):
        raise SeatTaken(_("This seat is reserved for a player the host invited."), open=table.open_seats)
    # The other reserved seats have been refused above.
    await arrivals.admit(table, holder, invited=seating.rows[seat].reserved)
    if (named := await arrivals.seat_name(table, seat)) is not None:
        called = named
    # A reserved seat may have the name of whoever is awaited.
    others = [*table.names[:seat], *table.names[seat + 1 :], *former_names(table)]
    if called is None and holder is not None:
        called = (seating.rows[seat].name if invited else None) or guest_name(holder, others)
    # The default names of programs are not stored, because each reader sees them in their own language.
    if named is None and (other := names.lookalike(name_of(seat, "person", called), others)) is not None:
        raise SeatTaken(_("The name {name} is already taken at this table.").format(name=other))
    token = (token or new_token()) if holder is None else None
    hashed = hash_token(token) if token else None
    row = seating.rows[seat]
    face = row.face if named is not None else None
    return SeatRow(seat, "person", called, None, holder, hashed, colour=row.colour, face=face), token


def lookalike(table: TableOrRoom, name: str, *more: str) -> str | None:
    """Return a name that looks like `name`, of present or former players or in `more`; None if there is none."""
    return names.lookalike(name, (*table.names, *former_names(table), *more))


def take_seat(match: str, was: SeatRow, row: SeatRow) -> Change:
    """Return the change that stores `row` in the open seat `was`. It raises Conflict if that seat has changed."""

    def fill_seat(connection: sa.Connection) -> None:
        s = SEATS.c
        where = (
            s.match == match,
            s.seat == row.seat,
            s.kind == "open",
            s.holder.is_not_distinct_from(was.holder),
            s.token_hash.is_not_distinct_from(was.token_hash),
        )
        if connection.execute(sa.update(SEATS).where(*where).values(row.values(match))).rowcount != 1:
            raise Conflict("The seat is taken.")

    return fill_seat
