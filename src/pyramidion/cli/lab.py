"""The `pyramidion lab GAME` command."""

from __future__ import annotations

import json
import shlex
import signal
import threading
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from pyramidion.cli.lab_options import ExperimentOptions, sentences
from pyramidion.cli.options import CommandFailed, load, print_json
from pyramidion.cli.tables import print_table
from pyramidion.extras import install_command
from pyramidion.translation import quantity

if TYPE_CHECKING:
    from pyramidion.lab import Result

SAVE_EVERY = 10.0
"""Interval at which a running experiment is saved, in seconds."""


def lab(
    game_id: str,
    asked: ExperimentOptions,
    out: Path | None,
    report: Path | None,
    tables: Sequence[str],
    as_json: bool,
) -> None:
    """Run or resume an experiment; print the answer and write the report."""
    from pyramidion import lab

    game = load(game_id)
    lab_packages()
    _check_tables(tables)
    arguments = asked.arguments()
    with sentences(out):
        resume = lab.Result.load(out) if out and out.exists() else None
        with bar(as_json) as progress, stoppable() as stop:
            task = progress.add_task("", total=asked.games, speed="")
            watch = _Watch(progress, task, out)
            result = lab.experiment(
                game, resume=resume, stop=stop, progress=watch.progress, keep=watch.keep, **arguments
            )
    if out:
        result.save(out)
    if stop.is_set():
        kept = f"The same command goes on from {out}." if out else "Nothing was kept; --out FILE keeps the games."
        raise CommandFailed(f"Stopped after {quantity(result.games, 'game')}. {kept}", code=130)
    if as_json:
        print_json(as_data(result))
    else:
        show(result)
        for name in tables:
            show_table(result, name)
        if out:
            print(f"The figures are in {out}.")
    if report:
        result.report(report, shlex.join(asked.command(game_id)))
        if not as_json:
            print(f"The report is in {report}.")


def lab_packages() -> None:
    """Raise CommandFailed if the packages of the lab are missing."""
    for name in ("polars", "optuna", "cmaes", "tomlkit"):
        if find_spec(name) is None:
            raise CommandFailed(f"The lab needs {name}; install it with: {install_command('lab')}.", code=1)


class _Watch:
    """Shows the progress of a running experiment, and saves its result from time to time."""

    def __init__(self, bar: Progress, task: Any, out: Path | None) -> None:
        self._bar, self._task, self._out = bar, task, out
        self._began: tuple[float, int] | None = None
        self._saved = time.monotonic()

    def progress(self, done: int, games: int) -> None:
        """Show the number of games and the speed."""
        now = time.monotonic()
        self._began = self._began or (now, done)
        began, before = self._began
        speed = (done - before) / (now - began) if now > began + 0.2 else 0
        text = f"{done:,} of {quantity(games, 'game')}" + (f", {speed:,.0f} a second" if speed else "")
        self._bar.update(self._task, completed=done, total=games, speed=text)

    def keep(self, result: Result) -> None:
        """Save the result so far, so that a run that is killed can be resumed."""
        if self._out and time.monotonic() - self._saved > SAVE_EVERY:
            result.save(self._out)
            self._saved = time.monotonic()


def show(result: Result) -> None:
    """Print the answer that an experiment's result gives, and its most important tables."""
    from pyramidion.lab.experiments.aggregates import CHANGE
    from pyramidion.lab.experiments.result import BY_SEAT
    from pyramidion.lab.reports import summary_text

    console = Console()
    console.print(f"[bold]{summary_text.question(result)}[/bold]", highlight=False)
    for sentence in summary_text.answers(result):
        console.print(sentence, highlight=False)
    console.print(
        f"{quantity(result.games, 'game')}{' of each side' if 'B' in result.sides else ''}; 95 % intervals.",
        style="dim",
    )
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("", no_wrap=True)
    single = len(result.sides) == 1
    for side in result.spec.sides.values():
        table.add_column(side.name, justify="right", no_wrap=True)
    if "B" in result.sides:
        table.add_column("change", justify="right", no_wrap=True)
    for metric in ("wins", "payoff", "points", "length", "branching", "lead", *result.spec.own):
        for item in result.items(metric):
            if metric in BY_SEAT and not result.is_listed(item):
                continue
            share = summary_text.is_share(metric, item)
            cells = [
                summary_text.format_figure(result.figure(metric, item, at), share, interval=single)
                for at in result.sides
            ]
            if (CHANGE, metric, item) in result.sums:
                cells.append(summary_text.format_figure(result.figure(metric, item, CHANGE), share, change=True))
            name = summary_text.item_name(item) if metric == "wins" else summary_text.row_name(metric, item)
            table.add_row(name, *cells)
    print_table(table, console)


def _check_tables(names: Sequence[str]) -> None:
    """Raise CommandFailed for the name of a table that no experiment has."""
    from pyramidion.lab.experiments.result import COUNTED

    for asked in names:
        name = asked.partition(":")[0]
        if name not in COUNTED:
            raise CommandFailed(f"There is no table {name!r}; the tables are: {', '.join(COUNTED)}.")


def show_table(result: Result, asked: str) -> None:
    """Print how often the items of a table occur and what they are worth, best first.

    `asked` is the name of a table, or the name, a colon, and the beginning of the items to print.
    """
    name, _, beginning = asked.partition(":")
    printed = Table(box=SIMPLE_HEAD, pad_edge=False)
    printed.add_column(name, no_wrap=True)
    for column in ("a game", "in games", "worth", "95 % interval"):
        printed.add_column(column, justify="right", no_wrap=True)
    several = len(result.sides) > 1
    for row in result.frame(name).iter_rows(named=True):
        if not row["item"].startswith(beginning):
            continue
        item = f"{row['side']}: {row['item']}" if several else row["item"]
        measured = row["worth"] is not None
        interval = f"{100 * row['low']:+.1f} to {100 * row['high']:+.1f}" if measured else ""
        worth = f"{100 * row['worth']:+.1f}" if measured else ""
        printed.add_row(item, f"{row['per game']:.2f}", f"{row['games']:.1%}", worth, interval)
    if not printed.row_count:
        raise CommandFailed(_no_items(result, name, beginning))
    print_table(printed)


def _no_items(result: Result, name: str, beginning: str) -> str:
    """Return a sentence that says how the items of a table begin, when none begins as was asked."""
    items = sorted({item for side in result.sides for item in result.items(name, side)})
    near = get_close_matches(beginning, items, 3, 0.3) or items[:3]
    listed = f", such as {', '.join(map(repr, near))}" if items else ""
    return f"No item of the table {name} begins with {beginning!r}; it has {len(items)}{listed}."


def as_data(result: Result) -> dict[str, Any]:
    """Return a result as data for other programs: specification, answers and tables."""
    from pyramidion.lab.reports import summary_text

    metrics = ["wins", "points", "length", "branching", "endings", *result.spec.own]
    metrics += ["payoff"] if result.items("payoff") else []
    metrics += ["lead"] if result.items("lead") else []
    metrics += ["families", "choices", "actions"] if "actions" in result.spec.metrics else []
    metrics += ["events", "details", "rules"] if "events" in result.spec.metrics else []
    metrics += ["changes"] if "B" in result.sides else []
    return {
        "question": summary_text.question(result),
        "answers": summary_text.answers(result),
        "games": result.games,
        "terms": json.loads(result.spec.as_json()),
        "tables": {metric: result.frame(metric).to_dicts() for metric in metrics},
    }


@contextmanager
def stoppable() -> Generator[threading.Event]:
    """Context manager: yield an event that the first Ctrl+C (or SIGTERM) sets; games in progress still count."""
    asked = threading.Event()

    def stop(*_: object) -> None:
        asked.set()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def bar(silent: bool) -> Progress:
    """Return a progress bar on standard error; its tasks have a field `speed`."""
    columns = [BarColumn(), TextColumn("{task.fields[speed]}"), TimeRemainingColumn(), TextColumn("left")]
    console = Console(stderr=True)
    return Progress(*columns, console=console, transient=True, disable=silent or not console.is_terminal)
