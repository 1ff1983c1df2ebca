"""The room where a table waits until its match begins: who has come, what they contribute to the seed, what is agreed.

A match in its room is a match in the database with seats and options, without a seed and without plies. Rooms are asked
for seldom and kept nowhere in memory: each request reads one, and changes it only if nobody has done so meanwhile. When
the match begins it becomes a `Table`, at the same address.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import sqlalchemy as sa

from pyramidion import Game
from pyramidion.engine.seeds import Contribution, Origin
from pyramidion.web.errors import (
    BadRequest,
    BadTable,
    NotSaved,
    NotTheHost,
    NotYourSeat,
    SeatTaken,
    StaleVersion,
    UnknownSeat,
)
from pyramidion.web.host.hosting import Hosting
from pyramidion.web.moves import Standing
from pyramidion.web.rooms import origins
from pyramidion.web.rooms.origins import NOTHING_GIVEN, Given
from pyramidion.web.schema import MATCHES, METADATA, PLIES, ROOMS, SEATS
from pyramidion.web.seats import new_token
from pyramidion.web.store import MatchRow, SeatRow, hash_token
from pyramidion.web.writer import Change, Conflict, WriteFailed
from pyramidion.words import _

if TYPE_CHECKING:
    from pyramidion.web.table import Table
    from pyramidion.web.tables import SeatPlan, Tables

NOW, WHEN_FULL, WHEN_READY = "now", "when-full", "when-ready"
STARTS = (NOW, WHEN_FULL, WHEN_READY)
REMOVE = "remove"
"""What the host can say instead of a bot: the open seats are taken away."""
MOST_TRIES = 5
HERE_SECONDS = 8.0
"""How long after its last look a page counts as open."""
MOST_LOOKS = 10_000
Part = Callable[[sa.Connection], None]


@dataclass(frozen=True, slots=True)
class Agreed:
    """How a room stands: when it starts, which seats are ready, and how often it has changed."""

    start: str
    ready: frozenset[int]
    changes: int


class Room(Hosting):
    """A table that waits, as it was when it was read.

    Attributes:
        row: the match as it is stored; its seed is an empty text unless it was chosen.
        agreed: how the room stands. `origin`: secret and contributions, None where the seed was chosen.
    """

    def __init__(
        self, row: MatchRow, seats: Sequence[SeatRow], agreed: Agreed, origin: Origin | None, game: Game, house: Tables
    ) -> None:
        super().__init__(row, seats, house)
        self.standing = Standing()
        self.row, self.agreed, self.origin, self.game = row, agreed, origin, game
        self._gives: Contribution | None = None

    @property
    def is_over(self) -> bool:
        """Whether there is nothing to sit down for."""
        return False

    async def refresh(self) -> None:
        """Do nothing: each room is read for one request."""

    def seat_of(self, holder: str | None) -> int | None:
        """Return the first seat that a visitor holds: in a room those at one screen have no secrets from each other."""
        return next(iter(self.seats_of(holder)), None)

    def together(self, seat: int) -> frozenset[int]:
        """Return the seats at the same screen as one, itself among them."""
        holder = self.rows[seat].holder
        return frozenset(self.seats_of(holder)) | {seat} if holder is not None else frozenset({seat})

    @property
    def begun(self) -> bool:
        """Whether the match has begun, so that there is no room any more."""
        return self.row.started is not None

    @property
    def taken(self) -> list[int]:
        """The seats that somebody has taken."""
        return [seat.number for seat in self.seats if seat.kind == "person"]

    @property
    def due(self) -> bool:
        """Whether the match is to begin by itself."""
        if self.begun or self.open_seats:
            return False
        return self.agreed.start == WHEN_FULL or self.agreed.ready >= set(self.taken)

    def contribution(self, seat: int | None) -> Contribution | None:
        """Return what a seat has contributed."""
        given = self.origin.contributions if self.origin is not None else ()
        return next((one for one in given if one.seat == seat), None)

    def gives(self, seat: int, given: Given) -> Contribution | None:
        """Return a seat's contribution, or None where the seed was chosen. Raises BadRequest with a sentence."""
        return None if self.origin is None else origins.contribution(self.game.id, self.id, seat, given)

    async def take(self, seat: int, holder: str | None, name: str | None, given: Given) -> str | None:
        """Take a seat as `Seating.sit` does, with its contribution to the seed."""
        self._gives = self.gives(seat, given) if 0 <= seat < len(self.seats) else None
        return await self.sit(seat, holder, name)

    def _taking(self, row: SeatRow) -> Change:
        taking, one, table, seen = super()._taking(row), self._gives, self.id, self.agreed.changes
        at = self._house.now()

        def change(connection: sa.Connection) -> None:
            _touch(connection, table, seen, at)
            taking(connection)
            if one is not None:
                origins.put(connection, table, one)

        return change


class Rooms:
    """All rooms."""

    def __init__(self, house: Tables) -> None:
        self._house = house
        self._looks: dict[tuple[str, int], float] = {}
        # Who come at the same time come one after the other; only other servers are quicker now and then.
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def open(
        self, game_id: str, seats: Sequence[SeatPlan], options: Mapping[str, Any], *, start: str, **more: Any
    ) -> tuple[Table | Room, dict[int, str]]:
        """Make a table that waits, as `Tables.create` makes one that does not; and return the tokens of the seats `me`
        where there is no `holder`.

        Where there is nobody to wait for it begins at once. Raises UnknownGame, BadTable or NotSaved with a sentence.
        """
        if start not in STARTS[1:]:
            raise BadTable(_("A table starts now, when-full or when-ready; not {start}.").format(start=str(start)[:40]))
        usual = ("title", "seed", "cards", "clock", "hints", "chat", "holder", "host_token", "absent")
        asked: dict[str, Any] = {**dict.fromkeys(usual), "close_early": True, "listed": False, **more}
        new = await self._house.prepare(game_id, seats, options, **asked)
        row, rows = new.row, new.rows
        tokens: dict[int, str] = {}
        for number, plan in enumerate(seats):
            if plan.kind == "me" and row.host is None:
                # As at other tables, a program that hosts and plays has one token for both.
                tokens[number] = new_token() if tokens else more.get("host_token") or new_token()
                name = plan.name or _("Player {number}").format(number=number + 1)
                rows[number] = SeatRow(number, "person", name, None, None, hash_token(tokens[number]))
        waits = replace(row, started=None, deadline=None, seed=row.seed if row.seed_chosen else "")
        ready = frozenset(seat.seat for seat in rows if seat.kind == "person")
        room = Room(waits, rows, Agreed(start, ready, 0), new.origin, new.match.game, self._house)
        store = replace(new, row=waits).insertion()

        def change(connection: sa.Connection) -> None:
            store(connection)
            values = {"match": row.id, "start": start, "ready": json.dumps(sorted(ready)), "changes": 0}
            connection.execute(sa.insert(ROOMS), values | {"touched": row.created})

        await self._write(change)
        return await self.look(room), tokens

    async def get(self, table_id: str) -> Room:
        """Return a room, or what one has become. Raises UnknownTable, or CannotGoOn where its game is not here."""
        room = await asyncio.to_thread(self._read, table_id)
        if room.due:
            # Whoever was to begin it may have been interrupted.
            await self.look(room)
            room = await asyncio.to_thread(self._read, table_id)
        return room

    def _read(self, table_id: str) -> Room:
        from pyramidion.web.tables import find_game, unknown

        store = self._house.store
        query = sa.select(ROOMS.c.start, ROOMS.c.ready, ROOMS.c.changes).where(ROOMS.c.match == table_id)
        # The count of changes is read first: what changes while the rest is read makes a change of ours be looked at
        # again.
        kept = store.read(lambda connection: connection.execute(query).one_or_none())
        found = store.match(table_id)
        if found is None:
            raise unknown(table_id)
        row, seats = found
        origin = store.read(lambda connection: origins.find(connection, table_id))
        agreed = Agreed(kept.start, frozenset(json.loads(kept.ready)), kept.changes) if kept else _BEGUN
        return Room(row, seats, agreed, origin, find_game(row.game), self._house)

    async def look(self, room: Room) -> Table | Room:
        """Let the match begin if it is to; return the table or the room."""
        if not room.due:
            return room
        try:
            return await self._begin(room, room.row.seat_count, list(room.rows), {})
        except StaleVersion:
            return room  # somebody has changed it; whoever did looks as well

    # What people do in a room

    async def sit(
        self, table_id: str, seat: int, holder: str | None, name: str | None, given: Given = NOTHING_GIVEN
    ) -> tuple[str | None, Contribution | None]:
        """Take an open seat; return the token where there is no holder, and the contribution with its receipt.

        Raises what `Seating.sit` does, or BadRequest with a sentence.
        """
        for tries in range(MOST_TRIES):
            async with self._lock(table_id):
                room = await self._waiting(table_id)
                try:
                    token = await room.take(seat, holder, name, given)
                except SeatTaken:
                    # Where only something else has changed in the room meanwhile, the seat is still to be had.
                    if tries == MOST_TRIES - 1 or not room.behind or seat not in room.open_seats:
                        raise
                    continue
            return token, (await self.get(table_id)).contribution(seat)
        raise AssertionError("a seat is taken or refused")

    async def contribute(self, table_id: str, seat: int | None, given: Given) -> Contribution:
        """Replace what a seat contributes. Raises NotYourSeat, or BadRequest with a sentence."""
        made: list[Contribution] = []

        def change(room: Room) -> list[Part]:
            own = _own(room, seat)
            one = room.gives(own, given)
            if one is None:
                raise BadRequest(_("The seed of this table was chosen, so nobody contributes to it."))
            made[:] = [one]
            return [lambda connection: origins.put(connection, table_id, one)]

        await self._change(table_id, change)
        return made[0]

    async def ready(self, table_id: str, seat: int | None, ready: bool) -> Table | Room:
        """Note that whoever sits on a seat waits for nothing more, or does again. Raises NotYourSeat."""

        def change(room: Room) -> list[Part]:
            own = room.together(_own(room, seat))
            return [_ready(table_id, room.agreed.ready | own if ready else room.agreed.ready - own)]

        await self._change(table_id, change)
        return await self.look(await self.get(table_id))

    async def leave(self, table_id: str, seat: int | None) -> None:
        """Give a seat back, and those at the same screen; also what the host does with others'. Raises NotYourSeat."""

        def change(room: Room) -> list[Part]:
            gone = room.together(_own(room, seat))
            return [*(_freed(table_id, one) for one in gone), _ready(table_id, room.agreed.ready - gone)]

        await self._change(table_id, change)

    async def settle(self, table_id: str, options: Mapping[str, Any], *, by_host: bool) -> None:
        """Change the options, as the host does; whoever was ready is asked again. Raises NotTheHost or BadTable."""

        def change(room: Room) -> list[Part]:
            _host(by_host)
            try:
                accepted = room.game.accept_options({**room.row.options, **options})
            except ValueError as error:
                raise BadTable(str(error)) from error
            kept = json.dumps(accepted)
            if kept == json.dumps(room.row.options):
                return []
            update = sa.update(MATCHES).where(MATCHES.c.id == table_id, MATCHES.c.started.is_(None))
            asked = {room.host_seat} & room.agreed.ready
            return [
                lambda connection: _done(connection.execute(update.values(options=kept))),
                _ready(table_id, frozenset(seat for seat in asked if seat is not None)),
            ]

        await self._change(table_id, change)

    async def start(self, table_id: str, fill: str | None, *, by_host: bool) -> Table:
        """Begin now, as the host does; `fill` is which bot takes the open seats, or REMOVE.

        Raises NotTheHost, or BadTable with a sentence where that is no table.
        """
        from pyramidion.web.tables import fresh_names

        for _again in range(MOST_TRIES):
            room = await self._waiting(table_id)
            _host(by_host)
            rows, kept = list(room.rows), [seat.number for seat in room.seats if seat.kind != "open"]
            moved: dict[int, int] = {}
            if room.open_seats and fill is None:
                raise BadTable(_("There are open seats: say whether bots take them or they are removed."))
            if fill == REMOVE:
                moved = {old: new for new, old in enumerate(kept)}
                rows = [replace_seat(rows[old], new) for old, new in moved.items()]
            elif room.open_seats:
                from pyramidion.web.bots.runner import bot_names

                if fill not in bot_names(room.game):
                    there = ", ".join(bot_names(room.game))
                    raise BadTable(
                        _("There is no bot {bot}; there are {there}.").format(bot=str(fill)[:40], there=there)
                    )
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
        raise NotSaved(_("The room has changed again and again meanwhile; try it once more."))

    async def _begin(self, room: Room, count: int, rows: Sequence[SeatRow], moved: Mapping[int, int]) -> Table:
        """Make the seed and let the match begin. Raises StaleVersion where the room has changed meanwhile."""
        from pyramidion.web.tables import opened

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
            "seat_count": count,
            "seed": json.dumps(seed),
            "deadline": None if row.clock is None else at + row.clock * 1000,
        }

        def change(connection: sa.Connection) -> None:
            _touch(connection, row.id, changes, at)
            if moved:
                _renumber(connection, row.id, moved)
            for seat in rows:
                if seat.kind == "bot":
                    where = sa.update(SEATS).where(SEATS.c.match == row.id, SEATS.c.seat == seat.seat)
                    connection.execute(where.values(seat.values(row.id)))
            connection.execute(sa.update(MATCHES).where(MATCHES.c.id == row.id).values(values))

        try:
            await self._write(change)
        except Conflict:
            raise StaleVersion(_("The room has changed meanwhile.")) from None
        return await self._house.get(room.id)

    # Who is there

    def looked(self, table_id: str, seat: int | None) -> None:
        """Note that a page of a seat is open."""
        if seat is not None:
            if len(self._looks) > MOST_LOOKS:
                self._looks.clear()
            self._looks[table_id, seat] = time.monotonic()

    def here(self, room: Room) -> list[int]:
        """Return the seats whose pages are open, as far as this server knows."""
        since = time.monotonic() - HERE_SECONDS
        return [seat for seat in room.taken if self._looks.get((room.id, seat), 0.0) > since]

    # Inside

    async def _waiting(self, table_id: str) -> Room:
        room = await self.get(table_id)
        if room.begun:
            raise StaleVersion(_("The game has begun, so this cannot be changed any more."))
        return room

    def _lock(self, table_id: str) -> asyncio.Lock:
        lock = self._locks.get(table_id)
        if lock is None:
            lock = self._locks[table_id] = asyncio.Lock()
        return lock

    async def _change(self, table_id: str, plan: Callable[[Room], list[Part]]) -> None:
        """Store what `plan` makes of the room, which is looked at again where somebody else was quicker."""
        async with self._lock(table_id):
            await self._change_locked(table_id, plan)

    async def _change_locked(self, table_id: str, plan: Callable[[Room], list[Part]]) -> None:
        for _again in range(MOST_TRIES):
            room = await self._waiting(table_id)
            parts = plan(room)
            if not parts:
                return

            def change(connection: sa.Connection, parts: list[Part] = parts, seen: int = room.agreed.changes) -> None:
                _touch(connection, table_id, seen, self._house.now())
                for part in parts:
                    part(connection)

            try:
                return await self._write(change)
            except Conflict:
                continue  # another server was quicker
        raise NotSaved(_("The room has changed again and again meanwhile; try it once more."))

    async def _write(self, change: Change) -> None:
        try:
            await self._house.writer.write(change)
        except WriteFailed as error:
            raise NotSaved(_("This could not be saved, so it was not done: {cause}.").format(cause=error)) from error


_BEGUN = Agreed(NOW, frozenset(), 0)


def replace_seat(row: SeatRow, seat: int) -> SeatRow:
    """Return the row of whoever sits there, at another place."""
    return replace(row, seat=seat)


def _own(room: Room, seat: int | None) -> int:
    if seat is None or not 0 <= seat < len(room.seats):
        raise NotYourSeat(_("You hold no seat at this table, so you can only watch."), open=room.open_seats)
    if room.seats[seat].kind != "person":
        raise NotYourSeat(_("Nobody sits there."), open=room.open_seats)
    return seat


def _host(by_host: bool) -> None:
    if not by_host:
        raise NotTheHost(_("Only the host of this table can do that."))


def _touch(connection: sa.Connection, table: str, seen: int, at: int) -> None:
    """Count a change, of which the beginning is the last. Raises Conflict where the room is not as it was seen."""
    waits = sa.exists().where(MATCHES.c.id == table, MATCHES.c.started.is_(None))
    update = sa.update(ROOMS).where(ROOMS.c.match == table, ROOMS.c.changes == seen, waits)
    _done(connection.execute(update.values(changes=ROOMS.c.changes + 1, touched=at)))


def _done(result: sa.CursorResult[Any]) -> None:
    if result.rowcount != 1:
        raise Conflict("The room has changed.")


def _freed(table: str, seat: int) -> Part:
    update = sa.update(SEATS).where(SEATS.c.match == table, SEATS.c.seat == seat)

    def change(connection: sa.Connection) -> None:
        _done(connection.execute(update.values(SeatRow(seat, "open").values(table))))
        origins.drop(connection, table, seat)

    return change


def _ready(table: str, ready: frozenset[int]) -> Part:
    values = {"ready": json.dumps(sorted(ready))}
    return lambda connection: _done(connection.execute(sa.update(ROOMS).where(ROOMS.c.match == table).values(values)))


def _renumber(connection: sa.Connection, table: str, moved: Mapping[int, int]) -> None:
    """Let those who stay move up, in whatever is kept for a seat; what belongs to other seats goes."""
    for kept in METADATA.tables.values():
        if kept is PLIES or not {"match", "seat"} <= set(kept.c.keys()):
            continue
        connection.execute(sa.delete(kept).where(kept.c.match == table, kept.c.seat.not_in(list(moved))))
        # Seats only move down, one after the other, so that each finds its place empty.
        for old, new in sorted(moved.items()):
            if old != new:
                connection.execute(sa.update(kept).where(kept.c.match == table, kept.c.seat == old).values(seat=new))


__all__ = ["REMOVE", "STARTS", "Room", "Rooms", "SeatTaken", "UnknownSeat"]
