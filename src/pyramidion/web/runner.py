"""Bots at the tables: each chooses in a thread from what its seat may see, and acts through the same door as people."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import chain, repeat

from pyramidion import Game, IllegalAction, bots
from pyramidion.bots import Bot
from pyramidion.web.errors import NotSaved, StaleVersion, TimeIsUp, Unreadable
from pyramidion.web.table import Table

RETRY_SECONDS = (1.0, 2.0, 5.0, 15.0, 30.0)
log = logging.getLogger(__name__)


def bot_names(game: Game) -> tuple[str, ...]:
    """Return the bots that can sit at a game's tables, the strongest first."""
    return bots.names()[::-1]


@lru_cache(maxsize=256)
def bot_of(game: Game, name: str) -> Bot:
    """Return a bot; one of each kind plays at all tables of its game."""
    return bots.load(name, game)


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
        for seat in table.waited_for:
            key = (table.id, seat)
            if table.seats[seat].kind == "bot" and key not in self._busy:
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
        if task.cancelled():
            return
        if error := task.exception():
            log.error("Table %s: the bot at seat %s has stopped", *key, exc_info=error)
        else:
            self.look(table)

    async def _move(self, table: Table, seat: int) -> None:
        """Make one move. Whatever goes wrong with the bot, the table goes on as if its seat were absent."""
        loop = asyncio.get_running_loop()
        match, name = table.match, table.seats[seat].bot or ""
        ready, version = loop.time() + self._pause, table.version(seat)
        try:
            # The state is redacted here and not in the thread, where the match might change under it.
            box, shown = match.box, match.redacted_state(seat)
            action = await loop.run_in_executor(self._pool, lambda: bot_of(table.game, name).choose(box, shown, seat))
        except Exception:
            log.exception("Table %s: the bot %r at seat %s failed", table.id, name, seat)
            action = match.timeout(seat).id
        await asyncio.sleep(max(0.0, ready - loop.time()))
        for wait in chain(RETRY_SECONDS, repeat(RETRY_SECONDS[-1])):
            try:
                await table.act(seat, action, version)
            except StaleVersion:
                pass  # something has changed while it was thinking; it looks again
            except IllegalAction:
                log.exception("Table %s: the bot %r at seat %s chose what is not legal", table.id, name, seat)
                action = match.timeout(seat).id
                continue
            except TimeIsUp:
                await asyncio.sleep(RETRY_SECONDS[0])  # the clock is about to decide
            except (NotSaved, Unreadable):
                await asyncio.sleep(wait)
                continue
            return
