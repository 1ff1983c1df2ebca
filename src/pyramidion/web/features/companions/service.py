"""Companions: playing again with the same people, invitations by name, and blocks.

Blocked people do not learn of it. Their invitations look like any other but reach nobody, a seat at a table of the
person who blocked them is refused as if it were reserved, and their private messages are not shown
(`features/chat`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sqlalchemy as sa

from pyramidion.translation import _, marked
from pyramidion.web.contracts import WaitingRooms
from pyramidion.web.db.bot_owners import owners_of
from pyramidion.web.db.changes import save
from pyramidion.web.db.schema import ACCOUNTS, BLOCKS, MATCHES, RESULTS, SEATS
from pyramidion.web.errors import BadRequest, BadTable, Refused, StaleVersion
from pyramidion.web.http.forms import parse_number
from pyramidion.web.http.pagination import PAGE, ListPage, first_page
from pyramidion.web.table.new_table import find_game
from pyramidion.web.table.seats.plans import SeatPlan
from pyramidion.web.table.settings.declarations import WHEN_READY, TableSettings
from pyramidion.web.tokens import hash_token, new_token, new_visitor_id

if TYPE_CHECKING:
    from pyramidion.web.db.store import Store
    from pyramidion.web.db.writer import Writer
    from pyramidion.web.table.room import Room
    from pyramidion.web.table.tables import Tables

MOST_BLOCKED = 500


@dataclass(frozen=True, slots=True)
class Companion:
    """A person to invite or to block: the visitor id that holds their seats, and their name."""

    holder: str
    name: str


@dataclass(frozen=True, slots=True)
class ReservedSeat:
    """A seat that is reserved for a visitor, or that the visitor has taken (`accepted`), at an unfinished table."""

    table: str
    game: str
    title: str
    seat: int
    host: str | None
    rated: bool
    accepted: bool
    started: bool


class NotInvited(Refused):
    """No seat of the table is reserved for the requester."""

    status = 404
    code = "not-invited"


class Companions:
    """Invites people to waiting rooms, lets them accept or decline, and stores whom people have blocked."""

    def __init__(
        self,
        tables: Tables,
        writer: Writer,
        rooms: WaitingRooms,
    ) -> None:
        self._tables, self._writer, self._rooms = tables, writer, rooms
        tables.events.welcoming.append(self._welcomes)

    # Invitations

    async def play_again(self, holder: str, name: str | None, game_id: str, people: Sequence[Companion]) -> str:
        """Open a waiting room with a seat reserved for each of these people, and return its id. Raises BadTable.

        The visitor `holder` hosts it and plays under `name`.
        """
        game = find_game(game_id)
        if not people:
            raise BadTable(_("Choose at least one player."))
        count = next((number for number in game.seats if number >= max(len(people) + 1, game.usual_seats)), None)
        if count is None:
            raise BadTable(_("{game} has at most {most} seats.").format(game=_(game.name), most=game.seats[-1]))
        plans = [SeatPlan("me", name), *[SeatPlan("open")] * (count - 1)]
        reserved = {seat: await self._reachable(companion.holder, holder) for seat, companion in enumerate(people, 1)}
        settings = TableSettings(start=WHEN_READY)
        room, _tokens = await self._rooms.open(
            game.id, plans, {}, settings, reserved=reserved, holder=holder, host_name=name
        )
        for person in reserved.values():
            self._tables.events.publish_invited(room.id, person)
        return room.id

    async def invite(self, room: Room, inviter: str, person: str) -> None:
        """Reserve a seat of a waiting room for a person, and notify them. Raises SeatTaken."""
        reached = await self._reachable(person, inviter)
        await self._rooms.reserve(room.id, reached)
        self._tables.events.publish_invited(room.id, reached)

    async def _reachable(self, person: str, inviter: str) -> str:
        """Return the visitor id to reserve a seat for: the person's, or a made-up one if they blocked the inviter."""
        blocked = await asyncio.to_thread(has_blocked, self._tables.store, [person], inviter)
        return new_visitor_id() if blocked else person

    async def met(self, holder: str, places: Sequence[str]) -> list[Companion]:
        """Return a visitor's opponents in finished games, given by their seats (`MATCH.SEAT`). Raises BadRequest."""
        return await asyncio.to_thread(self._met, holder, places)

    def _met(self, holder: str, places: Sequence[str]) -> list[Companion]:
        """Read from the database what `met` returns; called in a thread."""
        companions: dict[str, Companion] = {}
        mine, other, s, a = RESULTS.alias(), RESULTS.alias(), SEATS.c, ACCOUNTS.c
        for place in dict.fromkeys(places):
            match, _dot, seat = place.rpartition(".")
            if parse_number(seat, 2) is None:
                raise BadRequest(_("Choose players from your recent opponents."))
            query = (
                sa.select(other.c.person, sa.func.coalesce(a.name, s.name).label("name"))
                .select_from(mine)
                .join(other, other.c.match == mine.c.match)
                .join(SEATS, sa.and_(s.match == other.c.match, s.seat == other.c.seat))
                .join(ACCOUNTS, a.holder == other.c.person, isouter=True)
                .where(mine.c.person == holder, mine.c.match == match)
                .where(other.c.seat == int(seat), other.c.person.is_not(None), other.c.person != holder)
            )
            rows = self._tables.store.query(query)
            if not rows:
                raise BadRequest(_("Choose players from your recent opponents."))
            companions[rows[0].person] = Companion(rows[0].person, rows[0].name or "?")
        return list(companions.values())

    async def invitations(self, holder: str, after: tuple[str, int] | None = None) -> ListPage[ReservedSeat]:
        """Return a page of the waiting rooms with a seat reserved for a visitor, and the visitor's unfinished games.

        The newest come first. A page begins after the table and seat `after`, which may be over by now.
        """
        m, s, host = MATCHES.c, SEATS.c, SEATS.alias()
        query = (
            sa.select(m.id, m.game, m.title, s.seat, m.settings, m.started, s.kind, m.host_name, host.c.name)
            .join(MATCHES, m.id == s.match)
            .join(host, sa.and_(host.c.match == m.id, host.c.holder == m.host, host.c.kind == "person"), isouter=True)
            .where(s.holder == holder, m.finished.is_(None), s.kind.in_(("open", "person")))
            .order_by(m.created.desc(), m.id, s.seat)
            .limit(PAGE + 1)
        )
        if after is not None:
            place = sa.select(m.created).where(m.id == after[0]).scalar_subquery()
            later = sa.or_(m.id > after[0], sa.and_(m.id == after[0], s.seat > after[1]))
            query = query.where(sa.or_(m.created < place, sa.and_(m.created == place, later)))
        rows = await asyncio.to_thread(self._tables.store.query, query)
        seats = [
            ReservedSeat(
                table=row.id,
                game=row.game,
                title=row.title,
                seat=row.seat,
                host=row.name or row.host_name,
                rated=bool(row.settings.get("rated")),
                accepted=row.kind == "person",
                started=row.started is not None,
            )
            for row in rows
        ]
        return first_page(seats, lambda last: f"{last.table}.{last.seat}")

    async def accept(self, table_id: str, holder: str, name: str | None, *, bot: bool = False) -> int:
        """Take the seat that is reserved for a visitor, and mark the visitor as ready; return the seat.

        Accepting again says once more that they are ready. Raises NotInvited, or what sitting down raises.
        """
        room = await self._rooms.find(table_id)
        mine = room.seating.seats_of(holder)
        seat = mine[0] if mine else room.seating.reserved_for(holder)
        if seat is None:
            raise NotInvited(_("You have no invitation to this table."))
        if not mine:
            await self._rooms.sit(table_id, seat, holder, name, bot=bot)
        with suppress(StaleVersion):  # the match may have started
            await self._rooms.ready(table_id, seat, True)
        return seat

    async def open_to_programs(self, table_id: str, holder: str, seat: int) -> str:
        """Make a new token for a visitor's seat, with which a program plays there; an earlier one becomes invalid."""
        table, token = await self._rooms.find(table_id), new_token()
        where = SEATS.c.match == table_id, SEATS.c.seat == seat, SEATS.c.holder == holder, SEATS.c.kind == "person"

        def store_token(connection: sa.Connection) -> None:
            connection.execute(sa.update(SEATS).where(*where).values(token_hash=hash_token(token)))

        await table.rewrite(store_token)
        return token

    async def decline(self, table_id: str, holder: str) -> None:
        """Free the seat that is reserved for a visitor, so that anybody can take it. Raises NotInvited."""
        room = await self._rooms.find(table_id)
        seat = room.seating.reserved_for(holder)
        if seat is None:
            raise NotInvited(_("You have no invitation to this table."))
        await self._rooms.release(table_id, seat)

    # Blocks

    async def block(self, holder: str, companion: Companion) -> None:
        """Block a person for a visitor. Raises BadRequest or NotSaved."""
        if companion.holder == holder:
            raise BadRequest(_("You cannot block yourself."))
        b, at = BLOCKS.c, self._tables.now()
        row = {"person": holder, "blocked": companion.holder, "name": companion.name[:40], "at": at}

        def insert_block(connection: sa.Connection) -> None:
            count = connection.execute(sa.select(sa.func.count()).where(b.person == holder)).scalar_one()
            connection.execute(sa.delete(BLOCKS).where(b.person == holder, b.blocked == companion.holder))
            if count < MOST_BLOCKED:
                connection.execute(sa.insert(BLOCKS).values(row))

        await self._write(insert_block)

    async def unblock(self, holder: str, at: int) -> None:
        """End the visitor's block that was made at a time (milliseconds since 1970). Raises NotSaved."""
        b = BLOCKS.c
        deletion = sa.delete(BLOCKS).where(b.person == holder, b.at == at)
        await self._write(lambda connection: connection.execute(deletion))

    async def blocked_by(self, holder: str) -> Sequence[tuple[str, int]]:
        """Return (name, time) for each person whom a visitor has blocked, the latest first."""
        b = BLOCKS.c
        query = sa.select(b.name, b.at).where(b.person == holder).order_by(b.at.desc())
        return [(row.name, row.at) for row in await asyncio.to_thread(self._tables.store.query, query)]

    async def _welcomes(self, host: str, holder: str) -> bool:
        """Return whether a host has not blocked a visitor who wants to sit down."""
        return not await asyncio.to_thread(has_blocked, self._tables.store, [host], holder)

    async def _write(self, change: Callable[[sa.Connection], object]) -> None:
        """Write a change to the database. Raises NotSaved."""

        def write(connection: sa.Connection) -> None:
            change(connection)

        await save(self._writer, write, marked("This could not be saved."))


def has_blocked(store: Store, persons: Sequence[str], somebody: str) -> bool:
    """Return whether any of these people has blocked somebody, or the owner of somebody who is a bot.

    This waits for the database, so it is called in a thread.
    """
    b, answerable = BLOCKS.c, [somebody, *owners_of(store, [somebody]).values()]
    query = sa.select(b.person).where(b.person.in_(persons), b.blocked.in_(answerable))
    return bool(store.query(query.limit(1)))
