"""Post-game analysis: every seat's win chance after each ply, and the costliest decisions.

The curve uses public information only, as a spectator sees the game. A decision is judged by the seat's redacted state
at that ply, so hidden information never counts against the player.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pyramidion.bots.comparison import compare
from pyramidion.bots.interpretation import SIGNIFICANT_ERRORS
from pyramidion.bots.levels import strongest
from pyramidion.bots.search import SearchBot, scaled_payoffs
from pyramidion.bots.search_result import SearchResult
from pyramidion.bots.standard_errors import error_of, standard_error
from pyramidion.engine.layout import Redacted
from pyramidion.engine.match import Match

MAX_REPORTED = 3
MAX_EXAMINED = 8
"""Number of decisions examined closely after a first pass over all of them."""
LEARNERS_EXAMINED = 12
"""Number of further decisions that are examined for the seats whose players want to learn from them, in equal parts."""
EXAMINATION_FACTOR = 4
"""Iterations of a close examination, as a multiple of the first pass."""
MIN_COST = 0.01


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision that cost its seat win chance, and a better action; both are judged by what the seat knew.

    Attributes:
        ply: number of actions played before it.
        seat: the deciding seat.
        played, better: notations of the action played and of the better one.
        chance_played, chance_better: the seat's expected share of the win after each, 0 to 1.
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
        """The win chance lost by not playing the better action."""
        return self.chance_better - self.chance_played


@dataclass(frozen=True, slots=True)
class Analysis:
    """What the analysis of one finished match found: win chances after every ply, and the costliest decisions.

    Attributes:
        curve: for every position from the opening on, each seat's expected share of the win, 0 to 1.
        decisions: the costliest decisions of all seats, and of each learner, worst first; only those whose cost is
            statistically clear.
        judged: number of decisions with more than one legal action.
        iterations: search iterations per position of the curve.
    """

    curve: list[list[float]]
    decisions: list[Decision]
    judged: int
    iterations: int

    def as_json(self) -> dict[str, Any]:
        """Return the analysis as JSON-serialisable data."""
        return asdict(self)

    @staticmethod
    def from_json(data: dict[str, Any]) -> Analysis:
        """Rebuild an analysis from the output of `as_json`."""
        decisions = [Decision(**decision) for decision in data["decisions"]]
        return Analysis(data["curve"], decisions, data["judged"], data["iterations"])


_Suspicion = tuple[float, int, int]
"""The negative cost that a decision seems to have, its ply, and the action that seems better."""


class Analyst:
    """Analyses one finished match, step by step: `for _ in analyst.steps(): ...`, then `analyst.result`.

    `learners` are the seats whose own costliest decisions are reported, even where others' cost more.

    Attributes:
        done, total: number of steps done, and of all steps as far as it is known.
    """

    def __init__(self, match: Match, *, iterations: int = 2_000, seed: int = 1, learners: Collection[int] = ()) -> None:
        if not match.over:
            raise ValueError("A game is analysed when it is over, since what was hidden is told then.")
        self._match, self._iterations = match, iterations
        self._bot = SearchBot(match.game, seed, strongest(match.game, match.seats, match.box))
        self._seed = seed
        self._choices = [ply for ply in range(match.ply) if len(match.at(ply).legal_ids(match.history[ply][0])) > 1]
        self._learners = learners
        examined = MAX_EXAMINED + (LEARNERS_EXAMINED if learners else 0)
        self.done, self.total = 0, match.ply + 1 + len(self._choices) + min(examined, len(self._choices))
        self._result: Analysis | None = None

    @property
    def result(self) -> Analysis:
        """The finished analysis. Raises ValueError until all steps are done."""
        if self._result is None:
            raise ValueError("The analysis is not done yet.")
        return self._result

    def steps(self) -> Iterator[None]:
        """Yield after each step of the analysis; steps take similar times, and each may run in another thread."""
        curve: list[list[float]] = []
        previous = b""
        for ply in range(self._match.ply + 1):
            position = self._match.at(ply)
            public = position.redacted_state(None)
            if not curve or public.tobytes() != previous:
                previous = public.tobytes()
                curve.append(self._expected(position, public, -1, self._iterations))
            else:
                # Nothing changed for a spectator, as after a secret submission.
                curve.append(curve[-1])
            yield self._count()
        suspicion: list[_Suspicion] = []
        for ply in self._choices:
            seat, played = self._match.history[ply]
            better, cost = _best_alternative(self._think(ply), seat, played)
            suspicion.append((-cost, ply, better))
            yield self._count()
        suspects = self._suspects(sorted(suspicion))
        self.total = self.done + len(suspects)
        decisions: list[Decision] = []
        for _, ply, better in suspects:
            decisions.append(self._compared(ply, better))
            yield self._count()
        costly = [d for d in decisions if d.cost >= max(MIN_COST, SIGNIFICANT_ERRORS * d.error)]
        costly.sort(key=lambda d: (-d.cost, d.ply))
        reported = {decision.ply for decision in costly[:MAX_REPORTED]}
        for seat in self._learners:
            reported |= {d.ply for d in [d for d in costly if d.seat == seat][:MAX_REPORTED]}
        costliest = [decision for decision in costly if decision.ply in reported]
        self._result = Analysis(curve, costliest, len(self._choices), self._iterations)

    def _suspects(self, suspicion: Sequence[_Suspicion]) -> list[_Suspicion]:
        """Return the suspected decisions to examine: the seemingly costliest of all seats, and of each learner."""
        seeming = [suspect for suspect in suspicion if suspect[0] < 0]
        chosen = set(seeming[:MAX_EXAMINED])
        for seat in self._learners:
            own = [suspect for suspect in seeming if self._match.history[suspect[1]][0] == seat]
            chosen.update(own[: max(1, LEARNERS_EXAMINED // len(self._learners))])
        return sorted(chosen)

    def _count(self) -> None:
        """Count one more step as done."""
        self.done += 1

    def _expected(self, position: Match, state: Redacted, viewer: int, iterations: int) -> list[float]:
        """Return each seat's expected share of the win (0 to 1) at a position, as the viewer knows it.

        Once the game is over, return the payoffs. `viewer` is a seat, or -1 for a spectator, and `state` is redacted
        for it.
        """
        if state["over"][0]:
            return list(scaled_payoffs(position.game, position.box, state))
        box = position.box_for(viewer)
        return [round(value, 4) for value in self._bot.estimate(box, state, viewer, iterations=iterations)]

    def _think(self, ply: int) -> SearchResult:
        """Search the position before an action of the match, as the seat that acted knew it."""
        position, (seat, _) = self._match.at(ply), self._match.history[ply]
        box, state = position.box_for(seat), position.redacted_state(seat)
        return self._bot.think(box, state, seat, iterations=self._iterations)

    def _compared(self, ply: int, better: int) -> Decision:
        """Return the decision at a ply: its action compared with a better one over the same determinizations."""
        match, (seat, played) = self._match.at(ply), self._match.history[ply]
        compared = compare(
            self._bot,
            match.box_for(seat),
            match.redacted_state(seat),
            seat,
            (played, better),
            iterations=self._iterations * EXAMINATION_FACTOR // 2,
            seed=f"{self._seed}/{ply}",
        )
        text = match.game.actions
        return Decision(
            ply,
            seat,
            text[played].text,
            text[better].text,
            round(compared.first, 4),
            round(compared.second, 4),
            round(compared.error, 4),
        )


def _best_alternative(result: SearchResult, seat: int, played: int) -> tuple[int, float]:
    """Return the id of the action that seems best, and its estimated advantage in win chance over the action played.

    Where the action played seems best itself, the advantage is 0.
    """
    tried = [c for c in result.choices if c.visits > 0]
    best = tried[0]
    if result.mixed:
        best = max(tried, key=lambda c: c.values[seat] - error_of(c, result))
    if best.action == played:
        return played, 0.0
    mine = result.choice(played)
    # Treat an action that was never visited as worth the position's value, with a large error.
    chance, visits = (mine.values[seat], mine.visits) if mine and mine.visits else (result.values[seat], 1)
    return best.action, max(0.0, best.values[seat] - chance) + standard_error(chance, visits) / 4
