"""Aggregates: sums for every metric and item over the rows of games.

An aggregate consists of seven whole numbers, in the order of `COLUMNS`: `games` with the item; `times` it occurred;
`users`, the seats that had it, and their squares by game; and, for the figure itself, `total`, `squares` and its
product with the users. Aggregates can be added, and means, differences and intervals follow from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion.lab.experiments import counters
from pyramidion.lab.experiments.counters import LOOKS, PAYOFF, ROLLOUTS, WIN

if TYPE_CHECKING:
    from pyramidion.lab.experiments.custom_metrics import Metric
    from pyramidion.lab.experiments.spec import ExperimentSpec

COLUMNS = ("games", "times", "users", "users_squared", "total", "squares", "cross")
GAMES, TIMES, USERS, USERS_SQUARED, TOTAL, SQUARES, CROSS = range(7)
CHANGE = "change"
"""The side that holds the game-by-game differences between B and A."""
COMEBACK, SETTLED = 0.75, 0.9
"""A win is a comeback if another player's chance exceeded the first; a game is settled at the second for the winner."""

UNITS = {"wins": WIN, "payoff": PAYOFF, "branching": 100, "lead": LOOKS, "chance": WIN * ROLLOUTS}
"""Divisors of totals that are not counted in whole units."""

Quantity = tuple[str, str, Any, Any]
"""Metric, item, a value for each game, and a mask of the games that have a value (None for all)."""


class Aggregates:
    """The sums of an experiment: seven numbers (`COLUMNS`) for each side, metric and item.

    A side is one of the compared variants, "A" or "B", or CHANGE. An item is one of the figures of a metric, such as
    "seat 0" of the wins.
    """

    def __init__(self) -> None:
        self.of: dict[tuple[str, str, str], Any] = {}

    def at(self, side: str, metric: str, item: str) -> Any:
        """Return the seven numbers of an item, int64[7], to read or change; they are 0 if the item is new."""
        key = (side, metric, item)
        numbers = self.of.get(key)
        if numbers is None:
            numbers = self.of[key] = np.zeros(len(COLUMNS), np.int64)
        return numbers

    def add(self, other: Aggregates) -> None:
        """Add the sums of other games to these."""
        for key, numbers in other.of.items():
            self.at(*key)[:] += numbers

    def add_values(self, side: str, metric: str, item: str, values: Any) -> None:
        """Add an array, with one value for each game, to the sums of an item."""
        sums = self.at(side, metric, item)
        sums[GAMES] += len(values)
        sums[TOTAL] += int(values.sum())
        sums[SQUARES] += int((values * values).sum())


def quantities(
    rows: Any, first: int, spec: ExperimentSpec, metrics: Iterable[Metric], with_payoffs: bool
) -> list[Quantity]:
    """Compute every game's value of every metric from the rows of games.

    `rows`, int64[games, columns] (see `counters`), are those of consecutive games, of which the first has the number
    `first`. Payoffs are measured where they are sums (`with_payoffs`); otherwise the wins tell as much.
    """
    seats, each = spec.seats, np.arange(len(rows))
    wins = rows[:, counters.COLUMNS : counters.COLUMNS + seats]
    points = rows[:, counters.COLUMNS + seats : counters.COLUMNS + 2 * seats]
    starter, winners = rows[:, counters.FIRST], rows[:, counters.WINNERS]
    measured: list[Quantity] = []
    has_starter = starter >= 0
    results = {"wins": wins}
    if with_payoffs:
        results["payoff"] = rows[:, counters.COLUMNS + 2 * seats : counters.COLUMNS + 3 * seats]
    for metric, result in results.items():
        for n in range(seats):
            measured.append((metric, f"place {n + 1}", result[each, (starter + n) % seats], has_starter))
        for seat in range(seats):
            measured.append((metric, f"seat {seat}", result[:, seat], None))
        if len(set(spec.players)) > 1:
            for name in dict.fromkeys(spec.players):
                places = [(n + first + each) % seats for n, player in enumerate(spec.players) if player == name]
                measured.append((metric, f"player {name}", sum(result[each, place] for place in places), None))
    measured.append(("wins", "shared", WIN * (winners > 1), None))
    measured.append(("wins", "nobody", WIN * (winners == 0), None))
    won = wins > 0
    lowest = np.iinfo(np.int64).min
    best = np.where(won, points, lowest).max(1)
    other = np.where(won, lowest, points).max(1)
    both = (best > lowest) & (other > lowest)
    measured += [
        ("points", "winner", best, best > lowest),
        ("points", "best of the others", other, both),
        ("points", "margin", np.where(both, best, 0) - np.where(both, other, 0), both),
        ("length", "decisions", rows[:, counters.PLIES], None),
        ("length", "turns", rows[:, counters.TURNS], None),
    ]
    listed = rows[:, counters.LISTED]
    some = listed > 0
    divisor = np.maximum(listed, 1)
    measured.append(("branching", "legal actions", (100 * rows[:, counters.BRANCHES] + divisor // 2) // divisor, some))
    measured.append(("branching", "real choices", (100 * rows[:, counters.CHOICES] + divisor // 2) // divisor, some))
    place = counters.COLUMNS + 3 * seats
    for metric in metrics:
        for label in metric.labels:
            measured.append((metric.name, label, rows[:, place], None))
            place += 1
    return measured


def add_rows(
    sums: Aggregates,
    rows: dict[str, Any],
    first: int,
    spec: ExperimentSpec,
    metrics: Iterable[Metric],
    with_payoffs: bool = False,
) -> None:
    """Add a block of games to the sums: the rows of every side and, of two sides, the differences between them.

    `rows` has the rows of each side by its name, as `quantities` takes them.
    """
    metrics = tuple(metrics)
    measured = {side: quantities(side_rows, first, spec, metrics, with_payoffs) for side, side_rows in rows.items()}
    for side, side_quantities in measured.items():
        for metric, item, values, mask in side_quantities:
            sums.add_values(side, metric, item, values if mask is None else values[mask])
        _add_counts(sums, side, "endings", rows[side][:, counters.ENDING])
        _add_counts(sums, side, "length histogram", rows[side][:, counters.PLIES])
        winner = next(
            values[mask] for metric, item, values, mask in side_quantities if (metric, item) == ("points", "winner")
        )
        _add_counts(sums, side, "points histogram", winner)
    if len(measured) == 2:
        for (metric, item, before, was_known), (_, _, after, is_known) in zip(
            measured["A"], measured["B"], strict=True
        ):
            change = after - before if was_known is None else (after - before)[was_known & is_known]
            sums.add_values(CHANGE, metric, item, change)


def _add_counts(sums: Aggregates, side: str, metric: str, values: Any) -> None:
    """Add how often each of `values` occurs; the items are the values as text."""
    distinct, counts = np.unique(values, return_counts=True)
    for value, count in zip(distinct.tolist(), counts.tolist(), strict=True):
        sums.at(side, metric, str(value))[GAMES] += count


def add_keys(sums: Aggregates, side: str, names: Sequence[tuple[str, str]], counted: Any) -> None:
    """Add what a thread has counted on one side, for all keys that occurred.

    `names` has the metric and item of each key, and `counted`, int64[keys, columns], its counters
    (`counters.tally_dtype`).
    """
    order = [
        counters.GAMES,
        counters.TIMES,
        counters.USERS,
        counters.USERS_SQUARED,
        counters.TOTAL,
        counters.SQUARES,
        counters.CROSS,
    ]
    for key in np.flatnonzero(counted[:, counters.TIMES]).tolist():
        sums.at(side, *names[key])[:] += counted[key, order]


def add_leads(
    sums: Aggregates, side: str, rows: Any, sampled: Sequence[int], curves: Sequence[Any], seats: int, signed: bool
) -> None:
    """Add the chances and leads in the sampled games, in which every seat's chance was estimated at several positions.

    `sampled` has the index in `rows` of each sampled game, and `curves` what was estimated in it, int64[LOOKS, seats]:
    the wins of each seat in the rollouts from each position. In games with several winners (`signed`), nobody leads:
    only the winners' chance is measured.
    """
    for at, curve in zip(sampled, curves, strict=True):
        wins = rows[at, counters.COLUMNS : counters.COLUMNS + seats]
        whole = int(wins.sum())
        if not whole:
            continue
        winner = curve @ wins // whole
        for look, chance in enumerate(winner.tolist()):
            sums.add_values(side, "chance", f"{look:02d}", np.array([chance]))
        if signed:
            continue
        leaders = leaders_of(curve)
        changes = sum(a != b for a, b in pairwise(leaders) if a >= 0)
        others = np.where(wins > 0, 0, curve).max(1)
        figures = {
            "lead changes": LOOKS * changes,
            "lead for good": _right_from([leader < 0 or wins[leader] == 0 for leader in leaders]),
            "comebacks": LOOKS * int((others >= COMEBACK * WIN * ROLLOUTS).any()),
            "settled": _right_from((winner < SETTLED * WIN * ROLLOUTS).tolist()),
        }
        for item, value in figures.items():
            sums.add_values(side, "lead", item, np.array([value]))


def leaders_of(curve: Any) -> list[int]:
    """Return which seat leads at each position of a game, or -1 before any does; `curve` is as in `add_leads`.

    A new leader must be ahead by two standard errors.
    """
    leader, leaders = -1, list[int]()
    for chances in curve / WIN:
        order = np.argsort(-chances, kind="stable")
        best, next_best = int(order[0]), int(order[1])
        against = next_best if leader < 0 else leader
        if best != leader and chances[best] - chances[against] > 2 * np.sqrt(chances[best] + chances[against]):
            leader = best
        leaders.append(leader)
    return leaders


def _right_from(wrong: Sequence[Any]) -> int:
    """Return the first index from which on all values of `wrong` are false."""
    return max((look + 1 for look, is_wrong in enumerate(wrong) if is_wrong), default=0)
