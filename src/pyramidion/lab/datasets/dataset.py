"""Data sets: games between bots, written in shards by several processes, and continued after a stop.

A folder holds `dataset.json` (the specification), `README.md` (the data card), and, for each shard of games, a file in
`decisions/` and one in `games/`. The specification determines every game, so shards can be written in any order.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyramidion
from pyramidion.engine.game import Game
from pyramidion.lab.datasets.card import card
from pyramidion.lab.datasets.shards import write_shard
from pyramidion.lab.datasets.spec import SHARD, SPEC, DatasetSpec, OtherDataset, read_spec
from pyramidion.lab.experiments.clusters import opened
from pyramidion.lab.experiments.players import accept_players
from pyramidion.translation import quantity

CARD = "README.md"
"""Name of the file with the data card."""


def make_spec(
    game: Game | str,
    players: str | Sequence[str] = "policy",
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    seed: int | str = 1,
    shard: int = SHARD,
) -> DatasetSpec:
    """Build the specification of a data set: one player for each seat, or one for all.

    Raises KeyError for an unknown game, and ValueError with a sentence about another argument.
    """
    game = pyramidion.load(game) if isinstance(game, str) else game
    names, _ = accept_players(game, players)
    count = game.accept_seats(seats if seats is not None else len(names) if len(names) > 1 else game.usual_seats)
    names = names * count if len(names) == 1 else names
    if len(names) != count:
        raise ValueError(
            f"A table with {quantity(count, 'seat')} needs {quantity(count, 'player')}, or one for all seats, "
            f"not {len(names)}."
        )
    if shard < 1:
        raise ValueError("A shard has at least one game.")
    accepted = game.accept_options(options or {})
    return DatasetSpec(
        game.id,
        game.rules_version,
        pyramidion.__version__,
        tuple(names),
        {name: accepted[name] for name in options or {}},
        str(seed),
        shard,
    )


def write_dataset(
    spec: DatasetSpec,
    games: int,
    folder: str | Path,
    *,
    cluster: str | None = None,
    progress: Callable[[int, int], None] = lambda done, games: None,
    stop: threading.Event | None = None,
) -> int:
    """Write those of the first `games` games of a data set that a folder lacks; return the number of games there.

    `games` is rounded up to whole shards. `cluster` is as for `lab.experiment`; the machines of `ray://HOST:PORT` need
    the same folder. `progress` is called with the number of games so far and their total. Setting `stop` ends the work
    after the current shards. Raises OtherDataset if the folder holds something else.
    """
    place = _open(spec, Path(folder))
    ends = range(0, -(-games // spec.shard) * spec.shard + 1, spec.shard)
    shards = list(pairwise(ends))
    left = [shard for shard in shards if not (place / "games" / f"{shard[0]:08}.parquet").exists()]
    done = (len(shards) - len(left)) * spec.shard
    progress(done, ends[-1])
    for _ in _written(spec, left, place, cluster):
        done += spec.shard
        progress(done, ends[-1])
        if stop is not None and stop.is_set():
            break
    (place / CARD).write_text(card(spec, place), "utf-8")
    return done


def _written(spec: DatasetSpec, shards: Sequence[tuple[int, int]], folder: Path, cluster: str | None) -> Any:
    """Yield something for each shard as it is written, in this process or on a cluster."""
    write = partial(write_shard, str(folder.absolute()))
    if cluster is None:
        for shard in shards:
            yield write(spec.as_json(), *shard)
    elif shards:
        with opened(cluster) as workers:
            yield from workers.play(write, spec.as_json(), shards)


def _open(spec: DatasetSpec, folder: Path) -> Path:
    """Make the folder of a data set, or check that it is that of this one. Raises OtherDataset."""
    if (folder / SPEC).exists():
        kept = read_spec(folder)
        for name, value in asdict(spec).items():
            if getattr(kept, name) != value:
                raise OtherDataset(
                    f"{folder} holds another data set ({name.replace('_', ' ')}: "
                    f"{_short(getattr(kept, name))}, not {_short(value)}). Name another folder."
                )
    elif folder.exists() and any(folder.iterdir()):
        raise OtherDataset(f"{folder} holds other files; name a new folder.")
    for part in ("decisions", "games"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    (folder / SPEC).write_text(spec.as_json(), "utf-8")
    return folder


def _short(value: Any) -> str:
    """Return a value as JSON, cut to 60 characters."""
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."
