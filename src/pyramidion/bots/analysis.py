"""A finished game looked at again: everybody's chance to win after every ply, and the decisions that cost most.

The curve is what somebody who sees only what is open to all may expect. A decision is judged by what its seat knew when
it made it: its redacted state at that ply, never what lay hidden.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion.bots.levels import LEVELS
from pyramidion.bots.search import SearchBot, payoffs_of
from pyramidion.bots.thought import Thought
from pyramidion.bots.verdict import SURE, standard_error
from pyramidion.engine.game import chance_words
from pyramidion.engine.match import Match

MOST_TOLD = 3
SUSPECTS = 8
"""Decisions that are looked at closely, after a first look at all of them."""
CLOSER = 4
"""How many times longer a closer look takes."""
WORLDS = 48
"""Deals of what the seat did not know, over which two actions are compared."""
LEAST_COST = 0.01


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision and what would have been better, as its seat could know.

    Attributes:
        ply: how many actions had been made before it.
        seat: whose it was.
        played, better: the notations of what was done and of what would have been better.
        chance_played, chance_better: what the seat could expect after either, 0 to 1.
        error: standard error of the difference.
    """

    ply: int
    seat: int
    played: str
    better: str
    chance_played: float
    chance_better: float
    error: float

    @property
    def cost(self) -> float:
        """What it cost, as a chance to win."""
        return self.chance_better - self.chance_played


@dataclass(frozen=True, slots=True)
class Analysis:
    """What came out.

    Attributes:
        curve: for every position, the opening first, every seat's expected share of the win, 0 to 1.
        decisions: those that cost most, the worst first; only such as clearly cost something.
        judged: how many decisions had more than one legal action.
        iterations: of the search, for each position of the curve.
    """

    curve: list[list[float]]
    decisions: list[Decision]
    judged: int
    iterations: int

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON-ready data."""
        return asdict(self)

    @staticmethod
    def from_json(data: dict[str, Any]) -> Analysis:
        """Return the analysis that `as_json` made."""
        decisions = [Decision(**one) for one in data["decisions"]]
        return Analysis(data["curve"], decisions, data["judged"], data["iterations"])


class Analyst:
    """Analyses one finished match, step by step: `for _ in analyst.steps(): ...`, then `analyst.result`.

    Attributes:
        done, total: how many steps are done, and how many there are.
    """

    def __init__(self, match: Match, *, iterations: int = 2_000, seed: int = 1) -> None:
        if not match.over:
            raise ValueError("A game is analysed when it is over, since what was hidden is told then.")
        self._match, self._iterations = match, iterations
        self._bot = SearchBot(match.game, seed, LEVELS["expert"])
        self._seed = seed
        self._choices = [ply for ply in range(match.ply) if len(match.at(ply).legal_ids(match.history[ply][0])) > 1]
        self.done, self.total = 0, match.ply + 1 + len(self._choices) + min(SUSPECTS, len(self._choices))
        self._result: Analysis | None = None

    @property
    def result(self) -> Analysis:
        """The analysis, when all steps are done."""
        if self._result is None:
            raise ValueError("The analysis is not done yet.")
        return self._result

    def steps(self) -> Iterator[None]:
        """Do one step after another, each of about as many iterations; any thread may take the next."""
        curve: list[list[float]] = []
        known = b""
        for ply in range(self._match.ply + 1):
            at = self._match.at(ply)
            shown = at.redacted_state(None)
            if not curve or shown.tobytes() != known:
                known = shown.tobytes()
                curve.append(self._expected(at, shown, -1, self._iterations))
            else:
                # A spectator has seen nothing happen, as when somebody has submitted in secret.
                curve.append(curve[-1])
            yield self._count()
        suspicion: list[tuple[float, int, int]] = []
        for ply in self._choices:
            seat, played = self._match.history[ply]
            better, cost = _first_look(self._think(ply), seat, played)
            suspicion.append((-cost, ply, better))
            yield self._count()
        decisions: list[Decision] = []
        for suspect, ply, better in sorted(suspicion)[:SUSPECTS]:
            if suspect < 0:
                decisions.append(self._compared(ply, better))
            yield self._count()
        costly = [d for d in decisions if d.cost >= max(LEAST_COST, SURE * d.error)]
        costly.sort(key=lambda d: (-d.cost, d.ply))
        self._result = Analysis(curve, costly[:MOST_TOLD], len(self._choices), self._iterations)

    def _count(self) -> None:
        self.done += 1

    def _expected(self, at: Match, shown: Any, viewer: int, iterations: int) -> list[float]:
        if shown["over"][0]:
            return list(payoffs_of(at.game, at.box, shown))
        return [round(value, 4) for value in self._bot.estimate(at.box, shown, viewer, iterations=iterations)]

    def _think(self, ply: int) -> Thought:
        at, (seat, _) = self._match.at(ply), self._match.history[ply]
        return self._bot.think(at.box, at.redacted_state(seat), seat, iterations=self._iterations)

    def _compared(self, ply: int, better: int) -> Decision:
        """Compare what was played with what seemed better, in the same deals of what the seat did not know.

        A search looks little at what it thinks bad, so its own figures for a bad action are rough. Here both
        actions get the same number of iterations, each from the positions that it leads to.
        """
        match, (seat, played) = self._match.at(ply), self._match.history[ply]
        iterations = self._iterations * CLOSER // 2
        first = self._values_after(match, seat, played, iterations)
        second = self._values_after(match, seat, better, iterations)
        worlds = len(first)
        between = float(np.std(second - first)) / math.sqrt(worlds)
        mine, best = float(np.mean(first)), float(np.mean(second))
        within = math.hypot(standard_error(mine, iterations), standard_error(best, iterations))
        text = match.game.actions
        return Decision(
            ply,
            seat,
            text[played].text,
            text[better].text,
            round(mine, 4),
            round(best, 4),
            round(math.hypot(between, within), 4),
        )

    def _values_after(self, match: Match, seat: int, action: int, iterations: int) -> npt.NDArray[np.float64]:
        """Return, for every deal, what the seat may expect after an action as it then knows the game, float64."""
        game, chance = match.game, chance_words(f"{self._seed}/{match.ply}")
        buffer = np.empty(len(game.actions), np.int32)
        known: dict[bytes, list[int]] = {}
        shown_by: dict[bytes, Any] = {}
        for world in range(WORLDS):
            state = match.redacted_state(seat)
            game.compiled.redeal(match.box, state, seat, chance)
            if game.compiled.step(match.box, state, seat, action, buffer):
                raise AssertionError(f"{game.id}: {game.actions[action]} is not legal after a redeal")
            shown = game.layout.redact(state, seat)
            known.setdefault(shown.tobytes(), []).append(world)
            shown_by[shown.tobytes()] = shown
        values = np.zeros(WORLDS)
        for key, worlds in known.items():
            share = max(1, iterations * len(worlds) // WORLDS)
            values[worlds] = self._expected(match, shown_by[key], seat, share)[seat]
        return values


def _first_look(thought: Thought, seat: int, played: int) -> tuple[int, float]:
    """Return what seemed better than what was played, and about how much: 0 where nothing did."""
    tried = [c for c in thought.choices if c.visits > 0]
    best = tried[0]
    if thought.mixed:
        best = max(tried, key=lambda c: c.values[seat] - standard_error(c.values[seat], c.visits))
    if best.action == played:
        return played, 0.0
    mine = thought.choice(played)
    # What was never tried may be anything: about as good as the whole position, and doubtful.
    chance, visits = (mine.values[seat], mine.visits) if mine and mine.visits else (thought.values[seat], 1)
    return best.action, max(0.0, best.values[seat] - chance) + standard_error(chance, visits) / 4
