"""Clocks: the time controls of tables, and the timekeeper of all deadlines."""

from __future__ import annotations

import asyncio
import heapq
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from pyramidion.engine.game import Game, Pace
from pyramidion.web.errors import BadTable, NotSaved, Refused, Unreadable
from pyramidion.words import _, date_and_time, ngettext

SHORTEST, LONGEST = 5, 7 * 24 * 3600
CHOICES = (30, 60, 120, 300, 900, 3600, 4 * 3600, 12 * 3600, 24 * 3600, 2 * 24 * 3600, 3 * 24 * 3600, LONGEST)
"""Times per decision, in seconds, offered for every game."""
PACE = "pace-"
"""Prefix of the form values of a game's own paces."""
PREGAMES = (3600, 12 * 3600, 24 * 3600, 2 * 24 * 3600, LONGEST)
"""Times before the first phase, in seconds, offered in the form."""
LIVE = 15 * 60
"""The longest time per decision, in seconds, of a live game, in which players are present at the same time."""
RELEASE_AT_LEAST, RELEASE_UNTIMED = 60, 600
"""Seconds that a host has to reveal the next event: at least, and at tables without a time limit."""
LOOK = 0.2
"""Maximum seconds between two checks of the clock: the clock may be adjusted, or the machine may sleep."""
AHEAD = 5_000
"""Milliseconds before a deadline at which its table is loaded."""
AT_ONCE = 64
"""Number of tables handled at the same time; the writer commits their changes in groups."""
RETRY = 1_000
log = logging.getLogger(__name__)


class ClosesInTime(Protocol):
    """A table as the timekeeper sees it."""

    async def time_up(self) -> None:
        """Apply the default moves if the time of the current step is up."""
        ...


FindTable = Callable[[str], Awaitable[ClosesInTime]]


def accept_clock(seconds: int | None) -> int | None:
    """Validate a time per decision, in seconds. Raises BadTable with a sentence."""
    if seconds is not None and (isinstance(seconds, bool) or not SHORTEST <= seconds <= LONGEST):
        raise BadTable(
            _("The time per decision must be {low} to {high} seconds ({longest}), not {given}.").format(
                low=SHORTEST, high=LONGEST, longest=duration(LONGEST), given=str(seconds)[:20]
            )
        )
    return seconds


def accept_pregame(seconds: int | None) -> int | None:
    """Validate a time before the first phase, in seconds. Raises BadTable with a sentence."""
    if seconds is not None and (isinstance(seconds, bool) or not 1 <= seconds <= LONGEST):
        raise BadTable(
            _("The time before the first phase must be 1 to {high} seconds ({longest}), not {given}.").format(
                high=LONGEST, longest=duration(LONGEST), given=str(seconds)[:20]
            )
        )
    return seconds


def release_limit(clock: int | None) -> int:
    """Return the seconds a host has to reveal the next event before the rest is revealed automatically."""
    return RELEASE_UNTIMED if clock is None else max(clock, RELEASE_AT_LEAST)


def offered(game: Game) -> list[tuple[str, str]]:
    """Return the time controls offered for a game as (form value, label), its own paces first."""
    own = [(f"{PACE}{number}", pace_words(pace)) for number, pace in enumerate(game.paces)]
    return own + [(str(seconds), duration(seconds)) for seconds in CHOICES]


def chosen_pace(game: Game, value: str) -> Pace | None:
    """Return the game's pace that a form value selects, or None for another time control."""
    number = value.removeprefix(PACE)
    if number == value or not number.isdecimal() or int(number) >= len(game.paces):
        return None
    return game.paces[int(number)]


def pace_words(pace: Pace) -> str:
    """Describe a pace: `A phase a day: 1 day, fixed-length phases, 1 day before the first phase`."""
    parts = [duration(pace.clock)]
    if pace.stays_open:
        parts.append(_("fixed-length phases"))
    if pace.pregame:
        parts.append(_("{time} before the first phase").format(time=duration(pace.pregame)))
    said = _(", ").join(parts)
    return _("{name}: {timing}").format(name=_(pace.name), timing=said) if pace.name else said


def duration(seconds: int) -> str:
    """Format a time in words: `2 minutes`, `1 day 12 hours`."""
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
    """Return a time as a UTC datetime."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def iso(milliseconds: int) -> str:
    """Format a time for `<time datetime>`."""
    return moment(milliseconds).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(frozen=True, slots=True)
class Timing:
    """A table's clock as shown to viewers.

    Attributes:
        clock: seconds per decision, or None.
        deadline, now: milliseconds since 1970.
        most: the maximum remaining time in milliseconds, in case the server's clock has been set back; None for no
            limit.
        opening: whether the deadline is the opening of the first phase.
        releasing: whether the deadline is when the rest of the results is revealed without the host.
    """

    clock: int | None
    deadline: int | None
    now: int
    most: int | None = None
    opening: bool = False
    releasing: bool = False

    def __post_init__(self) -> None:
        if self.deadline is not None and self.most is not None:
            object.__setattr__(self, "deadline", min(self.deadline, self.now + self.most))

    @property
    def iso(self) -> str:
        """The deadline for `<time datetime>`."""
        return iso(self.deadline or 0)

    @property
    def until(self) -> str:
        """The deadline in words, in UTC; the page's script converts it to local time."""
        return date_and_time(moment(self.deadline or 0))


class Timekeeper:
    """Handles the deadlines of all tables. The deadlines themselves are in the database."""

    def __init__(self, find: FindTable, now: Callable[[], int]) -> None:
        self._find, self._now = find, now
        self._armed: dict[str, int] = {}
        # (time, whether the deadline has passed, table, deadline); entries that are no longer in `_armed` are skipped.
        self._heap: list[tuple[int, bool, str, int]] = []
        self._ready: dict[str, ClosesInTime] = {}
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._gate = asyncio.Semaphore(AT_ONCE)
        self._news = asyncio.Event()
        self._loop: asyncio.Task[None] | None = None
        self._asleep = False

    def start(self, deadlines: Sequence[tuple[str, int]]) -> None:
        """Load the given deadlines and start; overdue steps are closed at once."""
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
        """Set or replace a table's deadline; None removes it."""
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
        """Load a table ahead of its deadline, or handle the deadline; errors do not affect other tables."""
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
