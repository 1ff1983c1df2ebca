"""Waiting rooms: players, contributions to the seed and options before a match starts.

A waiting match is stored with its seats and options, but without seed and plies. Rooms are used rarely and are not kept
in memory: each request reads the room, and changes it only if nobody else has changed it meanwhile. When the match
starts it becomes a `Table`, at the same address.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack
from weakref import WeakValueDictionary

import sqlalchemy as sa
from fastapi import Request

from pyramidion.engine.seeds import Contribution
from pyramidion.names import looks
from pyramidion.web.db.saving import save
from pyramidion.web.db.schema import MATCHES, METADATA, PLIES, ROOMS, SEATS
from pyramidion.web.db.store import SeatRow
from pyramidion.web.db.writer import Conflict
from pyramidion.web.errors import (
    BadRequest,
    BadTable,
    NotSaved,
    NotStarted,
    NotTheHost,
    NotYourSeat,
    SeatTaken,
    StaleVersion,
    UnknownSeat,
)
from pyramidion.web.names import player_name
from pyramidion.web.table import seeds as origins
from pyramidion.web.table.bots import bot_names
from pyramidion.web.table.chat_rules import new_holder, renumbered
from pyramidion.web.table.clock_state import ClockState
from pyramidion.web.table.faces import Face, face_of
from pyramidion.web.table.new_table import find_game, fresh_names, opened
from pyramidion.web.table.room import Agreed, Room, changed_one, touch
from pyramidion.web.table.seeds import NOTHING_GIVEN, Given
from pyramidion.web.table.settings import RoomSettings, TableSettings
from pyramidion.web.table.sitting import TAKEN
from pyramidion.web.table.table import Table
from pyramidion.web.table.tables import Tables, unknown
from pyramidion.web.tokens import hash_token, new_token
from pyramidion.words import _

if TYPE_CHECKING:
    from pyramidion.web.table.seat_plans import About, SeatPlan

REMOVE = "remove"
"""The choice that removes the open seats instead of filling them with bots."""
MOST_TRIES = 5
HERE_SECONDS = 8.0
"""How long a page counts as open after its last poll, in seconds."""
MOST_LOOKS = 10_000
Part = Callable[[sa.Connection], None]


class Rooms:
    """All waiting rooms."""

    def __init__(self, house: Tables) -> None:
        self._house = house
        self._looks: dict[tuple[str, int], float] = {}
        # One change of a room at a time on this server; conflicts come from other servers only.
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def open(
        self,
        game_id: str,
        seats: Sequence[SeatPlan],
        options: Mapping[str, Any],
        settings: TableSettings,
        *,
        reserved: Mapping[int, str] | None = None,
        also: Callable[[sa.Connection, str], None] | None = None,
        **about: Unpack[About],
    ) -> tuple[Table | Room, dict[int, str]]:
        """Create a table with a waiting room; return it, and the tokens of the seats `me` if there is no `holder`.

        `reserved` are open seats that only these visitors can take; `also` is called with the table's id in the same
        transaction. If there is nobody to wait for, the match starts at once. Raises UnknownGame, BadTable or NotSaved
        with a sentence.
        """
        new = await self._house.prepare(game_id, seats, options, settings, **about)
        row, rows = new.row, new.rows
        tokens: dict[int, str] = {}
        for number, plan in enumerate(seats):
            if plan.kind == "me" and row.host is None:
                # As at other tables, a program that hosts and plays gets one token for both.
                tokens[number] = new_token() if tokens else about.get("host_token") or new_token()
                rows[number] = SeatRow(number, "person", player_name(plan.name), None, None, hash_token(tokens[number]))
        for number, visitor in (reserved or {}).items():
            rows[number] = replace(rows[number], holder=visitor)
        seed = row.seed if row.seed_chosen else ""
        waits = replace(row, started=None, deadline=None, paused=None, time_left=None, seed=seed)
        ready = frozenset(seat.seat for seat in rows if seat.kind == "person")
        room = Room(waits, rows, Agreed(ready, 0), new.origin, new.match.game, self._house)
        store = replace(new, row=waits).insertion()

        def change(connection: sa.Connection) -> None:
            store(connection)
            values = {"match": row.id, "ready": json.dumps(sorted(ready)), "changes": 0}
            connection.execute(sa.insert(ROOMS), values | {"touched": row.created})
            if also is not None:
                also(connection, row.id)

        await save(self._house.writer, change)
        return await self.look(room), tokens

    async def get(self, table_id: str) -> Room:
        """Return a room, even if its match has started. Raises UnknownTable, or CannotGoOn if its game is missing."""
        room = await asyncio.to_thread(self._read, table_id)
        if room.due:
            # Starting the match may have been interrupted.
            await self.look(room)
            room = await asyncio.to_thread(self._read, table_id)
        return room

    async def find(self, table_id: str) -> Table | Room:
        """Return a table, or its waiting room if the match has not started. Raises like `Tables.get`."""
        try:
            return await self._house.get(table_id)
        except NotStarted:
            return await self.get(table_id)

    def _read(self, table_id: str) -> Room:
        store = self._house.store
        query = sa.select(ROOMS.c.ready, ROOMS.c.changes).where(ROOMS.c.match == table_id)
        # Read the number of changes first: if the room changes while the rest is read, our own change is planned again.
        kept = store.read(lambda connection: connection.execute(query).one_or_none())
        found = store.match(table_id)
        if found is None:
            raise unknown(table_id)
        row, seats = found
        origin = store.read(lambda connection: origins.find(connection, table_id))
        agreed = Agreed(frozenset(json.loads(kept.ready)), kept.changes) if kept else _BEGUN
        game = find_game(row.game)
        # After an upgrade of the game, a waiting room gets the current options.
        row = replace(row, options=game.accept_options(row.options))
        return Room(row, seats, agreed, origin, game, self._house)

    async def look(self, room: Room) -> Table | Room:
        """Start the match if it is due; return the table, or the room if it still waits."""
        if not room.due:
            return room
        try:
            return await self._begin(room, room.row.seat_count, list(room.seating.rows), {})
        except StaleVersion:
            return room  # somebody has changed the room, and calls `look` as well

    # Actions of players and the host

    async def sit(
        self,
        table_id: str,
        seat: int,
        holder: str | None,
        name: str | None,
        given: Given = NOTHING_GIVEN,
        *,
        bot: bool = False,
    ) -> tuple[str | None, Contribution | None]:
        """Take an open seat; return a token if there is no holder, and the contribution with its receipt.

        Raises what `sitting.newcomer` raises, SeatTaken, BadRequest or NotSaved.
        """
        for tries in range(MOST_TRIES):
            async with self._lock(table_id):
                room = await self._waiting(table_id)
                try:
                    token = await room.take(seat, holder, name, given, bot=bot)
                except Conflict:
                    # If something else has changed in the room, the seat may still be free: try again.
                    if tries == MOST_TRIES - 1:
                        raise SeatTaken(_(TAKEN)) from None
                    continue
            return token, (await self.get(table_id)).contribution(seat)
        raise AssertionError("a seat is taken or refused")

    async def contribute(self, table_id: str, seat: int | None, given: Given) -> Contribution:
        """Replace a seat's contribution. Raises NotYourSeat, or BadRequest with a sentence."""
        made: list[Contribution] = []

        def change(room: Room) -> list[Part]:
            own = _own(room, seat)
            one = room.gives(own, given)
            if one is None:
                raise BadRequest(_("The seed of this table was set by hand, so players cannot contribute to it."))
            made[:] = [one]
            return [lambda connection: origins.put(connection, table_id, one)]

        await self._change(table_id, change)
        return made[0]

    async def ready(self, table_id: str, seat: int | None, ready: bool) -> Table | Room:
        """Set whether a seat is ready. Raises NotYourSeat."""

        def change(room: Room) -> list[Part]:
            own = room.together(_own(room, seat))
            return [_ready(table_id, room.agreed.ready | own if ready else room.agreed.ready - own)]

        await self._change(table_id, change)
        return await self.look(await self.get(table_id))

    async def colour(self, table_id: str, seat: int | None, name: str | None) -> None:
        """Choose a seat's colour; None for the default. Raises NotYourSeat, or BadRequest with a sentence."""

        def change(room: Room) -> list[Part]:
            own, colours = _own(room, seat), room.game.colours
            if name is not None and name not in colours:
                raise BadRequest(_("The colour {name} is not available.").format(name=name[:40]))
            number = colours.index(name) if name is not None else None
            if number is not None and any(row.colour == number for row in room.seating.rows if row.seat != own):
                raise BadRequest(_("Another player already has that colour."))
            update = sa.update(SEATS).where(SEATS.c.match == table_id, SEATS.c.seat == own)
            return [lambda connection: changed_one(connection.execute(update.values(colour=number)))]

        await self._change(table_id, change)

    async def face(self, table_id: str, seat: int | None, chosen: Face | None) -> None:
        """Choose the face of a seat, None for its own. Raises NotYourSeat, or BadRequest where another looks so."""

        def change(room: Room) -> list[Part]:
            own = _own(room, seat)
            faces = [face_of(row.seat, name, row.face) for row, name in zip(room.seating.rows, room.names, strict=True)]
            for number, other in enumerate(faces):
                # Colour and shape together tell the players apart.
                alike = chosen is not None and (other.colour, other.shape) == (chosen.colour, chosen.shape)
                if alike and number != own:
                    raise BadRequest(_("{name} has that colour and shape.").format(name=room.names[number]))
            update = sa.update(SEATS).where(SEATS.c.match == table_id, SEATS.c.seat == own)
            text = chosen.text if chosen is not None else None
            return [lambda connection: changed_one(connection.execute(update.values(face=text)))]

        await self._change(table_id, change)

    async def rename(self, table_id: str, seat: int | None, name: str | None) -> None:
        """Rename a seat's player. Raises NotYourSeat, SeatTaken if the name is taken, or BadRequest."""
        called = player_name(name)

        def change(room: Room) -> list[Part]:
            own = _own(room, seat)
            others = [one for number, one in enumerate(room.names) if number != own]
            if called is not None and looks(called) in map(looks, others):
                raise SeatTaken(_("The name {name} is already taken at this table.").format(name=called))
            update = sa.update(SEATS).where(SEATS.c.match == table_id, SEATS.c.seat == own)
            return [lambda connection: changed_one(connection.execute(update.values(name=called)))]

        await self._change(table_id, change)

    async def leave(self, table_id: str, seat: int | None) -> None:
        """Free a seat and those at the same screen, for the player or the host. Raises NotYourSeat."""

        def change(room: Room) -> list[Part]:
            gone = room.together(_own(room, seat))
            return [
                *(_freed(table_id, room.seating.rows[one]) for one in gone),
                _ready(table_id, room.agreed.ready - gone),
            ]

        await self._change(table_id, change)

    async def reserve(self, table_id: str, holder: str) -> None:
        """Reserve an open seat for a visitor. Raises SeatTaken."""

        def change(room: Room) -> list[Part]:
            if room.seating.seats_of(holder) or room.seating.reserved_for(holder) is not None:
                raise SeatTaken(_("This player already has a seat."))
            free = [row.seat for row in room.seating.rows if row.kind == "open" and not row.reserved]
            if not free:
                raise SeatTaken(_("All seats are taken or reserved."))
            update = sa.update(SEATS).where(SEATS.c.match == table_id, SEATS.c.seat == free[0], SEATS.c.kind == "open")
            return [lambda connection: changed_one(connection.execute(update.values(holder=holder)))]

        await self._change(table_id, change)

    async def release(self, table_id: str, seat: int) -> None:
        """Let anybody take a seat that was reserved. Raises UnknownSeat."""

        def change(room: Room) -> list[Part]:
            if not (0 <= seat < len(room.seating.rows) and room.seating.rows[seat].reserved):
                raise UnknownSeat(_("That seat is not reserved."))
            row = SeatRow(seat, "open", colour=room.seating.rows[seat].colour)
            update = sa.update(SEATS).where(SEATS.c.match == table_id, SEATS.c.seat == seat)
            return [lambda connection: changed_one(connection.execute(update.values(row.values(table_id))))]

        await self._change(table_id, change)

    async def settle(
        self, table_id: str, options: Mapping[str, Any], changes: RoomSettings | None = None, *, by_host: bool
    ) -> None:
        """Change options and settings, as the host; nobody is ready any more after a change.

        Raises NotTheHost or BadTable.
        """

        def change(room: Room) -> list[Part]:
            _host(by_host)
            try:
                accepted = room.game.accept_options({**room.row.options, **options})
            except ValueError as error:
                raise BadTable(str(error)) from error
            kept = json.dumps(accepted)
            settings = room.settings.with_changes(changes, room.game) if changes is not None else room.settings
            if kept == json.dumps(room.row.options) and settings == room.settings:
                return []
            update = sa.update(MATCHES).where(MATCHES.c.id == table_id, MATCHES.c.started.is_(None))
            values = {"options": kept, "settings": settings.model_dump()}
            asked = {room.host.seat} & room.agreed.ready
            return [
                lambda connection: changed_one(connection.execute(update.values(values))),
                _ready(table_id, frozenset(seat for seat in asked if seat is not None)),
            ]

        await self._change(table_id, change)

    async def start(self, table_id: str, fill: str | None, *, by_host: bool) -> Table:
        """Start the match now, as the host; `fill` is the bot that takes the open seats, or REMOVE.

        Raises NotTheHost, or BadTable with a sentence if the seats do not fit the game.
        """
        for _again in range(MOST_TRIES):
            room = await self._waiting(table_id)
            _host(by_host)
            rows, kept = list(room.seating.rows), [seat.number for seat in room.seats if seat.kind != "open"]
            moved: dict[int, int] = {}
            if room.open_seats and fill is None:
                raise BadTable(_("Some seats are empty. Choose whether to fill them with bots or remove them."))
            if fill == REMOVE:
                moved = {old: new for new, old in enumerate(kept)}
                rows = [replace_seat(rows[old], new) for old, new in moved.items()]
            elif room.open_seats:
                if fill not in bot_names(room.game):
                    there = ", ".join(bot_names(room.game))
                    raise BadTable(_("Unknown bot {bot}. Available: {there}.").format(bot=str(fill)[:40], there=there))
                names = fresh_names(room.names)
                for seat in room.open_seats:
                    rows[seat] = SeatRow(seat, "bot", next(names), fill)
            try:
                room.game.accept_seats(len(rows))
            except ValueError as error:
                raise BadTable(str(error)) from error
            try:
                return await self._begin(room, len(rows), rows, moved)
            except StaleVersion:
                continue
        raise NotSaved(_("The waiting room keeps changing. Try again."))

    async def _begin(self, room: Room, count: int, rows: Sequence[SeatRow], moved: Mapping[int, int]) -> Table:
        """Make the seed and start the match. Raises StaleVersion if the room has changed meanwhile."""
        row, seed, changes = room.row, room.row.seed, room.agreed.changes
        if room.origin is not None:
            given = (replace(one, seat=moved.get(one.seat, one.seat)) for one in room.origin.contributions)
            seed = replace(room.origin, contributions=tuple(given)).seed(room.game.id, room.id, count)
        try:
            await asyncio.to_thread(opened, room.game, count, seed, row.options, row.cards)
        except ValueError as error:
            raise BadTable(str(error)) from error
        at = self._house.now()
        values = {
            "started": at,
            # Nothing has been played, so after an upgrade the match starts under the current rules.
            "rules_version": str(room.game.rules_version),
            "seat_count": count,
            "seed": json.dumps(seed),
            **ClockState.first(room.settings.clock, room.settings.pregame, at).values(),
        }

        def change(connection: sa.Connection) -> None:
            touch(connection, row.id, changes, at)
            if moved:
                _renumber(connection, row.id, moved)
            for seat in rows:
                if seat.kind == "bot":
                    where = sa.update(SEATS).where(SEATS.c.match == row.id, SEATS.c.seat == seat.seat)
                    connection.execute(where.values(seat.values(row.id)))
            connection.execute(sa.update(MATCHES).where(MATCHES.c.id == row.id).values(values))

        try:
            await save(self._house.writer, change)
        except Conflict:
            raise StaleVersion(_("The waiting room has changed.")) from None
        return await self._house.get(room.id)

    # Presence

    def looked(self, table_id: str, seat: int | None) -> None:
        """Record that a seat's page is open."""
        if seat is not None:
            if len(self._looks) > MOST_LOOKS:
                self._looks.clear()
            self._looks[table_id, seat] = time.monotonic()

    def here(self, room: Room) -> list[int]:
        """Return the seats whose pages are open, as far as this server knows."""
        since = time.monotonic() - HERE_SECONDS
        return [seat for seat in room.taken if self._looks.get((room.id, seat), 0.0) > since]

    # Internals

    async def _waiting(self, table_id: str) -> Room:
        room = await self.get(table_id)
        if room.begun:
            raise StaleVersion(_("The game has started, so this can no longer be changed."))
        return room

    def _lock(self, table_id: str) -> asyncio.Lock:
        lock = self._locks.get(table_id)
        if lock is None:
            lock = self._locks[table_id] = asyncio.Lock()
        return lock

    async def _change(self, table_id: str, plan: Callable[[Room], list[Part]]) -> None:
        """Store the changes planned by `plan`, which is called again if another server changes the room meanwhile."""
        async with self._lock(table_id):
            await self._change_locked(table_id, plan)

    async def _change_locked(self, table_id: str, plan: Callable[[Room], list[Part]]) -> None:
        for _again in range(MOST_TRIES):
            room = await self._waiting(table_id)
            parts = plan(room)
            if not parts:
                return

            def change(connection: sa.Connection, parts: list[Part] = parts, seen: int = room.agreed.changes) -> None:
                touch(connection, table_id, seen, self._house.now())
                for part in parts:
                    part(connection)

            try:
                return await save(self._house.writer, change)
            except Conflict:
                continue  # another server was faster
        raise NotSaved(_("The waiting room keeps changing. Try again."))


_BEGUN = Agreed(frozenset(), 0)


def replace_seat(row: SeatRow, seat: int) -> SeatRow:
    """Return a seat's row with another seat number."""
    return replace(row, seat=seat)


def _own(room: Room, seat: int | None) -> int:
    if seat is None or not 0 <= seat < len(room.seats):
        raise NotYourSeat(_("You are watching this game."), open=room.open_seats)
    if room.seats[seat].kind != "person":
        raise NotYourSeat(_("That seat is empty."), open=room.open_seats)
    return seat


def _host(by_host: bool) -> None:
    if not by_host:
        raise NotTheHost(_("Only the host of this table can do that."))


def _freed(table: str, was: SeatRow) -> Part:
    seat = was.seat
    update = sa.update(SEATS).where(SEATS.c.match == table, SEATS.c.seat == seat)

    def change(connection: sa.Connection) -> None:
        changed_one(connection.execute(update.values(SeatRow(seat, "open").values(table))))
        origins.drop(connection, table, seat)
        new_holder(connection, table, was)

    return change


def _ready(table: str, ready: frozenset[int]) -> Part:
    values = {"ready": json.dumps(sorted(ready))}
    return lambda connection: changed_one(
        connection.execute(sa.update(ROOMS).where(ROOMS.c.match == table).values(values))
    )


def _renumber(connection: sa.Connection, table: str, moved: Mapping[int, int]) -> None:
    """Move the data stored per seat along with players who move up; delete that of removed seats."""
    renumbered(connection, table, moved)
    for kept in METADATA.tables.values():
        if kept is PLIES or not {"match", "seat"} <= set(kept.c.keys()):
            continue
        connection.execute(sa.delete(kept).where(kept.c.match == table, kept.c.seat.not_in(list(moved))))
        # Seats only move to lower numbers, in ascending order, so that the target is always free.
        for old, new in sorted(moved.items()):
            if old != new:
                connection.execute(sa.update(kept).where(kept.c.match == table, kept.c.seat == old).values(seat=new))


__all__ = ["REMOVE", "Room", "Rooms", "SeatTaken", "UnknownSeat"]


def rooms_of(request: Request) -> Rooms:
    """Return the application's waiting rooms."""
    return request.app.state.services.rooms
