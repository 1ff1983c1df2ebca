"""Search: information-set tree search for every game, compiled per game (docs/bots.md).

A search sees what its seat sees. Each iteration deals all that is hidden anew (`redeal`), follows the tree down, plays to the
end by the game's policy, and credits every seat with what it got.
"""

from __future__ import annotations

import math
import threading
import time
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion.bots import tree as pool
from pyramidion.bots.bot import Bot
from pyramidion.bots.levels import LEVELS, Level
from pyramidion.bots.searching import MOST_CANDIDATES, make_search
from pyramidion.bots.thought import Choice, Thought
from pyramidion.engine.layout import as_bytes
from pyramidion.engine.rule import INTERPRETED

if TYPE_CHECKING:
    from pyramidion.engine.game import Game

MOST_NODES = 1 << 17
"""Nodes of one thread's tree; when they, or its edges, are used up, the tree grows no further."""
MOST_EDGES = 3 << 17
EDGES_PER_ITERATION = 24
DEEPEST, MOST_SEEN = 256, 16_384
"""Steps of the tree in one iteration, and candidates that regret matching remembers of them."""

EXPLORE, FLOOR, GAMMA = 0.7, 0.1, 0.4
"""How much is explored (PUCT); the part of a prior that all candidates share; how often a regret matcher tries any."""

CHUNK_SECONDS = 0.02
"""How often a search with a limit in seconds looks at the clock, and any search whether it is to stop."""


class SearchBot(Bot):
    """Plays what an information-set tree search finds best, within its level's budget.

    Attributes:
        level: its budget, and how surely it takes what it found best.
    """

    def __init__(self, game: Game, seed: int | str | None = None, level: Level | str = "expert") -> None:
        super().__init__(game, seed)
        self.level = LEVELS[level] if isinstance(level, str) else level

    def choose(self, box: Any, state: Any, seat: int) -> int:
        """Return the id of a legal action; see `Bot.choose`."""
        return self.think(box, state, seat).action

    def think(
        self,
        box: Any,
        state: Any,
        seat: int,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        threads: int = 1,
        rollout: str | None = None,
        stop: threading.Event | None = None,
    ) -> Thought:
        """Search for the best action of `seat`, and return all that was found out on the way.

        `box` and `state` are structured arrays of shape (1,), `state` redacted for `seat`. `iterations` are shared among the
        threads; `seconds` are wall-clock time. Given neither, the level's own budget holds; given both, what ends first.
        `rollout` is "policy" or "random". `stop` ends the search early, with what it has.
        Raises ValueError if the seat has nothing to decide or a limit is not positive.
        """
        self._check_due(state, seat)
        search = self._search(box, state, seat, iterations, seconds, threads, rollout, stop)
        return search.thought(seat, self.level.temperature, self.chance)

    def estimate(
        self,
        box: Any,
        state: Any,
        viewer: int,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        threads: int = 1,
        rollout: str | None = None,
        stop: threading.Event | None = None,
    ) -> tuple[float, ...]:
        """Return what every seat may expect, from 0 to 1, as far as `viewer` (-1: a spectator) knows.

        `state` is redacted for the viewer, who need not be due. Of a finished game it is what each seat got.
        """
        if state["over"][0]:
            return payoffs_of(self.game, box, state)
        return self._search(box, state, viewer, iterations, seconds, threads, rollout, stop).values()

    def _search(
        self,
        box: Any,
        state: Any,
        observer: int,
        iterations: int | None,
        seconds: float | None,
        threads: int,
        rollout: str | None,
        stop: threading.Event | None,
    ) -> Search:
        if iterations is None and seconds is None:
            iterations, seconds = self.level.iterations, self.level.seconds
        if threads < 1 or (iterations is not None and iterations < 1) or (seconds is not None and seconds <= 0):
            raise ValueError("A search needs at least one thread, and one iteration or some time.")
        rollout = rollout or self.level.rollout
        if rollout not in ("policy", "random"):
            raise ValueError(f"A rollout is policy or random, not {rollout!r}.")
        search = Search(self.game, box, state, observer, rollout, self.chance.getrandbits(63), iterations, threads)
        search.run(iterations, seconds, stop)
        return search


class Search:
    """One search: a tree for each thread, gone after the move."""

    def __init__(
        self,
        game: Game,
        box: Any,
        state: Any,
        observer: int,
        rollout: str,
        seed: int,
        iterations: int | None,
        threads: int,
    ) -> None:
        self._game, self._box, self._root, self._observer = game, box, as_bytes(state.copy()), observer
        self._seats = int(state["seats"][0])
        due = int(state["acting"][0]) & ~int(state["submitted"][0])
        self._mixed = bool(due & (due - 1)) and observer >= 0 and bool(due >> observer & 1)
        self._body = compiled_search(game)
        share = None if iterations is None else -(-iterations // threads)
        self._workers = [_Worker(self, seed + n * 0x9E3779B97F4A7C15, rollout, share) for n in range(threads)]
        self.seconds = 0.0

    def run(self, iterations: int | None, seconds: float | None, stop: threading.Event | None) -> None:
        """Search until a limit is reached or `stop` is set."""
        began = time.perf_counter()
        ends = math.inf if seconds is None else began + seconds
        count = len(self._workers)
        shares = [
            None if iterations is None else iterations // count + (n < iterations % count) for n in range(count)
        ]
        helpers = [
            threading.Thread(target=worker.run, args=(share, ends, stop))
            for worker, share in zip(self._workers[1:], shares[1:], strict=True)
        ]
        for helper in helpers:
            helper.start()
        self._workers[0].run(shares[0], ends, stop)
        for helper in helpers:
            helper.join()
        self.seconds = time.perf_counter() - began

    def values(self) -> tuple[float, ...]:
        """What every seat may expect: the mean of all iterations."""
        totals = np.sum([worker.totals for worker in self._workers], axis=0)
        return tuple(float(v) for v in totals[: self._seats] / max(1.0, totals[self._seats]))

    def thought(self, seat: int, temperature: float, chance: Random) -> Thought:
        """The trees of all threads together, and the action drawn from what they say."""
        visits: dict[int, int] = {}
        strategy: dict[int, float] = {}
        sums: dict[int, Any] = {}
        for worker in self._workers:
            for action, n, share, values in worker.root_edges(seat, self._mixed):
                visits[action] = visits.get(action, 0) + n
                strategy[action] = strategy.get(action, 0.0) + share
                sums[action] = sums.get(action, 0.0) + values
        values = self.values()
        weights = strategy if self._mixed and sum(strategy.values()) > 0 else {a: float(n) for a, n in visits.items()}
        whole = sum(weights.values()) or 1.0
        choices = [
            Choice(a, n, weights[a] / whole, tuple(float(v) for v in sums[a] / n) if n else values)
            for a, n in visits.items()
        ]
        choices.sort(key=lambda c: (-c.share, -c.visits, c.action))
        return Thought(
            action=drawn(choices, self._mixed, temperature, chance),
            seat=seat,
            choices=tuple(choices),
            values=values,
            mixed=self._mixed,
            iterations=sum(int(worker.totals[self._seats]) for worker in self._workers),
            seconds=self.seconds,
            threads=len(self._workers),
            nodes=sum(int(worker.tree.used[pool.NODES]) for worker in self._workers),
            full=any(worker.full for worker in self._workers),
        )


class _Worker:
    """The tree and the memory of one thread."""

    def __init__(self, search: Any, seed: int, rollout: str, iterations: int | None) -> None:
        game = search._game
        self._search, self._seats = search, search._seats
        nodes = MOST_NODES if iterations is None else min(MOST_NODES, 3 * iterations + 64)
        edges = MOST_EDGES if iterations is None else min(MOST_EDGES, EDGES_PER_ITERATION * iterations + 2048)
        self.tree = new_tree(nodes, edges, self._seats)
        self.totals = np.zeros(self._seats + 1)
        self._path = new_path(len(game.actions))
        self._state = game.layout.new()
        raw = as_bytes(self._state)
        observer = search._observer
        mask, parties, submitted = game.layout.hiding()
        shown = np.zeros(len(raw), np.uint8)
        words = shown.view(np.uint64)
        factors = np.random.default_rng(2).integers(1, 2**63, len(words), np.uint64) * np.uint64(2) + np.uint64(1)
        self._eyes = pool.Eyes(mask[observer], parties, submitted, shown, words, factors)
        self._plan = np.array(
            [
                observer,
                0,
                game.longest(self._seats),
                rollout == "policy",
                any(family.is_part for family in game.actions.families.values()),
                game.payoff_form == "sign",
            ],
            np.int64,
        )
        chance = Random(seed)
        self._world = np.array([chance.getrandbits(64), chance.getrandbits(64), 0, 0], np.uint64)
        self._chance = np.array([chance.getrandbits(64)], np.uint64)
        self._tuning = np.array([EXPLORE, FLOOR, GAMMA])
        self._got = np.zeros(game.layout.max_seats)
        self._raw, self._kinds = raw, kinds_of(game)

    @property
    def full(self) -> bool:
        """Whether the pool had no room left for another node or its edges."""
        used = self.tree.used
        return bool(used[pool.NODES] == len(self.tree.nodes) or used[pool.EDGES] == len(self.tree.edges))

    def run(self, iterations: int | None, ends: float, stop: threading.Event | None) -> None:
        """Search until a limit is reached; the clock is looked at after every chunk."""
        left = math.inf if iterations is None else iterations
        clocked = ends < math.inf or stop is not None
        chunk = 16 if clocked else left
        while left > 0:
            count = int(min(chunk, left))
            began = time.perf_counter()
            self.search(count)
            now = time.perf_counter()
            left -= count
            if now >= ends or (stop is not None and stop.is_set()):
                break
            spent = max(now - began, 1e-6)
            chunk = max(1, min(4 * count, int(count * min(CHUNK_SECONDS, ends - now) / spent))) if clocked else left

    def search(self, iterations: int) -> None:
        """Add so many iterations to the tree."""
        search = self._search
        self._plan[1] = iterations
        search._body(
            search._box,
            self._state,
            self._raw,
            search._root,
            self._plan,
            self._tuning,
            self._kinds,
            self.tree,
            self._path,
            self._eyes,
            self._world,
            self._chance,
            self._got,
            self.totals,
        )

    def root_edges(self, seat: int, mixed: bool) -> list[tuple[int, int, float, Any]]:
        """The actions of a seat at the root: action, visits, sum of its shares, sums of what each seat got."""
        node = int(pool.decision_of(self.tree, 0, seat)) if mixed else 0
        found: list[tuple[int, int, float, Any]] = []
        edge = int(self.tree.nodes["first"][node])
        while edge >= 0:
            entry = self.tree.edges[edge]
            if entry["seat"] == seat:
                row = int(entry["action"]), int(entry["visits"]), float(entry["strategy"]), self.tree.values[edge]
                found.append(row)
            edge = int(entry["next"])
        return found


def drawn(choices: list[Choice], mixed: bool, temperature: float, chance: Random) -> int:
    """The action to play: from a mixed strategy as its shares say, else the most visited; the warmer, the less sure."""
    if mixed:
        # What regret matching has left of an action that it had tried and given up is not to be played.
        least = 0.1 * choices[0].share
        weights = [c.share if c.share >= least else 0.0 for c in choices]
        if temperature > 1.0:
            weights = [w ** (1.0 / temperature) for w in weights]
    elif temperature <= 0.0:
        return max(choices, key=lambda c: (c.visits, -c.action)).action
    else:
        most = max(c.visits for c in choices)
        weights = [(c.visits / most) ** (1.0 / temperature) for c in choices]
    return chance.choices([c.action for c in choices], weights)[0]


def payoffs_of(game: Game, box: Any, state: Any) -> tuple[float, ...]:
    """What each seat got in a finished game, from 0 to 1."""
    out = np.zeros(game.layout.max_seats)
    game.compiled.payoff(box, state, out)
    seats = int(state["seats"][0])
    return tuple(float(v) for v in (0.5 + 0.5 * out[:seats] if game.payoff_form == "sign" else out[:seats]))


@lru_cache(maxsize=64)
def compiled_search(game: Game) -> Any:
    """Return a game's search; it compiles when first called, or comes from the cache."""
    return make_search(game.rules, game.mind)


@lru_cache(maxsize=64)
def kinds_of(game: Game) -> Any:
    """Return what kind each action is, uint8: `PART`, `NUMERIC`."""
    kinds = np.zeros(len(game.actions), np.uint8)
    for family in game.actions.families.values():
        kind = (pool.PART if family.is_part else 0) | (pool.NUMERIC if family.numbers else 0)
        kinds[family.first : family.last + 1] = kind
    return kinds


def new_tree(nodes: int, edges: int, seats: int) -> pool.Tree:
    """Return an empty pool; memory is taken up only as far as it comes into use."""
    slots = 1 << (2 * nodes - 1).bit_length()
    return pool.Tree(
        _records(np.empty(nodes, pool.NODE)),
        _records(np.empty(edges, pool.EDGE)),
        np.empty((edges, seats)),
        np.zeros(slots, np.uint64),
        np.empty(slots, np.int32),
        np.zeros(2, np.int64),
    )


def new_path(actions: int) -> pool.Path:
    """Return buffers for one iteration of a game with so many actions."""
    size = actions + MOST_CANDIDATES
    return pool.Path(
        np.zeros(DEEPEST, np.int64),
        np.zeros(DEEPEST, np.int64),
        np.zeros(DEEPEST, np.int64),
        np.zeros(DEEPEST),
        np.zeros(MOST_SEEN, np.int64),
        np.zeros(MOST_SEEN),
        np.zeros(size, np.int32),
        np.zeros(size),
        np.zeros(actions, np.int32),
        np.zeros(size, np.int64),
    )


def _records(array: Any) -> Any:
    return array.view(np.recarray) if INTERPRETED else array
