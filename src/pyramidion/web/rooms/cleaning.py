"""Rooms that nobody came back to: what was never begun, and has not been touched for long, is deleted."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

import sqlalchemy as sa

from pyramidion.web.errors import Refused
from pyramidion.web.schema import CHAT_LINES, MATCHES, METADATA, ROOMS
from pyramidion.web.writer import Change, Conflict, WriteFailed

if TYPE_CHECKING:
    from pyramidion.web.tables import Tables

FIRST_SECONDS: Final = 60.0
EVERY_SECONDS: Final = 3600.0
DAY: Final = 24 * 3600 * 1000
MOST: Final = 500
"""Rooms that are deleted at a time, each in a change of its own."""
log = logging.getLogger(__name__)


class Cleaning:
    """Deletes rooms that have been left. Several servers may do so at once; each room is deleted once.

    A room is touched when it is made, when anything about it changes, and with every line of its chat. A match that has
    begun is never deleted.
    """

    def __init__(self, tables: Tables, days: int) -> None:
        self._tables, self._days = tables, days
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Clean from now on, every hour."""
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stop."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def sweep(self) -> int:
        """Delete what has been left, and return how many rooms that may have been. Raises Unreadable or WriteFailed."""
        before = self._tables.now() - self._days * DAY
        query = sa.select(ROOMS.c.match).where(*_left(before)).limit(MOST)
        ids = [row.match for row in await asyncio.to_thread(self._tables.store.query, query)]
        for one in ids:
            await self._tables.writer.write(_deleted(one, before))
        return len(ids)

    async def _run(self) -> None:
        await asyncio.sleep(FIRST_SECONDS)
        while True:
            try:
                if count := await self.sweep():
                    log.info("%s rooms that were never begun have been deleted", count)
            except (Refused, Conflict, WriteFailed) as error:
                log.warning("Rooms cannot be cleaned: %s", error)
            except Exception:
                log.exception("Rooms cannot be cleaned")
            await asyncio.sleep(EVERY_SECONDS)


def _left(before: int) -> list[sa.ColumnElement[bool]]:
    """Return what is so of a room that was never begun, and not touched since a time."""
    waits = sa.exists().where(MATCHES.c.id == ROOMS.c.match, MATCHES.c.started.is_(None))
    talked = sa.exists().where(CHAT_LINES.c.match == ROOMS.c.match, CHAT_LINES.c.at >= before)
    return [ROOMS.c.touched < before, waits, ~talked]


def _deleted(match: str, before: int) -> Change:
    def change(connection: sa.Connection) -> None:
        # Whoever touches it meanwhile waits for this row, and does not find it then; or was quicker, and keeps it.
        if connection.execute(sa.delete(ROOMS).where(ROOMS.c.match == match, *_left(before))).rowcount != 1:
            return
        # SQLite does not do it by itself.
        for table in reversed(METADATA.sorted_tables):
            for key in table.foreign_keys:
                if key.column is MATCHES.c.id:
                    connection.execute(sa.delete(table).where(key.parent == match))
        connection.execute(sa.delete(MATCHES).where(MATCHES.c.id == match))

    return change
