"""Verification of a data set: every record is replayed, and every row compared with the replay."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl

import pyramidion
from pyramidion.engine.errors import BadRecord
from pyramidion.engine.match import Match
from pyramidion.lab.datasets.shards import decision_table, game_table
from pyramidion.lab.datasets.spec import OtherDataset, read_spec


def verify_dataset(folder: str | Path) -> tuple[int, int]:
    """Replay every game of a data set and compare all rows; return the numbers of games and of decisions.

    Raises OtherDataset, with a sentence that names the file and the game, for a record that breaks a rule, and for the
    first shard whose tables differ from what the records give.
    """
    place = Path(folder)
    spec = read_spec(place)
    game = pyramidion.load(spec.game)
    if game.rules_version != spec.rules_version:
        raise OtherDataset(
            f"{place} was played under version {spec.rules_version} of the rules of {game.name}; this is version "
            f"{game.rules_version}. Verify it with Pyramidion {spec.version}."
        )
    games = decisions = 0
    for path in sorted((place / "games").glob("*.parquet")):
        kept, beside = pl.read_parquet(path), place / "decisions" / path.name
        matches: list[tuple[int, Match]] = []
        for number, record in kept.select("game", "record").iter_rows():
            try:
                match = Match.from_record(json.loads(record))
            except (BadRecord, ValueError) as error:
                raise OtherDataset(f"{path}, game {number}: {error}") from error
            if not match.over:
                raise OtherDataset(f"{path}, game {number}: the record ends before the game.")
            matches.append((number, match))
        if not game_table(spec, matches).equals(kept):
            raise OtherDataset(f"{path}: the table differs from its records.")
        table = decision_table(spec, game, matches)
        if not beside.exists() or not table.equals(pl.read_parquet(beside)):
            raise OtherDataset(f"{beside}: the table differs from the records of its games, or is missing.")
        games, decisions = games + len(matches), decisions + len(table)
    return games, decisions
