"""Where bots, hints and analyses think: a few threads for all tables, which take turns.

Quick work (rules of thumb, and searches of a counted number of steps) has a thread of its own and never waits for long
work (an Expert's seconds, hints, analyses). Work that nobody waits for, an analysis, is done when there is no other.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from pyramidion import Game, bots

T = TypeVar("T")
NICENESS = 5
"""How far the threads step back behind those that answer people, where a system can do that for one thread."""
log = logging.getLogger(__name__)


class Job:
    """A piece of work for a table; `stop` asks it to end early with what it has."""

    def __init__(self, table: str, work: Callable[[threading.Event], Any], future: asyncio.Future[Any]) -> None:
        self.table, self.work, self.future = table, work, future
        self.stop = threading.Event()


class Line:
    """Those who wait: one from each table in turn, each table's own in the order they came."""

    def __init__(self) -> None:
        self._tables: dict[str, deque[Job]] = {}

    def add(self, job: Job) -> None:
        """Put a job at the end of its table's queue; a table that had none waits behind all others."""
        self._tables.setdefault(job.table, deque()).append(job)

    def next(self) -> Job | None:
        """Take the first job, and send its table to the end of the line."""
        if not self._tables:
            return None
        table = next(iter(self._tables))
        queue = self._tables.pop(table)
        job = queue.popleft()
        if queue:
            self._tables[table] = queue
        return job

    def remove(self, job: Job) -> None:
        """Take out a job that nobody wants any more."""
        queue = self._tables.get(job.table)
        if queue is not None and job in queue:
            queue.remove(job)
            if not queue:
                del self._tables[job.table]

    def place(self, table: str) -> int | None:
        """Return a table's place in the line, from 1; None if it does not wait."""
        return list(self._tables).index(table) + 1 if table in self._tables else None


class Crew:
    """So many threads, and the lines before them. Used from the event loop."""

    def __init__(self, threads: int, name: str) -> None:
        self._pool = ThreadPoolExecutor(threads, name, initializer=_step_back)
        self._free, self._patient_free, self._closed = threads, max(1, threads - 1), False
        self.line, self._patient = Line(), Line()
        self._running: set[Job] = set()

    async def do(self, table: str, work: Callable[[threading.Event], T], *, patient: bool = False) -> T:
        """Do a piece of work for a table when its turn comes, and return what it returns.

        `patient` work comes after all other, and never takes all threads but the last. Whoever is cancelled takes it
        out of the line, or asks it to stop.
        """
        job = Job(table, work, asyncio.get_running_loop().create_future())
        line = self._patient if patient else self.line
        line.add(job)
        self._go_on()
        try:
            return await job.future
        finally:
            line.remove(job)
            job.stop.set()

    def close(self) -> None:
        """Ask all work to stop, and begin no more."""
        self._closed = True
        for job in self._running:
            job.stop.set()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _go_on(self) -> None:
        while self._free > 0 and not self._closed:
            job, patient = self.line.next(), False
            if job is None and self._patient_free > 0:
                job, patient = self._patient.next(), True
            if job is None:
                return
            self._free -= 1
            self._patient_free -= patient
            self._running.add(job)
            running = asyncio.get_running_loop().run_in_executor(self._pool, job.work, job.stop)
            running.add_done_callback(lambda done, job=job, patient=patient: self._done(done, job, patient))

    def _done(self, done: asyncio.Future[Any], job: Job, patient: bool) -> None:
        self._running.discard(job)
        self._free += 1
        self._patient_free += patient
        if not job.future.done():
            if done.cancelled():
                job.future.cancel()
            elif error := done.exception():
                job.future.set_exception(error)
            else:
                job.future.set_result(done.result())
        elif not done.cancelled():
            done.exception()  # nobody wants to know
        self._go_on()


class Thinking:
    """All that thinks on this server. `threads` bound the long work done at the same time."""

    def __init__(self, threads: int) -> None:
        self.quick = Crew(1, "pyramidion-quick")
        self.deep = Crew(threads, "pyramidion-thinking")

    def close(self) -> None:
        """Stop thinking."""
        self.quick.close()
        self.deep.close()


_COMPILING = threading.Lock()
_COMPILED: set[Game] = set()


def compile_search(game: Game) -> None:
    """Compile a game's search if it is not yet; blocks, for seconds the first time ever. One game after another."""
    if game not in _COMPILED:
        with _COMPILING:
            if game not in _COMPILED:
                bots.warm(game)
                _COMPILED.add(game)


class Searches:
    """The searches that are being compiled, each in the background: whoever needs one waits for it, and nobody else."""

    def __init__(self) -> None:
        self._under_way: dict[Game, asyncio.Future[None]] = {}

    def is_ready(self, game: Game) -> bool:
        """Whether a game's search is compiled."""
        return game in _COMPILED

    def prepare(self, game: Game) -> None:
        """See to it that a game's search will be compiled."""
        if game in _COMPILED or game in self._under_way:
            return
        loop = asyncio.get_running_loop()
        future = self._under_way[game] = loop.create_future()

        def done() -> None:
            self._under_way.pop(game, None)
            if not future.done():
                future.set_result(None)

        def work() -> None:
            try:
                compile_search(game)
            except Exception:
                log.exception("The search of %s could not be compiled", game.id)
            with suppress(RuntimeError):  # the server has stopped meanwhile
                loop.call_soon_threadsafe(done)

        # Compiling cannot be broken off, and a server that stops does not wait for this kind of thread.
        threading.Thread(target=work, name="pyramidion-compile", daemon=True).start()

    async def ready(self, game: Game) -> None:
        """Wait until a game's search is compiled, or could not be."""
        if game not in _COMPILED:
            self.prepare(game)
            await asyncio.shield(self._under_way[game])


def _step_back() -> None:
    """Let the threads that answer people go first. Linux can do that for a single thread."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
