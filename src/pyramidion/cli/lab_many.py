"""The `pyramidion lab sweep` and `pyramidion lab tune` commands."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

from pyramidion.cli.lab import bar, lab_packages, stoppable
from pyramidion.cli.lab_options import ExperimentOptions, sentences
from pyramidion.cli.options import CommandFailed, load, print_json, read_text
from pyramidion.cli.tables import print_table
from pyramidion.translation import quantity

if TYPE_CHECKING:
    from pyramidion.lab import Result, TuningResult

_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)(?::(\d+))?")


def read_values(given: Sequence[str], option: str) -> dict[str, Sequence[Any]]:
    """Return the values to try for each parameter, by its path, from `PATH=5,8` or `PATH=5..14` (or `5..14:3`).

    `option` is the command-line option that gave them, for messages. Raises CommandFailed.
    """
    parameters: dict[str, Sequence[Any]] = {}
    for text in given:
        path, equals, values = text.partition("=")
        if not equals or not path or not values.strip():
            raise CommandFailed(
                f"{option} {text!r} is not PATH=VALUES, such as seats=3,4 or options.start=lowest,random."
            )
        spread = _RANGE.fullmatch(values.strip())
        if spread:
            low, high, step = int(spread[1]), int(spread[2]), int(spread[3] or 1)
            if high < low or step < 1:
                raise CommandFailed(f"{option} {text!r}: a range goes upwards, such as 5..14 or 5..14:3.")
            parameters[path.strip()] = range(low, high + 1, step)
        else:
            parameters[path.strip()] = [_value(part.strip()) for part in values.split(",")]
    if not parameters:
        raise CommandFailed(f"Name at least one {option} PATH=VALUES.")
    return parameters


def _value(text: str) -> Any:
    """Return a value to try: a number if it is one, else the word."""
    return int(text) if re.fullmatch(r"-?\d+", text, re.ASCII) else text


def sweep(
    game_id: str,
    vary: Sequence[str],
    figures: Sequence[str],
    asked: ExperimentOptions,
    out: Path | None,
    report: Path | None,
    as_json: bool,
) -> None:
    """Run or resume a sweep; print a table of the figures, and draw their curves."""
    lab_packages()
    from pyramidion import lab
    from pyramidion.lab.reports import summary_text

    game, values, arguments = load(game_id), read_values(vary, "--vary"), asked.arguments()
    wanted = [_figure(text) for text in figures]

    def place(n: int) -> Path:
        """Return the file for the result of experiment `n`."""
        assert out is not None
        return out / f"{n:04d}.parquet"

    def keep(n: int, result: Result) -> None:
        """Save the result of experiment `n`, and refuse figures that it did not measure."""
        if out is not None:
            out.mkdir(parents=True, exist_ok=True)
            result.save(place(n))
        for metric, item in wanted if result.games else ():
            if item not in result.items(metric):
                available = ", ".join(result.items(metric)[:12]) or "nothing"
                raise CommandFailed(
                    f"--figure {metric}:{item} was not measured. Under {metric!r} there is: {available}."
                )

    with sentences(out):
        count = 1
        for choices in values.values():
            count *= len(choices)
        earlier = {n: lab.Result.load(place(n)) for n in range(count) if out and place(n).exists()}
        with bar(as_json) as progress, stoppable() as stop:
            task = progress.add_task("", total=count, speed="")
            outcome = lab.sweep(
                game,
                values,
                earlier=earlier,
                stop=stop,
                keep=keep,
                progress=lambda done, of: progress.update(
                    task, completed=done, speed=f"{done:,} of {quantity(of, 'experiment')}"
                ),
                **arguments,
            )
        if stop.is_set():
            raise _stopped(len(outcome.points), out)
        first = outcome.points[0][1]
        usual = [("wins", summary_text.shares(first)[0]), ("length", "decisions"), ("length", "turns")]
        wanted = wanted or usual
        tables = {f"{metric}:{item}": outcome.frame(metric, item).to_dicts() for metric, item in wanted}
        if report:
            outcome.report(report, wanted)
    if as_json:
        print_json({"game": game.id, "games": first.games, "figures": tables})
        return
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name in (*values, *tables):
        table.add_column(name, justify="right", no_wrap=True)
    for row, result in outcome.points:
        cells = [summary_text.format_figure(result.figure(*name), summary_text.is_share(*name)) for name in wanted]
        table.add_row(*(str(value) for value in row.values()), *cells)
    print_table(table)
    print(f"{quantity(first.games, 'game')} for each row; 95 % intervals.")
    if out:
        print(f"The experiments are in {out}.")
    if report:
        print(f"The report is in {report}.")


def tune(
    game_id: str,
    parameters: Sequence[str],
    objectives: Sequence[str],
    method: str,
    budget: int,
    asked: ExperimentOptions,
    out: Path | None,
    as_json: bool,
) -> None:
    """Run or resume a search; print the best values, measured again in new games."""
    lab_packages()
    from pyramidion import lab
    from pyramidion.lab.search.objectives import Objective

    game, values, arguments = load(game_id), read_values(parameters, "--param"), asked.arguments()
    if not objectives:
        raise CommandFailed("Name at least one --objective, such as 'wins:place 1<=0.34'.")
    terms = json.dumps([game.id, game.rules_version, parameters, objectives, method, budget, asked.terms()])
    with sentences(out):
        goals = [Objective.parse(text) for text in objectives]
        earlier = _read_trials(out, terms)
        with bar(as_json) as progress, stoppable() as stop:
            task = progress.add_task("", total=budget, speed="")

            def keep(tried: dict[str, Any], reached: tuple[float, ...]) -> None:
                """Append the values of a trial, and the goals that it reached, to the file."""
                if out is not None:
                    with out.open("a", encoding="utf-8") as file:
                        file.write(json.dumps({"values": tried, "goals": reached}) + "\n")

            outcome = lab.tune(
                game,
                values,
                lambda result: tuple(goal(result) for goal in goals),
                method=method,
                budget=budget,
                earlier=earlier,
                stop=stop,
                keep=keep,
                progress=lambda done, of: progress.update(
                    task, completed=done, speed=f"{done:,} of {quantity(of, 'experiment')}"
                ),
                **arguments,
            )
        if stop.is_set():
            raise _stopped(len(outcome.trials), out)
    if as_json:
        front = [
            {"values": candidate.values, "goals": candidate.goals, "confirmed": candidate.confirmed}
            for candidate in outcome.front
        ]
        print_json({"game": game.id, "trials": outcome.trials.to_dicts(), "front": front})
    else:
        _show(outcome, list(values), objectives)
        if out:
            print(f"The experiments are in {out}.")


def _show(outcome: TuningResult, names: Sequence[str], objectives: Sequence[str]) -> None:
    """Print the best candidates of a tuning, with their goals in the search and in new games."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name in names:
        table.add_column(name, justify="right", no_wrap=True)
    for text in objectives:
        table.add_column(f"{text}: in the search", justify="right")
        table.add_column("in new games", justify="right")
    for candidate in outcome.front:
        pairs = [f"{n:.4g}" for goal in zip(candidate.goals, candidate.confirmed, strict=True) for n in goal]
        table.add_row(*(str(candidate.values[name]) for name in names), *pairs)
    print_table(table)
    games = outcome.front[0].result.games
    print(
        f"{quantity(len(outcome.trials), 'experiment')}. Small is good; 0 means that the target is met. "
        f"{quantity(games, 'new game')} each."
    )


def _figure(text: str) -> tuple[str, str]:
    """Parse METRIC:ITEM into the metric and the item. Raises CommandFailed."""
    metric, colon, item = text.partition(":")
    if not colon:
        raise CommandFailed(f"--figure {text!r} is not METRIC:ITEM, such as 'wins:place 1' or 'length:turns'.")
    return metric.strip(), item.strip()


def _stopped(done: int, out: Path | None) -> CommandFailed:
    """Return the error that tells the user how many experiments were done, and how to go on."""
    kept = f"The same command goes on from {out}." if out else "Nothing was kept; --out keeps what was played."
    return CommandFailed(f"Stopped after {quantity(done, 'experiment')}. {kept}", code=130)


def _read_trials(out: Path | None, terms: str) -> list[tuple[dict[str, Any], tuple[float, ...]]]:
    """Return the trials in a file, which begins with the terms of the search; create it if there is none."""
    from pyramidion.lab.experiments.result import OtherExperiment

    if out is None:
        return []
    if not out.exists():
        out.write_text(json.dumps({"search": terms}) + "\n", "utf-8")
        return []
    lines = read_text(out).split("\n")
    try:
        head = json.loads(lines[0])
        # A line without an end was being written when the search was killed.
        trials = [json.loads(line) for line in lines[1:-1]]
    except json.JSONDecodeError:
        raise OtherExperiment(f"{out} holds no search.") from None
    if head.get("search") != terms:
        raise OtherExperiment(f"{out} belongs to another search.")
    if lines[-1]:
        out.write_text("\n".join([*lines[:-1], ""]), "utf-8")
    return [(trial["values"], tuple(trial["goals"])) for trial in trials]
