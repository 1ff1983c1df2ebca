"""The outbox: notifications waiting to be sent, one row per recipient, table, kind and way.

A row is taken by one server at a time. After sending, it keeps the trigger (`mark`), so that nothing is sent twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from pyramidion.web.db.schema import MATCHES, OUTBOX
from pyramidion.web.db.store import Store
from pyramidion.web.db.writer import Conflict, WriteFailed, Writer
from pyramidion.web.table.seats.chat_rules import has_seen

MINUTE = 60_000
DAY = 24 * 60 * MINUTE
PAUSES = (MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE, 180 * MINUTE)
"""Milliseconds to wait after each failure; the last value repeats."""
GIVE_UP = DAY
KEPT = DAY
"""How long rows are kept after the end of their match, in milliseconds."""
LEASE = 2 * MINUTE
"""How long a server may work on a notification it has taken, in milliseconds; then another server may try."""
AT_ONCE = 20


@dataclass(frozen=True, slots=True)
class QueuedNotification:
    """A notification about a table that is to be sent in one way to one person: a row of `OUTBOX`.

    Times are milliseconds since 1970. `made` is the time of the event that it tells of, `due` when it is to be sent,
    and `mark` tells the event from others of its kind.
    """

    match: str
    person: str
    kind: str
    way: str
    mark: str
    made: int
    due: int
    tries: int = 0

    @property
    def key(self) -> dict[str, str]:
        """The columns of the primary key of its row, with their values."""
        return {"match": self.match, "person": self.person, "kind": self.kind, "way": self.way}

    @property
    def path(self) -> str:
        """The path of the page that it leads to: the table's, or for a notice the one in place of a table's id."""
        return self.match if self.match.startswith("/") else f"/t/{self.match}"


class Outbox:
    """Stores and hands out the notifications about tables that are to be sent (rows of `OUTBOX`)."""

    def __init__(self, store: Store, writer: Writer) -> None:
        self._store, self._writer = store, writer

    async def queue(self, messages: Sequence[QueuedNotification]) -> None:
        """Store notifications about new events, in place of older ones of the same person, table, kind and way.

        Those that are stored already are not sent again.

        If a deadline has moved, its waiting reminder moves as well. Raises Conflict or WriteFailed.
        """
        if messages:
            await self._writer.write(lambda connection: _store_in(connection, messages))

    async def due(self, now: int) -> bool:
        """Return whether any notification is due now, apart from those that browsers ask for."""
        o = OUTBOX.c

        def has_due() -> bool:
            """Return whether anything is due; blocks."""
            query = sa.select(o.due).where(o.sent.is_(None), o.way != "browser", o.due <= now).limit(1)
            with self._store.reading() as connection:
                return connection.execute(query).first() is not None

        return await asyncio.to_thread(has_due)

    async def take(self, now: int) -> list[QueuedNotification]:
        """Take notifications that are due, except for browsers; no other server gets them until the lease expires."""
        o = OUTBOX.c
        query = (
            sa.select(OUTBOX)
            .where(o.sent.is_(None), o.way != "browser", o.due <= now)
            .order_by(o.due)
            .limit(AT_ONCE)
            .with_for_update(skip_locked=True)
        )
        taken: list[QueuedNotification] = []

        def lease_due(connection: sa.Connection) -> None:
            """Take the notifications that are due, so that no other server sends them."""
            taken.clear()
            for row in connection.execute(query).all():
                message = _queued_from(row)
                taken.append(message)
                connection.execute(_only_row_of(sa.update(OUTBOX), message).values(due=now + LEASE))

        await self._writer.write(lease_due)
        return taken

    async def waiting(self, person: str, now: int) -> list[QueuedNotification]:
        """Return the notifications that are due for a person's browser."""
        o = OUTBOX.c
        query = sa.select(OUTBOX).where(o.person == person, o.way == "browser", o.sent.is_(None), o.due <= now)

        def select_due() -> list[QueuedNotification]:
            """Return the notifications that the browser is to show; blocks."""
            with self._store.reading() as connection:
                return [_queued_from(row) for row in connection.execute(query).all()]

        return await asyncio.to_thread(select_due)

    async def settle(self, message: QueuedNotification, now: int) -> None:
        """Record that a notification was sent, or is no longer needed."""
        await self._change(message, sent=now)

    async def failed(self, message: QueuedNotification, now: int) -> None:
        """Record that a notification could not be sent: it is tried again after a pause, or given up after a day."""
        if now - message.made >= GIVE_UP:
            await self.settle(message, now)
        else:
            pause = PAUSES[min(message.tries, len(PAUSES) - 1)]
            await self._change(message, due=now + pause, tries=message.tries + 1)

    async def later(self, message: QueuedNotification, due: int) -> None:
        """Postpone a notification until `due`, in milliseconds since 1970."""
        await self._change(message, due=due)

    async def sweep(self, now: int) -> None:
        """Delete the notifications about games that ended more than a day ago."""
        over = sa.select(MATCHES.c.id).where(MATCHES.c.finished < now - KEPT)
        old = sa.delete(OUTBOX).where(OUTBOX.c.match.in_(over), OUTBOX.c.made < now - KEPT)
        await self._writer.write(lambda connection: _execute(connection, old))

    async def _change(self, message: QueuedNotification, **values: Any) -> None:
        """Set columns of a notification's row."""
        # Only if the row has not become another notification meanwhile.
        change = _only_row_of(sa.update(OUTBOX), message).where(OUTBOX.c.mark == message.mark).values(**values)
        await self._writer.write(lambda connection: _execute(connection, change))


def _execute(connection: sa.Connection, statement: sa.Executable) -> None:
    """Execute a statement, as a change for the writer."""
    connection.execute(statement)


def _store_in(connection: sa.Connection, messages: Sequence[QueuedNotification]) -> None:
    """Store notifications in the transaction of a connection, as `Outbox.queue` says."""
    for message in messages:
        o = OUTBOX.c
        where = (o.match == message.match, o.person == message.person, o.kind == message.kind, o.way == message.way)
        stored = connection.execute(sa.select(OUTBOX).where(*where).with_for_update()).one_or_none()
        values = {"mark": message.mark, "made": message.made, "due": message.due, "tries": 0, "sent": None}
        if stored is None:
            connection.execute(sa.insert(OUTBOX).values(**message.key, **values))
        elif message.kind == "line":
            # Several unread messages share one notification, and who has not seen the latest is told.
            if stored.sent is None:
                latest = {"mark": message.mark, "made": message.made}
                connection.execute(sa.update(OUTBOX).where(*where).values(latest))
            elif _seen(connection, stored.match, stored.mark):
                connection.execute(sa.update(OUTBOX).where(*where).values(values))
        elif stored.mark != message.mark:
            connection.execute(sa.update(OUTBOX).where(*where).values(**values))
        elif message.kind == "deadline" and stored.sent is None and not stored.tries:
            connection.execute(sa.update(OUTBOX).where(*where).values(due=message.due))


def _seen(connection: sa.Connection, match: str, mark: str) -> bool:
    """Return whether a private message has been read; `mark` names it as `SEAT.NUMBER`, with the seat of its reader."""
    seat, _dot, number = mark.partition(".")
    return has_seen(connection, match, int(seat), int(number))


def _only_row_of(update: sa.Update, message: QueuedNotification) -> sa.Update:
    """Limit an update to a notification's row."""
    o = OUTBOX.c
    return update.where(
        o.match == message.match, o.person == message.person, o.kind == message.kind, o.way == message.way
    )


def _queued_from(row: Any) -> QueuedNotification:
    """Return the notification in a row of `OUTBOX`."""
    return QueuedNotification(row.match, row.person, row.kind, row.way, row.mark, row.made, row.due, row.tries)


__all__ = ["Conflict", "Outbox", "QueuedNotification", "WriteFailed"]
