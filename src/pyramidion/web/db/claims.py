"""Claims: leases that decide which of several servers makes a bot's move, plays a premove or closes a step.

A claim is a row with the server that holds it and an expiry time. A heartbeat renews a server's claims, so the claims
of a server that has died or frozen expire, and another server takes over. Claims only avoid duplicate work. Correctness
does not depend on them: if two servers do the same work anyway, the database refuses the second write.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from pyramidion.web.db.fanout import connect
from pyramidion.web.db.store import Store
from pyramidion.web.tokens import new_id

if TYPE_CHECKING:
    pass

BEATS = 3
"""Heartbeats per lease."""
# Use the database's clock, so that the servers' clocks need not agree.
NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
TAKE = f"""
    INSERT INTO claims (key, server, until) VALUES (%(key)s, %(server)s, {NOW} + %(lease)s)
    ON CONFLICT (key) DO UPDATE SET server = excluded.server, until = excluded.until
    WHERE claims.until < {NOW} OR claims.server = excluded.server
    RETURNING key
"""  # noqa: S608
RENEW = f"UPDATE claims SET until = {NOW} + %(lease)s WHERE server = %(server)s RETURNING key"  # noqa: S608
ADOPT = f"""
    UPDATE claims SET server = %(server)s, until = {NOW} + %(lease)s WHERE until < {NOW} RETURNING key
"""  # noqa: S608
END = "DELETE FROM claims WHERE key = ANY(%(keys)s) AND server = %(server)s RETURNING key"
log = logging.getLogger(__name__)


class Claims:
    """Takes, renews and releases this server's claims to work that only one server should do.

    Attributes:
        lease: how many seconds a claim lasts after the latest heartbeat.
    """

    def __init__(self, store: Store, lease: float = 10.0) -> None:
        self.server = new_id()
        self._store, self.lease = store, lease
        self._held: set[str] = set()
        self._connection: Any = None
        self._lock = asyncio.Lock()
        self._beating: asyncio.Task[None] | None = None
        self._closed = False

    @asynccontextmanager
    async def of(self, what: str, table: str, seat: int | None = None) -> AsyncGenerator[bool]:
        """Context manager: claim work of the kind `what` at a table; yield False if another server holds the claim."""
        if not self._store.shared:
            yield True
            return
        key = f"{what} {table}" if seat is None else f"{what} {table} {seat}"
        mine = bool(await self._ask(TAKE, key=key))
        if mine:
            self._held.add(key)
            if self._beating is None:
                self._beating = asyncio.create_task(self._beat())
        try:
            yield mine
        finally:
            if mine:
                self._held.discard(key)
                await self._end([key])

    @asynccontextmanager
    async def left_behind(self) -> AsyncGenerator[Sequence[str]]:
        """Context manager: take over the expired claims of other servers; yield the ids of their tables.

        Claims that nobody on this server has renewed by the end of the block are released.
        """
        keys = [key for (key,) in await self._ask(ADOPT)]
        try:
            yield sorted({key.split()[1] for key in keys})
        finally:
            if keys:
                await self._end(keys)

    async def close(self) -> None:
        """Stop the heartbeat. Claims that are still held expire with their lease."""
        if self._beating is not None:
            self._beating.cancel()
            await asyncio.gather(self._beating, return_exceptions=True)
        async with self._lock:
            self._closed = True
            await self._drop()

    async def _beat(self) -> None:
        """Renew the claims that are held, several times per lease."""
        while True:
            await asyncio.sleep(self.lease / BEATS)
            if self._held:
                await self._ask(RENEW)

    async def _end(self, keys: Sequence[str]) -> None:
        """Release these claims."""
        # Keep claims that have been taken again in the meantime.
        if gone := [key for key in keys if key not in self._held]:
            await self._ask(END, keys=gone)

    async def _ask(self, statement: str, **values: object) -> Sequence[tuple[str]]:
        """Execute a statement and return its rows; no rows if the database does not answer."""
        # The caller may be cancelled, but the connection must not be left in the middle of a statement.
        return await asyncio.shield(self._answer(statement, values))

    async def _answer(self, statement: str, values: dict[str, object]) -> Sequence[tuple[str]]:
        """Execute a statement on the connection for claims, and open the connection if needed."""
        given = {"server": self.server, "lease": int(self.lease * 1000), **values}
        async with self._lock:
            if self._closed:
                return []
            try:
                if self._connection is None:
                    self._connection = await connect(self._store)
                    # Losing a claim in a database crash is harmless, so do not pay for a flush per claim.
                    await self._connection.execute("SET synchronous_commit = off")
                return await (await self._connection.execute(statement, given)).fetchall()
            except Exception as error:
                log.warning("A claim could not be made: %s", error)
                await self._drop()
                return []

    async def _drop(self) -> None:
        """Close the connection for claims."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                await connection.close()
