"""Search workers: the tree and buffers of one thread, and the compiled search that it runs."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion.bots import tree as pool
from pyramidion.bots.habits import NO_HABITS
from pyramidion.bots.information_sets import Observations, root_info_set
from pyramidion.bots.learned_policy import NO_POLICY, policy_arrays
from pyramidion.bots.search_loop import ITERATIONS, MAX_CANDIDATES, make_search
from pyramidion.engine.layout import as_bytes
from pyramidion.engine.payoffs import payoffs_of
from pyramidion.engine.rule import INTERPRETED

if TYPE_CHECKING:
    from pyramidion.bots.habits import Habits
    from pyramidion.bots.learned import Learned
    from pyramidion.engine.game import Game
    from pyramidion.engine.layout import Redacted

MAX_NODES = 1 << 17
"""Node capacity of one thread's tree; once its nodes or edges are used up, the tree stops growing."""
MAX_EDGES = 1 << 18
NODES_PER_ITERATION, EDGES_PER_ITERATION = 16, 32
MAX_DEPTH, MAX_CANDIDATES_ON_PATH = 256, 16_384
"""Maximum tree depth of one iteration, and maximum number of regret-matching candidates along it."""

EXPLORE, FLOOR, GAMMA, FADE = 0.7, 0.1, 0.4, 10_000.0
"""PUCT exploration constant; minimum uniform share of a prior; initial exploration rate of regret matching; number of
node visits after which the uniform share of a prior is one half."""
PROSPECTS_FACTOR = 0.2
"""Factor on EXPLORE for games that define `prospects`: without future chance, values vary less."""

CHUNKS, SPEED_MARGIN = 32, 1.5
"""Number of times a search without a clock checks whether its action is settled; and, for a search with a clock, a
safety factor on the last chunk's speed when it predicts how many iterations the remaining time allows."""
CHUNK_SECONDS = 0.02
"""Interval at which a search checks the clock and its stop event."""


class Worker:
    """One thread of a search: holds its tree and buffers, and runs the compiled search on them."""

    def __init__(
        self,
        game: Game,
        box: Any,
        state: Redacted,
        observer: int,
        rollout: str,
        seed: int,
        iterations: int | None,
        learned: Learned | None = None,
        habits: Habits | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._box, self._root, self._seats = box, as_bytes(state), int(state["seats"][0])
        self._body, self._clock = compiled_search(game, learned is not None, habits is not None), clock
        self._habits = NO_HABITS if habits is None else habits.tables
        self._learned = NO_POLICY if learned is None else policy_arrays(game.mind, learned.policy, len(game.actions))
        nodes, edges = MAX_NODES, MAX_EDGES
        if iterations is not None:
            nodes = min(nodes, NODES_PER_ITERATION * iterations + 256)
            edges = min(edges, EDGES_PER_ITERATION * iterations + 2048)
        self.tree = new_tree(nodes, edges, self._seats)
        self.totals = np.zeros(self._seats + 1)
        self._path = new_path(len(game.actions))
        self._state = game.layout.new()
        raw = as_bytes(self._state)
        masks, parties, submitted = game.layout.hiding()
        redacted = np.zeros(len(raw), np.uint8)
        words = redacted.view(np.uint64)
        factors = np.random.default_rng(2).integers(1, 2**63, len(words), np.uint64) * np.uint64(2) + np.uint64(1)
        info_sets, last_views = np.zeros(self._seats, np.uint64), np.zeros(self._seats, np.uint64)
        self._observations = Observations(masks, parties, submitted, redacted, words, factors, info_sets, last_views)
        self._plan = np.array(
            [
                observer,
                0,
                game.longest(self._seats),
                rollout == "policy",
            ],
            np.int64,
        )
        chance = Random(seed)
        self._world = np.array([chance.getrandbits(64), chance.getrandbits(64), 0, 0], np.uint64)
        self._chance = np.array([chance.getrandbits(64)], np.uint64)
        explore = EXPLORE * PROSPECTS_FACTOR if hasattr(game.mind, "prospects") else EXPLORE
        payoffs = payoffs_of(game, self._seats, box)
        self._tuning = np.array([explore, FLOOR, GAMMA, FADE, payoffs.factor, payoffs.shift, payoffs.even])
        self._payoffs = np.zeros(game.layout.max_seats)
        self._raw, self._kinds = raw, kinds_of(game)

    @property
    def nodes(self) -> int:
        """Number of nodes in the tree."""
        return int(self.tree.used[pool.NODES])

    @property
    def full(self) -> bool:
        """Whether the pool has run out of nodes or edges."""
        used = self.tree.used
        return bool(used[pool.NODES] == len(self.tree.nodes) or used[pool.EDGES] == len(self.tree.edges))

    def run(
        self, iterations: int | None, deadline: float, stop: threading.Event | None, settling: int | None = None
    ) -> None:
        """Search until a limit is reached, checking the clock after every chunk.

        With `settling`, a seat, also stop when no other action of that seat can become the most visited one.
        """
        remaining = math.inf if iterations is None else iterations
        clocked = deadline < math.inf or stop is not None
        chunk = 16 if clocked else remaining if settling is None else max(64, -(-remaining // CHUNKS))
        while remaining > 0:
            count = int(min(chunk, remaining))
            start = self._clock()
            self.search(count)
            now = self._clock()
            remaining -= count
            if now >= deadline or (stop is not None and stop.is_set()):
                break
            spent = max(now - start, 1e-6)
            if settling is not None and self._lead(settling) > min(
                remaining, SPEED_MARGIN * count * (deadline - now) / spent
            ):
                break
            if clocked:
                chunk = max(1, min(4 * count, int(count * min(CHUNK_SECONDS, deadline - now) / spent)))

    def search(self, iterations: int) -> None:
        """Run a number of iterations at once, without looking at the clock."""
        self._plan[ITERATIONS] = iterations
        self._body(
            self._box,
            self._state,
            self._raw,
            self._root,
            self._plan,
            self._tuning,
            self._kinds,
            self.tree,
            self._path,
            self._observations,
            self._learned,
            self._habits,
            self._world,
            self._chance,
            self._payoffs,
            self.totals,
        )

    def _lead(self, seat: int) -> float:
        """Return how many visits a seat's most visited root action is ahead of the next; -1 for a mixed strategy.

        An action without alternatives leads by any number. Only numbers get alternatives later, by widening.
        """
        edges = sorted(self.root_edges(seat), key=lambda row: -row[1])
        if self.has_ambiguous_actions(seat) or not edges:
            return -1
        if len(edges) > 1:
            return edges[0][1] - edges[1][1]
        return edges[0][1] if int(self._kinds[edges[0][0]]) & pool.NUMERIC else math.inf

    def has_ambiguous_actions(self, seat: int) -> bool:
        """Return whether two of the seat's root actions look the same to every other seat."""
        return bool(self.tree.nodes["ambiguous"][self._root_node(seat)])

    def _root_node(self, seat: int) -> int:
        """Return the index of the tree's node for what a seat knows at the root."""
        return int(pool.node_of(self.tree, np.uint64(root_info_set(seat))))

    def root_edges(self, seat: int) -> list[tuple[int, int, float, Any, float]]:
        """Return what the search has counted for each of a seat's root actions.

        Each tuple is (action, visits, sum of the strategy's weights, sums of all seats' payoffs as float64[seats], sum
        of the seat's own squared payoffs).
        """
        node = self._root_node(seat)
        edges: list[tuple[int, int, float, Any, float]] = []
        edge = int(self.tree.nodes["first"][node])
        while edge >= 0:
            entry = self.tree.edges[edge]
            if entry["seat"] == seat:
                sums = self.tree.values[edge]
                numbers = int(entry["action"]), int(entry["visits"]), float(entry["strategy"])
                edges.append((*numbers, sums, float(entry["square"])))
            edge = int(entry["next"])
        return edges


@lru_cache(maxsize=64)
def compiled_search(game: Game, with_policy: bool = False, with_habits: bool = False) -> Any:
    """Return a game's search function (`make_search`); its first call compiles it or loads it from the cache."""
    return make_search(game.rules, game.mind, with_policy, with_habits)


@lru_cache(maxsize=64)
def kinds_of(game: Game) -> Any:
    """Return the kind of each action of a game, int64[actions]: the bits `PART` and `NUMERIC`, and the family."""
    kinds = np.zeros(len(game.actions), np.int64)
    for n, family in enumerate(game.actions.families.values()):
        kind = (pool.PART if family.is_part else 0) | (pool.NUMERIC if family.numbers else 0)
        kinds[family.first : family.last + 1] = kind + pool.FAMILY * n
    return kinds


def new_tree(nodes: int, edges: int, seats: int) -> pool.Tree:
    """Return an empty tree with room for these nodes and edges; its memory is committed only as it is used."""
    slots = 1 << (2 * nodes - 1).bit_length()
    return pool.Tree(
        _records(np.empty(nodes, pool.NODE)),
        _records(np.empty(edges, pool.EDGE)),
        np.empty((edges, seats)),
        np.empty((edges, seats), np.uint64),
        np.zeros(slots, np.uint64),
        np.empty(slots, np.int32),
        np.zeros(2, np.int64),
    )


def new_path(actions: int) -> pool.Path:
    """Return the buffers of one iteration for a game with `actions` actions."""
    size = actions + MAX_CANDIDATES
    return pool.Path(
        np.zeros(MAX_DEPTH, np.int64),
        np.zeros(MAX_DEPTH, np.int64),
        np.zeros(MAX_DEPTH, np.int64),
        np.zeros(MAX_DEPTH),
        np.zeros(MAX_CANDIDATES_ON_PATH, np.int64),
        np.zeros(MAX_CANDIDATES_ON_PATH),
        np.zeros(size, np.int32),
        np.zeros(size),
        np.zeros(actions, np.int32),
        np.zeros(size, np.int64),
    )


def _records(array: Any) -> Any:
    """Return a structured array whose fields interpreted code can read as attributes, as compiled code does."""
    return array.view(np.recarray) if INTERPRETED else array
