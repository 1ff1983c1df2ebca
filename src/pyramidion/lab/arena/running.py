"""Playing a contest: in one process or several, into a file, from where it was left."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.util import Finalize
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pyramidion
from pyramidion.lab.arena.entrants import PATIENCE, Entrant, NoEntrant, Player, play_action
from pyramidion.lab.arena.results import Results, row_of
from pyramidion.lab.arena.schedule import Pairing, lineups, schedule

if TYPE_CHECKING:
    from multiprocessing.synchronize import Event

    from pyramidion.engine.match import Match
    from pyramidion.lab.arena.guests import Guests

LOOK_SECONDS = 1.0
"""How often somebody who wants it to end is looked for while games are played in other processes."""
Progress = Callable[[int, int], None]
"""Told how many games of how many are done."""


@dataclass(frozen=True, slots=True)
class Contest:
    """What is played: `games` games at least for each line-up of `entrants`, in whole blocks.

    `patience`: seconds that a program may take for an action.
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
        """What a file of results must agree with. Not how many games, or the patience: more can be played later."""
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


class Stopped(Exception):
    """The contest is to end now; what was played is kept."""


class Flag(Protocol):
    """What is set where a contest is to end, such as a `threading.Event`."""

    def is_set(self) -> bool:
        """Whether it is to end."""
        ...


def run(
    contest: Contest,
    path: Path | str,
    *,
    jobs: int = 1,
    progress: Progress = lambda done, total: None,
    stop: Flag | None = None,
) -> Results:
    """Play what the file at `path` does not yet hold, in `jobs` processes, and return the open file.

    Raises Other for a file of something else, NoEntrant where an entrant fails, Stopped where `stop` is set (it is
    looked at after every game and while a program is waited for); what was played is kept.
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
            _Here.stop = stop
            for pairing in left:
                require_going_on()
                results.add_row(play(contest, pairing))
                done += 1
                progress(done, contest.total)
        elif left:
            _share_out(contest, left, results, jobs, lambda more: progress(done + more, contest.total), stop)
    except BaseException:
        results.close()
        _send_home(at_once=True)
        raise
    finally:
        _Here.stop = None
    _send_home()
    return results


def play(contest: Contest, pairing: Pairing) -> tuple[Any, ...]:
    """Play one game and return it as a row of `Results`. Raises NoEntrant where an entrant fails."""
    game = pyramidion.load(contest.game)
    match = game.new(contest.seats, pairing.seed, **contest.options)
    sitting = [contest.entrants[number] for number in pairing.seating]
    seeds = [f"{pairing.seed} {pairing.lineup} {pairing.turn} {seat}" for seat in range(contest.seats)]
    players = {
        seat: entrant.sit(game, seeds[seat], contest.patience)
        for seat, entrant in enumerate(sitting)
        if not entrant.is_guest
    }
    if len(players) < contest.seats:
        match, seconds = _guests().play(match, seeds, sitting, players, contest.patience, _choose)
        return row_of(pairing, match, tuple(seconds))
    seconds = [0.0] * contest.seats
    while not match.over:
        seat = match.acting[0]
        began = time.perf_counter()
        action = _choose(match, seat, sitting[seat], players[seat])
        seconds[seat] += time.perf_counter() - began
        play_action(match, seat, sitting[seat], action)
    return row_of(pairing, match, tuple(seconds))


def _choose(match: Match, seat: int, entrant: Entrant, player: Player) -> Any:
    """Ask a player for its action. Raises NoEntrant with a sentence, whatever goes wrong."""
    try:
        return player.move(match, seat)
    except NoEntrant:
        raise
    except Exception as error:
        raise NoEntrant(f"{entrant.name} failed at ply {match.ply}: {type(error).__name__}: {error}") from error


class _Here:
    """What this process has for programs that play at a server."""

    guests: Guests | None = None
    stop: Flag | None = None


def require_going_on() -> None:
    """Raise Stopped where somebody wants this process to play no more."""
    if _Here.stop is not None and _Here.stop.is_set():
        raise Stopped


def _guests() -> Guests:
    if _Here.guests is None:
        # The server comes with it, and most contests need none.
        from pyramidion.lab.arena.guests import Guests

        _Here.guests = Guests()
        # A process of a pool ends without another word, but not without this.
        Finalize(None, _send_home, kwargs={"at_once": True}, exitpriority=100)
    return _Here.guests


def _send_home(*, at_once: bool = False) -> None:
    """End the programs and the server of this process, if it has any."""
    guests, _Here.guests = _Here.guests, None
    if guests is not None:
        guests.close(at_once=at_once)


def _heed(stop: Event) -> None:
    """Let a new process of the pool know what says that all is over."""
    _Here.stop = stop


def _share_out(
    contest: Contest,
    left: Sequence[Pairing],
    results: Results,
    jobs: int,
    progress: Callable[[int], None],
    stop: Flag | None,
) -> None:
    context = multiprocessing.get_context("spawn")
    over = context.Event()
    pool = ProcessPoolExecutor(jobs, context, _heed, (over,))
    try:
        todo = iter(left)
        # No more than two games wait for each process, so that stopping does not wait for a long queue.
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
