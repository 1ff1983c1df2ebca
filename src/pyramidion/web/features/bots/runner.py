"""Bots at tables: each chooses in a thread from its seat's redacted state, and acts through `Table.act` like people."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from itertools import chain, repeat

from pyramidion import IllegalAction
from pyramidion.bots import SearchBot, background_compilation
from pyramidion.bots.thread_pool import SearchCompiler, ThreadPools
from pyramidion.web.db.claims import Claims
from pyramidion.web.errors import NotSaved, StaleVersion, TableIsPaused, TimeIsUp, Unreadable
from pyramidion.web.table.bots import Budget, bot_of
from pyramidion.web.table.settings.declarations import PACES
from pyramidion.web.table.table import Table

OTHERS_SECONDS = 1.0
"""Seconds to wait for another server to move a bot before checking again."""
RETRY_SECONDS = (1.0, 2.0, 5.0, 15.0, 30.0)
UNTIL_COMPILED = "policy"
"""The bot that replaces all levels until the search is compiled, the first time on a machine."""
MARGIN_SECONDS = 0.1
"""Margin after a time limit, since searches overrun it slightly; no answer comes before limit plus margin."""
TELL_SECONDS = 1.0
"""Interval at which tables are sent their bot's place in the queue."""
log = logging.getLogger(__name__)


class Runner:
    """Moves the bots. `pause` is the time in seconds between the start of a bot's turn and its move; tables scale it.

    A bot's response time must not reveal what it holds. So the pause is the same whether or not there was a choice, and
    a level with a time limit never answers before that limit, even if its search ended early or was not needed.

    Attributes:
        scripted: returns the action that a lesson's script has for a bot's seat, or None.
    """

    def __init__(
        self, *, pause: float, thinking: ThreadPools, searches: SearchCompiler, budget: Budget, claims: Claims
    ) -> None:
        self._pause, self._budget, self._claims = pause, budget, claims
        self._thinking, self._searches = thinking, searches
        self._busy: dict[tuple[str, int], asyncio.Task[None]] = {}
        self._in_line: dict[str, Table] = {}
        self._telling: asyncio.TimerHandle | None = None
        self.scripted: Callable[[Table, int], int | None] = lambda _table, _seat: None

    def look(self, table: Table) -> None:
        """Start every bot at a table whose decision is due and that is not yet at work."""
        match = table.match
        if match.over or table.clock.paused:
            return
        for seat in table.visibility.waited_for:
            key = (table.id, seat)
            if table.seats[seat].player is not None and key not in self._busy:
                task = self._busy[key] = asyncio.create_task(self._claimed(table, seat))
                task.add_done_callback(lambda _, key=key: self._done(key, table))

    async def close(self) -> None:
        """Stop all bots; pending moves are made when the table is loaded again."""
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
        """Make one move unless another server has claimed it; then wait and check again."""
        async with self._claims.of("bot", table.id, seat) as mine:
            if mine:
                await self._move(table, seat)
        if not mine:
            await asyncio.sleep(OTHERS_SECONDS)
            with suppress(Unreadable):
                await table.refresh()

    async def _move(self, table: Table, seat: int) -> None:
        """Make one move. If the bot fails, the table goes on as if its seat were absent."""
        loop = asyncio.get_running_loop()
        match, name = table.match, table.seats[seat].player or ""
        pause = self._pause * PACES[table.settings.bot_pace]
        ready, version = loop.time() + pause, table.version(seat)
        try:
            action, earliest = await self._choose(table, seat, name)
            ready = max(ready, earliest)
        except Exception:
            log.exception("Table %s: the bot %r at seat %s failed", table.id, name, seat)
            action = match.timeout(seat).id
        await asyncio.sleep(max(0.0, ready - loop.time()))
        table.visibility.queue(None)
        for wait in chain(RETRY_SECONDS, repeat(RETRY_SECONDS[-1])):
            try:
                await table.act(seat, action, version, by_bot=True)
            except (StaleVersion, TableIsPaused):
                pass  # the table has changed meanwhile; `look` starts the bot again
            except IllegalAction:
                log.exception("Table %s: the bot %r at seat %s chose what is not legal", table.id, name, seat)
                action = match.timeout(seat).id
                continue
            except TimeIsUp:
                await asyncio.sleep(RETRY_SECONDS[0])  # the timeout is about to be handled
            except (NotSaved, Unreadable):
                await asyncio.sleep(wait)
                continue
            return

    async def _choose(self, table: Table, seat: int, name: str) -> tuple[int, float]:
        """Return a bot's action, and the event-loop time before which it must not be played."""
        loop, match, game = asyncio.get_running_loop(), table.match, table.game
        if (planned := self.scripted(table, seat)) is not None:
            return planned, 0.0
        # Redact the state here: in the thread the match could change at the same time.
        box, redacted = match.box_for(seat), match.redacted_state(seat)
        bot = bot_of(game, name)
        if isinstance(bot, SearchBot) and background_compilation.under_way(game):
            bot = bot_of(game, UNTIL_COMPILED)
        if not isinstance(bot, SearchBot):
            return await self._thinking.quick.run(table.id, lambda _: bot.choose(box, redacted, seat)), 0.0
        level = bot.level
        legal, budget = table.visibility.legal_ids(seat), self._budget.of(level)
        await self._searches.ready(game)

        def think(stop: threading.Event) -> tuple[int, float]:
            began = loop.time()
            if len(legal) == 1:
                return legal[0], began
            return bot.think(box, redacted, seat, stop=stop, early=True, **budget).action, began

        if level.seconds is None:
            return (await self._thinking.quick.run(table.id, think))[0], 0.0
        self._in_line[table.id] = table
        self._tell_soon()
        action, began = await self._thinking.deep.run(table.id, think)
        return action, began + budget["seconds"] + MARGIN_SECONDS

    def _tell_soon(self) -> None:
        if self._telling is None:
            self._telling = asyncio.get_running_loop().call_later(TELL_SECONDS, self._tell)

    def _tell(self) -> None:
        """Send the tables whose bots have waited for a while their place in the queue."""
        self._telling = None
        queue = self._thinking.deep.queue
        for table in list(self._in_line.values()):
            place = queue.position(table.id)
            if place is None:
                del self._in_line[table.id]
            table.broadcast.queued(place)
        if self._in_line:
            self._tell_soon()
