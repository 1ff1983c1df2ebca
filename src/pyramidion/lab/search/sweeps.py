"""Sweeps: the same experiment for every combination of some parameters."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

import jinja2
import polars as pl

import pyramidion
from pyramidion.engine.game import Game
from pyramidion.lab.experiments.experiment import experiment
from pyramidion.lab.experiments.result import Result
from pyramidion.lab.reports import charts, summary_text
from pyramidion.lab.search.parameters import varied


@dataclass(frozen=True)
class Sweep:
    """The results of a sweep: one for every combination of the parameters' values.

    Attributes:
        game: the game.
        points: the values of the parameters with their result, in the order of the combinations.
    """

    game: Game
    points: tuple[tuple[dict[str, Any], Result], ...]

    def frame(self, metric: str, item: str) -> pl.DataFrame:
        """Return a table of one figure for every combination of values: mean, 95 % interval and games."""
        rows = [{**values, **result.figure(metric, item).as_row()} for values, result in self.points]
        return pl.DataFrame(rows)

    def chart(self, metric: str, item: str) -> str:
        """Draw a figure's response to the parameters as SVG: a line over one number, or a row for each combination."""
        title = f"{metric}: {summary_text.item_name(item) if metric == 'wins' else item}"
        share = summary_text.is_share(metric, item)
        form = "{:.0%}" if share else "{:,.1f}"
        figures = [result.figure(metric, item) for _, result in self.points]
        values = [tuple(values.values()) for values, _ in self.points]
        numbers = [value[0] for value in values if len(value) == 1 and isinstance(value[0], (int, float))]
        triples = [(f.mean, f.low, f.high) for f in figures]
        if len(numbers) == len(values) > 2:
            return charts.curve([triples], title, numbers, form=form, place_form="{:g}")
        bars = [
            charts.Bar(
                ", ".join(str(part) for part in value),
                (triple,),
                summary_text.format_figure(figure, share, interval=False),
            )
            for value, triple, figure in zip(values, triples, figures, strict=True)
        ]
        return charts.dots(bars, title, form=form, zero=False)

    def report(self, path: str | os.PathLike[str], figures: Iterable[tuple[str, str]] = ()) -> None:
        """Write an HTML page with the response curves of the given figures; by default wins, length and lead."""
        first = self.points[0][1]
        usual = [
            ("wins", summary_text.shares(first)[0]),
            ("length", "decisions"),
            ("length", "turns"),
            ("lead", "lead for good"),
        ]
        wanted = [(metric, item) for metric, item in (*figures,) or usual if item in first.items(metric)]
        environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
        template = environment.from_string((files("pyramidion.lab") / "sweep.html.j2").read_text("utf-8"))
        names = list(self.points[0][0])
        rows = [
            {
                "values": list(values.values()),
                "figures": [
                    summary_text.format_figure(result.figure(*name), summary_text.is_share(*name)) for name in wanted
                ],
            }
            for values, result in self.points
        ]
        text = template.render(
            title=f"{self.game.name}: what does {' and '.join(names)} change?",
            style=(files("pyramidion.lab") / "report.css").read_text("utf-8"),
            names=names,
            wanted=wanted,
            charts=[(f"{metric}: {item}", self.chart(metric, item)) for metric, item in wanted],
            rows=rows,
            games=first.games,
            spec=first.spec,
        )
        Path(path).write_text(text, "utf-8")


def sweep(
    game: Game | str,
    parameters: Mapping[str, Iterable[Any]],
    *,
    earlier: Mapping[int, Result] | None = None,
    stop: threading.Event | None = None,
    keep: Callable[[int, Result], None] = lambda n, result: None,
    progress: Callable[[int, int], None] = lambda done, count: None,
    **asked: Any,
) -> Sweep:
    """Run an experiment for every combination of `parameters` and return the results.

    Keys are `seats`, `players`, `options.NAME` or a path in the card file (`cards.fund_cards[0].interest`). `asked` are
    the other arguments of `experiment`. All runs use the same seed, so they play the same openings. `earlier` are
    results by the number of their combination, to continue; `keep` is called with every result; `stop` ends the sweep
    early, with the combinations finished so far. `progress` is called with the number of runs done and the total.
    Raises ValueError for a wrong path or value, OtherExperiment if a known result belongs to another experiment.
    """
    game = pyramidion.load(game) if isinstance(game, str) else game
    combinations = [dict(zip(parameters, values, strict=True)) for values in product(*parameters.values())]
    if not combinations:
        raise ValueError("A sweep needs at least one value of each parameter.")
    points: list[tuple[dict[str, Any], Result]] = []
    for n, values in enumerate(combinations):
        resume = (earlier or {}).get(n)
        result = experiment(game, resume=resume, stop=stop, **varied(game, asked, values))
        keep(n, result)
        if stop is not None and stop.is_set():
            break
        points.append((values, result))
        progress(len(points), len(combinations))
    return Sweep(game, tuple(points))
