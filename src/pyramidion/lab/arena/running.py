"""Playing a contest: in one process or several, into a file, from where it was left."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import pyramidion
from pyramidion.lab.arena.entrants import Entrant, NoEntrant, Player, play_action
from pyramidion.lab.arena.results import Results, row_of
from pyramidion.lab.arena.schedule import Pairing, lineups, schedule

Progress = Callable[[int, int], None]
"""Told how many games of how many are done."""


@dataclass(frozen=True, slots=True)
class Contest:
    """What is played: `games` games at least for each line-up of `entrants`, in whole blocks."""

    game: str
    entrants: Sequence[Entrant]
    seats: int
    games: int
    seed: str = "1"
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def terms(self) -> dict[str, Any]:
        """What a file of results must agree with. Not how many games: more can be played later."""
        game = pyramidion.load(self.game)
        return {
            "game": self.game,
            "rules_version": game.rules_version,
            "seats": self.seats,
            "options": dict(game.accept_options(self.options)),
            "entrants": [[entrant.name, entrant.what] for entrant in self.entrants],
            "seed": self.seed,
        }

    @property
    def total(self) -> int:
        """How many games there are."""
        return len(lineups(len(self.entrants), self.seats)) * -(-self.games // self.seats) * self.seats


def run(contest: Contest, path: Path | str, *, jobs: int = 1, progress: Progress = lambda done, total: None) -> Results:
    """Play what the file at `path` does not yet hold, in `jobs` processes, and return the open file.

    Raises Other for a file of something else, NoEntrant where an entrant fails; what was played is kept.
    """
    game = pyramidion.load(contest.game)
    game.accept_seats(contest.seats)
    for entrant in contest.entrants:
        entrant.sit(game, "0")
    results = Results(path, contest.terms)
    there = results.places()
    everything = schedule(len(contest.entrants), contest.seats, contest.games, contest.seed)
    left = [pairing for pairing in everything if (pairing.lineup, pairing.block, pairing.turn) not in there]
    done = contest.total - len(left)
    progress(done, contest.total)
    try:
        if jobs <= 1:
            for pairing in left:
                results.add_row(play(contest, pairing))
                done += 1
                progress(done, contest.total)
        elif left:
            _share_out(contest, left, results, jobs, lambda more: progress(done + more, contest.total))
    except BaseException:
        results.close()
        raise
    return results


def play(contest: Contest, pairing: Pairing) -> tuple[Any, ...]:
    """Play one game and return it as a row of `Results`. Raises NoEntrant where an entrant fails."""
    game = pyramidion.load(contest.game)
    match = game.new(contest.seats, pairing.seed, **contest.options)
    sitting = [contest.entrants[number] for number in pairing.seating]
    players: list[Player] = [
        entrant.sit(game, f"{pairing.seed} {pairing.lineup} {pairing.turn} {seat}")
        for seat, entrant in enumerate(sitting)
    ]
    seconds = [0.0] * contest.seats
    while not match.over:
        seat = match.acting[0]
        began = time.perf_counter()
        try:
            action = players[seat].move(match, seat)
        except NoEntrant:
            raise
        except Exception as error:
            name = sitting[seat].name
            raise NoEntrant(f"{name} failed at ply {match.ply}: {type(error).__name__}: {error}") from error
        seconds[seat] += time.perf_counter() - began
        play_action(match, seat, sitting[seat], action)
    return row_of(pairing, match, tuple(seconds))


def _share_out(
    contest: Contest, left: Sequence[Pairing], results: Results, jobs: int, progress: Callable[[int], None]
) -> None:
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"))
    try:
        todo = iter(left)
        # No more than two games wait for each process, so that stopping does not wait for a long queue.
        running: set[Future[tuple[Any, ...]]] = {
            pool.submit(play, contest, pairing) for pairing in islice(todo, 2 * jobs)
        }
        done = 0
        while running:
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                results.add_row(future.result())
                done += 1
                progress(done)
                running |= {pool.submit(play, contest, pairing) for pairing in islice(todo, 1)}
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
