"""Action features: a float32 vector that says what an action touches, so that a linear model can learn from it.

The declaration of an action space determines the parts: a one-hot of the family; for every kind of parameter a one-hot
of its value (`card`, and `card_2` where a family has two); for every family of numbers the number, linear and
logarithmic, each from 0 to 1. Seats are counted clockwise from the observing seat, as in observations.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion.engine.observation import ObservationSpace, Part, part

SEAT = "seat"
"""Name of the parts for seats, which are counted from the observing seat."""


class ActionFeatures(ObservationSpace):
    """The named parts of an action's feature vector, and the vectors of a game's actions."""

    def __init__(self, families: Mapping[str, Any]) -> None:
        """Read the parts from the families of an action space, which know the ids of their actions."""
        self._kinds = _values_by_part(families)
        declared: dict[str, Part] = {"family": part(f"1 at the family: {', '.join(families)}", len(families))}
        for name, values in self._kinds.items():
            listed = ", ".join(values) if len(values) <= 12 else f"{values[0]} to {values[-1]}"
            declared[name] = part(f"1 at the {name.split('_')[0]}: {listed}", len(values))
            if name.split("_")[0] == SEAT:
                declared[name] = part("1 at the seat, counted clockwise from the own one", len(values))
        for family in families.values():
            if family.numbers:
                declared[f"{family.name}_number"] = part(
                    f"the number n of {family.name}, {family.numbers.low} to {family.numbers.high}, from 0 to 1: "
                    "in proportion, and log(1 + n) in proportion",
                    2,
                )
        super().__init__({name.replace("-", "_"): each for name, each in declared.items()})
        self._families = list(families.values())
        self._count = sum(family.size for family in self._families)
        self._places: npt.NDArray[np.int32] | None = None
        self._numbers: npt.NDArray[np.float32] | None = None

    def of(self, ids: npt.NDArray[np.int64], seat: int, seats: int) -> npt.NDArray[np.float32]:
        """Return the feature vectors of actions for a seat, float32[len(ids), size].

        `seats` is the number of seats, which are counted clockwise from `seat`.
        """
        if ids.ndim != 1 or (len(ids) and not 0 <= ids.min() <= ids.max() < self._count):
            raise ValueError(f"Action ids are a list of whole numbers from 0 to {self._count - 1}.")
        places, numbers = self._tables()
        features = np.zeros((len(ids), self.size), np.float32)
        rows = np.arange(len(ids))
        for column, name in enumerate(["family", *self._kinds]):
            value: npt.NDArray[np.int32] = places[ids, column]
            has = value >= 0
            if name.split("_")[0] == SEAT:
                value = np.where(value < seats, (value - seat) % seats, value)
            features[rows[has], self[name.replace("-", "_")].offset + value[has]] = 1.0
        first = self.size - numbers.shape[1]
        features[:, first:] = numbers[ids]
        return features

    def _tables(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]:
        """Return two tables with a row for each action: its value's index in each part (int32, -1: none), and its
        numbers (float32). They are made on first use.
        """
        if self._places is None or self._numbers is None:
            names = ["family", *self._kinds]
            places = np.full((self._count, len(names)), -1, np.int32)
            spans = [f for f in self._families if f.numbers]
            numbers = np.zeros((self._count, 2 * len(spans)), np.float32)
            for at, family in enumerate(self._families):
                index: npt.NDArray[np.int64] = np.arange(int(family.size))
                ids = index + int(family.first)
                places[ids, 0] = at
                for p, name in reversed(list(zip(family.parameters, _part_names(family.parameters), strict=True))):
                    index, value = np.divmod(index, len(p))
                    indices = {word: n for n, word in enumerate(self._kinds[name])}
                    places[ids, names.index(name)] = np.array([indices[word] for word in p.values])[value]
                if family.numbers:
                    span = 2 * spans.index(family)
                    numbers[ids, span] = index / max(1, family.size - 1)
                    numbers[ids, span + 1] = np.log1p(index) / max(1.0, float(np.log1p(family.size - 1)))
            self._places, self._numbers = places, numbers
        return self._places, self._numbers


def _part_names(parameters: Any) -> list[str]:
    """Return the name of the part for each parameter: its kind, or `card_2` for the second of a kind in a family."""
    kinds = [p.kind for p in parameters]
    counts = [kinds[:n].count(kind) for n, kind in enumerate(kinds)]
    return [f"{kind}_{before + 1}" if before else kind for kind, before in zip(kinds, counts, strict=True)]


def _values_by_part(families: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return, by name of the part, all values that the parameters for this part can have, in order of declaration."""
    kinds: dict[str, dict[str, None]] = {}
    for family in families.values():
        for p, name in zip(family.parameters, _part_names(family.parameters), strict=True):
            kinds.setdefault(name, {}).update(dict.fromkeys(p.values))
    return {name: tuple(values) for name, values in kinds.items()}
