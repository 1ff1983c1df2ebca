"""Orders at the tables: what a seat has said in advance, kept in the database and carried out when its decision comes.

Nobody else may learn that there is one. Nothing of it is told to others; what they could notice is how soon a seat
answers. So an order is not carried out at once but after a pause that is drawn anew each time, from the same range
whatever the order says, and no different from that of somebody who is at the table and thinks for a moment.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from pyramidion import IllegalAction
from pyramidion.engine.layout import record
from pyramidion.engine.orders import Followed, OrderBook
from pyramidion.web.errors import (
    BadRequest,
    NoOrders,
    NotSaved,
    NotYourSeat,
    Refused,
    StaleVersion,
    TableIsPaused,
    TimeIsUp,
)
from pyramidion.web.fanout import Claims
from pyramidion.web.schema import MATCHES, ORDERS
from pyramidion.web.store import SeatRow, Store
from pyramidion.web.writer import Change, WriteFailed
from pyramidion.words import _

if TYPE_CHECKING:
    from pyramidion.web.table import Table
    from pyramidion.web.tables import Tables

LONGEST = 4_000
"""Characters of an order."""
RETRY_SECONDS = 2.0
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Told:
    """What became of an order, for its own seat: `what` is `done` or `dropped`, with the action and why."""

    what: str
    action: str
    reason: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Order:
    """What a seat has ordered: `text` is empty where nothing is left. It is its `owner`'s, whoever sits there later."""

    owner: str
    text: str
    told: Told | None = None


def owner_of(row: SeatRow) -> str | None:
    """Return who sits on a seat, as orders remember it; None for nobody and bots."""
    if row.kind != "person":
        return None
    return row.holder or (row.token_hash.hex() if row.token_hash is not None else None)


def read(store: Store, table: str) -> dict[int, Order]:
    """Return the orders at a table by seat; blocks."""
    o = ORDERS.c
    query = sa.select(o.seat, o.owner, o.text, o.told).where(o.match == table)
    rows = store.read(lambda connection: connection.execute(query).all())
    return {row.seat: Order(row.owner, row.text, Told(**json.loads(row.told)) if row.told else None) for row in rows}


def waiting(store: Store) -> list[str]:
    """Return the ids of the tables where there are orders; blocks."""
    query = sa.select(ORDERS.c.match).join(MATCHES, MATCHES.c.id == ORDERS.c.match).distinct()
    query = query.where(ORDERS.c.text != "", MATCHES.c.finished.is_(None))
    return store.read(lambda connection: list(connection.execute(query).scalars()))


def _put(table: str, seat: int, order: Order) -> Change:
    told = (
        None
        if order.told is None
        else json.dumps({name: getattr(order.told, name) for name in ("what", "action", "reason", "rule")})
    )
    values = {"owner": order.owner, "text": order.text, "told": told}

    def change(connection: sa.Connection) -> None:
        where = sa.update(ORDERS).where(ORDERS.c.match == table, ORDERS.c.seat == seat)
        if connection.execute(where.values(values)).rowcount == 0:
            connection.execute(sa.insert(ORDERS), {"match": table, "seat": seat, **values})

    return change


def book_of(table: Table) -> OrderBook:
    """Return what can be ordered at a table. Raises NoOrders with a sentence."""
    book: OrderBook | None = table.game.orders
    if book is None:
        raise NoOrders(_("In {game} nothing can be ordered in advance.").format(game=table.game.name))
    return book


def order_of(table: Table, seat: int | None) -> Order | None:
    """Return what whoever sits on a seat has ordered there."""
    if seat is None or not 0 <= seat < len(table.rows):
        return None
    order = table.orders.get(seat)
    return order if order is not None and order.owner == owner_of(table.rows[seat]) else None


def has_order(table: Table, seat: int) -> bool:
    """Whether the decision that is due from a seat will be made by its order, so that nobody need be reminded."""
    return _followed(table, seat) is not None


def _followed(table: Table, seat: int) -> Followed | None:
    book, order = table.game.orders, order_of(table, seat)
    if book is None or order is None or not order.text or seat not in table.waited_for:
        return None
    if table.seats[seat].player is not None:
        return None  # a bot plays there for the time being
    shown = record(table.match.redacted_state(seat))
    if not book.due(shown, seat):
        return None
    return book.follow(record(table.match.box), shown, seat, order.text)


class Ordering:
    """Takes orders and carries them out. `pause` is the shortest and the longest time before that, in seconds."""

    def __init__(self, house: Tables, claims: Claims, pause: tuple[float, float]) -> None:
        self._house, self._claims, self._pause = house, claims, pause
        self._busy: dict[tuple[str, int], asyncio.Task[None]] = {}
        self._waking: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Look after the orders that were there when the server came up."""
        self._waking = asyncio.create_task(self._wake())

    async def _wake(self) -> None:
        with suppress(Refused):
            for table in await asyncio.to_thread(waiting, self._house.store):
                with suppress(Refused):
                    self.look(await self._house.get(table))

    async def close(self) -> None:
        """Stop; orders stay in the database."""
        tasks = [*self._busy.values(), *([self._waking] if self._waking is not None else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def give(self, table: Table, seat: int | None, text: str) -> Order:
        """Replace what a seat has ordered; an empty text withdraws it.

        Raises NotYourSeat, NoOrders, BadRequest with a sentence, or NotSaved; then nothing has changed.
        """
        book = book_of(table)
        owner = owner_of(table.rows[seat]) if seat is not None else None
        if seat is None or owner is None:
            raise NotYourSeat(_("You hold no seat at this table, so you can only watch."), open=table.open_seats)
        if len(text) > LONGEST:
            raise BadRequest(_("An order has at most {number} characters.").format(number=LONGEST))
        try:
            accepted = book.accept(text, table.match.seats, seat)
        except ValueError as error:
            raise BadRequest(str(error)) from error
        return await self._keep(table, seat, Order(owner, accepted))

    async def _keep(self, table: Table, seat: int, order: Order) -> Order:
        try:
            await self._house.writer.write(_put(table.id, seat, order))
        except WriteFailed as error:
            raise NotSaved(_("This could not be saved, so it was not done: {cause}.").format(cause=error)) from error
        self._now(table, seat, order)
        return order

    def _now(self, table: Table, seat: int, order: Order) -> None:
        """Take note of an order that is stored, and tell its own seat alone."""
        table.orders[seat] = order
        if (channel := table.channels.get(seat)) is not None:
            channel.stir()
        self.look(table)

    def look(self, table: Table) -> None:
        """See to it that every order whose decision is due is carried out."""
        if not table.orders or table.match.over or table.paused:
            return
        for seat in table.orders:
            key = (table.id, seat)
            if key not in self._busy and _followed(table, seat) is not None:
                task = self._busy[key] = asyncio.create_task(self._carry_out(table, seat))
                task.add_done_callback(lambda done, key=key: self._done(done, key, table))

    def _done(self, task: asyncio.Task[None], key: tuple[str, int], table: Table) -> None:
        self._busy.pop(key)
        if task.cancelled():
            return
        if error := task.exception():
            log.error("Table %s: the order of seat %s was not carried out", *key, exc_info=error)
        else:
            self.look(table)

    async def _carry_out(self, table: Table, seat: int) -> None:
        low, high = self._pause
        pause = low + (high - low) * secrets.randbelow(1_000_000) / 1_000_000
        if (deadline := table.standing.deadline) is not None:
            # Time that runs out meanwhile would be no use to anybody.
            pause = min(pause, max(0.0, (deadline - self._house.now()) / 2000))
        await asyncio.sleep(pause)
        async with self._claims.of("order", table.id, seat) as mine:
            if mine:
                await self._decide(table, seat)
        if not mine:
            await asyncio.sleep(RETRY_SECONDS)
            with suppress(Refused):
                await table.refresh()

    async def _decide(self, table: Table, seat: int) -> None:
        """Make the action that the order says now, with what is left of the order in the same transaction."""
        followed, order, version = _followed(table, seat), order_of(table, seat), table.version(seat)
        if followed is None or order is None:
            return  # withdrawn, or answered by hand meanwhile
        after = Order(order.owner, followed.rest, Told("done", followed.action))
        try:
            await table.act(seat, followed.action, version, also=_put(table.id, seat, after))
        except IllegalAction as error:
            dropped = Order(order.owner, "", Told("dropped", followed.action, error.reason, error.rule))
            with suppress(NotSaved):
                await self._keep(table, seat, dropped)
        except (StaleVersion, TimeIsUp, TableIsPaused):
            await asyncio.sleep(0.05)  # something has come between; it is looked at again
        except NotSaved:
            await asyncio.sleep(RETRY_SECONDS)
        else:
            self._now(table, seat, after)


def as_json(table: Table, seat: int | None) -> dict[str, Any]:
    """Return what a seat has ordered, JSON-ready."""
    book, order = book_of(table), order_of(table, seat)
    told = order.told if order is not None else None
    return {
        "text": order.text if order is not None else "",
        "words": book.tell(order.text, table.names) if order is not None else [],
        "last": None
        if told is None
        else {"what": told.what, "action": told.action, "reason": told.reason, "rule": told.rule},
    }


def with_line(table: Table, seat: int | None, given: Mapping[str, str]) -> str:
    """Return a seat's order with one more line, as a filled form means it. Raises BadRequest with a sentence."""
    order = order_of(table, seat)
    try:
        line = book_of(table).compose(given)
    except ValueError as error:
        raise BadRequest(str(error)) from error
    return f"{order.text}\n{line}" if order is not None else line


def without_line(table: Table, seat: int | None, number: int) -> str:
    """Return a seat's order without a line, counted from 0."""
    order = order_of(table, seat)
    lines = order.text.splitlines() if order is not None else []
    return "\n".join(line for place, line in enumerate(lines) if place != number)


@dataclass(frozen=True, slots=True)
class Ordered:
    """What a seat's own page says of its order: how many lines it has, and what became of it, in words."""

    lines: int
    told: str


def line_of(table: Table, seat: int) -> Ordered | None:
    """Return what a seat's own page says of its order, or None where there is nothing to say."""
    order = order_of(table, seat)
    if order is None or not (order.text or order.told):
        return None
    return Ordered(len(order.text.splitlines()), sentence(table, order))


def sentence(table: Table, order: Order) -> str:
    """Return what became of an order, for its own seat; empty where it has not been carried out yet."""
    told = order.told
    if told is None:
        return ""
    action = table.match.label(table.game.actions.parse(told.action), table.names)
    if told.what == "done":
        return _("Carried out in advance: {action}.").format(action=action)
    said = _("What you had said in advance, {action}, is not allowed here, so it was dropped. {reason}")
    return said.format(action=action, reason=f"{told.reason} ({told.rule})" if told.rule else told.reason)
