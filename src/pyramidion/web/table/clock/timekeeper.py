"""The timekeeper, which handles the deadlines of all tables."""

from __future__ import annotations

import asyncio
import heapq
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Protocol

from pyramidion.web.errors import HiddenByOperators, NotSaved, Refused, UnknownTable, Unreadable

LOOK = 0.2
"""Maximum seconds between two checks of the clock: the clock may be adjusted, or the machine may sleep."""
AHEAD = 5_000
"""Milliseconds before a deadline at which its table is loaded."""
AT_ONCE = 64
"""Number of tables handled at the same time; the writer commits their changes in groups."""
RETRY = 1_000
log = logging.getLogger(__name__)


class TimedTable(Protocol):
    """What the timekeeper needs of a table: a method to call when its time is up."""

    async def time_up(self) -> None:
        """Apply the default moves if the time of the current step is up."""
        ...


FindTable = Callable[[str], Awaitable[TimedTable]]


class Timekeeper:
    """Waits for the deadlines of all tables, and has each table do what is due, such as to apply default moves.

    The deadlines themselves are in the database.
    """

    def __init__(self, find: FindTable, now: Callable[[], int]) -> None:
        self._find, self._now = find, now
        self._armed: dict[str, int] = {}
        # (time, whether the deadline has passed, table, deadline); entries that are no longer in `_armed` are skipped.
        self._heap: list[tuple[int, bool, str, int]] = []
        self._ready: dict[str, TimedTable] = {}
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._gate = asyncio.Semaphore(AT_ONCE)
        self._news = asyncio.Event()
        self._loop: asyncio.Task[None] | None = None
        self._asleep = False

    def start(self, deadlines: Sequence[tuple[str, int]]) -> None:
        """Arm these deadlines, (table id, milliseconds since 1970), and start; overdue ones are handled at once."""
        for table, deadline in deadlines:
            self.arm(table, deadline)
        self._loop = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stop; deadlines remain in the database."""
        tasks = [*self._busy.values(), *([self._loop] if self._loop else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def arm(self, table: str, deadline: int | None) -> None:
        """Set or replace a table's deadline, in milliseconds since 1970; None removes it."""
        if self._armed.get(table) == deadline:
            return
        if deadline is None:
            self._armed.pop(table, None)
            self._ready.pop(table, None)
            return
        self._armed[table] = deadline
        heapq.heappush(self._heap, (deadline - AHEAD, False, table, deadline))
        heapq.heappush(self._heap, (deadline, True, table, deadline))
        if len(self._heap) > 1000 + 8 * len(self._armed):
            self._heap = [entry for entry in self._heap if self._armed.get(entry[2]) == entry[3]]
            heapq.heapify(self._heap)
        if self._asleep:
            self._news.set()

    async def tick(self) -> None:
        """Handle all deadlines that have passed, and wait until that is done."""
        self._look()
        while self._busy:
            await asyncio.gather(*self._busy.values())

    def _look(self) -> None:
        """Begin the work on the tables whose deadline has passed, or is near enough to load them."""
        now = self._now()
        while self._heap and self._heap[0][0] <= now:
            _, closing, table, deadline = heapq.heappop(self._heap)
            if self._armed.get(table) != deadline:
                continue
            if closing or table not in self._busy:
                self._begin(table, deadline, closing)

    def _begin(self, table: str, deadline: int, closing: bool) -> None:
        """Start a task that loads a table or, if `closing`, handles its deadline."""
        before = self._busy.get(table)
        task = self._busy[table] = asyncio.create_task(self._work(table, deadline, closing, before))
        task.add_done_callback(lambda done: self._busy.pop(table) if self._busy.get(table) is done else None)

    async def _work(self, table: str, deadline: int, closing: bool, before: asyncio.Task[None] | None) -> None:
        """Load a table ahead of its deadline or, if `closing`, handle the deadline, after the table's task `before`.

        Errors do not affect other tables.
        """
        if before is not None:
            with suppress(Exception):
                await before
        try:
            async with self._gate:
                loaded = await self._find(table)
                if closing:
                    await loaded.time_up()
                    self._ready.pop(table, None)
                else:
                    self._ready[table] = loaded
        except (NotSaved, Unreadable) as error:
            log.error("Table %s: its time is up, and that cannot be noted yet: %s", table, error)
        except (HiddenByOperators, UnknownTable):
            self.arm(table, None)  # operators have hidden or removed it
        except Refused as error:
            log.error("Table %s has a deadline that cannot be kept: %s", table, error)
            self.arm(table, None)
        except Exception:
            log.exception("Table %s: its deadline cannot be kept", table)
            self.arm(table, None)
        if closing and self._armed.get(table) == deadline:
            heapq.heappush(self._heap, (self._now() + RETRY, True, table, deadline))

    async def _run(self) -> None:
        """Handle deadlines as they pass, until the task is cancelled."""
        while True:
            self._look()
            if self._heap:
                await asyncio.sleep(min(LOOK, max(0.0, (self._heap[0][0] - self._now()) / 1000)))
            else:
                self._news.clear()
                self._asleep = True
                await self._news.wait()
                self._asleep = False
