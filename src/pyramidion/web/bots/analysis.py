"""Analyses of finished games: made when somebody asks and nothing else is to be thought about, kept with the table."""

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
from pyramidion.bots.verdict import percent
from pyramidion.web.bots.thinking import Searches, Thinking
from pyramidion.web.errors import HasSecrets
from pyramidion.web.schema import ANALYSES
from pyramidion.web.store import Store, now
from pyramidion.web.writer import Change, Conflict, WriteFailed, Writer
from pyramidion.words import _

if TYPE_CHECKING:
    from pyramidion.web.table import Table

MOST_READY = 100
STEP_SECONDS = 0.25
"""About how long an analysis keeps a thread before others have their turn."""
log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class Progress:
    """How far the analysis of a table has come: `none`, `waiting`, `running`, `ready` or `failed`."""

    state: str = "none"
    done: int = 0
    total: int = 0
    result: Analysis | None = None
    task: asyncio.Task[None] | None = field(default=None, repr=False)

    def as_json(self) -> dict[str, Any]:
        """Return what programs are told."""
        told: dict[str, Any] = {"state": self.state, "done": self.done, "total": self.total}
        return told | self.result.as_json() if self.result is not None else told


class Analyses:
    """The analyses of this server's tables."""

    def __init__(
        self, store: Store, writer: Writer, thinking: Thinking, searches: Searches, iterations: int = 2_000
    ) -> None:
        self._store, self._writer = store, writer
        self._thinking, self._searches, self._iterations = thinking, searches, iterations
        self._known: dict[str, Progress] = {}

    async def of(self, table: Table) -> Progress:
        """Return how far the analysis of a table has come. Raises HasSecrets while the game goes on."""
        if not table.match.over:
            raise HasSecrets(_("A game is analysed when it is over."))
        known = self._known.get(table.id)
        if known is None:
            stored = await asyncio.to_thread(self._store.analysis, table.id)
            known = self._known.get(table.id)  # somebody may have started it meanwhile
            if known is None:
                if stored is None:
                    return Progress()
                known = Progress("ready", result=Analysis.from_json(stored))
                self._keep(table.id, known)
        return known

    async def start(self, table: Table) -> Progress:
        """Begin the analysis of a finished game, unless it is made or being made, and return how far it has come."""
        known = await self.of(table)
        if known.state in ("none", "failed"):
            known = Progress("waiting")
            self._keep(table.id, known)
            known.task = asyncio.create_task(self._make(table, known))
        return known

    async def close(self) -> None:
        """Stop; what is not finished can be asked for again."""
        tasks = [known.task for known in self._known.values() if known.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _keep(self, table_id: str, progress: Progress) -> None:
        self._known[table_id] = progress
        ready = [one for one, known in self._known.items() if known.state == "ready"]
        for old in ready[: len(ready) - MOST_READY]:
            del self._known[old]

    async def _make(self, table: Table, progress: Progress) -> None:
        try:
            await self._searches.ready(table.game)
            analyst = await asyncio.to_thread(Analyst, table.match, iterations=self._iterations)
            steps, place = analyst.steps(), f"{table.id}/analysis"
            progress.state, progress.total = "running", analyst.total
            while await self._thinking.deep.do(place, lambda stop: _some(steps), patient=True):
                progress.done = analyst.done
            progress.result = analyst.result
        except Exception:
            log.exception("Table %s could not be analysed", table.id)
            progress.state = "failed"
            return
        progress.state, progress.done = "ready", progress.total
        try:
            await self._writer.write(_insert(table.id, progress.result))
        except Conflict:
            pass  # another server was quicker
        except WriteFailed as error:
            log.warning("The analysis of table %s could not be saved: %s", table.id, error)


def _some(steps: Iterator[None]) -> bool:
    """Do steps for a moment; return whether there are more."""
    until = time.monotonic() + STEP_SECONDS
    return any(time.monotonic() >= until for _ in steps)


def _insert(match: str, result: Analysis) -> Change:
    def change(connection: sa.Connection) -> None:
        if connection.execute(sa.select(ANALYSES.c.match).where(ANALYSES.c.match == match)).one_or_none():
            raise Conflict("There is an analysis of this match.")
        row = {"match": match, "made": now(), "result": json.dumps(result.as_json())}
        connection.execute(sa.insert(ANALYSES), row)

    return change


# The chart, in units of its own; the page scales it to the width there is.
WIDTH, HEIGHT = 1000, 220


@dataclass(frozen=True, slots=True)
class Curve:
    """A seat's line in the chart; `points` as SVG wants them, `last` its last value in the same units from above."""

    seat: int
    name: str
    points: str
    last: float


@dataclass(frozen=True, slots=True)
class Told:
    """A costly decision as the page tells it; `version` is the viewer's position just before it."""

    decision: Decision
    name: str
    played: str
    better: str
    cost: str
    chance_played: str
    chance_better: str
    version: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Chart:
    """All that the page shows of an analysis to one viewer.

    Attributes:
        plies: number of actions of the game; the chart's width stands for them.
        positions, open_positions: plies of the positions on the slider: the viewer's, and with everything open.
        rows: for each of the viewer's positions the chances in words, the position's number first.
    """

    plies: int
    curves: list[Curve]
    told: list[Told]
    positions: list[int]
    open_positions: list[int]
    rows: list[tuple[int, list[str]]]
    judged: int
    iterations: int


def chart_of(table: Table, viewer: int | None, result: Analysis) -> Chart:
    """Return the chart of an analysis for a viewer's slider."""
    match, names = table.match, table.names
    plies = len(result.curve) - 1
    positions = match.positions(viewer)

    def x(ply: int) -> float:
        return round(WIDTH * ply / max(1, plies), 1)

    def y(chance: float) -> float:
        return round(HEIGHT * (1 - chance), 1)

    def told(one: Decision) -> Told:
        return Told(
            one,
            names[one.seat],
            match.label(match.game.actions.parse(one.played), names),
            match.label(match.game.actions.parse(one.better), names),
            percent(one.cost),
            percent(one.chance_played),
            percent(one.chance_better),
            bisect_right(positions, one.ply) - 1,
            x(one.ply),
            y(result.curve[one.ply][one.seat]),
        )

    return Chart(
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
        [told(one) for one in result.decisions],
        positions,
        match.positions(EVERYTHING),
        [(n, [percent(chance) for chance in result.curve[ply]]) for n, ply in enumerate(positions)],
        result.judged,
        result.iterations,
    )
