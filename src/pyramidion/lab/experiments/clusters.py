"""Clusters: an experiment's games played in shards by other processes, on this machine or with Ray on several.

A shard is a range of games. The specification of the experiment determines it completely, so the result does not depend
on who plays a shard, and a shard that was lost with its worker is simply played again.
"""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from itertools import pairwise
from typing import Any, Protocol, TypeVar

import pyramidion
from pyramidion.extras import install_command
from pyramidion.lab.experiments.aggregates import Aggregates
from pyramidion.lab.experiments.custom_metrics import chosen_metrics
from pyramidion.lab.experiments.result import Result
from pyramidion.lab.experiments.runner import ThreadRunner, play_range, taken_rows
from pyramidion.lab.experiments.spec import ExperimentSpec

SHARD = 5_000
"""Number of games in a shard."""
TRIES = 4
"""How often a shard is played before its experiment fails."""

Shard = tuple[int, int]
"""The numbers of the first game and of the one after the last."""
T = TypeVar("T")
Task = Callable[[str, int, int], T]
"""What plays a shard: a function that can be pickled, of a specification in JSON and the shard."""


class LostWorkers(RuntimeError):
    """Worker processes died at every one of TRIES attempts to play some games."""


def play_shard(spec_json: str, first: int, last: int, per_game: bool = False) -> Result:
    """Play in this process the games `first` to `last - 1` of the experiment with this specification in JSON.

    With `per_game` the result has their rows.
    """
    spec = ExperimentSpec.from_json(spec_json)
    game = pyramidion.load(spec.game)
    own = chosen_metrics(game, spec.metrics)
    runners = [ThreadRunner(game, spec, own, per_game=per_game)]
    _, sums = play_range(runners, first, last, threading.Event(), lambda games: None)
    return Result.of(spec, first, last, sums, taken_rows(game, spec, own, runners) if per_game else None)


def run_task(task: Task[T], spec_json: str, first: int, last: int) -> T:
    """Run a task in a worker; Ray takes no other callable than a function."""
    return task(spec_json, first, last)


class Cluster(Protocol):
    """A group of workers that play shards."""

    def play(self, task: Task[T], spec_json: str, shards: Sequence[Shard]) -> Iterator[T]:
        """Play the shards by a task, and yield its results as they come, in any order."""
        ...


class Processes:
    """A cluster of `count` processes on this machine; it plays the shards of lost processes again."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._pool = self._new_pool()

    def _new_pool(self) -> ProcessPoolExecutor:
        """Start the processes that play the games."""
        return ProcessPoolExecutor(self._count, multiprocessing.get_context("spawn"))

    def play(self, task: Task[T], spec_json: str, shards: Sequence[Shard]) -> Iterator[T]:
        """Play the shards and yield their results as they come. Raises LostWorkers if workers die again and again."""
        missing = set(shards)
        for _ in range(TRIES):
            try:
                futures = {self._pool.submit(task, spec_json, *shard): shard for shard in sorted(missing)}
                for future in as_completed(futures):
                    result = future.result()
                    missing.discard(futures[future])
                    yield result
                return
            except BrokenProcessPool:
                self._pool = self._new_pool()
        raise LostWorkers(f"Worker processes died {TRIES} times; the games {sorted(missing)[0]} were not played.")

    def close(self) -> None:
        """Cancel the shards that have not begun, and let the processes end."""
        self._pool.shutdown(wait=False, cancel_futures=True)


class Ray:
    """A cluster of the library Ray, which itself plays the shards of lost workers again."""

    def __init__(self, address: str | None) -> None:
        try:
            ray: Any = import_module("ray")
        except ModuleNotFoundError as error:
            raise ValueError(f"Ray is not installed; install it with: {install_command('cluster')}.") from error
        self._ray = ray
        try:
            ray.init(address, ignore_reinit_error=True, log_to_driver=False)
        except (ConnectionError, ray.exceptions.AuthenticationError) as error:
            raise ValueError(
                f"No Ray cluster answers at {address}, or it has another token (RAY_AUTH_TOKEN): {error}."
            ) from error
        # By itself Ray fills the first machine and gives the others what is left.
        self._task: Any = ray.remote(max_retries=TRIES, scheduling_strategy="SPREAD")(run_task)

    def play(self, task: Task[T], spec_json: str, shards: Sequence[Shard]) -> Iterator[T]:
        """Play the shards and yield their results as they come."""
        waiting = [self._task.remote(task, spec_json, first, last) for first, last in shards]
        while waiting:
            done, waiting = self._ray.wait(waiting)
            for result in done:
                yield self._ray.get(result)

    def close(self) -> None:
        """Disconnect from the cluster."""
        self._ray.shutdown()


@contextmanager
def opened(name: str) -> Generator[Cluster]:
    """Context manager: open the cluster of this name, and close it at the end.

    Names are `processes:4`, `ray` (this machine), and `ray://HOST:PORT`. Raises ValueError with a sentence.
    """
    kind, _, count = name.partition(":")
    if kind == "processes" and count.isascii() and count.isdigit() and int(count) > 0:
        cluster: Processes | Ray = Processes(int(count))
    elif name == "ray" or name.startswith("ray://"):
        cluster = Ray(None if name == "ray" else name)
    else:
        raise ValueError(f"There is no cluster {name!r}; write processes:4, ray, or ray://HOST:PORT.")
    try:
        yield cluster
    finally:
        cluster.close()


def play_spread(
    cluster: Cluster,
    spec: ExperimentSpec,
    first: int,
    last: int,
    stop: threading.Event,
    progress: Callable[[int], None],
    per_game: bool = False,
) -> Result:
    """Play the games `first` to `last - 1` in shards on a cluster, and return their merged result.

    If `stop` is set meanwhile, the result ends before the first shard that has not been played. `progress` is called
    with the number of games of each shard.
    """
    ends = [*range(first, last, SHARD), last]
    parts: list[Result] = []
    for part in cluster.play(partial(play_shard, per_game=per_game), spec.as_json(), list(pairwise(ends))):
        parts.append(part)
        progress(part.games)
        if stop.is_set():
            break
    parts.sort(key=lambda part: part.ranges)
    whole = [part for n, part in enumerate(parts) if part.ranges[0][0] == first + n * SHARD]
    return Result.merge(whole) if whole else Result.of(spec, first, first, Aggregates())
