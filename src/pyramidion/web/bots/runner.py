"""Bots at the tables: each chooses in a thread from what its seat may see, and acts through the same door as people."""

from __future__ import annotations

import asyncio
import logging
import threading
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, repeat
from typing import Any

from pyramidion import Game, IllegalAction, bots
from pyramidion.bots import LEVELS, Bot, Level, SearchBot
from pyramidion.web.bots.thinking import Searches, Thinking
from pyramidion.web.errors import NotSaved, StaleVersion, TableIsPaused, TimeIsUp, Unreadable
from pyramidion.web.fanout import Claims
from pyramidion.web.table import Table

OTHERS_SECONDS = 1.0
"""How long to leave a bot to another server before looking whether it has moved."""
RETRY_SECONDS = (1.0, 2.0, 5.0, 15.0, 30.0)
USUAL_BOT = "normal"
MARGIN_SECONDS = 0.1
"""A search with a limit in seconds ends a little after it; what is answered then is answered later than that."""
TELL_SECONDS = 1.0
"""How often a table is told the place of its bot in the line."""
log = logging.getLogger(__name__)


def bot_names(game: Game) -> tuple[str, ...]:
    """Return the bots that can sit at a game's tables: the levels, the weakest first, then those that do not search."""
    return (*LEVELS, *(name for name in bots.names()[::-1] if name not in LEVELS))


@lru_cache(maxsize=256)
def bot_of(game: Game, name: str) -> Bot:
    """Return a bot; one of each kind plays at all tables of its game."""
    return bots.load(name, game)


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that is thought about one decision: seconds on one core, and iterations of the search."""

    seconds: float = 2.0
    iterations: int = 200_000

    def of(self, level: Level) -> dict[str, Any]:
        """Return how long a level thinks here, as arguments of `SearchBot.think`."""
        return {"seconds": self.seconds, "iterations": min(self.iterations, level.iterations)}


class Runner:
    """Moves the bots. `pause` is the seconds between a bot's turn coming and its move.

    How quickly a bot answers must not tell what it holds, so the pause is the same whether it had a choice or not; and
    a level with a limit in seconds answers no sooner than that limit after its search began, even if that ended early
    or there was nothing to search.
    """

    def __init__(self, *, pause: float, thinking: Thinking, searches: Searches, budget: Budget, claims: Claims) -> None:
        self._pause, self._budget, self._claims = pause, budget, claims
        self._thinking, self._searches = thinking, searches
        self._busy: dict[tuple[str, int], asyncio.Task[None]] = {}
        self._in_line: dict[str, Table] = {}
        self._telling: asyncio.TimerHandle | None = None

    def look(self, table: Table) -> None:
        """See to it that every bot whose decision is due at a table is at work."""
        match = table.match
        if match.over or table.paused:
            return
        for seat in table.waited_for:
            key = (table.id, seat)
            if table.seats[seat].player is not None and key not in self._busy:
                task = self._busy[key] = asyncio.create_task(self._claimed(table, seat))
                task.add_done_callback(lambda _, key=key: self._done(key, table))

    async def close(self) -> None:
        """Stop all bots; what they had not yet done they will do when the table is opened again."""
        if self._telling is not None:
            self._telling.cancel()
        tasks = list(self._busy.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _done(self, key: tuple[str, int], table: Table) -> None:
        task = self._busy.pop(key)
        if task.cancelled():
            return
        if error := task.exception():
            log.error("Table %s: the bot at seat %s has stopped", *key, exc_info=error)
        else:
            self.look(table)

    async def _claimed(self, table: Table, seat: int) -> None:
        """Make one move, unless another server is about to; if that one goes away, it is looked at again."""
        async with self._claims.of("bot", table.id, seat) as mine:
            if mine:
                await self._move(table, seat)
        if not mine:
            await asyncio.sleep(OTHERS_SECONDS)
            with suppress(Unreadable):
                await table.refresh()

    async def _move(self, table: Table, seat: int) -> None:
        """Make one move. Whatever goes wrong with the bot, the table goes on as if its seat were absent."""
        loop = asyncio.get_running_loop()
        match, name = table.match, table.seats[seat].player or ""
        ready, version = loop.time() + self._pause, table.version(seat)
        try:
            action, earliest = await self._choose(table, seat, name)
            ready = max(ready, earliest)
        except Exception:
            log.exception("Table %s: the bot %r at seat %s failed", table.id, name, seat)
            action = match.timeout(seat).id
        await asyncio.sleep(max(0.0, ready - loop.time()))
        table.queued = None
        for wait in chain(RETRY_SECONDS, repeat(RETRY_SECONDS[-1])):
            try:
                await table.act(seat, action, version, by_bot=True)
            except (StaleVersion, TableIsPaused):
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

    async def _choose(self, table: Table, seat: int, name: str) -> tuple[int, float]:
        """Return a bot's action, and the time of the loop before which it must not be made."""
        loop, match, game = asyncio.get_running_loop(), table.match, table.game
        # The state is redacted here and not in the thread, where the match might change under it.
        box, shown = match.box, match.redacted_state(seat)
        bot = bot_of(game, name)
        if not isinstance(bot, SearchBot):
            return await self._thinking.quick.do(table.id, lambda _: bot.choose(box, shown, seat)), 0.0
        level = bot.level
        legal, budget = table.legal_ids(seat), self._budget.of(level)
        await self._searches.ready(game)

        def think(stop: threading.Event) -> tuple[int, float]:
            began = loop.time()
            if len(legal) == 1:
                return legal[0], began
            return bot.think(box, shown, seat, stop=stop, early=True, **budget).action, began

        if level.seconds is None:
            return (await self._thinking.quick.do(table.id, think))[0], 0.0
        self._in_line[table.id] = table
        self._tell_soon()
        action, began = await self._thinking.deep.do(table.id, think)
        return action, began + budget["seconds"] + MARGIN_SECONDS

    def _tell_soon(self) -> None:
        if self._telling is None:
            self._telling = asyncio.get_running_loop().call_later(TELL_SECONDS, self._tell)

    def _tell(self) -> None:
        """Tell the tables whose bots have waited for a while their place in the line."""
        self._telling = None
        line = self._thinking.deep.line
        for table in list(self._in_line.values()):
            place = line.place(table.id)
            if place is None:
                del self._in_line[table.id]
            table.tell_queued(place)
        if self._in_line:
            self._tell_soon()
