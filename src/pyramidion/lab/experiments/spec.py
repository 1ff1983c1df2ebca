"""The specification of an experiment: everything that determines its result except the number of games."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Side:
    """One side of an experiment: a variant of the game, which is its cards and options.

    Attributes:
        name: its name in reports, such as the name of its card file.
        options: the given options.
        cards: text of the card file; None for the game's own.
    """

    name: str
    options: Mapping[str, Any]
    cards: str | None


@dataclass(frozen=True)
class ExperimentSpec:
    """The specification of an experiment: what is played, by whom, and what is measured.

    Attributes:
        game: the game's id.
        rules_version: version of its rules.
        players: names of the players; in game g, player p sits at seat (p + g) modulo the number of seats.
        sides: the variants: "A", and "B" if two are compared.
        seed: the seed.
        lead: whether chances are measured in sampled games.
        metrics: names of the metrics to show.
        own: names and labels of the experiment's custom metrics.
    """

    game: str
    rules_version: int
    players: tuple[str, ...]
    sides: Mapping[str, Side]
    seed: int | str
    lead: bool
    metrics: tuple[str, ...]
    own: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.players)

    def as_json(self) -> str:
        """Return the specification as JSON with sorted keys; equal specifications give equal text."""
        return json.dumps(asdict(self), sort_keys=True, default=str)

    @classmethod
    def from_json(cls, text: str) -> ExperimentSpec:
        """Read a specification from JSON that `as_json` wrote."""
        data = json.loads(text)
        sides = {name: Side(**side) for name, side in data.pop("sides").items()}
        own = {name: tuple(labels) for name, labels in data.pop("own").items()}
        for name in ("players", "metrics"):
            data[name] = tuple(data[name])
        return cls(sides=sides, own=own, **data)
