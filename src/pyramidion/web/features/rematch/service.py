"""Rematches: a new table with the same people, bots and options, after a game or once all others have left it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

import sqlalchemy as sa

from pyramidion.translation import _
from pyramidion.web.contracts import WaitingRooms
from pyramidion.web.db.schema import CLUB_TABLES, REMATCHES, RESULTS, SEATS
from pyramidion.web.db.store import Store
from pyramidion.web.db.writer import Conflict
from pyramidion.web.errors import NotPossibleNow, NotYourSeat, StaleVersion
from pyramidion.web.table.seats.plans import SeatPlan
from pyramidion.web.table.settings.declarations import WHEN_FULL

if TYPE_CHECKING:
    from pyramidion.web.table.snapshots.snapshot import Snapshot
    from pyramidion.web.table.table import Table
    from pyramidion.web.table.tables import Tables

KEPT = "rematch"


@dataclass(frozen=True, slots=True)
class Rematch:
    """The rematch of a finished game.

    Attributes:
        next: the id of the new table.
        seat: the seat that asked for it, None for a host who does not play.
    """

    next: str
    seat: int | None


class Rematches:
    """Creates rematches and seats the players who join.

    A rematch waits in one of the waiting `rooms` until everybody has joined.
    """

    def __init__(self, tables: Tables, rooms: WaitingRooms) -> None:
        self._tables, self._rooms = tables, rooms
        tables.events.kept[KEPT] = read

    async def join(self, table: Table, holder: str) -> str:
        """Seat a visitor at the rematch of a table, which is created if needed; return the id of the new table.

        Raises NotYourSeat for a visitor who did not play or host, StaleVersion while several people play,
        NotPossibleNow at a table of a season or tournament, and whatever creating a table and sitting down raise.
        """
        if not can_be_played_again(table):
            raise StaleVersion(_("The game is not over yet."))
        mine = table.seating.seats_of(holder)
        if not mine and not table.host.is_visitor(holder):
            raise NotYourSeat(_("Only players and the host can ask for a rematch."))
        if table.host.impartial:
            raise NotPossibleNow(
                _("A match of a season or tournament has no rematch. You can start a game of your own.")
            )
        if rematch_of(table) is None:
            try:
                await self._create(table, holder, mine)
            except Conflict:
                table.keep(KEPT, await asyncio.to_thread(read, self._tables.store, table.id))
        rematch = rematch_of(table)
        assert rematch is not None  # just created, by this visitor or another one
        await self._seat(rematch, table, holder, mine)
        return rematch.next

    async def _create(self, table: Table, holder: str, mine: list[int]) -> None:
        """Create the rematch with a waiting room for a visitor with the seats `mine`, and invite the other players.

        Raises Conflict if somebody else has created it first.
        """
        row = await asyncio.to_thread(self._tables.store.match, table.id)
        assert row is not None  # a loaded table is in the database
        old = row[0]
        left = {} if table.match.over else await asyncio.to_thread(_people_who_left, self._tables.store, table.id)
        plans, reserved = places_again(table, mine, left)
        rematch: list[Rematch] = []

        def also(connection: sa.Connection, table_id: str) -> None:
            # One row per finished game: if two players ask at once, the second joins the first's rematch.
            """Record the new table as the rematch, in the transaction that creates it."""
            rematch.append(Rematch(table_id, mine[0] if mine else None))
            connection.execute(sa.insert(REMATCHES).values(match=table.id, next=table_id, seat=rematch[0].seat))
            # What is played again in a private club stays there.
            home = sa.select(sa.literal(table_id), CLUB_TABLES.c.club).where(CLUB_TABLES.c.match == table.id)
            connection.execute(sa.insert(CLUB_TABLES).from_select(["match", "club"], home))
            # Touch the seats, so that other servers are notified.
            connection.execute(sa.update(SEATS).where(SEATS.c.match == table.id).values(seat=SEATS.c.seat))

        await self._rooms.open(
            table.game.id,
            plans,
            {name: value for name, value in table.match.options.items() if name in table.game.options},
            table.settings.model_copy(update={"start": WHEN_FULL, "listed": False}),
            reserved=reserved,
            also=also,
            title=old.title,
            cards=old.cards,
            holder=holder,
            host_name=old.host_name if not mine else None,
        )
        table.keep(KEPT, rematch[0])
        for person in dict.fromkeys(reserved.values()):
            if await self._tables.events.welcomes(person, holder):
                self._tables.events.publish_invited(rematch[0].next, person)

    async def _seat(self, rematch: Rematch, old: Table, holder: str, mine: list[int]) -> None:
        """Seat a visitor at the rematch on the reserved seats: several if players share the visitor's screen."""
        stored = await asyncio.to_thread(self._tables.store.match, rematch.next)
        open_seats = [] if stored is None else [row.seat for row in stored[1] if row.kind == "open"]
        for seat in mine:
            if seat in open_seats:
                await self._rooms.sit(rematch.next, seat, holder, old.seating.rows[seat].name)


def can_be_played_again(table: Table) -> bool:
    """Return whether a game is over, or all people but one have left it to bots."""
    people = {row.holder for row in table.seating.rows if row.kind == "person"}
    return table.match.over or (len(people) == 1 and any(command.kind == "resigned" for command in table.commands))


def _people_who_left(store: Store, table_id: str) -> dict[int, str]:
    """Read who has left a game to bots, by seat; blocks."""
    r = RESULTS.c
    rows = store.query(sa.select(r.seat, r.person).where(r.match == table_id, r.person.is_not(None)))
    return {row.seat: row.person for row in rows}


def places_again(
    table: Table, mine: Sequence[int], left: Mapping[int, str] = MappingProxyType({})
) -> tuple[list[SeatPlan], dict[int, str]]:
    """Return the seats of a rematch asked for by a visitor with the seats `mine`, and the reservations.

    Reservations are visitor ids by open seat: the other players of the game, and those who have `left` it.
    """
    # A bot that took over from an absent player must not bring the player's name to another game.
    resigned = {
        command.data["seat"]: command.data.get("was") for command in table.commands if command.kind == "resigned"
    }
    plans: list[SeatPlan] = []
    reserved: dict[int, str] = {}
    for seat in table.seating.rows:
        if seat.seat in left:
            plans.append(SeatPlan("open", resigned.get(seat.seat) or seat.name))
            reserved[seat.seat] = left[seat.seat]
        elif seat.kind == "bot":
            plans.append(SeatPlan("bot", None if seat.seat in resigned else seat.name, seat.bot))
        elif seat.seat in mine:
            plans.append(SeatPlan("me" if seat.seat == mine[0] else "here", seat.name))
        else:
            plans.append(SeatPlan("open", seat.name if seat.holder is not None else None))
            if seat.holder is not None:
                reserved[seat.seat] = seat.holder
    return plans, reserved


def read(store: Store, table_id: str) -> Rematch | None:
    """Read the rematch of a table from the database, None if there is none; blocks."""
    r = REMATCHES.c
    rows = store.query(sa.select(r.next, r.seat).where(r.match == table_id))
    return Rematch(*rows[0]) if rows else None


def rematch_of(table: Table) -> Rematch | None:
    """Return the rematch of a table that is kept in memory with it, None if there is none."""
    return table.kept.get(KEPT)


def rematch_is_offered(snapshot: Snapshot) -> bool:
    """Return whether the page of a game offers a rematch beside the position."""
    table = snapshot.table
    return not table.host.impartial and (snapshot.over if table.match.over else can_be_played_again(table))


def offered_rematch(snapshot: Snapshot) -> Rematch | None:
    """Return the rematch to link to from the page of a game, or None."""
    return rematch_of(snapshot.table) if rematch_is_offered(snapshot) else None
