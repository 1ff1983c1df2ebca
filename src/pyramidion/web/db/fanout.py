"""Change notifications between servers that share a PostgreSQL database (LISTEN/NOTIFY).

A trigger sends the id of each changed match when the change is committed. Listeners then read the change from the
database, so a notification may be late, repeated or lost without harm: the primary key (match, ply) refuses an action
that was chosen at an old position.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pyramidion.web.db.database import POSTGRESQL
from pyramidion.web.db.store import Store

if TYPE_CHECKING:
    pass

CHANNEL = "pyramidion"
RETRY_SECONDS = (0.05, 0.1, 0.2, 0.5, 1.0)
log = logging.getLogger(__name__)
Heard = Callable[[str | None], None]
"""Called with the id of a changed match, or None if any match may have changed."""


class Listener:
    """Listens to PostgreSQL for the matches that other servers change, and reports each to `heard`.

    It ignores what this server writes itself, in the backend process `own()`.
    """

    def __init__(self, store: Store, own: Callable[[], int | None], heard: Heard) -> None:
        self._store, self._own, self._heard = store, own, heard
        self._task: asyncio.Task[None] | None = None
        self.connected = not store.shared
        self.others: dict[str, Heard] = {}
        """Further callbacks by PostgreSQL channel."""

    def start(self) -> None:
        """Start listening; does nothing for SQLite, which has no notifications."""
        if self._store.shared:
            self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stop listening."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        """Listen for notifications of other servers, and reconnect whenever the connection is lost."""
        tries = 0
        while True:
            try:
                async with await connect(self._store) as connection:
                    hearers = {CHANNEL: self._heard, **self.others}
                    for channel in hearers:
                        await connection.execute(f"LISTEN {channel}")
                    self.connected, tries = True, 0
                    # Notifications sent while nobody was listening are lost, so any match may have changed.
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


async def connect(store: Store) -> Any:
    """Return an asynchronous psycopg connection in autocommit mode."""
    from psycopg import AsyncConnection

    positional, named = store.engine.dialect.create_connect_args(store.url)
    return await AsyncConnection.connect(*positional, **{**POSTGRESQL, **named}, autocommit=True)
