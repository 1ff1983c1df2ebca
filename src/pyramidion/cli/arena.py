"""The `pyramidion arena GAME BOT BOT ...` command."""

from __future__ import annotations

import shlex
import signal
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from pyramidion.cli.options import CommandFailed, accept_options, load, print_json
from pyramidion.cli.tables import print_table
from pyramidion.translation import quantity

if TYPE_CHECKING:
    from pyramidion.lab.arena import Standing
    from pyramidion.lab.arena.runner import Guests


def arena(
    game_id: str,
    entrants: Sequence[str],
    seats: int | None,
    games: int,
    seed: str,
    options: Sequence[str] | None,
    jobs: int,
    out: Path | None,
    report: Path | None,
    decisions: Path | None,
    patience: float,
    as_json: bool = False,
) -> None:
    """Run or resume a contest and print the standings."""
    from pyramidion.lab.arena import Contest, Stopped, read_entrants, run, standings
    from pyramidion.lab.arena.report import report as page

    if decisions:
        # Imported before the games are played, so that a missing package is noticed then.
        import_module("pyramidion.lab.arena.decisions")
    game = load(game_id)
    agreed = accept_options(game, options)
    try:
        seats = game.accept_seats(seats if seats is not None else game.usual_seats)
        contest = Contest(game.id, read_entrants(entrants, game), seats, games, seed, agreed, patience)
        with _progress_bar() as bar, _stoppable() as stop:
            task = bar.add_task("games", total=contest.total)
            results = run(
                contest,
                out or ":memory:",
                jobs=jobs,
                progress=lambda done, total: bar.update(task, completed=done, total=total),
                stop=stop,
                guests=open_guests,
            )
    except ValueError as error:
        raise CommandFailed(str(error)) from error
    except (KeyboardInterrupt, Stopped):
        kept = f"The same command goes on from {out}." if out else "Nothing was kept; --out FILE keeps the games."
        raise CommandFailed(f"Stopped. {kept}", code=130) from None
    with results:
        played = list(results.games())
        table = standings([entrant.name for entrant in contest.entrants], seats, played)
        if as_json:
            terms = {name: results.terms[name] for name in ("game", "rules_version", "seats", "options", "seed")}
            print_json({**terms, "games": len(played), "standings": [asdict(standing) for standing in table]})
        else:
            show(game.name, seats, table, len(played))
        if out:
            _say(f"The games are in {out}.", as_json)
        if report:
            again = _command_line(game_id, entrants, seats, games, seed, options)
            report.write_text(page(results.terms, table, len(played), again), "utf-8")
            _say(f"The report is in {report}.", as_json)
        if decisions:
            from pyramidion.lab.arena.decisions import write_decisions

            _say(f"{decisions} holds {quantity(write_decisions(results, decisions), 'decision')}.", as_json)


def _say(sentence: str, as_json: bool) -> None:
    """Print a sentence, unless the output is JSON."""
    if not as_json:
        print(sentence)


def show(name: str, seats: int, table: Sequence[Standing], games: int) -> None:
    """Print the standings of a contest, and the share of wins at each seat."""
    console = Console()
    console.print(f"{name}, {quantity(seats, 'seat')}, {quantity(games, 'game')}")
    printed = Table(box=SIMPLE_HEAD, pad_edge=False)
    printed.add_column("", no_wrap=True)
    for column in ("wins (95 % interval)", "by chance", "points", "rating", "s a game"):
        printed.add_column(column, justify="right", no_wrap=True)
    by_seat = Table(box=SIMPLE_HEAD, pad_edge=False)
    by_seat.add_column("wins at seat", no_wrap=True)
    for seat in range(seats):
        by_seat.add_column(str(seat + 1), justify="right", no_wrap=True)
    for s in table:
        printed.add_row(
            s.name,
            f"{s.wins.share:.1%} ({100 * s.wins.low:.1f} to {100 * s.wins.high:.1f})",
            f"{s.chance:.1%}",
            "" if s.points is None else f"{s.points:.1f}",
            f"{s.rating:.1f} ± {s.uncertainty:.1f}" if len(table) > 1 else "",
            f"{s.seconds:.2f}",
        )
        by_seat.add_row(s.name, *(f"{share.share:.0%}" if share.games else "" for share in s.by_seat))
    print_table(printed, console)
    print_table(by_seat, console)
    for s in table:
        if s.forfeits:
            console.print(f"{s.name} lost {quantity(s.forfeits, 'game')} by exiting.", highlight=False)


@contextmanager
def _stoppable() -> Generator[Event]:
    """Context manager: stop a contest cleanly on SIGINT or SIGTERM, ending every process that it started.

    An exception raised while C code (such as the compiler) calls Python is dropped there, so an event is set as well.
    """
    asked, tell = Event(), sys.unraisablehook

    def stop(*_: object) -> None:
        asked.set()
        raise KeyboardInterrupt

    def dropped(error: sys.UnraisableHookArgs) -> None:
        """Report an exception that Python has dropped, unless it is the request to stop."""
        if not asked.is_set() or error.exc_type is not KeyboardInterrupt:
            tell(error)

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    sys.unraisablehook = dropped
    try:
        yield asked
    finally:
        sys.unraisablehook = tell
        for number, handler in before.items():
            signal.signal(number, handler)


def _progress_bar() -> Progress:
    """Return a progress bar on standard error that disappears at the end."""
    columns: list[Any] = [
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    ]
    return Progress(*columns, console=Console(stderr=True), transient=True)


def _command_line(
    game: str, entrants: Sequence[str], seats: int, games: int, seed: str, options: Sequence[str] | None
) -> str:
    """Return the command line that plays the same contest."""
    words = ["pyramidion", "arena", game, *entrants, "--seats", str(seats), "--games", str(games), "--seed", seed]
    for option in options or ():
        words += ["--option", option]
    return shlex.join(words)


def open_guests() -> Guests:
    """Return the server that lets programs take part in a contest."""
    # Imported here because it loads the web server, which most contests do not need.
    from pyramidion.web.arena import Guests

    return Guests()
