"""Runs of the lab: worker processes, who may start them, and when they are cancelled."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Any

from pyramidion.translation import _
from pyramidion.web.errors import TooMany
from pyramidion.web.features.lab.run_form import Order
from pyramidion.web.tokens import new_id

KEPT = 40
"""Number of finished runs that are kept, the latest of all visitors."""
MOST_WAITING = 20
ABANDONED = 30.0
"""Seconds after which a run that nobody watches is cancelled."""
LONGEST_LINE = 8 * 1024 * 1024
log = logging.getLogger(__name__)


@dataclass(eq=False)
class Run:
    """An experiment of one visitor: what was asked for, how far it has got, and its results so far.

    Attributes:
        id: part of its address.
        holder: the visitor; nobody else sees it.
        order: what was asked for.
        state: `waiting`, `running`, `done`, `failed` or `cancelled`.
        done, games: number of games played and asked for.
        figures: the latest figures, see `lab.worker.figures`; None before the first.
        error: why it failed.
        report: the full report as HTML, once done.
        cards: the changed card file, once done.
        seen: when somebody last asked for it.
    """

    id: str
    holder: str
    order: Order
    seen: float
    state: str = "waiting"
    done: int = 0
    games: int = 0
    figures: dict[str, Any] | None = None
    error: str = ""
    report: str | None = None
    cards: str | None = None
    task: asyncio.Task[None] | None = field(default=None, repr=False)

    @property
    def over(self) -> bool:
        """Whether the run has ended, for whatever reason."""
        return self.state in ("done", "failed", "cancelled")


class Lab:
    """Runs visitors' experiments in worker processes on this server, a limited number at a time.

    Attributes:
        most_games: the largest number of games of an experiment.
    """

    def __init__(
        self, workers: int, seconds: float, most_games: int, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.most_games = most_games
        self._seconds, self._now = seconds, now
        self._room = asyncio.Semaphore(workers)
        self._runs: OrderedDict[str, Run] = OrderedDict()
        self._watch: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start to cancel abandoned runs from time to time."""
        self._watch = asyncio.create_task(self._keep_cancelling_abandoned())

    async def close(self) -> None:
        """Cancel all runs and wait until they have stopped."""
        for run in self._runs.values():
            self.cancel(run)
        if self._watch:
            self._watch.cancel()
        tasks = [run.task for run in self._runs.values() if run.task] + ([self._watch] if self._watch else [])
        await asyncio.gather(*tasks, return_exceptions=True)

    def begin(self, holder: str, order: Order) -> Run:
        """Start a visitor's run, or queue it if all workers are busy; a previous unfinished run is cancelled.

        Raises TooMany if too many runs are unfinished.
        """
        for run in self._runs.values():
            if run.holder == holder and not run.over:
                self.cancel(run)
        if sum(not run.over for run in self._runs.values()) >= MOST_WAITING:
            raise TooMany(_("The lab is busy. Try again in a few minutes."), retry_after=60)
        run = Run(new_id(), holder, order, self._now(), games=order.games)
        self._runs[run.id] = run
        over = [run for run in self._runs.values() if run.over]
        for run in over[: max(0, len(over) - KEPT)]:
            del self._runs[run.id]
        run.task = asyncio.create_task(self._play_when_free(run))
        return run

    def find(self, run_id: str, holder: str | None) -> Run | None:
        """Return the run with an id if it belongs to the visitor `holder`, else None.

        This counts as watching the run, which keeps it from being cancelled as abandoned.
        """
        run = self._runs.get(run_id)
        if run is None or holder is None or run.holder != holder:
            return None
        run.seen = self._now()
        return run

    def cancel(self, run: Run) -> None:
        """Stop a run; the figures so far stay."""
        if not run.over:
            run.state = "cancelled"
            if run.task:
                run.task.cancel()

    def cancel_abandoned(self) -> None:
        """Cancel the runs whose page nobody has had open for half a minute."""
        for run in self._runs.values():
            if not run.over and self._now() - run.seen > ABANDONED:
                self.cancel(run)

    async def _keep_cancelling_abandoned(self) -> None:
        """Cancel abandoned runs every few seconds, until cancelled itself."""
        while True:
            await asyncio.sleep(ABANDONED / 10)
            self.cancel_abandoned()

    async def _play_when_free(self, run: Run) -> None:
        """Wait for a free worker, then run the experiment; record a failure as such."""
        try:
            async with self._room:
                run.state = "running"
                await self._run_worker(run)
        except asyncio.CancelledError:
            if not run.over:
                run.state = "cancelled"
        except Exception:
            log.exception("A run of the lab failed")
            run.state, run.error = "failed", _("Something went wrong on the server. The error has been logged.")

    async def _run_worker(self, run: Run) -> None:
        """Run a worker process for an experiment and record its messages; kill it if the task is cancelled."""
        words = (sys.executable, "-m", "pyramidion.lab.worker")
        process = await asyncio.create_subprocess_exec(*words, stdin=PIPE, stdout=PIPE, stderr=PIPE, limit=LONGEST_LINE)
        errors = asyncio.create_task(_read_errors(process))
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps({**asdict(run.order), "seconds": self._seconds, "seed": 0}).encode() + b"\n")
            await process.stdin.drain()
            async for line in process.stdout:
                _note(run, json.loads(line))
                if run.over:
                    return
            run.state, run.error = "failed", _("The worker process ended unexpectedly.")
            log.error("A worker of the lab ended: %s", (await errors).decode(errors="replace"))
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            errors.cancel()
            await process.wait()


async def _read_errors(process: Process) -> bytes:
    """Read a process's standard error to its end, so that the process never blocks on it; return the last bytes."""
    assert process.stderr is not None
    tail = b""
    while part := await process.stderr.read(4096):
        tail = (tail + part)[-4000:]
    return tail


def _note(run: Run, message: dict[str, Any]) -> None:
    """Record in a run what a message of its worker process says: progress, figures, failure or results."""
    run.done = message.get("done", run.done)
    run.figures = message.get("figures", run.figures)
    if "error" in message:
        run.state, run.error = "failed", message["error"]
    elif "over" in message:
        run.state, run.report, run.cards = "done", message["report"], message["cards"]
        run.done = run.figures["games"] if run.figures else run.done
