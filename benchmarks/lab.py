# pyright: basic
"""Cost of the lab's generic metrics: the time per game compared with bare policy playouts.

    python benchmarks/lab.py [GAMES]

Times are processor time of one core. Chances during a game are measured in a sample, whose share decreases with the
number of games; the last column extrapolates to a million games from the cost of a game and of a sampled game.
"""

from __future__ import annotations

import sys
import time

import numpy as np

import pyramidion
from pyramidion.engine import registry
from pyramidion.engine.game import Game
from pyramidion.engine.layout import as_bytes
from pyramidion.lab.experiments.experiment import experiment
from pyramidion.lab.experiments.runner import FIRST_SAMPLES, SAMPLE_EVERY

MILLION = 1_000_000
WITHOUT_LEAD = ("wins", "points", "length", "branching", "endings", "events", "actions")


def bare(game: Game, games: int) -> float:
    """Return how many seconds of processor time `games` playouts by the policy take."""
    seats, state = game.usual_seats, game.layout.new()
    play, size = game.compiled.policy_playouts, len(game.actions)

    def run(count: int) -> None:
        play(
            game.make_box(game.accept_options({})), state, as_bytes(state), seats, (1 << seats) - 1,
            np.array([1], np.uint64), count, game.longest(seats), np.zeros(size, np.int32), np.zeros(size),
            np.zeros(game.layout.max_seats), np.zeros((3, seats)),
        )  # fmt: skip

    run(1)
    began = time.process_time()
    run(games)
    return time.process_time() - began


def measured(game: Game, games: int, metrics: tuple[str, ...]) -> float:
    """Return how many seconds of processor time an experiment of `games` games with these metrics takes."""
    experiment(game, games=1, metrics=metrics)
    began = time.process_time()
    experiment(game, games=games, metrics=metrics)
    return time.process_time() - began


def main() -> None:
    """Print a table with one row per game."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    print(f"{'game':16s} {'bare, µs a game':>16s} {'with metrics':>13s} {'a sample, ms':>13s} {'a million games':>16s}")
    for name in registry.own_ids():
        game = pyramidion.load(name)
        plain = bare(game, games) / games
        counted = measured(game, games, WITHOUT_LEAD) / games
        sample = (measured(game, FIRST_SAMPLES, ("lead",)) - counted * FIRST_SAMPLES) / FIRST_SAMPLES
        samples = FIRST_SAMPLES + MILLION // SAMPLE_EVERY
        whole = (counted * MILLION + sample * samples) / (plain * MILLION)
        print(
            f"{name:16s} {plain * 1e6:16.1f} {counted / plain:12.2f}x {sample * 1e3:13.2f} {whole:15.2f}x", flush=True
        )


if __name__ == "__main__":
    main()
