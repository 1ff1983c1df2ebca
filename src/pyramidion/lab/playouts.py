"""Uniformly random games, as many as one likes, on as many threads."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from pyramidion.engine.game import Game
from pyramidion.engine.layout import as_bytes


@dataclass(frozen=True, slots=True)
class Playouts:
    """What a run of random games came to; `seconds` is wall-clock time without compiling."""

    games: int
    decisions: int
    seconds: float
    threads: int

    @property
    def decisions_per_second(self) -> float:
        """Decisions of all threads per second of wall-clock time."""
        return self.decisions / self.seconds

    @property
    def games_per_second(self) -> float:
        """Games of all threads per second of wall-clock time."""
        return self.games / self.seconds


def run(
    game: Game,
    seats: int | None = None,
    games: int = 10_000,
    seed: int = 0,
    threads: int = 1,
    options: dict[str, Any] | None = None,
    cards: str | None = None,
) -> Playouts:
    """Play `games` random games, shared among `threads` threads, and count decisions.

    Raises ValueError for seats or options the game does not have, RuntimeError if a game does not end in time.
    """
    seats = game.accept_seats(seats if seats is not None else game.usual_seats)
    box = game.make_box(game.accept_options(options or {}), cards)
    play = game.compiled.playouts
    limit = game.longest(seats)
    shares = [games // threads + (n < games % threads) for n in range(threads)]
    tallies = np.zeros((threads, 2), np.int64)

    def work(n: int, count: int) -> None:
        state = game.layout.new()
        buffer = np.zeros(len(game.actions), np.int32)
        chance = np.array([(seed * 1_000_003 + n) % 2**63], np.uint64)
        play(box, state, as_bytes(state), seats, chance, count, limit, buffer, tallies[n])

    work(0, 1)  # compiles, or loads what is compiled
    tallies[:] = 0
    workers = [threading.Thread(target=work, args=(n, count)) for n, count in enumerate(shares)]
    began = time.perf_counter()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    seconds = time.perf_counter() - began
    if int(tallies[:, 1].sum()) != games:
        raise RuntimeError(f"{games - int(tallies[:, 1].sum())} games had not ended after {limit} decisions.")
    return Playouts(games, int(tallies[:, 0].sum()), seconds, threads)
