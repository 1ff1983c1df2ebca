"""The table of an experiment's games: one row for each game and side."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import polars as pl

from pyramidion.engine.game import Game
from pyramidion.lab.experiments import counters
from pyramidion.lab.experiments.custom_metrics import Metric
from pyramidion.lab.experiments.spec import ExperimentSpec


def schema(seats: int, metrics: Iterable[Metric] = ()) -> dict[str, Any]:
    """Return the columns of the table, and their Polars types.

    `side` and `game`, its number; `decisions`, `turns`, `starter` (the seat that acted first alone, or null), `ending`
    (the rule that ended it); by seat, `players`, `wins` (shares of the win), `points` (null for a seat that is not
    scored) and `payoffs`; and a column `METRIC: LABEL` for each number of a custom metric.
    """
    columns: dict[str, Any] = {
        "side": pl.String,
        "game": pl.Int64,
        "decisions": pl.Int32,
        "turns": pl.Int32,
        "starter": pl.Int8,
        "ending": pl.String,
        "players": pl.Array(pl.String, seats),
        "wins": pl.Array(pl.Float64, seats),
        "points": pl.Array(pl.Int64, seats),
        "payoffs": pl.Array(pl.Float64, seats),
    }
    return columns | {f"{metric.name}: {label}": pl.Int64 for metric in metrics for label in metric.labels}


def frame_of(
    game: Game, spec: ExperimentSpec, metrics: Iterable[Metric], blocks: Iterable[tuple[str, int, Any]]
) -> pl.DataFrame:
    """Return the table of blocks of games: the side, the number of the first game, and rows as in `counters`."""
    seats, metrics = spec.seats, tuple(metrics)
    names = np.array(spec.players)
    parts = [pl.DataFrame(schema=schema(seats, metrics))]
    for side, first, rows in blocks:
        numbers = first + np.arange(len(rows))
        begin = counters.COLUMNS
        points = rows[:, begin + seats : begin + 2 * seats].astype(float)
        # In game g, player p sits at seat (p + g) % seats.
        seated = names[(np.arange(seats) - numbers[:, None]) % seats]
        columns: dict[str, Any] = {
            "side": [side] * len(rows),
            "game": numbers,
            "decisions": rows[:, counters.PLIES],
            "turns": rows[:, counters.TURNS],
            "starter": [None if seat < 0 else seat for seat in rows[:, counters.FIRST].tolist()],
            "ending": [game.rule_name(int(rule)) for rule in rows[:, counters.ENDING]],
            "players": seated.tolist(),
            "wins": (rows[:, begin : begin + seats] / counters.WIN).tolist(),
            "points": [[None if p < 0 else int(p) for p in row] for row in points.tolist()],
            "payoffs": (rows[:, begin + 2 * seats : begin + 3 * seats] / counters.PAYOFF).tolist(),
        }
        place = begin + 3 * seats
        for metric in metrics:
            for label in metric.labels:
                columns[f"{metric.name}: {label}"] = rows[:, place]
                place += 1
        parts.append(pl.DataFrame(columns, schema=schema(seats, metrics)))
    return pl.concat(parts).sort("game", "side")
