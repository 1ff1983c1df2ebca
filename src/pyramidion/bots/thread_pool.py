"""The thread pool for bots, hints and analyses, in which the tables take turns.

Quick work (heuristics, and searches limited by iterations) has a thread of its own, so it never waits for long work
(Expert's seconds, hints, analyses). Within it, jobs of fewer iterations come first, however fast the machine is: a
hundred tables of Hard bots delay a move of a quicker bot by one or two of theirs at most. Analyses, for which nobody
is waiting at the table, have the lowest priority.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from collections import defaultdict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from pyramidion import Game, bots
from pyramidion.bots import background_compilation
from pyramidion.bots.priority import lower_priority
from pyramidion.engine.rule import interprets_uncached_rules

T = TypeVar("T")
COSTLY_TURN = 4
"""Within the quick thread: every so-many-th job is one of the highest cost, so that those are done, too."""
log = logging.getLogger(__name__)


class Job:
    """A call of `work` that a table has asked for, and the future of its result.

    Setting `stop` asks the work to end early with the result so far.
    """

    def __init__(self, table: str, work: Callable[[threading.Event], Any], future: asyncio.Future[Any]) -> None:
        self.table, self.work, self.future = table, work, future
        self.stop = threading.Event()


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
    """Runs the tables' jobs on a number of threads, those of higher cost later. Use it from the event loop.

    Jobs of a cost above 0 leave one thread free if there are several. With `costly_turn`, every so-many-th job is one
    of the highest cost among those that wait.
    """

    def __init__(self, threads: int, name: str, *, costly_turn: int = 0) -> None:
        self._pool = ThreadPoolExecutor(threads, name, initializer=_lower_thread_priority)
        self._free, self._costly_free, self._closed = threads, max(1, threads - 1), False
        self._queues: defaultdict[int, FairQueue] = defaultdict(FairQueue)
        self._running: set[Job] = set()
        self._costly_turn, self._passed_over = costly_turn, 0

    @property
    def queue(self) -> FairQueue:
        """The queue of the jobs without a cost, which come first."""
        return self._queues[0]

    async def run(self, table: str, work: Callable[[threading.Event], T], *, cost: int = 0) -> T:
        """Run a piece of work for a table when its turn comes, and return its result.

        Only the order of `cost` counts: work of a lower one comes first. Cancelling the call removes the work from the
        queue, or asks it to stop.
        """
        job = Job(table, work, asyncio.get_running_loop().create_future())
        queue = self._queues[cost]
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
        """Start queued jobs on the free threads."""
        while self._free > 0 and not self._closed:
            cost = self._next_cost()
            job = None if cost is None else self._queues[cost].next()
            if job is None:
                return
            costly = bool(cost)
            self._free -= 1
            self._costly_free -= costly
            self._running.add(job)
            running = asyncio.get_running_loop().run_in_executor(self._pool, job.work, job.stop)
            running.add_done_callback(partial(self._done, job=job, costly=costly))

    def _next_cost(self) -> int | None:
        """Return the cost of the job to start next, or None if no job may start."""
        costs = [cost for cost, queue in self._queues.items() if queue and (cost == 0 or self._costly_free > 0)]
        if len(costs) < 2:
            return costs[0] if costs else None
        self._passed_over += 1
        if self._passed_over == self._costly_turn:
            self._passed_over = 0
            return max(costs)
        return min(costs)

    def _done(self, done: asyncio.Future[Any], job: Job, costly: bool) -> None:
        """Free a finished job's thread, pass on its result or error, and start the next job."""
        self._running.discard(job)
        self._free += 1
        self._costly_free += costly
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

    @property
    def waiting(self) -> int:
        """The number of tables with jobs in the queues."""
        return sum(map(len, self._queues.values()))


class ThreadPools:
    """A server's thread pools: `quick` for short work, and `deep` for at most `threads` long jobs at the same time."""

    def __init__(self, threads: int) -> None:
        self.quick = WorkerPool(1, "pyramidion-quick", costly_turn=COSTLY_TURN)
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
