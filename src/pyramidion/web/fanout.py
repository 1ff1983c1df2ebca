"""Several servers, one database: hearing what the others have written, and who does what nobody asked for.

In PostgreSQL a trigger tells everybody who listens the id of each match that has changed, with the commit that changed
it. What has changed is then read from the database, so that news can be doubled, late or lost and nothing is wrong: an
action at an old position is refused by the database itself, where (match, ply) exists once.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from pyramidion.web.errors import Refused, Unreadable
from pyramidion.web.store import POSTGRESQL, Store

if TYPE_CHECKING:
    from pyramidion.web.table import Table

CHANNEL = "pyramidion"
RETRY_SECONDS = (0.05, 0.1, 0.2, 0.5, 1.0)
log = logging.getLogger(__name__)
Heard = Callable[[str | None], None]
"""Called with the id of a match that has changed, or None where any may have."""


class Listener:
    """Hears of every match that another server has changed. `own` is the database process whose changes are no news."""

    def __init__(self, store: Store, own: Callable[[], int | None], heard: Heard) -> None:
        self._store, self._own, self._heard = store, own, heard
        self._task: asyncio.Task[None] | None = None
        self.connected = not store.shared
        self.others: dict[str, Heard] = {}
        """Who hears of other things than matches, by their channels."""

    def start(self) -> None:
        """Listen from now on, if the database can tell."""
        if self._store.shared:
            self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stop listening."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        tries = 0
        while True:
            try:
                async with await connect(self._store) as connection:
                    hearers = {CHANNEL: self._heard, **self.others}
                    for channel in hearers:
                        await connection.execute(f"LISTEN {channel}")
                    self.connected, tries = True, 0
                    # Whatever was told while nobody listened is not told again.
                    for heard in hearers.values():
                        heard(None)
                    async for notice in connection.notifies():
                        if notice.pid != self._own():
                            hearers[notice.channel](notice.payload)
            except Exception as error:
                if tries == 0:
                    log.warning("The database does not tell what others do: %s", error)
            self.connected = False
            await asyncio.sleep(RETRY_SECONDS[min(tries, len(RETRY_SECONDS) - 1)])
            tries += 1


class Followers:
    """Brings tables in memory up to date after others have changed them: at once where somebody is watching."""

    def __init__(self) -> None:
        self._busy: dict[str, asyncio.Task[None]] = {}

    def follow(self, table: Table) -> None:
        """Note that the database may hold more of a table than this server has seen."""
        table.behind = True
        if table.channels and table.id not in self._busy:
            task = self._busy[table.id] = asyncio.create_task(self._refresh(table))
            task.add_done_callback(lambda _: self._done(table))

    async def close(self) -> None:
        """Stop; the database has it all."""
        tasks = list(self._busy.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _done(self, table: Table) -> None:
        task = self._busy.pop(table.id, None)
        # News may have come after the last look and before this.
        if task is not None and not task.cancelled() and table.behind and not table.lost:
            self.follow(table)

    async def _refresh(self, table: Table) -> None:
        tries = 0
        while table.behind:
            try:
                await table.refresh()
            except Unreadable:
                await asyncio.sleep(RETRY_SECONDS[min(tries, len(RETRY_SECONDS) - 1)])
                tries += 1
            except Refused as error:
                log.error("Table %s cannot follow: %s", table.id, error)
                table.lost = True
                return


class Claims:
    """Lets one server alone do what all of them would: a bot's move, or what is due when time is up.

    A claim is an advisory lock of PostgreSQL, which ends with the server that holds it. It saves work and settles no
    question of right: what is done twice all the same is refused by the database the second time.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._connection: Any = None
        self._lock = asyncio.Lock()

    @asynccontextmanager
    async def of(self, *what: object) -> AsyncGenerator[bool]:
        """Hold a claim, if no other server does; the value says whether it is held."""
        if not self._store.shared:
            yield True
            return
        key = int.from_bytes(hashlib.blake2b(repr(what).encode(), digest_size=8).digest(), signed=True)
        mine = bool(await self._ask("SELECT pg_try_advisory_lock(%s)", key))
        try:
            yield mine
        finally:
            if mine:
                await asyncio.shield(self._ask("SELECT pg_advisory_unlock(%s)", key))

    async def close(self) -> None:
        """Give up all claims."""
        async with self._lock:
            await self._drop()

    async def _ask(self, statement: str, key: int) -> Any:
        async with self._lock:
            try:
                if self._connection is None:
                    self._connection = await connect(self._store)
                cursor = await self._connection.execute(statement, (key,))
                (answer,) = await cursor.fetchone()
            except Exception as error:
                log.warning("A claim could not be made: %s", error)
                await self._drop()
                return None
            return answer

    async def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                await connection.close()


class ClosedOnce:
    """A table whose time is up, which one server closes. The others look again and find it done, or do it then."""

    def __init__(self, table: Table, claims: Claims) -> None:
        self._table, self._claims = table, claims

    async def time_up(self) -> None:
        """Do what is to be done if the time for what is due is up, unless another server is doing it."""
        async with self._claims.of("clock", self._table.id) as mine:
            if mine:
                await self._table.time_up()
            else:
                self._table.behind = True


async def connect(store: Store) -> Any:
    """Return a connection of the driver's own, for the event loop; every statement is a transaction."""
    from psycopg import AsyncConnection

    positional, named = store.engine.dialect.create_connect_args(store.url)
    return await AsyncConnection.connect(*positional, **{**POSTGRESQL, **named}, autocommit=True)
