"""Analyses of finished games: computed on request at the lowest priority, and stored with the table."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from pyramidion import EVERYTHING
from pyramidion.bots.analysis import Analysis, Analyst, Decision
from pyramidion.bots.foresight import described, reason, reason_by_chances
from pyramidion.bots.interpretation import percent
from pyramidion.bots.thread_pool import SearchCompiler, ThreadPools
from pyramidion.translation import _
from pyramidion.web.db.schema import ANALYSES
from pyramidion.web.db.store import Store, now
from pyramidion.web.db.writer import Change, Conflict, WriteFailed, Writer
from pyramidion.web.errors import HasSecrets

if TYPE_CHECKING:
    from pyramidion.web.table.table import Table

MOST_READY = 100
STEP_SECONDS = 0.25
"""Approximate time an analysis occupies a thread before other work gets a turn."""
log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class Progress:
    """How far the analysis of a table is, and its result when it is ready.

    `state` is `none`, `waiting`, `running`, `ready` or `failed`, and `done` of `total` steps have been made.
    """

    state: str = "none"
    done: int = 0
    total: int = 0
    result: Analysis | None = None
    task: asyncio.Task[None] | None = field(default=None, repr=False)

    def as_json(self) -> dict[str, Any]:
        """Return the progress and the result, if there is one, JSON-ready."""
        data: dict[str, Any] = {"state": self.state, "done": self.done, "total": self.total}
        return data | self.result.as_json() if self.result is not None else data


class Analyses:
    """Runs the analyses of finished games on request, stores their results, and tells how far they are."""

    def __init__(
        self, store: Store, writer: Writer, thinking: ThreadPools, searches: SearchCompiler, iterations: int = 2_000
    ) -> None:
        self._store, self._writer = store, writer
        self._thinking, self._searches, self._iterations = thinking, searches, iterations
        self._progress: dict[str, Progress] = {}

    async def of(self, table: Table) -> Progress:
        """Return how far a finished game's analysis is. Raises HasSecrets during the game."""
        if not table.match.over:
            raise HasSecrets(_("You can analyse a game once it is over."))
        progress = self._progress.get(table.id)
        if progress is None:
            stored = await asyncio.to_thread(self._store.analysis, table.id)
            progress = self._progress.get(table.id)  # it may have been started meanwhile
            if progress is None:
                if stored is None:
                    return Progress()
                progress = Progress("ready", result=Analysis.from_json(stored))
                self._keep(table.id, progress)
        return progress

    async def start(self, table: Table) -> Progress:
        """Start a finished game's analysis unless it exists or is under way; return its progress."""
        progress = await self.of(table)
        if progress.state in ("none", "failed"):
            progress = Progress("waiting")
            self._keep(table.id, progress)
            progress.task = asyncio.create_task(self._make(table, progress))
        return progress

    async def close(self) -> None:
        """Stop all running analyses, which can be requested again."""
        tasks = [progress.task for progress in self._progress.values() if progress.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _keep(self, table_id: str, progress: Progress) -> None:
        """Keep an analysis in memory, and drop the oldest ready ones if there are too many."""
        self._progress[table_id] = progress
        ready = [key for key, existing in self._progress.items() if existing.state == "ready"]
        for old in ready[: max(0, len(ready) - MOST_READY)]:
            del self._progress[old]

    async def _make(self, table: Table, progress: Progress) -> None:
        """Run an analysis in short steps, and store its result."""
        try:
            await self._searches.ready(table.game)
            learners = sorted(table.seating.persons())
            analyst = await asyncio.to_thread(Analyst, table.match, iterations=self._iterations, learners=learners)
            steps, place = analyst.steps(), f"{table.id}/analysis"
            progress.state, progress.total = "running", analyst.total
            while await self._thinking.deep.run(place, lambda stop: _run_some(steps), cost=1):
                progress.done, progress.total = analyst.done, analyst.total
            progress.result = analyst.result
        except Exception:
            log.exception("Table %s could not be analysed", table.id)
            progress.state = "failed"
            return
        progress.state, progress.done = "ready", progress.total
        try:
            await self._writer.write(_insert(table.id, progress.result))
        except Conflict:
            pass  # another server was faster
        except WriteFailed as error:
            log.warning("The analysis of table %s could not be saved: %s", table.id, error)


def _run_some(steps: Iterator[None]) -> bool:
    """Run steps of an analysis for about STEP_SECONDS; return whether there may be more."""
    until = time.monotonic() + STEP_SECONDS
    return any(time.monotonic() >= until for _ in steps)


def _insert(match: str, result: Analysis) -> Change:
    """Return the change that stores an analysis. Raises Conflict if another is stored already."""

    def insert_analysis(connection: sa.Connection) -> None:
        if connection.execute(sa.select(ANALYSES.c.match).where(ANALYSES.c.match == match)).one_or_none():
            raise Conflict("There is an analysis of this match.")
        row = {"match": match, "made": now(), "result": json.dumps(result.as_json())}
        connection.execute(sa.insert(ANALYSES), row)

    return insert_analysis


# The size of the chart in SVG units; the page scales it.
WIDTH, HEIGHT = 1000, 220


@dataclass(frozen=True, slots=True)
class Curve:
    """A seat's line in the chart of win chances: SVG `points`, and the y coordinate of its `last` point."""

    seat: int
    name: str
    points: str
    last: float


@dataclass(frozen=True, slots=True)
class Mistake:
    """A costly decision as the page shows it, with its place in the chart.

    `moment` is when in the game it was, which may be empty. `version` is the viewer's position just before the
    decision. `pieces` are those of the better action on the board, and `why` says what that would have changed.
    """

    decision: Decision
    name: str
    played: str
    better: str
    moment: str
    cost: str
    chance_played: str
    chance_better: str
    version: int
    pieces: tuple[str, ...]
    why: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """The action that raised the winner's chance most, with the chance before and after it, as the page shows it.

    `action` is None where several seats decided at the same time.
    """

    ply: int
    version: int
    name: str
    action: str | None
    winner: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ShownAnalysis:
    """An analysis as the page shows it to one viewer.

    Attributes:
        plies: number of actions of the game, the range of the x axis.
        curves: a line for each seat.
        mistakes: the costliest decisions; `own` are the viewer's.
        turning_point: what the win turned on; None where nobody won.
        positions, open_positions: plies of the slider's positions, as the viewer saw them and with everything revealed.
        rows: for each of the viewer's positions, its number and the chances in words.
    """

    plies: int
    curves: list[Curve]
    mistakes: list[Mistake]
    own: list[Mistake]
    others: list[Mistake]
    turning_point: TurningPoint | None
    positions: list[int]
    open_positions: list[int]
    rows: list[tuple[int, list[str]]]
    judged: int
    iterations: int


def shown_analysis(table: Table, viewer: int | None, result: Analysis) -> ShownAnalysis:
    """Prepare an analysis for the page: the chart, and decisions and chances in words, for a viewer (None watches)."""
    match, names = table.match, table.names
    plies = len(result.curve) - 1
    positions = match.positions(viewer)

    def x(ply: int) -> float:
        return round(WIDTH * ply / max(1, plies), 1)

    def y(chance: float) -> float:
        return round(HEIGHT * (1 - chance), 1)

    def in_words(decision: Decision) -> Mistake:
        """Return a costly decision as the page shows it."""
        seat, before = decision.seat, match.at(decision.ply)
        played, better = match.game.actions.parse(decision.played), match.game.actions.parse(decision.better)
        label = described(before, seat, played, names)
        seen = match.game, before.box_for(seat), before.redacted_state(seat), seat
        return Mistake(
            decision,
            names[seat],
            label,
            described(before, seat, better, names),
            match.game.presentation.moment(before.view(seat)),
            percent(decision.cost),
            percent(decision.chance_played),
            percent(decision.chance_better),
            bisect_right(positions, decision.ply) - 1,
            better.path,
            reason(*seen, better.id, [(played.id, label)])
            or reason_by_chances(percent(decision.chance_better), percent(decision.chance_played), label),
            x(decision.ply),
            y(result.curve[decision.ply][seat]),
        )

    def turning_point() -> TurningPoint | None:
        """Return the action that raised the winner's chance most, or None if nobody has won."""
        if match.outcome is None or not match.outcome.winners or not plies:
            return None
        winner, curve = match.outcome.winners[0], result.curve
        ply = max(range(plies), key=lambda ply: curve[ply + 1][winner] - curve[ply][winner])
        seat, action = match.history[ply]
        before = match.at(ply)
        alone = len(before.acting) == 1
        return TurningPoint(
            ply,
            bisect_right(positions, ply) - 1,
            names[seat],
            described(before, seat, match.game.actions[action], names) if alone else None,
            names[winner],
            percent(curve[ply][winner]),
            percent(curve[ply + 1][winner]),
        )

    mistakes = [in_words(decision) for decision in result.decisions]
    return ShownAnalysis(
        plies,
        [
            Curve(
                seat,
                names[seat],
                " ".join(f"{x(ply)},{y(chances[seat])}" for ply, chances in enumerate(result.curve)),
                y(result.curve[-1][seat]),
            )
            for seat in range(match.seats)
        ],
        mistakes,
        [mistake for mistake in mistakes if mistake.decision.seat == viewer],
        [mistake for mistake in mistakes if mistake.decision.seat != viewer],
        turning_point(),
        positions,
        match.positions(EVERYTHING),
        [(n, [percent(chance) for chance in result.curve[ply]]) for n, ply in enumerate(positions)],
        result.judged,
        result.iterations,
    )
