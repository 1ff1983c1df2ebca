"""Information-set Monte Carlo tree search for every game, compiled per game (docs/bots.md).

The search sees only its seat's observation. Each iteration samples a determinization of the hidden information
(`redeal`), descends the tree, plays out the game by its policy, and backs up every seat's payoff.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion.bots.bot import Bot
from pyramidion.bots.habits import habits_of
from pyramidion.bots.learned import is_usual, learned_of
from pyramidion.bots.level_policy import choose_action, strategy
from pyramidion.bots.levels import MASTER, Level, level_of, levels_at
from pyramidion.bots.search_loop import MAX_MIXING
from pyramidion.bots.search_result import Choice, SearchResult
from pyramidion.bots.worker import Worker
from pyramidion.engine.payoffs import payoffs_of

if TYPE_CHECKING:
    from pyramidion.bots.habits import Habits
    from pyramidion.bots.learned import Learned
    from pyramidion.engine.game import Game
    from pyramidion.engine.layout import Redacted


class SearchBot(Bot):
    """A bot that plays by information-set tree search within its level's budget.

    Attributes:
        level: search budget, and how much the bot may err.
        learned: a learned policy; None takes that of the game if the level uses it.
        habits: habits of the other seats to expect; None takes those of the game if the level uses them.
        clock: returns the time in seconds that limits are measured by; contests use the thread's processor time.
    """

    def __init__(
        self,
        game: Game | str,
        seed: int | str | None = None,
        level: Level | str = "expert",
        *,
        learned: Learned | None = None,
        habits: Habits | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        super().__init__(game, seed)
        self.level = level_of(self.game, level) if isinstance(level, str) else level
        self.learned, self.habits, self.clock = learned, habits, clock

    def choose(self, box: Any, state: Redacted, seat: int) -> int:
        """Return the id of a legal action; see `Bot.choose`."""
        return self.think(box, state, seat, early=True).action

    def probabilities(self, box: Any, state: Redacted, seat: int) -> dict[int, float]:
        """Search, and return the probability of each action among which the level then chooses.

        See `Bot.probabilities`. Another search may find others.
        """
        actions, weights = strategy(self.think(box, state, seat, early=True), self.level)
        return {action: weight / sum(weights) for action, weight in zip(actions, weights, strict=True)}

    def think(
        self,
        box: Any,
        state: Redacted,
        seat: int,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        threads: int = 1,
        rollout: str | None = None,
        stop: threading.Event | None = None,
        early: bool = False,
    ) -> SearchResult:
        """Search for the best action of `seat`, and return the search statistics.

        `box` and `state` are structured arrays of shape (1,), `state` redacted for `seat`. `iterations` is the total
        over all threads; `seconds` is wall-clock time. With neither, the level's budget applies; with both, the limit
        reached first. `rollout` is "policy" or "random". Setting `stop` ends the search with the result so far. With
        `early`, a single-threaded search at temperature 0 ends once the remaining budget cannot change the action.
        Raises ValueError if the seat has nothing to decide or a limit is not positive.
        """
        self._check_due(state, seat)
        early = early and threads == 1 and self.level.temperature <= 0.0
        if early and self._has_no_choice(box, state, seat):
            iterations, seconds = 1, None
        result = self._search(box, state, seat, iterations, seconds, threads, rollout, stop, early).result(seat)
        return replace(result, action=choose_action(result, self.level, self.chance))

    def _has_no_choice(self, box: Any, state: Redacted, seat: int) -> bool:
        """Return whether only one action is legal."""
        return len(self.legal_ids(box, state, seat)) == 1

    def estimate(
        self,
        box: Any,
        state: Redacted,
        viewer: int,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        threads: int = 1,
        rollout: str | None = None,
        stop: threading.Event | None = None,
    ) -> tuple[float, ...]:
        """Return every seat's expected payoff, 0 to 1, given what `viewer` knows (-1 is a spectator).

        `state` is redacted for the viewer, who need not be to act. For a finished game, return the actual payoffs.
        """
        if state["over"][0]:
            return scaled_payoffs(self.game, box, state)
        return self._search(box, state, viewer, iterations, seconds, threads, rollout, stop).values()

    def _search(
        self,
        box: Any,
        state: Redacted,
        observer: int,
        iterations: int | None,
        seconds: float | None,
        threads: int,
        rollout: str | None,
        stop: threading.Event | None,
        early: bool = False,
    ) -> Search:
        """Run a search for `observer`, a seat or -1 for a spectator, and return it.

        Its limits are those given or, without any, those of the level.
        """
        if iterations is None and seconds is None:
            iterations, seconds = self.level.iterations, self.level.seconds
        if threads < 1 or (iterations is not None and iterations < 1) or (seconds is not None and seconds <= 0):
            raise ValueError("A search needs at least one thread, and one iteration or some time.")
        rollout = rollout or self.level.rollout
        if rollout not in ("policy", "random"):
            raise ValueError(f"A rollout is policy or random, not {rollout!r}.")
        learned = self.learned
        if learned is None and self.level.learned:
            learned = learned_of(self.game, int(state["seats"][0]))
        if learned is not None and not learned.suits(self.game, box, state):
            learned = None
        habits = self.habits
        if habits is None and self.level.learned:
            habits = habits_of(self.game)
        if habits is not None and not is_usual(self.game, box):
            habits = None
        seed = self.chance.getrandbits(63)
        search = Search(
            self.game, box, state, observer, rollout, seed, iterations, threads, learned, habits, self.clock
        )
        search.run(iterations, seconds, stop, early)
        return search


class Search:
    """One search of one position: runs a worker with a tree of its own in each thread, and merges what they find."""

    def __init__(
        self,
        game: Game,
        box: Any,
        state: Redacted,
        observer: int,
        rollout: str,
        seed: int,
        iterations: int | None,
        threads: int,
        learned: Learned | None = None,
        habits: Habits | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._clock = clock
        self._seats = int(state["seats"][0])
        acting = int(state["acting"][0])
        self._observer = observer
        self._simultaneous = (
            habits is None and 2 <= acting.bit_count() <= MAX_MIXING and observer >= 0 and bool(acting >> observer & 1)
        )
        share = None if iterations is None else -(-iterations // threads)
        # Copy the state, so that the caller may modify it.
        state = state.copy()
        self._workers = [
            Worker(game, box, state, observer, rollout, seed + (n << 63), share, learned, habits, clock)
            for n in range(threads)
        ]
        self.seconds = 0.0

    def run(
        self, iterations: int | None, seconds: float | None, stop: threading.Event | None, early: bool = False
    ) -> None:
        """Run all threads until a limit is reached or `stop` is set; with `early`, also until the action cannot
        change.
        """
        settling = self._observer if early and not self._simultaneous else None
        start = self._clock()
        deadline = math.inf if seconds is None else start + seconds
        count = len(self._workers)
        shares = [None if iterations is None else iterations // count + (n < iterations % count) for n in range(count)]
        helpers = [
            threading.Thread(target=worker.run, args=(share, deadline, stop))
            for worker, share in zip(self._workers[1:], shares[1:], strict=True)
        ]
        for helper in helpers:
            helper.start()
        self._workers[0].run(shares[0], deadline, stop, settling)
        for helper in helpers:
            helper.join()
        self.seconds = self._clock() - start

    def values(self) -> tuple[float, ...]:
        """Return every seat's expected payoff, 0 to 1: the mean over all iterations."""
        totals = np.sum([worker.totals for worker in self._workers], axis=0)
        return tuple(float(v) for v in totals[: self._seats] / max(1.0, totals[self._seats]))

    def result(self, seat: int) -> SearchResult:
        """Return what the trees of all threads say of the seat's actions; the chosen one has the largest share."""
        visits: dict[int, int] = {}
        strategy: dict[int, float] = {}
        sums: dict[int, Any] = {}
        squares: dict[int, float] = {}
        for worker in self._workers:
            for action, n, share, values, square in worker.root_edges(seat):
                visits[action] = visits.get(action, 0) + n
                strategy[action] = strategy.get(action, 0.0) + share
                sums[action] = sums.get(action, 0.0) + values
                squares[action] = squares.get(action, 0.0) + square
        values = self.values()
        ambiguous = any(worker.has_ambiguous_actions(seat) for worker in self._workers)
        mixed = (self._simultaneous or ambiguous) and sum(strategy.values()) > 0
        weights = strategy if mixed else {a: float(n) for a, n in visits.items()}
        whole = sum(weights.values()) or 1.0
        choices = [
            Choice(
                a, n, weights[a] / whole, tuple(float(v) for v in sums[a] / n) if n else values, squares[a] / max(1, n)
            )
            for a, n in visits.items()
        ]
        choices.sort(key=lambda c: (-c.share, -c.visits, c.action))
        return SearchResult(
            action=choices[0].action,
            seat=seat,
            choices=tuple(choices),
            values=values,
            mixed=mixed,
            iterations=sum(int(worker.totals[self._seats]) for worker in self._workers),
            seconds=self.seconds,
            threads=len(self._workers),
            nodes=sum(worker.nodes for worker in self._workers),
            full=any(worker.full for worker in self._workers),
        )


def scaled_payoffs(game: Game, box: Any, state: Any) -> tuple[float, ...]:
    """Return every seat's payoff in a finished game, scaled to 0..1."""
    out = np.zeros(game.layout.max_seats)
    game.compiled.payoff(box, state, out)
    seats = int(state["seats"][0])
    payoffs = payoffs_of(game, seats, box)
    return tuple(float(v) for v in payoffs.shift + payoffs.factor * out[:seats])


def warm(game: Game) -> None:
    """Compile a game's search or load it from the cache; the first time takes several seconds (docs/bots.md)."""
    learned = [seats for seats in game.seats if MASTER.name in levels_at(game, seats)]
    for level, seats in (("expert", game.seats[0]), *(("master", seats) for seats in learned[:1])):
        match = game.new(seats, seed=1)
        seat = match.acting[0]
        SearchBot(game, 1, level).think(match.box_for(seat), match.redacted_state(seat), seat, iterations=2)
