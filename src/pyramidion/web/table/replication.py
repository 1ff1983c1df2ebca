"""Synchronisation with other servers: catching up with their changes, and closing a step only once."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from pyramidion.web.db.claims import Claims
from pyramidion.web.db.fanout import RETRY_SECONDS
from pyramidion.web.errors import HiddenByOperators, Refused, Unreadable

if TYPE_CHECKING:
    from pyramidion.web.table.table import Table

log = logging.getLogger(__name__)


class ClaimedTimeout:
    """Handles a table's deadline for the timekeeper, on one server only; the others load the outcome afterwards."""

    def __init__(self, table: Table, claims: Claims) -> None:
        self._table, self._claims = table, claims

    async def time_up(self) -> None:
        """Have the table close its step if the time is up, unless another server is doing so."""
        async with self._claims.of("clock", self._table.id) as mine:
            if mine:
                await self._table.time_up()
            else:
                self._table.fall_behind()


class Replication:
    """Brings the tables in memory up to date after changes by other servers, at once if somebody is watching."""

    def __init__(self) -> None:
        self._busy: dict[str, asyncio.Task[None]] = {}

    def follow(self, table: Table) -> None:
        """Mark a table as out of date, and refresh it at once if somebody is watching."""
        table.fall_behind()
        if table.viewers.channels and table.id not in self._busy:
            task = self._busy[table.id] = asyncio.create_task(self._refresh(table))
            task.add_done_callback(lambda _: self._done(table))

    async def close(self) -> None:
        """Stop refreshing; nothing is lost, since the database has everything."""
        tasks = list(self._busy.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _done(self, table: Table) -> None:
        """Forget that a table was catching up; start again if there was another change meanwhile."""
        task = self._busy.pop(table.id, None)
        # Another change may have arrived after the last refresh.
        if task is not None and not task.cancelled() and table.behind and not table.lost:
            self.follow(table)

    async def _refresh(self, table: Table) -> None:
        """Load changes of a table until there are none left; try again after a failure."""
        tries = 0
        while table.behind:
            try:
                await table.refresh()
            except Unreadable:
                await asyncio.sleep(RETRY_SECONDS[min(tries, len(RETRY_SECONDS) - 1)])
                tries += 1
            except HiddenByOperators:
                table.give_up()
                return
            except Refused as error:
                log.error("Table %s cannot follow: %s", table.id, error)
                table.give_up()
                return
