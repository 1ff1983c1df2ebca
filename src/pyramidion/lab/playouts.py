"""Playouts on several threads: uniformly random games, or games between policies."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion.engine.cuda.kernels import Device, require_device
from pyramidion.engine.game import Game
from pyramidion.engine.layout import as_bytes
from pyramidion.engine.registry import load
from pyramidion.engine.rule import require_rule
from pyramidion.lab import policy_games
from pyramidion.translation import quantity

RANDOM_THREADS, POLICY_THREADS = 131_072, 16_384
"""Threads on a GPU by default, whatever the card, since they determine the games: as many as an H100 keeps with 64
registers each, and for policies fewer, each of which has lists as long as the action space."""


@dataclass(frozen=True, slots=True, eq=False)
class Playouts:
    """The result of `run`: how many games were played, how fast and, with policies, how each of them ended.

    Attributes:
        games, decisions: how many were played.
        seconds: wall-clock time, excluding compilation.
        threads: how many threads played.
        wins: bool[games, seats], who won each game. These arrays are only filled by a run with `policies`.
        points: int32[games, seats], each seat's points; -1 for a seat that is not scored.
        lengths: int32[games], the decisions in each game.
    """

    games: int
    decisions: int
    seconds: float
    threads: int
    wins: npt.NDArray[np.bool_] = field(repr=False)
    points: npt.NDArray[np.int32] = field(repr=False)
    lengths: npt.NDArray[np.int32] = field(repr=False)

    @property
    def decisions_per_second(self) -> float:
        """Decisions per second of wall-clock time, over all threads."""
        return self.decisions / self.seconds

    @property
    def games_per_second(self) -> float:
        """Games per second of wall-clock time, over all threads."""
        return self.games / self.seconds


def run(
    game: Game | str,
    seats: int | None = None,
    games: int = 10_000,
    seed: int = 0,
    threads: int | None = None,
    options: dict[str, Any] | None = None,
    cards: str | None = None,
    policies: Sequence[Any] | None = None,
    device: Device = "cpu",
) -> Playouts:
    """Play games at random or by policies, and return their counts, time and results.

    `game` is a game or its id. The games are played on `threads` threads.

    The seed and the number of threads determine the games. By default there is one thread, and as many as a card needs
    with the device `cuda`, which plays the games on an NVIDIA GPU (experimental; see `engine.cuda`). Random games are
    the same on both. Policies compute with an exponential function that may differ in its last bit, so that an action
    may differ, rarely.

    `policies` has one entry per seat: a policy, such as `game.mind.policy` or a `@rule` function of your own with the
    same signature, or None for uniformly random play. A policy gets the state and the box as its seat may see them. It
    writes ids of legal actions, in any order, and their weights, and returns how many. Without `policies` all seats
    play at random and only decisions are counted, which is the fastest.

    Raises ValueError for invalid numbers, seats, options or policies, and for a policy that proposes an illegal action;
    TypeError for a seed that is no whole number, or a policy that is no rule; RuntimeError if a game exceeds the game's
    maximum length, or if the device is missing; ModuleNotFoundError without the extra `cuda`.
    """
    require_device(device)
    game = load(game)
    if threads is None:
        threads = 1 if device == "cpu" else min(games, RANDOM_THREADS if policies is None else POLICY_THREADS)
    if games < 1 or threads < 1:
        raise ValueError(f"A run has at least one game and one thread, not {games} and {threads}.")
    seed = index(seed)
    seats = game.accept_seats(seats if seats is not None else game.usual_seats)
    if policies is not None and len(policies) != seats:
        needed = quantity(seats, "policy", "policies")
        raise ValueError(f"A table with {quantity(seats, 'seat')} needs {needed}, not {len(policies)}.")
    for policy in policies or ():
        if policy is not None:
            require_rule(policy, "A policy")
    accepted = game.accept_options(options or {})
    limit = game.longest(seats)
    recorded = games if policies is not None else 0
    results = policy_games.Results(
        np.zeros((recorded, seats), np.bool_), np.zeros((recorded, seats), np.int32), np.zeros(recorded, np.int32)
    )
    shares = [games // threads + (n < games % threads) for n in range(threads)]
    tallies = np.zeros((threads, 2), np.int64)
    if device == "cuda":
        from pyramidion.lab import cuda_playouts

        seconds = cuda_playouts.play(
            game, seats, accepted, cards, policies, _chances(seed, threads), shares, tallies, results
        )
    elif policies is None:
        seconds = _on_threads(_random_play(game, seats, seed, accepted, cards, tallies), shares)
    else:
        seconds = _on_threads(_policy_play(game, seats, seed, threads, accepted, cards, policies, results), shares)
    if policies is None:
        decisions, ended = int(tallies[:, 0].sum()), int(tallies[:, 1].sum())
    else:
        decisions, ended = int(results.lengths.sum()), int(((results.lengths > 0) & (results.lengths < limit)).sum())
    if ended != games:
        raise RuntimeError(f"{quantity(games - ended, 'game')} had not ended after {quantity(limit, 'decision')}.")
    return Playouts(games, decisions, seconds, threads, *results)


Work = Callable[[int, int, int], None]
"""Plays, on thread n, the games from `first` to `end` - 1."""


def _on_threads(work: Work, shares: Sequence[int]) -> float:
    """Run `work` on several threads, each with a share of the games (`shares`); return the wall-clock time in seconds.

    Raises the first exception of a thread.
    """
    work(0, 0, 0)  # compile, or load from the cache, before timing
    failed: list[BaseException] = []

    def guarded(n: int, first: int, end: int) -> None:
        """Do one thread's work, and keep its exception for the caller's thread."""
        try:
            work(n, first, end)
        except BaseException as error:  # raised again in the caller's thread
            failed.append(error)

    ends = np.cumsum(shares).tolist()
    workers = [
        threading.Thread(target=guarded, args=(n, end - share, end))
        for n, (share, end) in enumerate(zip(shares, ends, strict=True))
    ]
    began = time.perf_counter()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    seconds = time.perf_counter() - began
    if failed:
        raise failed[0]
    return seconds


def _chances(seed: int, threads: int) -> npt.NDArray[np.uint64]:
    """Return the initial random generator of each thread, uint64[threads]."""
    return np.array([(seed * 1_000_003 + n) % 2**63 for n in range(threads)], np.uint64)


def _random_play(game: Game, seats: int, seed: int, options: Any, cards: str | None, tallies: Any) -> Work:
    """Return the work of a thread that plays uniformly random games; it counts in `tallies`, int64[threads, 2]."""
    box, limit, chances = game.make_box(options, cards), game.longest(seats), _chances(seed, len(tallies))

    def work(n: int, first: int, end: int) -> None:
        """Play the games `first` to `end` at random, on thread `n`."""
        state, buffer = game.layout.new(), np.zeros(len(game.actions), np.int32)
        play = game.compiled.playouts
        play(box, state, as_bytes(state), seats, chances[n : n + 1], end - first, limit, buffer, tallies[n])

    return work


def _policy_play(
    game: Game,
    seats: int,
    seed: int,
    threads: int,
    options: Any,
    cards: str | None,
    policies: Sequence[Any],
    results: Any,
) -> Work:
    """Return the work of a thread that plays games between policies; `results` receives how they ended."""
    boxes, distinct, number_of = policy_games.seated(game, seats, options, cards, policies)
    play, limit, chances = _games_between(game, distinct), game.longest(seats), _chances(seed, threads)

    def work(n: int, first: int, end: int) -> None:
        """Play the games `first` to `end` between the policies, on thread `n`."""
        state: npt.NDArray[Any] = game.layout.new()
        redacted, actions = game.layout.new(), len(game.actions)
        table = policy_games.Table(
            boxes,
            state,
            as_bytes(state),
            redacted,
            as_bytes(redacted),
            *game.layout.hiding(),
            chances[n : n + 1],
            np.zeros(actions, np.int32),
            np.zeros(actions, np.int32),
            np.zeros(actions),
        )
        wrong = play(table, results, number_of, first, end, limit)
        if wrong >= 0:
            raise ValueError(f"The policy of seat {wrong} proposed an illegal action.")

    return work


@cache
def _games_between(game: Game, policies: tuple[Any, ...]) -> Any:
    """Return the game's compiled loop of games between these policies, which is made at the first call."""
    return policy_games.make_games(game.rules, policies)
