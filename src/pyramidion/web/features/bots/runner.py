"""Bots at tables: each chooses in a thread from its seat's redacted state, and acts through `Table.act` like people."""

from __future__ import annotations

import asyncio
import logging
import threading
from bisect import bisect
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from itertools import chain, repeat
from math import inf

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
PAUSES_IN_A_ROW = 4.5
"""The pauses that bots share evenly while a person waits, over as many steps as their longest row so far had.

So a person can follow each of them. In a longer row the pauses get shorter: below five seconds at the usual pace, also
in a long round of six players.
"""
SHORTER = 1 / 3
"""Each step beyond that follows after a pause shorter by this factor."""
LEAST_SECONDS = 0.02
"""The shortest pause before a bot's action while a person waits, unless bots move at once."""
RETRY_SECONDS = (1.0, 2.0, 5.0, 15.0, 30.0)
UNTIL_COMPILED = "policy"
"""The bot that replaces all levels until the search is compiled, the first time on a machine."""
MARGIN_SECONDS = 0.1
"""Margin after a time limit, since searches overrun it slightly; no answer comes before limit plus margin.

While a person waits, it is part of the pause, and at most half of it.
"""
TELL_SECONDS = 1.0
"""Interval at which tables are sent their bot's place in the queue."""
log = logging.getLogger(__name__)


class Runner:
    """Plays for the bots at all tables: starts their searches, waits for the pause, and plays the actions.

    `pause` is the time in seconds from the start of a bot's turn to its action; a table can scale it.

    A bot's response time must not reveal what it holds. So the pause is the same whether or not there was a choice, and
    a level with a time limit never answers before that limit, even if its search ended early or was not needed. While a
    person waits, a search's limit is no longer than the pause, and bots that act in a row share a few pauses evenly.

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
        """Start the bots at a table whose decisions are due, except those that are choosing already."""
        match = table.match
        if match.over or table.clock.paused:
            return
        for seat in table.visibility.waited_for:
            key = (table.id, seat)
            if table.seats[seat].player is not None and key not in self._busy:
                task = self._busy[key] = asyncio.create_task(self._claimed(table, seat))
                task.add_done_callback(lambda _, key=key: self._done(key, table))

    async def close(self) -> None:
        """Stop all bots; due actions are played when the table is loaded again."""
        if self._telling is not None:
            self._telling.cancel()
        tasks = list(self._busy.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _done(self, key: tuple[str, int], table: Table) -> None:
        """Look at the table again after a bot has finished, or log its error."""
        task = self._busy.pop(key)
        if task.cancelled():
            return
        if error := task.exception():
            log.error("Table %s: the bot at seat %s has stopped", *key, exc_info=error)
        else:
            self.look(table)

    async def _claimed(self, table: Table, seat: int) -> None:
        """Play a bot's action unless another server has claimed it; in that case wait, and read the table again."""
        async with self._claims.of("bot", table.id, seat) as mine:
            if mine:
                await self._move(table, seat)
        if not mine:
            await asyncio.sleep(OTHERS_SECONDS)
            with suppress(Unreadable):
                await table.refresh()

    async def _move(self, table: Table, seat: int) -> None:
        """Play one action of a bot; if the bot fails, play what the game prescribes for an absent seat."""
        loop = asyncio.get_running_loop()
        match, name = table.match, table.seats[seat].player or ""
        pause, waiting = self._pause * PACES[table.settings.bot_pace], not all(_bots(table))
        if waiting:
            pause = max(pause * _share(table), min(pause, LEAST_SECONDS))
        ready, version = loop.time() + pause, table.version(seat)
        try:
            action, earliest = await self._choose(table, seat, name, (pause if waiting else 0) or inf)
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

    async def _choose(self, table: Table, seat: int, name: str, most_seconds: float) -> tuple[int, float]:
        """Return a bot's action, and the earliest time of the event loop at which it may be played.

        The search and its margin take at most `most_seconds` seconds.
        """
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
        margin = min(MARGIN_SECONDS, most_seconds / 2)
        budget["seconds"] = min(budget["seconds"], most_seconds - margin)
        await self._searches.ready(game)

        def think(stop: threading.Event) -> tuple[int, float]:
            """Search in a thread; return the action, and when the search began, in the event loop's time."""
            began = loop.time()
            if len(legal) == 1:
                return legal[0], began
            return bot.think(box, redacted, seat, stop=stop, early=True, **budget).action, began

        if level.seconds is None:
            # The same cost for a forced move, so that its time does not reveal that there was no choice.
            return (await self._thinking.quick.run(table.id, think, cost=level.iterations))[0], 0.0
        self._in_line[table.id] = table
        self._schedule_queue_places()
        action, began = await self._thinking.deep.run(table.id, think)
        return action, began + budget["seconds"] + margin

    def _schedule_queue_places(self) -> None:
        """Plan to send the places in the queue soon, unless that is planned."""
        if self._telling is None:
            self._telling = asyncio.get_running_loop().call_later(TELL_SECONDS, self._send_queue_places)

    def _send_queue_places(self) -> None:
        """Send each table whose bot is waiting for a thread the bot's place in the queue."""
        self._telling = None
        queue = self._thinking.deep.queue
        for table in list(self._in_line.values()):
            place = queue.position(table.id)
            if place is None:
                del self._in_line[table.id]
            table.broadcast.queued(place)
        if self._in_line:
            self._schedule_queue_places()


def _bots(table: Table) -> list[bool]:
    """Return by seat whether a bot plays it."""
    return [seat.player is not None for seat in table.seats]


def _share(table: Table) -> float:
    """Return the part of its pause that a bot's next step takes while a person waits.

    A step is what everybody sees: throws that are revealed together are one.
    """
    bots, history = _bots(table), table.match.history
    people = [ply for ply, (seat, _) in enumerate(history) if not bots[seat]]
    rows = Counter(bisect(people, ply - 1) for ply in table.match.positions(None) if ply and bots[history[ply - 1][0]])
    steps = rows.pop(len(people), 0)
    usual = max([2 * sum(bots), *rows.values()])
    return min(1.0, PAUSES_IN_A_ROW / usual) * SHORTER ** max(0, steps - usual + 1)
