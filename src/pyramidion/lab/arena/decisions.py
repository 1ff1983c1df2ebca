"""Decisions of a contest's games as Parquet, for programs that learn from records."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion.engine.game import Game
from pyramidion.engine.registry import load
from pyramidion.extras import missing
from pyramidion.lab.arena.forfeits import UNSCORED
from pyramidion.lab.arena.results import Results

try:
    import polars as pl
except ModuleNotFoundError as error:
    raise missing(error, "lab") from error

ROWS = 20_000
"""Number of decisions in a file."""


def schema(game: Game) -> dict[str, Any]:
    """Return the columns of the table of decisions, one row for each decision of a game: their names and Polars types.

    `lineup`, `block`, `turn`: the game's place in the schedule; `seed`: the match's seed as text; `ply`, `seat`,
    `entrant`: who decided when, the entrant by its number; `observation`, float32[numbers observed], and `legal_mask`,
    bool[actions]: what the seat saw and might do; `action`: the id chosen; `payoff`, `points` (null for a
    seat that is not scored), `won`: the seat's outcome of the game.
    """
    return {
        "lineup": pl.Int32,
        "block": pl.Int32,
        "turn": pl.Int32,
        "seed": pl.String,
        "ply": pl.Int32,
        "seat": pl.Int8,
        "entrant": pl.Int16,
        "observation": pl.Array(pl.Float32, game.observation.size),
        "legal_mask": pl.Array(pl.Boolean, len(game.actions)),
        "action": pl.Int32,
        "payoff": pl.Float32,
        "points": pl.Int32,
        "won": pl.Boolean,
    }


def write_decisions(results: Results, folder: Path | str, rows: int = ROWS) -> int:
    """Write every decision of a contest to Parquet files in a new folder, and return the number of decisions.

    Read them with `polars.scan_parquet(folder)`. A file has at most `rows` rows. Raises FileExistsError if the folder
    exists.
    """
    place, game = Path(folder), load(results.terms["game"])
    place.mkdir(parents=True)
    count = 0
    for number, part in enumerate(_batches(_decisions(results), rows)):
        columns = {name: [row[name] for row in part] for name in schema(game)}
        for name in ("observation", "legal_mask"):
            columns[name] = np.stack(columns[name])  # type: ignore[assignment]
        pl.DataFrame(columns, schema=schema(game)).write_parquet(place / f"{number:05}.parquet")
        count += len(part)
    return count


def _batches(decisions: Iterator[dict[str, Any]], rows: int) -> Iterator[list[dict[str, Any]]]:
    """Yield the decisions in lists of length `rows`; the last list may be shorter."""
    part: list[dict[str, Any]] = []
    for row in decisions:
        part.append(row)
        if len(part) == rows:
            yield part
            part = []
    if part:
        yield part


def _decisions(results: Results) -> Iterator[dict[str, Any]]:
    """Yield one row of `schema` for each decision of all games, in schedule order."""
    for played in results.games():
        record = results.match(played.place)
        match = record.at(0)
        for ply, (seat, action) in enumerate(record.history):
            yield {
                "lineup": played.lineup,
                "block": played.block,
                "turn": played.turn,
                "seed": str(record.seed),
                "ply": ply,
                "seat": seat,
                "entrant": played.seating[seat],
                "observation": match.observation(seat),
                "legal_mask": match.legal_mask(seat),
                "action": int(action),
                "payoff": played.payoffs[seat],
                "points": None if played.points[seat] == UNSCORED else played.points[seat],
                "won": seat in played.winners,
            }
            match.play(seat, action)
