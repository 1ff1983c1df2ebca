"""The result of an experiment: sums that can be saved, merged and read as tables."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

import pyramidion
from pyramidion.lab.experiments.aggregates import CHANGE, COLUMNS, UNITS, WIN, Aggregates
from pyramidion.lab.experiments.spec import ExperimentSpec
from pyramidion.lab.statistics.intervals import Z, benjamini_hochberg, holm, mean_and_error, p_value, wilson, worth

KEY = ("side", "metric", "item")
SCHEMA: dict[str, Any] = {**dict.fromkeys(KEY, pl.String), **dict.fromkeys(COLUMNS, pl.Int64)}
FORMAT = "pyramidion-lab"
SIGNIFICANT = 0.05
"""Adjusted p-value below which a difference is reported."""
FEWEST = 100
"""Minimum number of games with and without something to compute its worth; with fewer the interval would be wrong."""
BY_SEAT = ("wins", "payoff")
"""Metrics that every seat has a figure of."""
COUNTED = ("events", "details", "rules", "families", "choices", "actions")
"""Metrics that count keys, each of which has a worth."""


class NotMeasured(KeyError):
    """No figure has this side, metric and item; the message is a sentence that lists some."""

    def __str__(self) -> str:
        return str(self.args[0])


class OtherExperiment(ValueError):
    """The file or result belongs to another experiment, or is not a result."""


@dataclass(frozen=True)
class Result:
    """The result of an experiment, as sums: it can be saved, merged with others, and read as figures and tables.

    Attributes:
        spec: the specification of the experiment.
        ranges: the numbers of the games played, as ascending disjoint ranges (first, last + 1).
        data: a polars frame with one row for each side, metric and item; `aggregates` describes its columns.
        rows: the table that `games` returns, if it was kept. It is no part of the file that `save` writes.
    """

    spec: ExperimentSpec
    ranges: tuple[tuple[int, int], ...]
    data: pl.DataFrame
    rows: pl.DataFrame | None = field(default=None, compare=False, repr=False)

    @property
    def games(self) -> int:
        """The number of games played on each side."""
        return sum(last - first for first, last in self.ranges)

    @classmethod
    def of(
        cls, spec: ExperimentSpec, first: int, last: int, sums: Aggregates, rows: pl.DataFrame | None = None
    ) -> Result:
        """Make the result of the games `first` to `last - 1` from their sums, and from their rows if they were kept."""
        entries = [(*key, *numbers.tolist()) for key, numbers in sums.of.items()]
        data = pl.DataFrame(entries, schema=SCHEMA, orient="row").sort(KEY)
        return cls(spec, ((first, last),) if last > first else (), data, rows)

    @classmethod
    def merge(cls, results: Sequence[Result]) -> Result:
        """Merge the results of several parts of one experiment, in any order.

        Raises OtherExperiment if they belong to different experiments or have games in common.
        """
        if not results:
            raise OtherExperiment("There is nothing to merge.")
        spec = results[0].spec
        for result in results[1:]:
            if result.spec.as_json() != spec.as_json():
                raise OtherExperiment(f"The results are of different experiments: {different(spec, result.spec)}.")
        data = pl.concat([result.data for result in results]).group_by(KEY).sum().sort(KEY)
        joined: list[tuple[int, int]] = []
        for first, last in sorted(part for result in results for part in result.ranges):
            if joined and first < joined[-1][1]:
                raise OtherExperiment(f"Two results hold the same games, among them number {first}.")
            if joined and first == joined[-1][1]:
                joined[-1] = joined[-1][0], last
            else:
                joined.append((first, last))
        rows = [result.rows for result in results if result.rows is not None]
        whole = pl.concat(rows).sort("game", "side") if len(rows) == len(results) else None
        return cls(spec, tuple(joined), data, whole)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the result to a Parquet file, atomically replacing an existing one."""
        path = Path(path)
        beside = path.with_name(f"{path.name}.part")
        head = {"format": FORMAT, "terms": self.spec.as_json(), "ranges": json.dumps(self.ranges)}
        self.data.write_parquet(beside, metadata=head)
        beside.replace(path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Result:
        """Read a result from a file. Raises FileNotFoundError, or OtherExperiment if the file is not a result."""
        path = Path(path)
        if not path.exists():
            raise FileNotFoundError(f"There is no file {path}.")
        try:
            head = pl.read_parquet_metadata(path)
            if head.get("format") != FORMAT:
                raise OtherExperiment(f"{path} is not the result of an experiment.")
            ranges = tuple((int(first), int(last)) for first, last in json.loads(head["ranges"]))
            return cls(ExperimentSpec.from_json(head["terms"]), ranges, pl.read_parquet(path))
        except (pl.exceptions.PolarsError, OSError) as error:
            raise OtherExperiment(f"{path} is not the result of an experiment.") from error

    @cached_property
    def sums(self) -> dict[tuple[str, str, str], dict[str, int]]:
        """The rows of `data` as dictionaries, by (side, metric, item)."""
        return {(row["side"], row["metric"], row["item"]): row for row in self.data.iter_rows(named=True)}

    def figure(self, metric: str, item: str, side: str = "A") -> Figure:
        """Return the mean of an item with its interval; of an action, event or rule, what it is worth.

        The worth is the difference in wins between the seats that had it in a game and those that had not. Raises
        KeyError if the item was not measured.
        """
        sums = self.sums.get((side, metric, item))
        if sums is None:
            raise NotMeasured(self._not_measured(metric, item, side))
        if metric in COUNTED:
            return self._worth(sums)
        unit = UNITS.get(metric, 1)
        mean, error = mean_and_error(sums["total"], sums["squares"], sums["games"])
        mean, error = mean / unit, error / unit
        low, high = mean - Z * error, mean + Z * error
        if metric == "wins" and side != CHANGE:
            low, high = wilson(mean, sums["games"])
        return Figure(mean, low, high, sums["games"], error)

    def _not_measured(self, metric: str, item: str, side: str) -> str:
        """Return a sentence that says why there is no such figure, and which there are."""
        sides = list(dict.fromkeys(at for at, _, _ in self.sums))
        if side not in sides:
            return f"There is no side {side!r}; there are {', '.join(sides)}."
        items = self.items(metric, side)
        if not items:
            metrics = sorted({name for at, name, _ in self.sums if at == side})
            return f"Nothing called {metric!r} was measured; there are {', '.join(metrics)}."
        near = get_close_matches(item, items, 8, 0.4) or items[:8]
        more = f" and {len(items) - len(near)} more" if len(items) > len(near) else ""
        return f"The metric {metric} has no item {item!r}; it has {', '.join(map(repr, near))}{more}."

    def items(self, metric: str, side: str = "A") -> list[str]:
        """Return the names of the items that were measured for a metric on one side, in alphabetical order."""
        return [item for at, name, item in self.sums if at == side and name == metric]

    @property
    def sides(self) -> tuple[str, ...]:
        """The names of the sides, which are the compared variants: A, or A and B."""
        return tuple(self.spec.sides)

    def frame(self, metric: str) -> pl.DataFrame:
        """Return the figures of a metric as a table.

        `wins`, `payoff` (where payoffs are sums), `points`, `length`, `branching`, `lead` and custom metrics: mean,
        95 % interval and games by side and item. `endings`: the share of games by the rule that ended them. `events`,
        `details`, `rules`, `families`, `choices`, `actions`: how often each occurred, and its worth. `changes`: the
        differences between B and A. `games`: one row for each game and side (`game_rows.schema`), if they were kept.

        Raises ValueError for any other name.
        """
        if metric == "games":
            if self.rows is None:
                raise ValueError(
                    "The games were not kept; give `experiment` a file for them: per_game='games.parquet'."
                )
            return self.rows
        if metric == "changes":
            return self._changes()
        if metric == "endings":
            return self._endings()
        if metric in COUNTED:
            return self._counted(metric)
        rows = [
            {"side": side, "item": item, **self.figure(metric, item, side).as_row()}
            for side in self.sides
            for item in self.items(metric, side)
        ]
        if not rows:
            measured = sorted({name for _, name, _ in self.sums} - {"chance"})
            raise ValueError(f"Nothing called {metric!r} was measured; there are {', '.join(measured)}.")
        return pl.DataFrame(rows)

    def _endings(self) -> pl.DataFrame:
        """Return the table of the rules that end games: the share of games that each has ended, with its interval."""
        game = pyramidion.load(self.spec.game)
        rows: list[dict[str, Any]] = []
        for side in self.sides:
            for item in self.items("endings", side):
                games = self.sums[side, "endings", item]["games"]
                low, high = wilson(games / self.games, self.games)
                rule = game.rule_name(int(item))
                rows.append({"side": side, "rule": rule, "share": games / self.games, "low": low, "high": high})
        return pl.DataFrame(rows).sort("side", "share", descending=[False, True])

    def _counted(self, metric: str) -> pl.DataFrame:
        """Return the table of a metric that counts keys: how often each occurred, and its worth.

        The p-values are adjusted over the whole table.
        """
        rows: list[dict[str, Any]] = []
        for side in self.sides:
            for item in self.items(metric, side):
                s = self.sums[side, metric, item]
                value = self._worth(s)
                measured = math.isfinite(value.error)
                rows.append(
                    {
                        "side": side,
                        "item": item,
                        "per game": s["times"] / self.games,
                        "games": s["games"] / self.games,
                        "seats": s["users"] / self.games / self.spec.seats,
                        "worth": value.mean if measured else None,
                        "low": value.low if measured else None,
                        "high": value.high if measured else None,
                        "p": p_value(value.mean, value.error) if measured else None,
                    }
                )
        tested = [n for n, row in enumerate(rows) if row["p"] is not None]
        for n, adjusted in zip(tested, benjamini_hochberg([rows[n]["p"] for n in tested]), strict=True):
            rows[n]["p"] = adjusted
        frame = pl.DataFrame(rows, schema=_COUNTED_SCHEMA).rename({"p": "p (Benjamini-Hochberg)"})
        return frame.sort("side", "worth", descending=[False, True], nulls_last=True)

    def _worth(self, sums: dict[str, int]) -> Figure:
        """Return the difference in wins between seats with and without something; NaN if it was too rare."""
        seats = self.spec.seats
        value, error = worth(
            sums["users"],
            sums["users_squared"],
            sums["total"],
            sums["squares"],
            sums["cross"],
            games=self.games,
            seats=seats,
            unit=WIN,
        )
        without = (self.games * seats - sums["users"]) / seats
        if sums["games"] < FEWEST or without < FEWEST:
            value, error = math.nan, math.inf
        return Figure(value, value - Z * error, value + Z * error, sums["games"], error)

    def _changes(self) -> pl.DataFrame:
        """Return the table of the paired differences between B and A, with p-values adjusted by Holm.

        `pairing` is the standard error of a difference, divided by that of as many games that are not paired.
        """
        if CHANGE not in {side for side, _, _ in self.sums}:
            raise ValueError("There is nothing to compare: the experiment has one side.")
        rows: list[dict[str, Any]] = []
        for side, metric, item in self.sums:
            if side == CHANGE and (metric not in BY_SEAT or self.is_listed(item)):
                change = self.figure(metric, item, CHANGE)
                before, after = (self.figure(metric, item, at) for at in ("A", "B"))
                p, unpaired = p_value(change.mean, change.error), math.hypot(before.error, after.error)
                ends = {"change": change.mean, "low": change.low, "high": change.high, "games": change.games}
                ends["pairing"] = change.error / unpaired if unpaired else math.nan
                rows.append({"metric": metric, "item": item, "A": before.mean, "B": after.mean, **ends, "p (Holm)": p})
        for row, adjusted in zip(rows, holm([row["p (Holm)"] for row in rows]), strict=True):
            row["p (Holm)"] = adjusted
        return pl.DataFrame(rows)

    def is_listed(self, item: str) -> bool:
        """Return whether an item of `wins` or `payoff` belongs in a table.

        Seats are left out if the game has an order of play: players rotate through the seats, so only the order
        matters.
        """
        ordered = any(name == "wins" and at == "place 1" and row["games"] for (_, name, at), row in self.sums.items())
        return not item.startswith("seat") if ordered else not item.startswith("place")

    def report(self, path: str | os.PathLike[str], command: str = "") -> None:
        """Write the report, a self-contained HTML page; `command` is shown as the way to reproduce it."""
        from pyramidion.lab.reports.report import page

        Path(path).write_text(page(self, command), "utf-8")


_COUNTED_SCHEMA: dict[str, Any] = {"side": pl.String, "item": pl.String} | dict.fromkeys(
    ("per game", "games", "seats", "worth", "low", "high", "p"), pl.Float64
)


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured figure: a mean with its 95 % interval, its number of games, and its standard error."""

    mean: float
    low: float
    high: float
    games: int
    error: float

    def as_row(self) -> dict[str, float]:
        """Return the figure as a row of a table, by column."""
        return {"mean": self.mean, "low": self.low, "high": self.high, "games": self.games}

    @property
    def reach(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


def different(first: ExperimentSpec, second: ExperimentSpec) -> str:
    """Describe in words the first term in which two specifications differ."""
    first_json, second_json = json.loads(first.as_json()), json.loads(second.as_json())
    for name in first_json:
        if first_json[name] != second_json[name]:
            short = [json.dumps(value)[:60] for value in (first_json[name], second_json[name])]
            return f"{name.replace('_', ' ')} {short[0]} in one and {short[1]} in the other"
    return "they differ"
