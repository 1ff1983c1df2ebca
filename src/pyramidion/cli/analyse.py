"""The `pyramidion analyse RECORD` command."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from pyramidion.cli.options import CommandFailed, print_json, read_record
from pyramidion.translation import from_one, quantity

WIDTH = 60
BARS = "▁▂▃▄▅▆▇█"


def analyse(path: Path, iterations: int, seed: int, as_json: bool) -> None:
    """Analyse a recorded game and print the win-chance curve and the costliest decisions, or everything as JSON."""
    from pyramidion.bots.analysis import Analyst
    from pyramidion.bots.interpretation import percent
    from pyramidion.engine.errors import BadRecord
    from pyramidion.engine.match import Match

    data = read_record(path)
    try:
        if isinstance(data, dict):
            data = {key: value for key, value in cast("dict[str, Any]", data).items() if key != "seals"}
        match = Match.from_record(data)
    except BadRecord as error:
        raise CommandFailed(f"{path} is not a record: {from_one(str(error))}") from error
    if not match.over:
        raise CommandFailed(f"The game in {path} is not over; a game is analysed when it is.")
    analyst = Analyst(match, iterations=iterations, seed=seed)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(match.game.name, total=analyst.total)
        for _ in analyst.steps():
            progress.update(task, completed=analyst.done)
    result = analyst.result
    if as_json:
        print_json(result.as_json())
        return
    print(
        f"{match.game.name}, {quantity(match.seats, 'seat')}, {quantity(match.ply, 'action')}; "
        f"{quantity(iterations, 'position')} examined for each."
    )
    seats = [f"Seat {number}" for number in range(1, match.seats + 1)]
    for seat, name in enumerate(seats):
        print(f"{name}  {_line([chances[seat] for chances in result.curve])}  {percent(result.curve[-1][seat])}")
    verdict = f"Of {quantity(result.judged, 'decision')} with a choice, "
    print(verdict + ("these cost most:" if result.decisions else "none clearly cost anything."))
    for decision in result.decisions:
        played, better = (
            match.label(match.game.actions.parse(text), seats) for text in (decision.played, decision.better)
        )
        print(
            f"  action {decision.ply + 1}, seat {decision.seat + 1}, cost {percent(decision.cost)}: {played} "
            f"({percent(decision.chance_played)} to win); better: {better} ({percent(decision.chance_better)})"
        )


def _line(values: list[float]) -> str:
    """Draw values from 0 to 1 as a one-line bar chart, sampled down to the width that fits."""
    count = min(WIDTH, len(values))
    picked = [values[n * (len(values) - 1) // max(1, count - 1)] for n in range(count)]
    return "".join(BARS[min(len(BARS) - 1, int(value * len(BARS)))] for value in picked)
