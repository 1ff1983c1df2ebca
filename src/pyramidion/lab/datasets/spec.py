"""The specification of a data set, which its folder holds as `dataset.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

SHARD = 50
"""Number of games in a shard."""
SPEC = "dataset.json"
"""Name of the file with the specification."""


class OtherDataset(ValueError):
    """The folder holds another data set, or something else; the message is a sentence."""


@dataclass(frozen=True)
class DatasetSpec:
    """The specification of a data set: everything that determines its games except their number.

    Attributes:
        game, rules_version: the game's id, and the version of its rules.
        version: the version of the package.
        players: names of bots, or classes `module:Class`; in game g, player p sits at seat (p + g) modulo the seats.
        options: the options of the game that were given.
        seed: the seed; game g is that of the seed `SEED:g`.
        shard: the number of games in a shard.
    """

    game: str
    rules_version: int
    version: str
    players: tuple[str, ...]
    options: Mapping[str, Any]
    seed: str
    shard: int = SHARD

    def as_json(self) -> str:
        """Return the specification as JSON; equal specifications give equal text."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> DatasetSpec:
        """Read a specification from JSON that `as_json` wrote."""
        data: dict[str, Any] = json.loads(text)
        data["players"] = tuple(data["players"])
        return cls(**data)


def read_spec(folder: Path) -> DatasetSpec:
    """Return the specification of the data set in a folder. Raises OtherDataset if it holds none."""
    try:
        return DatasetSpec.from_json((folder / SPEC).read_text("utf-8"))
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise OtherDataset(f"{folder} holds no data set: {SPEC} is missing or damaged.") from error
