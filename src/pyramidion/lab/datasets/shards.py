"""Shards of a data set: tables of decisions and of games, made by playing games or by replaying their records."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import pyramidion
from pyramidion.engine.game import Game
from pyramidion.engine.match import Match
from pyramidion.lab.datasets.spec import DatasetSpec
from pyramidion.lab.experiments.players import maker_of

DECISIONS = {
    "game": "the game's number in the data set",
    "ply": "the number of earlier decisions in the game",
    "seat": "who decides",
    "player": "the bot that decides",
    "observation": "what the seat sees; its parts are named in the reference of the game",
    "legal_mask": "which actions are legal",
    "action": "the action that was chosen; the reference of the game lists them",
    "return": "the seat's payoff at the end of the game",
    "points": "the seat's points at the end; null if it is not scored",
    "won": "whether the seat is among the winners",
    "rules_version": "the version of the game's rules, which observations and actions depend on",
    "version": "the version of Pyramidion",
}
"""The columns of the table of decisions, and what they hold."""
GAMES = {
    "game": "the game's number in the data set",
    "seed": "the seed of the match",
    "players": "the bot at each seat",
    "decisions": "the number of decisions",
    "winners": "the winning seats",
    "payoffs": "each seat's payoff",
    "points": "each seat's points; null for a seat that is not scored",
    "ending": "the rule that ended the game",
    "record": "the record, as JSON: `Match.from_record` replays and checks it",
    "rules_version": "the version of the game's rules",
    "version": "the version of Pyramidion",
}
"""The columns of the table of games, and what they hold."""


def decision_schema(game: Game) -> dict[str, Any]:
    """Return the Polars types of the table of decisions."""
    types = (
        pl.Int64,
        pl.Int32,
        pl.Int8,
        pl.String,
        pl.Array(pl.Float32, game.observation.size),
        pl.Array(pl.Boolean, len(game.actions)),
        pl.Int32,
        pl.Float32,
        pl.Int32,
        pl.Boolean,
        pl.Int32,
        pl.String,
    )
    return dict(zip(DECISIONS, types, strict=True))


def game_schema(seats: int) -> dict[str, Any]:
    """Return the Polars types of the table of games."""
    types = (
        pl.Int64,
        pl.String,
        pl.Array(pl.String, seats),
        pl.Int32,
        pl.List(pl.Int8),
        pl.Array(pl.Float64, seats),
        pl.Array(pl.Int32, seats),
        pl.String,
        pl.String,
        pl.Int32,
        pl.String,
    )
    return dict(zip(GAMES, types, strict=True))


def write_shard(folder: str, spec_json: str, first: int, last: int) -> int:
    """Play the games `first` to `last - 1` of a data set and write their files; return the number of decisions."""
    spec = DatasetSpec.from_json(spec_json)
    game = pyramidion.load(spec.game)
    matches = [(number, played(spec, game, number)) for number in range(first, last)]
    decisions = decision_table(spec, game, matches)
    # The file of games is written last: where it is, the shard is complete.
    _write(decisions, Path(folder) / "decisions" / f"{first:08}.parquet")
    _write(game_table(spec, matches), Path(folder) / "games" / f"{first:08}.parquet")
    return len(decisions)


def played(spec: DatasetSpec, game: Game, number: int) -> Match:
    """Play a game of a data set, and return its match."""
    match = game.new(len(spec.players), f"{spec.seed}:{number}", **spec.options)
    makers = [maker_of(game, name, {}) for name in spec.players]
    players = [make(f"{spec.seed}:{number}:{n}") for n, make in enumerate(makers)]
    while not match.over:
        seat = match.acting[0]
        match.play(seat, players[(seat - number) % match.seats].move(match, seat))
    return match


def seated(spec: DatasetSpec, number: int) -> list[str]:
    """Return the name of the player at each seat of a game."""
    count = len(spec.players)
    return [spec.players[(seat - number) % count] for seat in range(count)]


def game_table(spec: DatasetSpec, matches: list[tuple[int, Match]]) -> pl.DataFrame:
    """Return the table of some finished games, with their numbers."""
    rows: list[tuple[Any, ...]] = []
    for number, match in matches:
        outcome = match.outcome
        assert outcome is not None
        rows.append(
            (
                number,
                str(match.seed),
                seated(spec, number),
                match.ply,
                list(outcome.winners),
                list(outcome.payoffs),
                [None if points < 0 else points for points in outcome.points],
                outcome.rule,
                json.dumps(match.record(), separators=(",", ":")),
                spec.rules_version,
                spec.version,
            )
        )
    return pl.DataFrame(rows, schema=game_schema(len(spec.players)), orient="row")


def decision_table(spec: DatasetSpec, game: Game, matches: list[tuple[int, Match]]) -> pl.DataFrame:
    """Return the table of all decisions of some finished games, with their numbers."""
    rows = [row for number, match in matches for row in _decisions(spec, number, match)]
    columns: dict[str, Any] = dict(zip(DECISIONS, map(list, zip(*rows, strict=True)), strict=True))
    for name in ("observation", "legal_mask"):
        columns[name] = np.stack(columns[name])
    return pl.DataFrame(columns, schema=decision_schema(game))


def _decisions(spec: DatasetSpec, number: int, match: Match) -> Iterator[tuple[Any, ...]]:
    """Yield the row of each decision of a finished game, by replaying it."""
    outcome, again, names = match.outcome, match.at(0), seated(spec, number)
    assert outcome is not None
    for ply, (seat, action) in enumerate(match.history):
        yield (
            number,
            ply,
            seat,
            names[seat],
            again.observation(seat),
            again.legal_mask(seat),
            int(action),
            outcome.payoffs[seat],
            None if outcome.points[seat] < 0 else outcome.points[seat],
            seat in outcome.winners,
            spec.rules_version,
            spec.version,
        )
        again.play(seat, action)


def _write(table: pl.DataFrame, path: Path) -> None:
    """Write a table to a Parquet file, atomically."""
    beside = path.with_name(f"{path.name}.part")
    table.write_parquet(beside, compression="zstd")
    beside.replace(path)
