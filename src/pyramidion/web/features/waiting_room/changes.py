"""Changes of a waiting room by its players and its host: each checks a room, and returns what is to be stored."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from pyramidion.engine.seeds import Contribution
from pyramidion.names import lookalike
from pyramidion.translation import _
from pyramidion.web.db.changes import executing
from pyramidion.web.db.schema import MATCHES, ROOMS, SEATS
from pyramidion.web.db.store import SeatRow
from pyramidion.web.db.writer import Change
from pyramidion.web.errors import BadRequest, BadTable, NotTheHost, NotYourSeat, SeatTaken, UnknownSeat
from pyramidion.web.names import player_name
from pyramidion.web.table import seeds as origins
from pyramidion.web.table.room import Room, require_one_row
from pyramidion.web.table.seats.chat_rules import new_holder
from pyramidion.web.table.seats.faces import Face, face_of
from pyramidion.web.table.seats.given_names import apart, guest_name
from pyramidion.web.table.seeds import NO_CONTRIBUTION, OfferedContribution
from pyramidion.web.table.settings.declarations import RoomSettings


def contribute(room: Room, seat: int | None, given: OfferedContribution) -> tuple[Contribution, list[Change]]:
    """Plan that a seat replaces its contribution to the seed; return the new contribution and the changes.

    Raises NotYourSeat, or BadRequest with a sentence.
    """
    own = _require_occupied(room, seat)
    contribution = room.gives(own, given)
    if contribution is None:
        raise BadRequest(_("The seed of this table was set by hand, so players cannot contribute to it."))
    return contribution, [lambda connection: origins.put(connection, room.id, contribution)]


def ready(room: Room, seat: int | None, ready: bool) -> list[Change]:
    """Plan that a seat, with those at the same screen, is `ready` or not. Raises NotYourSeat."""
    own = room.together(_require_occupied(room, seat))
    return [_storing_ready(room.id, room.state.ready | own if ready else room.state.ready - own)]


def colour(room: Room, seat: int | None, name: str | None) -> list[Change]:
    """Plan that a seat gets the colour `name`, None for the default. Raises NotYourSeat or BadRequest."""
    own, colours = _require_occupied(room, seat), room.game.colours
    if name is not None and name not in colours:
        raise BadRequest(_("The colour {name} is not available.").format(name=name[:40]))
    number = colours.index(name) if name is not None else None
    if number is not None and any(row.colour == number for row in room.seating.rows if row.seat != own):
        raise BadRequest(_("Another player already has that colour."))
    update = sa.update(SEATS).where(SEATS.c.match == room.id, SEATS.c.seat == own)
    return [lambda connection: require_one_row(connection.execute(update.values(colour=number)))]


def face(room: Room, seat: int | None, chosen: Face | None) -> list[Change]:
    """Plan that a seat gets a face, None for its usual one.

    Raises NotYourSeat, or BadRequest if another seat has the same colour and shape.
    """
    own = _require_occupied(room, seat)
    faces = [face_of(row.seat, name, row.face) for row, name in zip(room.seating.rows, room.names, strict=True)]
    for number, other in enumerate(faces):
        # Colour and shape together tell the players apart.
        alike = chosen is not None and (other.colour, other.shape) == (chosen.colour, chosen.shape)
        if alike and number != own:
            raise BadRequest(_("{name} has that colour and shape.").format(name=room.names[number]))
    update = sa.update(SEATS).where(SEATS.c.match == room.id, SEATS.c.seat == own)
    text = chosen.text if chosen is not None else None
    return [lambda connection: require_one_row(connection.execute(update.values(face=text)))]


def rename(room: Room, seat: int | None, name: str | None) -> list[Change]:
    """Plan that the player of a seat gets another name. Raises NotYourSeat, SeatTaken (name taken) or BadRequest.

    Without a name, a visitor gets a guest's name.
    """
    own = _require_occupied(room, seat)
    others = [other for number, other in enumerate(room.names) if number != own]
    holder, called = room.seating.rows[own].holder, player_name(name)
    if called is None and holder is not None:
        called = guest_name(holder, others)
    if called is not None and lookalike(called, others) is not None:
        raise SeatTaken(_("The name {name} is already taken at this table.").format(name=called))
    update = sa.update(SEATS).where(SEATS.c.match == room.id, SEATS.c.seat == own)
    return [lambda connection: require_one_row(connection.execute(update.values(name=called)))]


def leave(room: Room, seat: int | None) -> list[Change]:
    """Plan that a seat becomes free, with those at the same screen. Raises NotYourSeat."""
    leaving = room.together(_require_occupied(room, seat))
    return [
        *(_freeing(room.id, room.seating.rows[number]) for number in leaving),
        _storing_ready(room.id, room.state.ready - leaving),
    ]


def reserve(room: Room, holder: str) -> list[Change]:
    """Plan that an open seat is reserved for the visitor `holder`. Raises SeatTaken."""
    if room.seating.seats_of(holder) or room.seating.reserved_for(holder) is not None:
        raise SeatTaken(_("This player already has a seat."))
    free = [row.seat for row in room.seating.rows if row.kind == "open" and not row.reserved]
    if not free:
        raise SeatTaken(_("All seats are taken or reserved."))
    update = sa.update(SEATS).where(SEATS.c.match == room.id, SEATS.c.seat == free[0], SEATS.c.kind == "open")
    return [lambda connection: require_one_row(connection.execute(update.values(holder=holder)))]


def seat_reserved(room: Room, names: Mapping[str, str]) -> list[Change]:
    """Plan that all visitors with reserved seats sit down; `names` are their names by visitor id.

    Nobody can be refused: names that look alike are told apart.
    """
    arriving = [row for row in room.seating.rows if row.reserved and row.holder is not None]
    called = [*room.names, *(names.get(row.holder or "") for row in arriving)]
    seated: list[Change] = []
    for row, name in zip(arriving, apart(called)[len(room.names) :], strict=True):
        update = sa.update(SEATS).where(SEATS.c.match == room.id, SEATS.c.seat == row.seat, SEATS.c.kind == "open")
        values = replace(row, kind="person", name=name).values(room.id)
        seated.append(executing(update.values(values)))
        if (contribution := room.gives(row.seat, NO_CONTRIBUTION)) is not None:
            seated.append(lambda connection, given=contribution: origins.put(connection, room.id, given))
    ready = room.state.ready | {row.seat for row in arriving}
    return [*seated, _storing_ready(room.id, ready)] if arriving else []


def release(room: Room, seat: int) -> list[Change]:
    """Plan that a reserved seat becomes open to everybody. Raises UnknownSeat."""
    if not (0 <= seat < len(room.seating.rows) and room.seating.rows[seat].reserved):
        raise UnknownSeat(_("That seat is not reserved."))
    row = SeatRow(seat, "open", colour=room.seating.rows[seat].colour)
    update = sa.update(SEATS).where(SEATS.c.match == room.id, SEATS.c.seat == seat)
    return [lambda connection: require_one_row(connection.execute(update.values(row.values(room.id))))]


def settle(room: Room, options: Mapping[str, Any], changes: RoomSettings | None, *, by_host: bool) -> list[Change]:
    """Plan that the host changes options and settings. If anything changes, only the host stays ready.

    Raises NotTheHost or BadTable.
    """
    require_host(by_host)
    try:
        accepted = room.game.accept_options({**room.row.options, **options})
    except ValueError as error:
        raise BadTable(str(error)) from error
    kept = json.dumps(accepted)
    settings = room.settings.with_changes(changes, room.game) if changes is not None else room.settings
    if kept == json.dumps(room.row.options) and settings == room.settings:
        return []
    update = sa.update(MATCHES).where(MATCHES.c.id == room.id, MATCHES.c.started.is_(None))
    values = {"options": kept, "settings": settings.model_dump()}
    asked = {room.host.seat} & room.state.ready
    return [
        lambda connection: require_one_row(connection.execute(update.values(values))),
        _storing_ready(room.id, frozenset(seat for seat in asked if seat is not None)),
    ]


def _require_occupied(room: Room, seat: int | None) -> int:
    """Return the seat if a person sits there. Raises NotYourSeat."""
    if seat is None or not 0 <= seat < len(room.seats):
        raise NotYourSeat(_("You are watching this game."), open=room.open_seats)
    if room.seats[seat].kind != "person":
        raise NotYourSeat(_("That seat is empty."), open=room.open_seats)
    return seat


def require_host(by_host: bool) -> None:
    """Raise NotTheHost unless the requester is the host."""
    if not by_host:
        raise NotTheHost(_("Only the host of this table can do that."))


def _freeing(table: str, earlier: SeatRow) -> Change:
    """Return the change that makes a seat open; `earlier` is its row with the person who leaves."""
    seat = earlier.seat
    update = sa.update(SEATS).where(SEATS.c.match == table, SEATS.c.seat == seat)

    def free_seat(connection: sa.Connection) -> None:
        require_one_row(connection.execute(update.values(SeatRow(seat, "open").values(table))))
        origins.drop(connection, table, seat)
        new_holder(connection, table, earlier)

    return free_seat


def _storing_ready(table: str, ready: frozenset[int]) -> Change:
    """Return the change that stores which seats are ready."""
    values = {"ready": json.dumps(sorted(ready))}
    return lambda connection: require_one_row(
        connection.execute(sa.update(ROOMS).where(ROOMS.c.match == table).values(values))
    )
