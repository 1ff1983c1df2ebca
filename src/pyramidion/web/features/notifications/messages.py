"""Messages: notifications that concern no single table, stored together with what they tell of."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from pyramidion.translation import in_language
from pyramidion.web.db.schema import NOTICES, RESTRICTIONS
from pyramidion.web.db.store import Store
from pyramidion.web.db.writer import Change, Writer
from pyramidion.web.features.notifications.contacts import Contact, Contacts
from pyramidion.web.features.notifications.delivery import EVERY_WAY
from pyramidion.web.features.notifications.outbox import AT_ONCE, DAY, KEPT, LEASE, PAUSES
from pyramidion.web.table.events import Notice

MOST_TRIES = 12
WEEK = 7 * DAY
Ways = Callable[[Contact, str], Sequence[str]]


class Messages:
    """Stores and hands out notices, the notifications that concern no single table (rows of `NOTICES`).

    They are written in the same transaction as the event that they tell of. `ways` returns how a person wants to be
    notified of a kind. `delay` is the time between an event and its notices in milliseconds.
    """

    def __init__(
        self, store: Store, writer: Writer, contacts: Contacts, ways: Ways, now: Callable[[], int], delay: int
    ) -> None:
        self._store, self._writer, self._contacts = store, writer, contacts
        self._ways, self._now, self._delay = ways, now, delay

    async def prepare(self, notices: Sequence[Notice]) -> Change:
        """Return the database change that stores notices for the people who want them, in their languages.

        A notice without a text withdraws those with the same mark that have not been sent yet: those of its person, or
        everybody's if it names none.
        """
        contacts = await asyncio.to_thread(self._contacts.find, {notice.person for notice in notices})
        now, rows, withdrawn = self._now(), list[dict[str, Any]](), list[sa.ColumnElement[bool]]()
        for notice in notices:
            if notice.text is None:
                everybodys = sa.true() if not notice.person else NOTICES.c.person == notice.person
                withdrawn.append(sa.and_(NOTICES.c.mark == notice.mark, everybodys))
                continue
            contact, due = contacts.get(notice.person, Contact(notice.person)), max(now + self._delay, notice.due or 0)
            # How a person wants to be notified of something later is not known before.
            later = notice.due is not None and notice.due > now
            for way in EVERY_WAY if later else self._ways(contact, notice.kind):
                with in_language(contact.language):
                    text = notice.text()
                if not text:
                    withdrawn.append(NOTICES.c.mark == notice.mark)
                    continue
                row = {
                    "mark": notice.mark,
                    "person": notice.person,
                    "way": way,
                    "kind": notice.kind,
                    "title": notice.title,
                }
                row |= {"text": text, "link": notice.link, "made": now, "due": due}
                rows.append(row | {"until": notice.until or due + WEEK, "tries": 0, "sent": None})

        def store_notices(connection: sa.Connection) -> None:
            for condition in withdrawn:
                connection.execute(sa.delete(NOTICES).where(condition, NOTICES.c.sent.is_(None)))
            for row in rows:
                stored = connection.execute(
                    sa.select(NOTICES.c.sent, NOTICES.c.due).where(*_row_conditions(row))
                ).one_or_none()
                # What was sent is sent again only if its time has moved on.
                if stored is None or stored.sent is None or row["due"] > max(stored.sent, stored.due) + LEASE:
                    connection.execute(sa.delete(NOTICES).where(*_row_conditions(row)))
                    connection.execute(sa.insert(NOTICES).values(row))

        return store_notices

    async def take(self) -> list[dict[str, Any]]:
        """Take notices that are due, except for browsers; no other server gets them until the lease expires.

        Returns rows of `NOTICES` by column name.
        """
        n, now = NOTICES.c, self._now()
        due = (n.sent.is_(None), n.way != "browser", n.due <= now, n.until > now, ~_leads_to_hidden())
        if not await self._read(sa.select(n.mark).where(*due).limit(1)):
            return []
        query = sa.select(NOTICES).where(*due).order_by(n.due).limit(AT_ONCE).with_for_update(skip_locked=True)
        taken: list[dict[str, Any]] = []

        def lease_due(connection: sa.Connection) -> None:
            """Take the rows that are due, so that no other server sends them."""
            taken[:] = [
                {str(name): value for name, value in row.items()} for row in connection.execute(query).mappings()
            ]
            for row in taken:
                connection.execute(sa.update(NOTICES).where(*_row_conditions(row)).values(due=now + LEASE))

        await self._writer.write(lease_due)
        return taken

    async def waiting(self, person: str) -> list[dict[str, Any]]:
        """Return the notices that are due for a person's browser, and record them as sent.

        Returns rows of `NOTICES` by column name.
        """
        n, now = NOTICES.c, self._now()
        due = (n.sent.is_(None), n.way == "browser", n.due <= now, n.until > now, ~_leads_to_hidden())
        query = sa.select(NOTICES).where(n.person == person, *due)
        rows = await self._read(query)
        for row in rows:
            await self.settle(row)
        return rows

    async def settle(self, row: Mapping[str, Any]) -> None:
        """Record that the notice in `row` was sent, or is no longer wanted."""
        await self._change(row, sent=self._now())

    async def later(self, row: Mapping[str, Any], due: int) -> None:
        """Postpone the notice in `row` until `due`, in milliseconds since 1970."""
        await self._change(row, due=due)

    async def failed(self, row: Mapping[str, Any]) -> None:
        """Record that a notice could not be sent: it is tried again after a pause, or given up after `MOST_TRIES`."""
        now = self._now()
        if row["tries"] >= MOST_TRIES:
            await self.settle(row)
        else:
            await self._change(row, due=now + PAUSES[min(row["tries"], len(PAUSES) - 1)], tries=row["tries"] + 1)

    async def sweep(self) -> None:
        """Delete the notices that were sent more than a day ago, and unsent ones whose time is over."""
        n, now = NOTICES.c, self._now()
        await self._write(sa.delete(NOTICES).where((n.sent < now - KEPT) | (n.sent.is_(None) & (n.until < now))))

    async def _change(self, row: Mapping[str, Any], **values: Any) -> None:
        """Set columns of the stored notice that has the key of `row`."""
        await self._write(sa.update(NOTICES).where(*_row_conditions(row)).values(**values))

    async def _write(self, statement: sa.Executable) -> None:
        """Execute a statement that changes the database, in a transaction of its own."""

        def execute(connection: sa.Connection) -> None:
            """Execute the statement."""
            connection.execute(statement)

        await self._writer.write(execute)

    async def _read(self, query: sa.Select[Any]) -> list[dict[str, Any]]:
        """Return the rows that a query selects, each by column name."""

        def select() -> list[dict[str, Any]]:
            """Return the selected rows; blocks."""
            with self._store.reading() as connection:
                return [
                    {str(name): value for name, value in row.items()} for row in connection.execute(query).mappings()
                ]

        return await asyncio.to_thread(select)


def _leads_to_hidden() -> sa.ColumnElement[bool]:
    """Return the SQL condition that a notice leads to a season, tournament or club that operators have hidden."""
    r = RESTRICTIONS.c
    return sa.exists().where(NOTICES.c.link.like(sa.literal("/") + r.kind + "s/" + r.subject + "%"))


def _row_conditions(row: Mapping[str, Any]) -> tuple[sa.ColumnElement[bool], ...]:
    """Return the conditions of a query for the notice that has the key of `row`."""
    n = NOTICES.c
    return (n.mark == row["mark"], n.person == row["person"], n.way == row["way"])
