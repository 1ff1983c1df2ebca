"""The contest runner: plays the remaining games in one or more processes and stores the results."""

from __future__ import annotations

import hashlib
import multiprocessing
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pyramidion
from pyramidion.bots.player import Player
from pyramidion.lab.arena.entrants import PATIENCE, Entrant, play_action
from pyramidion.lab.arena.errors import EntrantError
from pyramidion.lab.arena.forfeits import ForfeitingPlayer
from pyramidion.lab.arena.results import Results, row_of
from pyramidion.lab.arena.schedule import Pairing, lineups, schedule

if TYPE_CHECKING:
    from multiprocessing.synchronize import Event

    from pyramidion.engine.match import Match

Choose = Callable[["Match", int, Entrant, Player], Any]
"""Asks a player for its action at a match and seat; its entrant is named in errors."""
LOOK_SECONDS = 1.0
"""Interval at which the stop flag is checked while worker processes play."""
Progress = Callable[[int, int], None]
"""Called with the number of games done and the total."""


class Guests(Protocol):
    """A server at which programs of the JSON API play games of a contest."""

    def play(
        self,
        match: Match,
        seeds: Sequence[str],
        seated: Sequence[Entrant],
        players: Mapping[int, Player],
        patience: float,
        choose: Choose,
    ) -> tuple[Match, list[float]]:
        """Play a match to its end; return it and the time that each seat's decisions took, in seconds.

        `seeds` and `seated` have the seed and the entrant of each seat. `players` has the players of the seats where no
        program sits; `choose` asks them.
        """
        ...

    def close(self, *, at_once: bool = False) -> None:
        """Stop the programs and the server; unless `at_once`, let the programs exit by themselves first."""
        ...


@dataclass(frozen=True, slots=True)
class Contest:
    """The terms of a contest: at least `games` games for each line-up of `entrants`, in whole blocks (see `schedule`).

    `patience` is the time limit for a program's action, in seconds.
    """

    game: str
    entrants: Sequence[Entrant]
    seats: int
    games: int
    seed: str = "1"
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    patience: float = PATIENCE

    @property
    def terms(self) -> dict[str, Any]:
        """The terms that a results file must match to be resumed: all but `games` and `patience`, which may change."""
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
        """The total number of games, over all line-ups."""
        return len(lineups(len(self.entrants), self.seats)) * -(-self.games // self.seats) * self.seats


class Stopped(Exception):
    """The contest was stopped; games already played are kept."""


class Flag(Protocol):
    """A stop flag, such as a `threading.Event`."""

    def is_set(self) -> bool:
        """Return whether the contest should stop."""
        ...


def run(
    contest: Contest,
    path: Path | str,
    *,
    jobs: int = 1,
    progress: Progress = lambda done, total: None,
    stop: Flag | None = None,
    guests: Callable[[], Guests] | None = None,
) -> Results:
    """Play those games of a contest that the file at `path` lacks, on `jobs` processes, and return the open file.

    Raises OtherContest if the file holds something else, EntrantError if an entrant fails, and Stopped if `stop` is
    set, which is checked after every game and while waiting for programs. Games already played are kept.

    Programs of the JSON API play on a server that `guests` opens, once in each process: `pyramidion.web.arena.Guests`.
    Without it they are refused with EntrantError.
    """
    game = pyramidion.load(contest.game)
    game.accept_seats(contest.seats)
    for entrant in contest.entrants:
        entrant.make_player(game, "0")
        if entrant.is_guest and guests is None:
            raise EntrantError(f"{entrant.name} is a program of the JSON API, and this contest has no server for it.")
    results = Results(path, contest.terms)
    played = results.places()
    everything = schedule(len(contest.entrants), contest.seats, contest.games, contest.seed)
    left = [pairing for pairing in everything if (pairing.lineup, pairing.block, pairing.turn) not in played]
    done = contest.total - len(left)
    progress(done, contest.total)
    try:
        if jobs <= 1:
            _process.stop, _process.open_guests = stop, guests
            for pairing in left:
                raise_if_stopped()
                results.add_row(play(contest, pairing))
                done += 1
                progress(done, contest.total)
        elif left:
            _play_in_processes(
                contest, left, results, jobs, lambda finished: progress(done + finished, contest.total), stop, guests
            )
    except BaseException:
        results.close()
        _close_guests(at_once=True)
        raise
    finally:
        _process.stop = None
    _close_guests()
    return results


def play(contest: Contest, pairing: Pairing) -> tuple[Any, ...]:
    """Play one scheduled game and return it as a row for `Results.add_row`. Raises EntrantError if an entrant fails.

    A bot that exits (SystemExit) loses the game: default moves are played for it to the end (`forfeits`).
    """
    game = pyramidion.load(contest.game)
    match = game.new(contest.seats, pairing.seed, **contest.options)
    seated = [contest.entrants[number] for number in pairing.seating]
    seeds = [seed_of(pairing, seat) for seat in range(contest.seats)]
    forfeits: set[int] = set()
    players = {
        seat: ForfeitingPlayer(entrant.make_player(game, seeds[seat], contest.patience).bot, forfeits)
        for seat, entrant in enumerate(seated)
        if not entrant.is_guest
    }
    if len(players) < contest.seats:
        match, seconds = _guests().play(match, seeds, seated, players, contest.patience, _choose)
        return row_of(pairing, match, tuple(seconds), forfeits)
    seconds = [0.0] * contest.seats
    while not match.over:
        seat = match.acting[0]
        began = time.perf_counter()
        action = _choose(match, seat, seated[seat], players[seat])
        seconds[seat] += time.perf_counter() - began
        play_action(match, seat, seated[seat], action)
    return row_of(pairing, match, tuple(seconds), forfeits)


def seed_of(pairing: Pairing, seat: int) -> str:
    """Return the seed of a seat's player: a hash, so that the player cannot tell the match's seed, a secret."""
    return hashlib.sha256(f"{pairing.seed} {pairing.lineup} {pairing.turn} {seat}".encode()).hexdigest()[:16]


def _choose(match: Match, seat: int, entrant: Entrant, player: Player) -> Any:
    """Ask an entrant's player for its action. Raises EntrantError, which names the entrant, for any failure."""
    try:
        return player.move(match, seat)
    except EntrantError:
        raise
    except Exception as error:
        raise EntrantError(f"{entrant.name} failed at ply {match.ply}: {type(error).__name__}: {error}") from error


@dataclass(slots=True)
class _Process:
    """What a process of a contest keeps from game to game.

    Attributes:
        open_guests: opens a server for programs of the JSON API; None if the contest has none.
        guests: the open server; None until a game needs it.
        stop: the flag that stops the contest.
    """

    open_guests: Callable[[], Guests] | None = None
    guests: Guests | None = None
    stop: Flag | None = None


_process = _Process()


def raise_if_stopped() -> None:
    """Raise Stopped if this process's stop flag is set."""
    if _process.stop is not None and _process.stop.is_set():
        raise Stopped


def _guests() -> Guests:
    """Return this process's server for programs of the JSON API, and open it at the first call."""
    if _process.guests is None:
        assert _process.open_guests is not None
        _process.guests = _process.open_guests()
        # `atexit` and `multiprocessing` finalizers run after the executors have shut down, and the server needs an
        # executor to stop. So use the hook that runs before them.
        threading._register_atexit(_close_guests, at_once=True)  # type: ignore[attr-defined]
    return _process.guests


def _close_guests(*, at_once: bool = False) -> None:
    """Close this process's server and stop its programs, if there are any; see `Guests.close`."""
    guests, _process.guests = _process.guests, None
    if guests is not None:
        guests.close(at_once=at_once)


def _initialize_worker(stop: Event, guests: Callable[[], Guests] | None) -> None:
    """Set up a new worker process: set its stop flag, and how it opens a server for programs of the JSON API."""
    _process.stop, _process.open_guests = stop, guests


def _play_in_processes(
    contest: Contest,
    left: Sequence[Pairing],
    results: Results,
    jobs: int,
    progress: Callable[[int], None],
    stop: Flag | None,
    guests: Callable[[], Guests] | None,
) -> None:
    """Play the games of `left` on `jobs` worker processes, and store each in `results` as it ends.

    Raises Stopped if `stop` is set.
    """
    context = multiprocessing.get_context("spawn")
    over = context.Event()
    pool = ProcessPoolExecutor(jobs, context, _initialize_worker, (over, guests))
    try:
        todo = iter(left)
        # Queue at most two games per process, so that stopping is quick.
        running: set[Future[tuple[Any, ...]]] = {
            pool.submit(play, contest, pairing) for pairing in islice(todo, 2 * jobs)
        }
        done = 0
        while running:
            finished, running = wait(running, LOOK_SECONDS, FIRST_COMPLETED)
            if stop is not None and stop.is_set():
                raise Stopped
            for future in finished:
                results.add_row(future.result())
                done += 1
                progress(done)
                running |= {pool.submit(play, contest, pairing) for pairing in islice(todo, 1)}
    except BaseException:
        over.set()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
