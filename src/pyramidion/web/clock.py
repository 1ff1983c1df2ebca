"""Time at the tables: what a table can choose, and the one keeper of all deadlines."""

from __future__ import annotations

import asyncio
import heapq
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from pyramidion.web.errors import BadTable, NotSaved, Refused, Unreadable
from pyramidion.words import _, date_and_time, ngettext

SHORTEST, LONGEST = 30, 7 * 24 * 3600
CHOICES = (30, 60, 120, 300, 900, 3600, 4 * 3600, 12 * 3600, 24 * 3600, 2 * 24 * 3600, 3 * 24 * 3600, LONGEST)
"""Seconds that the form for a new table offers."""
LOOK = 0.2
"""Seconds between looks at the clock while a deadline is set: a clock may be set, and a machine may sleep."""
AHEAD = 5_000
"""Milliseconds before a deadline at which its table is brought into memory."""
AT_ONCE = 64
"""Tables that are closed at the same time; the writer takes what they write in groups."""
RETRY = 1_000
log = logging.getLogger(__name__)


class ClosesInTime(Protocol):
    """A table, as the keeper knows it."""

    async def time_up(self) -> None:
        """Do what is to be done if the time for what is due is up."""
        ...


FindTable = Callable[[str], Awaitable[ClosesInTime]]


def accept_clock(seconds: int | None) -> int | None:
    """Return a time per decision that a table can have. Raises BadTable with a sentence."""
    if seconds is not None and (isinstance(seconds, bool) or not SHORTEST <= seconds <= LONGEST):
        raise BadTable(
            _("The time per decision is {low} to {high} seconds ({longest}), or none; {given} is not.").format(
                low=SHORTEST, high=LONGEST, longest=duration(LONGEST), given=str(seconds)[:20]
            )
        )
    return seconds


def duration(seconds: int) -> str:
    """Return a time in words: `2 minutes`, `1 day 12 hours`."""
    days, hours, minutes = seconds // 86400, seconds // 3600 % 24, seconds // 60 % 60
    parts = (
        (days, ngettext("{count} day", "{count} days", days)),
        (hours, ngettext("{count} hour", "{count} hours", hours)),
        (minutes, ngettext("{count} minute", "{count} minutes", minutes)),
        (seconds % 60, ngettext("{count} second", "{count} seconds", seconds % 60)),
    )
    said = [words.format(count=count) for count, words in parts if count]
    return " ".join(said) or ngettext("{count} second", "{count} seconds", 0).format(count=0)


def moment(milliseconds: int) -> datetime:
    """Return a time in UTC."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def iso(milliseconds: int) -> str:
    """Return a time as `<time datetime>` has it."""
    return moment(milliseconds).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(frozen=True, slots=True)
class Timing:
    """A table's clock as it is shown: `deadline` and `now` in milliseconds since 1970, `clock` in seconds."""

    clock: int
    deadline: int | None
    now: int

    @property
    def iso(self) -> str:
        """The deadline as `<time datetime>` has it."""
        return iso(self.deadline or 0)

    @property
    def until(self) -> str:
        """The deadline for people, in UTC; the page's script puts it into local time."""
        return date_and_time(moment(self.deadline or 0))


class Timekeeper:
    """Closes every table whose time is up. The deadlines themselves are in the database."""

    def __init__(self, find: FindTable, now: Callable[[], int]) -> None:
        self._find, self._now = find, now
        self._armed: dict[str, int] = {}
        # (when, whether to close, table, deadline); what is not in `_armed` any more is passed over.
        self._heap: list[tuple[int, bool, str, int]] = []
        self._ready: dict[str, ClosesInTime] = {}
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._gate = asyncio.Semaphore(AT_ONCE)
        self._news = asyncio.Event()
        self._loop: asyncio.Task[None] | None = None
        self._asleep = False

    def start(self, deadlines: Sequence[tuple[str, int]]) -> None:
        """Arm what is in the database and keep time from now on; what is overdue is closed at once."""
        for table, deadline in deadlines:
            self.arm(table, deadline)
        self._loop = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stop; deadlines stay in the database."""
        tasks = [*self._busy.values(), *([self._loop] if self._loop else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def arm(self, table: str, deadline: int | None) -> None:
        """Set a table's deadline in the place of its former one; None for a table that has none any more."""
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
        """Close all tables whose time is up, and wait until that is done."""
        self._look()
        while self._busy:
            await asyncio.gather(*self._busy.values())

    def _look(self) -> None:
        now = self._now()
        while self._heap and self._heap[0][0] <= now:
            _, closing, table, deadline = heapq.heappop(self._heap)
            if self._armed.get(table) != deadline:
                continue
            if closing or table not in self._busy:
                self._begin(table, deadline, closing)

    def _begin(self, table: str, deadline: int, closing: bool) -> None:
        before = self._busy.get(table)
        task = self._busy[table] = asyncio.create_task(self._work(table, deadline, closing, before))
        task.add_done_callback(lambda done: self._busy.pop(table) if self._busy.get(table) is done else None)

    async def _work(self, table: str, deadline: int, closing: bool, before: asyncio.Task[None] | None) -> None:
        """Bring a table into memory, or close it; whatever goes wrong with one table does not hold up the others."""
        if before is not None:
            with suppress(Exception):
                await before
        try:
            async with self._gate:
                found = await self._find(table)
                if closing:
                    await found.time_up()
                    self._ready.pop(table, None)
                else:
                    self._ready[table] = found
        except (NotSaved, Unreadable) as error:
            log.error("Table %s: its time is up, and that cannot be noted yet: %s", table, error)
        except Refused as error:
            log.error("Table %s has a deadline that cannot be kept: %s", table, error)
            self.arm(table, None)
        except Exception:
            log.exception("Table %s: its deadline cannot be kept", table)
            self.arm(table, None)
        if closing and self._armed.get(table) == deadline:
            heapq.heappush(self._heap, (self._now() + RETRY, True, table, deadline))

    async def _run(self) -> None:
        while True:
            self._look()
            if self._heap:
                await asyncio.sleep(min(LOOK, max(0.0, (self._heap[0][0] - self._now()) / 1000)))
            else:
                self._news.clear()
                self._asleep = True
                await self._news.wait()
                self._asleep = False
