"""The data card of a data set: what it holds, how it was made, and how to read it."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

import pyramidion
from pyramidion.lab.datasets.shards import DECISIONS, GAMES, decision_schema, game_schema
from pyramidion.translation import quantity

if TYPE_CHECKING:
    from pyramidion.lab.datasets.spec import DatasetSpec


def card(spec: DatasetSpec, folder: Path) -> str:
    """Return the data card, in Markdown, of the data set in a folder; its head is what Hugging Face reads."""
    game = pyramidion.load(spec.game)
    games = pl.scan_parquet(folder / "games" / "*.parquet").select("decisions").collect()["decisions"]
    options = ", ".join(f"{name} = {json.dumps(value)}" for name, value in spec.options.items()) or "the usual ones"
    command = ["pyramidion", "dataset", spec.game, "--games", str(len(games)), "--players", ",".join(spec.players)]
    command += ["--seed", spec.seed, "--shard", str(spec.shard), "--out", "DIR"]
    for name, value in spec.options.items():
        command += ["--option", f"{name}={str(value).lower()}"]
    size = f"{quantity(len(games), 'game')} with {quantity(len(spec.players), 'seat')}"
    size += f" and {quantity(int(games.sum() or 0), 'decision')}"
    return f"""---
pretty_name: {game.name} ({", ".join(dict.fromkeys(spec.players))})
tags: [games, reinforcement-learning, imitation-learning, imperfect-information]
configs:
- config_name: decisions
  data_files: decisions/*.parquet
  default: true
- config_name: games
  data_files: games/*.parquet
---

# {game.name}: decisions of {", ".join(dict.fromkeys(spec.players))}

{size}, played by bots. Nobody's personal data is in it.

- Game: {game.name}, version {spec.rules_version} of its rules; options: {options}.
- Made with Pyramidion {spec.version}: `{shlex.join(command)}`
- Players: {", ".join(spec.players)}; in game g, player p sits at seat (p + g) modulo {len(spec.players)}.
- Seed of game g: `{spec.seed}:`g. Searches that are limited by time can choose otherwise on another machine.
- To check it: `pyramidion dataset {spec.game} --out DIR --verify` replays every record and compares every row.

An observation holds only what its seat may see. A record holds every secret of its game.

## decisions/*.parquet: one row a decision

{_table(DECISIONS, decision_schema(game))}
## games/*.parquet: one row a game

{_table(GAMES, game_schema(len(spec.players)))}"""


def _table(columns: dict[str, str], types: dict[str, Any]) -> str:
    """Return a Markdown table of columns."""
    rows = [f"| `{name}` | {types[name]} | {meaning} |" for name, meaning in columns.items()]
    return "\n".join(["| column | type | |", "| --- | --- | --- |", *rows]) + "\n"
