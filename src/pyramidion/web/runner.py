"""Bots at the tables: each chooses in a thread from what its own seat may see, and comes through the same door as people."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from pyramidion import Game, IllegalAction
from pyramidion.web.errors import NotSaved, StaleVersion
from pyramidion.web.table import Table

RETRY_SECONDS = (1.0, 2.0, 5.0, 15.0, 30.0)
log = logging.getLogger(__name__)


def bot_names(game: Game) -> tuple[str, ...]:
    """Return the bots that can sit at a game's tables."""
    return ("policy", "random")


class Runner:
    """Moves the bots. `pause` is the seconds between a bot's turn coming and its move.

    The pause is the same whether the bot had a choice or not, since how quickly it answers must not tell what it holds.
    """

    def __init__(self, *, pause: float, threads: int) -> None:
        self._pause = pause
        self._pool = ThreadPoolExecutor(threads, "pyramidion-bot")
        self._busy: dict[tuple[str, int], asyncio.Task[None]] = {}

    def look(self, table: Table) -> None:
        """See to it that every bot whose decision is due at a table is at work."""
        match = table.match
        if match.over:
            return
        for seat in match.acting:
            key = (table.id, seat)
            if table.seats[seat].kind == "bot" and key not in self._busy and table.undecided(seat):
                task = self._busy[key] = asyncio.create_task(self._move(table, seat))
                task.add_done_callback(lambda _, key=key: self._done(key, table))

    async def close(self) -> None:
        """Stop all bots; what they had not yet done they will do when the table is opened again."""
        tasks = list(self._busy.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _done(self, key: tuple[str, int], table: Table) -> None:
        task = self._busy.pop(key)
        if not task.cancelled() and task.exception() is None:
            self.look(table)

    async def _move(self, table: Table, seat: int) -> None:
        loop = asyncio.get_running_loop()
        for wait in (*RETRY_SECONDS, None):
            ready = loop.time() + self._pause
            version = table.version(seat)
            try:
                action = await loop.run_in_executor(self._pool, choose, table, seat)
                await asyncio.sleep(max(0.0, ready - loop.time()))
                await table.act(seat, action, version)
            except StaleVersion:
                pass  # something changed while it was thinking; it thinks again
            except NotSaved:
                if wait is None:
                    log.error("Table %s: the bot at seat %s gives up; nothing can be saved", table.id, seat)
                    raise
                await asyncio.sleep(wait)
                continue
            except IllegalAction:
                log.exception("Table %s: the bot at seat %s chose an action that is not legal", table.id, seat)
                raise
            return
