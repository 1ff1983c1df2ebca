"""Deletion of abandoned rooms: tables that never started and have not been used for a long time."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

import sqlalchemy as sa

from pyramidion.web.db import cascade
from pyramidion.web.db.schema import CHAT_LINES, MATCHES, ROOMS
from pyramidion.web.db.writer import Change, Conflict, WriteFailed
from pyramidion.web.errors import Refused

if TYPE_CHECKING:
    from pyramidion.web.table.tables import Tables

FIRST_SECONDS: Final = 60.0
EVERY_SECONDS: Final = 3600.0
DAY: Final = 24 * 3600 * 1000
MOST: Final = 500
"""Maximum number of rooms deleted at a time, each in its own transaction."""
log = logging.getLogger(__name__)


class Cleaning:
    """Deletes abandoned waiting rooms every hour: those not used for so many `days`.

    Several servers may do so at the same time. A room is used when it is created or changed, and when somebody writes
    in its chat. Matches that have started are never deleted.
    """

    def __init__(self, tables: Tables, days: int) -> None:
        self._tables, self._days = tables, days
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Delete abandoned rooms every hour from now on."""
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stop deleting rooms."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def sweep(self) -> int:
        """Delete abandoned rooms once; return how many seemed to be abandoned. Raises Unreadable or WriteFailed."""
        before = self._tables.now() - self._days * DAY
        query = sa.select(ROOMS.c.match).where(*_abandoned(before)).limit(MOST)
        ids = [row.match for row in await asyncio.to_thread(self._tables.store.query, query)]
        for table_id in ids:
            await self._tables.writer.write(_deleted(table_id, before))
        return len(ids)

    async def _run(self) -> None:
        """Delete abandoned rooms from time to time, until the task is cancelled."""
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


def _abandoned(before: int) -> list[sa.ColumnElement[bool]]:
    """Return the conditions for a room that never started and was not used since `before` (ms since 1970)."""
    waits = sa.exists().where(MATCHES.c.id == ROOMS.c.match, MATCHES.c.started.is_(None))
    talked = sa.exists().where(CHAT_LINES.c.match == ROOMS.c.match, CHAT_LINES.c.at >= before)
    return [ROOMS.c.touched < before, waits, ~talked]


def _deleted(match: str, before: int) -> Change:
    """Return the change that deletes a room, unless it has been used since `before`."""

    def delete_room(connection: sa.Connection) -> None:
        # A concurrent change either waits for this row and then finds it gone, or came first and keeps the room.
        if connection.execute(sa.delete(ROOMS).where(ROOMS.c.match == match, *_abandoned(before))).rowcount != 1:
            return
        cascade.delete(connection, MATCHES, match)

    return delete_room
