"""The thread pool for bots, hints and analyses, in which the tables take turns.

Quick work (heuristics, and searches limited by iterations) has a thread of its own, so it never waits for long work
(Expert's seconds, hints, analyses). Within it, tables whose last job took longer, such as those of Hard bots, come
after the others: a hundred of them delay a table with quicker bots by one of their moves at most. Analyses, for which
nobody is waiting at the table, have the lowest priority.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from math import inf
from typing import Any, TypeVar

from pyramidion import Game, bots
from pyramidion.bots import background_compilation
from pyramidion.bots.priority import lower_priority
from pyramidion.engine.rule import interprets_uncached_rules

T = TypeVar("T")
SHORT_SECONDS = 0.01
"""Within the quick thread: how long the job of a table takes that comes before those of others."""
MOST_SLOW = 10_000
"""Maximum number of tables whose longer jobs are remembered."""
log = logging.getLogger(__name__)


class Job:
    """A call of `work` that a table has asked for, and the future of its result.

    Setting `stop` asks the work to end early with the result so far.
    """

    def __init__(self, table: str, work: Callable[[threading.Event], Any], future: asyncio.Future[Any]) -> None:
        self.table, self.work, self.future = table, work, future
        self.stop = threading.Event()
        self.began = 0.0


class FairQueue:
    """A queue of jobs in which tables take turns: one job of each, and its own jobs in the order they came."""

    def __init__(self) -> None:
        self._tables: dict[str, deque[Job]] = {}

    def add(self, job: Job) -> None:
        """Append a job to its table's queue; a new table goes to the end of the queue."""
        self._tables.setdefault(job.table, deque()).append(job)

    def next(self) -> Job | None:
        """Remove and return the first job, and move its table to the end of the queue; None if it is empty."""
        if not self._tables:
            return None
        table = next(iter(self._tables))
        queue = self._tables.pop(table)
        job = queue.popleft()
        if queue:
            self._tables[table] = queue
        return job

    def remove(self, job: Job) -> None:
        """Remove a cancelled job, if it is still waiting."""
        queue = self._tables.get(job.table)
        if queue is not None and job in queue:
            queue.remove(job)
            if not queue:
                del self._tables[job.table]

    def __len__(self) -> int:
        """Return the number of tables that wait."""
        return len(self._tables)

    def position(self, table: str) -> int | None:
        """Return a table's position in the queue, from 1; None if it is not waiting."""
        return list(self._tables).index(table) + 1 if table in self._tables else None


class WorkerPool:
    """Runs the tables' jobs on a number of threads, those of low priority last. Use it from the event loop.

    With `short_seconds`, jobs of a table whose last job took longer than that have low priority.
    """

    def __init__(
        self,
        threads: int,
        name: str,
        *,
        short_seconds: float = inf,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pool = ThreadPoolExecutor(threads, name, initializer=_lower_thread_priority)
        self._free, self._low_priority_free, self._closed = threads, max(1, threads - 1), False
        self.queue, self._low_priority_queue = FairQueue(), FairQueue()
        self._running: set[Job] = set()
        self._short_seconds, self._clock = short_seconds, clock
        self._slow: OrderedDict[str, None] = OrderedDict()

    async def run(self, table: str, work: Callable[[threading.Event], T], *, low_priority: bool = False) -> T:
        """Run a piece of work for a table when its turn comes, and return its result.

        Work of low priority comes after all other work and leaves one thread free if there are several. Cancelling the
        call removes the work from the queue, or asks it to stop.
        """
        job = Job(table, work, asyncio.get_running_loop().create_future())
        queue = self._low_priority_queue if low_priority or table in self._slow else self.queue
        queue.add(job)
        self._start_jobs()
        try:
            return await job.future
        finally:
            queue.remove(job)
            job.stop.set()

    def close(self) -> None:
        """Ask running work to stop, and start no more."""
        self._closed = True
        for job in self._running:
            job.stop.set()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _start_jobs(self) -> None:
        """Start queued jobs on the free threads, those of low priority last and on fewer threads."""
        while self._free > 0 and not self._closed:
            job, low_priority = self.queue.next(), False
            if job is None and self._low_priority_free > 0:
                job, low_priority = self._low_priority_queue.next(), True
            if job is None:
                return
            self._free -= 1
            self._low_priority_free -= low_priority
            self._running.add(job)
            job.began = self._clock()
            running = asyncio.get_running_loop().run_in_executor(self._pool, job.work, job.stop)
            running.add_done_callback(partial(self._done, job=job, low_priority=low_priority))

    def _done(self, done: asyncio.Future[Any], job: Job, low_priority: bool) -> None:
        """Free a finished job's thread, pass on its result or error, and start the next job."""
        self._running.discard(job)
        self._note_duration(job)
        self._free += 1
        self._low_priority_free += low_priority
        if not job.future.done():
            if done.cancelled():
                job.future.cancel()
            elif error := done.exception():
                job.future.set_exception(error)
            else:
                job.future.set_result(done.result())
        elif not done.cancelled():
            done.exception()  # retrieve the exception, which nobody needs any more
        self._start_jobs()

    def _note_duration(self, job: Job) -> None:
        """Note whether a table's job took longer than a short one."""
        self._slow.pop(job.table, None)
        if self._clock() - job.began > self._short_seconds:
            self._slow[job.table] = None
            if len(self._slow) > MOST_SLOW:
                self._slow.popitem(last=False)

    @property
    def waiting(self) -> int:
        """The number of tables with jobs in the queues."""
        return len(self.queue) + len(self._low_priority_queue)


class ThreadPools:
    """A server's thread pools: `quick` for short work, and `deep` for at most `threads` long jobs at the same time."""

    def __init__(self, threads: int) -> None:
        self.quick = WorkerPool(1, "pyramidion-quick", short_seconds=SHORT_SECONDS)
        self.deep = WorkerPool(threads, "pyramidion-thinking")

    def close(self) -> None:
        """Ask all running work to stop, and start no more."""
        self.quick.close()
        self.deep.close()


_COMPILING = threading.Lock()
_COMPILED: set[Game] = set()


def compile_search(game: Game) -> None:
    """Compile a game's rules and search, unless they are compiled in this process already.

    Blocks, up to a minute the first time on a machine.
    """
    if game not in _COMPILED and interprets_uncached_rules():
        background_compilation.start(game).result()
        _COMPILED.add(game)
    elif game not in _COMPILED:
        with _COMPILING:
            if game not in _COMPILED:
                game.warm()
                bots.warm(game)
                _COMPILED.add(game)


class SearchCompiler:
    """Compiles the games' searches in background threads, so that only tables that need one wait for it."""

    def __init__(self) -> None:
        self._under_way: dict[Game, asyncio.Future[None]] = {}

    def prepare(self, game: Game) -> None:
        """Start compiling a game's search unless it is compiled or being compiled."""
        if game in _COMPILED or game in self._under_way:
            return
        loop = asyncio.get_running_loop()
        future = self._under_way[game] = loop.create_future()

        def done() -> None:
            """Let those who wait for the game's search go on."""
            self._under_way.pop(game, None)
            if not future.done():
                future.set_result(None)

        def work() -> None:
            """Compile the search in a thread, and tell the event loop when it is done."""
            try:
                compile_search(game)
            except Exception:
                log.exception("The search of %s could not be compiled", game.id)
            with suppress(RuntimeError):  # the event loop is closed
                loop.call_soon_threadsafe(done)

        # Compilation cannot be interrupted; a daemon thread does not delay the server's shutdown.
        threading.Thread(target=work, name="pyramidion-compile", daemon=True).start()

    async def ready(self, game: Game) -> None:
        """Wait until a game's search is compiled, or its compilation has failed."""
        if game not in _COMPILED:
            self.prepare(game)
            await asyncio.shield(self._under_way[game])


def _lower_thread_priority() -> None:
    """Lower the priority of the current thread; only Linux can do that for a single thread."""
    if sys.platform == "linux":
        lower_priority(threading.get_native_id())
