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

from pyramidion.engine.seeds import Contribution
from pyramidion.translation import _
from pyramidion.web.db.changes import save
from pyramidion.web.db.schema import ROOMS
from pyramidion.web.db.store import SeatRow
from pyramidion.web.db.writer import Change, Conflict
from pyramidion.web.errors import (
    NotSaved,
    NotStarted,
    SeatTaken,
    StaleVersion,
)
from pyramidion.web.features.waiting_room import changes
from pyramidion.web.features.waiting_room.match_start import beginning, filled
from pyramidion.web.names import player_name
from pyramidion.web.table import seeds as origins
from pyramidion.web.table.new_table import find_game
from pyramidion.web.table.room import Room, RoomState, touch
from pyramidion.web.table.seats.admission import TAKEN
from pyramidion.web.table.seeds import NO_CONTRIBUTION, OfferedContribution
from pyramidion.web.table.settings.declarations import TableSettings
from pyramidion.web.table.table import Table
from pyramidion.web.table.tables import Tables, unknown
from pyramidion.web.tokens import hash_token, new_token

if TYPE_CHECKING:
    from pyramidion.web.table.seats.plans import SeatPlan, TableProperties

MOST_TRIES = 5
HERE_SECONDS = 8.0
"""How long a page counts as open after its last poll, in seconds."""
MOST_LOOKS = 10_000


class Rooms:
    """Runs all waiting rooms: creates and reads them, stores changes, and starts their matches."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
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
        **about: Unpack[TableProperties],
    ) -> tuple[Table | Room, dict[int, str]]:
        """Create a table with a waiting room; return it, and the tokens of programs by seat.

        Without a `holder` in `about`, the seats `me` are for programs, which get tokens. `reserved` are visitor ids by
        open seat: only these visitors can take it, under the name of its plan if it has one. `also` is called with the
        connection and the table's id in the same transaction. If there is nobody to wait for, the match starts at once.
        Raises UnknownGame, BadTable or NotSaved with a sentence.
        """
        new = await self._tables.prepare(game_id, seats, options, settings, **about)
        row, rows = new.row, new.rows
        tokens: dict[int, str] = {}
        for number, plan in enumerate(seats):
            if plan.kind == "me" and row.host is None:
                # As at other tables, a program that hosts and plays gets one token for both.
                tokens[number] = new_token() if tokens else about.get("host_token") or new_token()
                rows[number] = SeatRow(number, "person", player_name(plan.name), None, None, hash_token(tokens[number]))
        for number, visitor in (reserved or {}).items():
            rows[number] = replace(rows[number], holder=visitor, name=seats[number].name)
        seed = row.seed if row.seed_chosen else ""
        waits = replace(row, started=None, deadline=None, paused=None, time_left=None, seed=seed)
        ready = frozenset(seat.seat for seat in rows if seat.kind == "person")
        room = Room(waits, rows, RoomState(ready, 0), new.origin, new.match.game, self._tables)
        store = replace(new, row=waits).insertion()

        def insert_room(connection: sa.Connection) -> None:
            store(connection)
            values = {"match": row.id, "ready": json.dumps(sorted(ready)), "changes": 0}
            connection.execute(sa.insert(ROOMS), values | {"touched": row.created})
            if also is not None:
                also(connection, row.id)

        await save(self._tables.writer, insert_room)
        return await self.look(room), tokens

    async def get(self, table_id: str) -> Room:
        """Return a waiting room, even if its match has started. Raises UnknownTable or CannotGoOn (game missing)."""
        room = await asyncio.to_thread(self._read, table_id)
        if room.due:
            # Starting the match may have been interrupted.
            await self.look(room)
            room = await asyncio.to_thread(self._read, table_id)
        return room

    async def find(self, table_id: str) -> Table | Room:
        """Return the table with this id, or its waiting room if the match has not started.

        Raises as `Tables.get` does.
        """
        try:
            return await self._tables.get(table_id)
        except NotStarted:
            return await self.get(table_id)

    def _read(self, table_id: str) -> Room:
        """Read a room from the database; blocks."""
        store = self._tables.store
        query = sa.select(ROOMS.c.ready, ROOMS.c.changes).where(ROOMS.c.match == table_id)
        # Read the number of changes first: if the room changes while the rest is read, our own change is planned again.
        kept = store.read(lambda connection: connection.execute(query).one_or_none())
        stored = store.match(table_id)
        if stored is None:
            raise unknown(table_id)
        row, seats = stored
        origin = store.read(lambda connection: origins.find(connection, table_id))
        agreed = RoomState(frozenset(json.loads(kept.ready)), kept.changes) if kept else _BEGUN
        game = find_game(row.game)
        # After an upgrade of the game, a waiting room gets the current options.
        row = replace(row, options=game.accept_options(row.options))
        return Room(row, seats, agreed, origin, game, self._tables)

    async def look(self, room: Room) -> Table | Room:
        """Start the match of a room if it is due; return the table then, otherwise the room."""
        if not room.due:
            return room
        try:
            return await self._begin(room, list(room.seating.rows), {})
        except StaleVersion:
            return room  # somebody has changed the room, and calls `look` as well

    # Actions of players and the host

    async def sit(
        self,
        table_id: str,
        seat: int,
        holder: str | None,
        name: str | None,
        given: OfferedContribution = NO_CONTRIBUTION,
        *,
        bot: bool = False,
    ) -> tuple[str | None, Contribution | None]:
        """Let a visitor or program take an open seat; return its token and its contribution to the seed.

        The token is None if there is a `holder`, the visitor id. Raises what `admission.newcomer` raises, SeatTaken,
        BadRequest or NotSaved.
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

    async def change(self, table_id: str, plan: Callable[[Room], list[Change]]) -> None:
        """Store the changes that `plan` returns for a room, planned anew if another server was faster.

        Raises StaleVersion if the match has started, NotSaved, and what `plan` raises.
        """
        async with self._lock(table_id):
            for _again in range(MOST_TRIES):
                room = await self._waiting(table_id)
                parts = plan(room)
                if not parts:
                    return

                def planned(connection: sa.Connection, parts: list[Change] = parts, room: Room = room) -> None:
                    """Store the planned changes, unless somebody else has changed the room."""
                    touch(connection, table_id, room.state.changes, self._tables.now())
                    for part in parts:
                        part(connection)

                try:
                    return await save(self._tables.writer, planned)
                except Conflict:
                    continue  # another server was faster
            raise NotSaved(_("The waiting room keeps changing. Try again."))

    async def contribute(self, table_id: str, seat: int | None, given: OfferedContribution) -> Contribution:
        """Replace a seat's contribution to the seed and return the new one.

        Raises NotYourSeat, or BadRequest with a sentence.
        """
        made: list[Contribution] = []

        def plan_contribution(room: Room) -> list[Change]:
            """Return the change that stores the contribution. Raises NotPossibleNow."""
            contribution, parts = changes.contribute(room, seat, given)
            made[:] = [contribution]
            return parts

        await self.change(table_id, plan_contribution)
        return made[0]

    async def ready(self, table_id: str, seat: int | None, ready: bool) -> Table | Room:
        """Set whether a seat is ready, and start the match if it is due. Raises NotYourSeat."""
        await self.change(table_id, lambda room: changes.ready(room, seat, ready))
        return await self.look(await self.get(table_id))

    async def reserve(self, table_id: str, holder: str) -> None:
        """Reserve an open seat for the visitor `holder`. Raises SeatTaken."""
        await self.change(table_id, lambda room: changes.reserve(room, holder))

    async def release(self, table_id: str, seat: int) -> None:
        """Open a reserved seat to everybody. Raises UnknownSeat."""
        await self.change(table_id, lambda room: changes.release(room, seat))

    async def seat_reserved(self, table_id: str, names: Mapping[str, str]) -> None:
        """Seat all visitors with reserved seats, under these names by visitor id, and start the match if it is due."""
        await self.change(table_id, lambda room: changes.seat_reserved(room, names))
        await self.look(await self.get(table_id))

    async def start(self, table_id: str, fill: str | None, *, by_host: bool) -> Table:
        """Start the match now, for the host; `fill` is the bot for the open seats, or REMOVE to remove them.

        Raises NotTheHost, or BadTable with a sentence if the seats do not fit the game.
        """
        for _again in range(MOST_TRIES):
            room = await self._waiting(table_id)
            changes.require_host(by_host)
            rows, moved = filled(room, fill)
            try:
                return await self._begin(room, rows, moved)
            except StaleVersion:
                continue
        raise NotSaved(_("The waiting room keeps changing. Try again."))

    async def _begin(self, room: Room, rows: Sequence[SeatRow], moved: Mapping[int, int]) -> Table:
        """Store the start of a match with the seats that `filled` returns. Raises BadTable or StaleVersion."""
        change = await asyncio.to_thread(beginning, room, rows, moved, self._tables.now())
        try:
            await save(self._tables.writer, change)
        except Conflict:
            raise StaleVersion(_("The waiting room has changed.")) from None
        return await self._tables.get(room.id)

    # Presence

    def looked(self, table_id: str, seat: int | None) -> None:
        """Record that the page of a seat has just been polled, so that it counts as open."""
        if seat is not None:
            if len(self._looks) > MOST_LOOKS:
                self._looks.clear()
            self._looks[table_id, seat] = time.monotonic()

    def here(self, room: Room) -> list[int]:
        """Return the taken seats of a room whose pages are open, as far as this server knows."""
        since = time.monotonic() - HERE_SECONDS
        return [seat for seat in room.taken if self._looks.get((room.id, seat), 0.0) > since]

    # Internals

    async def _waiting(self, table_id: str) -> Room:
        """Return a room whose match has not started. Raises StaleVersion if it has."""
        room = await self.get(table_id)
        if room.begun:
            raise StaleVersion(_("The game has started, so this can no longer be changed."))
        return room

    def _lock(self, table_id: str) -> asyncio.Lock:
        """Return the lock under which this server changes a room."""
        lock = self._locks.get(table_id)
        if lock is None:
            lock = self._locks[table_id] = asyncio.Lock()
        return lock


_BEGUN = RoomState(frozenset(), 0)
