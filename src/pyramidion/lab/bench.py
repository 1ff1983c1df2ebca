"""Benchmarks of a game on this machine, as printed by `pyramidion bench`.

Measurements that depend on process start (interpreted rules, first use, cached start) run in child processes:
`python -m pyramidion.lab.bench KIND ARGUMENTS`.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pyramidion.translation import quantity

if TYPE_CHECKING:
    from pyramidion import Game

ABOUT_SECONDS = 1.0
"""Duration of one measurement when no number of games is given."""
REPEATS = 3
"""Number of measurements; the median is reported, which is robust against interference from other programs."""
CHILD_TIMEOUT = 600

Progress = Callable[[str], None]


class BenchFailed(Exception):
    """A measurement in a child process failed; the message includes the last line of its standard error."""


def cores() -> int:
    """Return the number of processor cores available to this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def bench(
    game: Game,
    seats: int | None = None,
    games: int | None = None,
    options: Mapping[str, Any] | None = None,
    *,
    fresh_processes: bool = True,
    progress: Progress = lambda what: None,
) -> dict[str, Any]:
    """Benchmark one game under uniformly random play and return JSON-serialisable figures.

    Keys: game, seats, options, decisions_per_second, games_per_second, decisions_per_game (one core);
    threads: {threads, decisions_per_second, games_per_second, decisions_per_game, scaling} (all cores);
    python_plies_per_second (`match.legal` and `match.play`); search_iterations_per_second and
    search_policy_iterations_per_second (one core, from the opening, with random and policy rollouts);
    state_bytes, box_bytes. With `fresh_processes` also interpreted_decisions_per_second; import_seconds (importing the
    package and the game, including the compiler); and, measured after the import, first_use_seconds (compiling every
    entry point into an empty cache) and cached_start_seconds (loading them from the cache).
    """
    seats = game.accept_seats(seats if seats is not None else game.usual_seats)
    agreed = game.accept_options(options or {})
    progress("one core")
    single = playout_speed(game, seats, games, agreed, 1)
    progress(f"{quantity(cores(), 'core')}")
    parallel = playout_speed(game, seats, games, agreed, cores())
    progress("Python, search")
    figures: dict[str, Any] = {
        "game": game.id,
        "seats": seats,
        "options": agreed,
        **single,
        "threads": {
            "threads": cores(),
            **parallel,
            "scaling": round(parallel["decisions_per_second"] / single["decisions_per_second"], 3),
        },
        "python_plies_per_second": round(python_speed(game, seats, agreed)),
        **search_speed(game, seats, games, agreed),
        "state_bytes": game.layout.dtype.itemsize,
        "box_bytes": game.box.itemsize,
    }
    if fresh_processes:
        asked = json.dumps({"game": game.id, "seats": seats, "options": agreed})
        progress("interpreted")
        figures |= _measure_in_child("interpreted", asked, {"PYRAMIDION_INTERPRET": "1"})
        with tempfile.TemporaryDirectory(prefix="pyramidion-") as empty:
            progress("first use")
            first = _measure_in_child("start", asked, {"PYRAMIDION_CACHE_DIR": empty})
            progress("cached start")
            starts = [_measure_in_child("start", asked, {"PYRAMIDION_CACHE_DIR": empty}) for _ in range(REPEATS)]
        figures["first_use_seconds"] = first["ready_seconds"]
        figures["cached_start_seconds"] = statistics.median(start["ready_seconds"] for start in starts)
        figures["import_seconds"] = statistics.median(start["import_seconds"] for start in starts)
    return figures


def playout_speed(
    game: Game, seats: int, games: int | None, options: Mapping[str, Any], threads: int, repeats: int = REPEATS
) -> dict[str, Any]:
    """Measure random games on `threads` threads: decisions and games per second, and decisions per game.

    The median of `repeats` runs is returned. Without a number of `games`, a run takes about ABOUT_SECONDS.
    """
    from pyramidion.lab import playouts

    def run(count: int, seed: int) -> playouts.Playouts:
        return playouts.run(game, seats=seats, games=count, seed=seed, threads=threads, options=dict(options))

    run(threads, 0)  # compiled from here on
    count = games or threads
    while games is None:
        seconds = run(count, 0).seconds
        if seconds >= ABOUT_SECONDS / 10:
            count = max(threads, round(count * ABOUT_SECONDS / seconds))
            break
        count *= 4
    measured = [run(count, seed) for seed in range(1, repeats + 1)]
    middle = sorted(measured, key=lambda played: played.decisions / played.seconds)[repeats // 2]
    return {
        "decisions_per_second": round(middle.decisions / middle.seconds),
        "games_per_second": round(middle.games / middle.seconds, 1),
        "decisions_per_game": round(middle.decisions / middle.games, 1),
    }


def python_speed(game: Game, seats: int, options: Mapping[str, Any]) -> float:
    """Measure the plies per second of Python code that calls `match.legal(seat)` and `match.play(seat, action id)`."""
    import random

    chance = random.Random(1)
    plies, spent, seed = 0, 0.0, 0
    while spent < ABOUT_SECONDS:
        match = game.new(seats, seed, **options)
        seed += 1
        began = time.perf_counter()
        while not match.over:
            seat = match.acting[0]
            match.play(seat, chance.choice(match.legal(seat)).id)
        spent += time.perf_counter() - began
        plies += match.ply
    return plies / spent


def search_speed(game: Game, seats: int, games: int | None, options: Mapping[str, Any]) -> dict[str, Any]:
    """Measure the search iterations per second at the opening, with random and with policy rollouts.

    `games` is the number of iterations of each search; without it, a search takes about ABOUT_SECONDS.
    """
    from pyramidion.bots import SearchBot

    match = game.new(seats, 1, **options)
    seat = match.acting[0]
    state, bot = match.redacted_state(seat), SearchBot(game, 1)
    figures: dict[str, Any] = {}
    for key, rollout in (
        ("search_iterations_per_second", "random"),
        ("search_policy_iterations_per_second", "policy"),
    ):
        bot.think(match.box_for(seat), state, seat, iterations=1, rollout=rollout)  # compiled from here on
        speeds: list[float] = []
        for _ in range(REPEATS):
            limits: dict[str, Any] = {"seconds": ABOUT_SECONDS} if games is None else {"iterations": games}
            result = bot.think(match.box_for(seat), state, seat, rollout=rollout, **limits)
            speeds.append(result.iterations / result.seconds)
        figures[key] = round(statistics.median(speeds))
    return figures


def _measure_in_child(kind: str, asked: str, environment: Mapping[str, str]) -> dict[str, Any]:
    """Take the measurement `kind` in a new process, and return its figures. Raises BenchFailed.

    `asked` is the measurement's argument as JSON, and `environment` is added to the environment variables.
    """
    done = subprocess.run(
        [sys.executable, "-m", "pyramidion.lab.bench", kind, asked],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=CHILD_TIMEOUT,
        check=False,
    )
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["it said nothing"]
        raise BenchFailed(f"The measurement {kind!r} failed: {lines[-1]}")
    return json.loads(done.stdout)


def _measure_start(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Measure how long it takes to import the package, and then to get a game's rules ready."""
    began = time.perf_counter()
    import pyramidion

    game = pyramidion.load(asked["game"])
    imported = time.perf_counter()
    game.warm()
    ready = time.perf_counter()
    return {"import_seconds": round(imported - began, 3), "ready_seconds": round(ready - imported, 3)}


def _measure_interpreted(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Measure the speed of random play in this process, in which the rules are interpreted."""
    import pyramidion

    game = pyramidion.load(asked["game"])
    speed = playout_speed(game, asked["seats"], None, asked["options"], 1, repeats=1)
    return {"interpreted_decisions_per_second": speed["decisions_per_second"]}


if __name__ == "__main__":
    _kinds = {"start": _measure_start, "interpreted": _measure_interpreted}
    print(json.dumps(_kinds[sys.argv[1]](json.loads(sys.argv[2]))))
