"""Playing again with the same people, inviting somebody by name, and blocking.

Whoever is blocked does not learn of it. An invitation that they send looks like any other and reaches nobody, a seat at
a table of the person who blocked them is refused as a reserved one is, and their private messages are not shown
(`features/chat`).
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from fastapi import Request

from pyramidion.web.db.schema import ACCOUNTS, BLOCKS, RESULTS, SEATS
from pyramidion.web.db.writer import WriteFailed
from pyramidion.web.errors import BadRequest, BadTable, NotSaved, SeatTaken
from pyramidion.web.table.seat_plans import SeatPlan
from pyramidion.web.table.settings import WHEN_READY, TableSettings
from pyramidion.web.table.tables import find_game
from pyramidion.words import _

if TYPE_CHECKING:
    from pyramidion.web.db.store import Store
    from pyramidion.web.db.writer import Writer
    from pyramidion.web.table.hosting import Hosting
    from pyramidion.web.table.room import Room
    from pyramidion.web.table.tables import Tables

MOST_BLOCKED = 500


@dataclass(frozen=True, slots=True)
class Known:
    """Somebody whom a visitor has played with: the visitor id that holds their seats, and what they are called."""

    holder: str
    name: str


class Companions:
    """Invites people and keeps blocks.

    `open_room` and `reserve` are the waiting rooms'.
    """

    def __init__(
        self,
        tables: Tables,
        writer: Writer,
        open_room: Callable[..., Awaitable[Any]],
        reserve: Callable[..., Awaitable[None]],
    ) -> None:
        self._tables, self._writer = tables, writer
        self._open_room, self._reserve = open_room, reserve
        tables.events.arriving.append(self._arriving)

    # Invitations

    async def play_again(self, holder: str, name: str | None, game_id: str, people: Sequence[Known]) -> str:
        """Open a waiting room with a seat reserved for each of some people; return its id. Raises BadTable."""
        game = find_game(game_id)
        if not people:
            raise BadTable(_("Choose at least one player."))
        count = next((number for number in game.seats if number >= max(len(people) + 1, game.usual_seats)), None)
        if count is None:
            raise BadTable(_("{game} has at most {most} seats.").format(game=_(game.name), most=game.seats[-1]))
        plans = [SeatPlan("me", name), *[SeatPlan("open")] * (count - 1)]
        reserved = {seat: await self._reachable(one.holder, holder) for seat, one in enumerate(people, 1)}
        settings = TableSettings(start=WHEN_READY)
        room, _tokens = await self._open_room(
            game.id, plans, {}, settings, reserved=reserved, holder=holder, host_name=name
        )
        for person in reserved.values():
            self._tables.events.publish_invited(room.id, person)
        return room.id

    async def invite(self, room: Room, inviter: str, person: str) -> None:
        """Reserve a seat of a waiting room for somebody and notify them. Raises SeatTaken."""
        reached = await self._reachable(person, inviter)
        await self._reserve(room.id, reached)
        self._tables.events.publish_invited(room.id, reached)

    async def _reachable(self, person: str, inviter: str) -> str:
        """Return for whom a seat is reserved: nobody where the person has blocked the inviter."""
        blocked = await asyncio.to_thread(has_blocked, self._tables.store, [person], inviter)
        return secrets.token_urlsafe(18) if blocked else person

    async def met(self, holder: str, places: Sequence[str]) -> list[Known]:
        """Return those whom a visitor has played with at some places, `MATCH.SEAT` each. Raises BadRequest."""
        return await asyncio.to_thread(self._met, holder, places)

    def _met(self, holder: str, places: Sequence[str]) -> list[Known]:
        found: dict[str, Known] = {}
        mine, other, s, a = RESULTS.alias(), RESULTS.alias(), SEATS.c, ACCOUNTS.c
        for place in dict.fromkeys(places):
            match, _dot, seat = place.rpartition(".")
            if not (seat.isascii() and seat.isdigit() and len(seat) < 3):
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
            found[rows[0].person] = Known(rows[0].person, rows[0].name or "?")
        return list(found.values())

    # Blocks

    async def block(self, holder: str, known: Known) -> None:
        """Block somebody. Raises BadRequest or NotSaved."""
        if known.holder == holder:
            raise BadRequest(_("You cannot block yourself."))
        b, at = BLOCKS.c, self._tables.now()
        row = {"person": holder, "blocked": known.holder, "name": known.name[:40], "at": at}

        def change(connection: sa.Connection) -> None:
            count = connection.execute(sa.select(sa.func.count()).where(b.person == holder)).scalar_one()
            connection.execute(sa.delete(BLOCKS).where(b.person == holder, b.blocked == known.holder))
            if count < MOST_BLOCKED:
                connection.execute(sa.insert(BLOCKS).values(row))

        await self._write(change)

    async def unblock(self, holder: str, at: int) -> None:
        """End the block that was made at a moment. Raises NotSaved."""
        b = BLOCKS.c
        gone = sa.delete(BLOCKS).where(b.person == holder, b.at == at)
        await self._write(lambda connection: connection.execute(gone))

    async def blocked_by(self, holder: str | None) -> Sequence[tuple[str, int]]:
        """Return the names of those whom a visitor has blocked, and when, the latest first."""
        b = BLOCKS.c
        query = sa.select(b.name, b.at).where(b.person == holder).order_by(b.at.desc())
        return [(row.name, row.at) for row in await asyncio.to_thread(self._tables.store.query, query)]

    async def _arriving(self, table: Hosting, holder: str | None) -> None:
        if holder is None or table.host is None:
            return
        if await asyncio.to_thread(has_blocked, self._tables.store, [table.host], holder):
            raise SeatTaken(_("This seat is reserved for a player the host invited."), open=table.open_seats)

    async def _write(self, change: Callable[[sa.Connection], object]) -> None:
        def write(connection: sa.Connection) -> None:
            change(connection)

        try:
            await self._writer.write(write)
        except WriteFailed as error:
            raise NotSaved(_("This could not be saved.")) from error


def has_blocked(store: Store, persons: Sequence[str], somebody: str) -> bool:
    """Return whether any of some persons has blocked somebody; blocks."""
    b = BLOCKS.c
    return bool(store.query(sa.select(b.person).where(b.person.in_(persons), b.blocked == somebody).limit(1)))


def companions_of(request: Request) -> Companions:
    """Return the application's companions."""
    return request.app.state.services.companions
