# pyright: basic
"""Speed of the batch environment compared with plain random playouts, in one run.

    python benchmarks/env_batch.py [GAME ...] [--n 1024] [--seconds 1]

Every environment plays a uniformly random legal action; the time to draw it is excluded. One core is measured in the
thread's processor time, which other programs affect less; two threads in wall-clock time. Each figure is the best of
several rounds, since other programs can only slow a round down.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import pyramidion
from pyramidion.engine.layout import as_bytes

ROUNDS = 5


def steps(env: Any, seconds: float, clock: Callable[[], float]) -> float:
    """Return how many million steps per second a batch environment makes, in the best of several rounds."""
    env.reset()
    env.step(env.random_actions())
    best = 0.0
    for _ in range(ROUNDS):
        spent, played = 0.0, 0
        while spent < seconds / ROUNDS:
            actions = env.random_actions()
            began = clock()
            env.step(actions)
            spent += clock() - began
            played += env.n
        best = max(best, played / spent / 1e6)
    env.close()
    return best


def decisions(game: Any, seats: int, seconds: float) -> float:
    """Return how many million decisions per second random playouts make on one thread, in the best round."""
    box, state, buffer = (
        game.make_box(game.accept_options({})),
        game.layout.new(),
        np.zeros(len(game.actions), np.int32),
    )
    chance, tally, best = np.array([1], np.uint64), np.zeros(2, np.int64), 0.0

    def play(games: int) -> None:
        limit = game.longest(seats)
        game.compiled.playouts(box, state, as_bytes(state), seats, chance, games, limit, buffer, tally)

    play(1)
    for _ in range(ROUNDS):
        spent, before = 0.0, tally[0]
        while spent < seconds / ROUNDS:
            began = time.thread_time()
            play(100)
            spent += time.thread_time() - began
        best = max(best, float(tally[0] - before) / spent / 1e6)
    return best


def measure(game_id: str, n: int, seconds: float) -> list[str]:
    """Measure one game with `n` environments, `seconds` for each figure; return the cells of its row."""
    game = pyramidion.load(game_id)
    seats = game.usual_seats
    cells = [f"{decisions(game, seats, seconds):.1f}"]
    for observe, masks in ((False, False), (False, True), (True, True)):
        env = pyramidion.env.batch(game, n, seats, observe=observe, masks=masks)
        cells.append(f"{steps(env, seconds, time.thread_time):.1f}")
    env = pyramidion.env.batch(game, n, seats, threads=2)
    cells.append(f"{steps(env, seconds, time.perf_counter):.1f}")
    return [game.name, str(seats), *cells]


def main() -> None:
    """Print a table of all games, in millions per second."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("games", nargs="*", default=sorted(pyramidion.all_games()))
    parser.add_argument("--n", type=int, default=1024, help="environments")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each figure")
    asked = parser.parse_args()
    print("| game | seats | playouts | steps | and masks | and observations | the same, two threads |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for game_id in asked.games:
        print("| " + " | ".join(measure(game_id, asked.n, asked.seconds)) + " |", flush=True)


if __name__ == "__main__":
    main()
