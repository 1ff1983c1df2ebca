"""Observation vectors: named parts of a float32 vector, each with its shape, bounds and meaning.

    OBSERVATION = observation_space(
        phase=part("1 at the phase: act, flip", 2),
        turn=part("turns completed, of 30"),
        hand=part("1 for each card held, for each seat from the own one clockwise", MAX_SEATS, CARDS),
    )

`observe` writes the parts by name, as it writes the fields of a state: `o.hand[0, card] = 1.0`. Sizes, offsets, the
bounds of a learning program's observation space and the tables of the reference all follow from the declaration.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

_RECORD_METHODS = frozenset(dir(np.record))


@dataclass(frozen=True, slots=True)
class Part:
    """A named part of an observation vector or of a feature vector of actions.

    Attributes:
        name: its name in code and in the reference.
        meaning: a sentence about its numbers.
        shape: dimensions; empty for a single number.
        low, high: bounds of every number in it, inclusive.
        offset: index of its first number in the vector.
    """

    name: str
    meaning: str
    shape: tuple[int, ...]
    low: float
    high: float
    offset: int

    @property
    def size(self) -> int:
        """The number of numbers in the part."""
        return math.prod(self.shape)


def part(meaning: str, *shape: int, low: float = 0.0, high: float = 1.0) -> Part:
    """Declare a part of a vector; `observation_space` gives it its name and its offset."""
    return Part("", meaning, shape, low, high, 0)


class UnknownPart(KeyError):
    """A vector has no part of this name; the message lists similar ones."""

    def __init__(self, name: str, names: list[str]) -> None:
        super().__init__(name)
        self._message = (
            f"There is no part {name!r}; there are {', '.join(get_close_matches(name, names, 5, 0.3) or names)}."
        )

    def __str__(self) -> str:
        return self._message


class ObservationSpace(Mapping[str, Part]):
    """The named parts of a vector, in order. `len(space)` counts parts; `space.size` counts numbers.

    Attributes:
        size: length of the vector.
        dtype: record dtype of one vector, with a float32 field for each part.
        low, high: bounds of every number, float32[size].
    """

    def __init__(self, declared: Mapping[str, Part]) -> None:
        self._parts: dict[str, Part] = {}
        self.size = 0
        for name, given in declared.items():
            if name in _RECORD_METHODS:
                raise ValueError(f"The part name {name!r} is taken by a method of records; rename it.")
            self._parts[name] = Part(name, given.meaning, given.shape, given.low, given.high, self.size)
            self.size += given.size
        fields = [(p.name, np.float32, p.shape) for p in self._parts.values()]
        # The scalar type makes the elements of a plain array records with attributes, for interpreted rules.
        self.dtype: np.dtype[Any] = np.dtype((np.record, np.dtype(fields)))
        self.low, self.high = self._bound("low"), self._bound("high")

    def __getitem__(self, name: str) -> Part:
        if name not in self._parts:
            raise UnknownPart(name, list(self._parts))
        return self._parts[name]

    def __iter__(self) -> Any:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def new(self) -> Floats:
        """Return a vector of zeros, float32[size]."""
        return np.zeros(self.size, np.float32)

    def split(self, vectors: Floats) -> dict[str, Floats]:
        """Return each part of one or many vectors, float32[..., size], by name: a view, [..., *shape of the part]."""
        ahead = vectors.shape[:-1]
        return {p.name: vectors[..., p.offset : p.offset + p.size].reshape((*ahead, *p.shape)) for p in self.values()}

    def _bound(self, name: str) -> Floats:
        """Return the bound `low` or `high` of every number, float32[size]."""
        bounds = [np.full(p.size, getattr(p, name), np.float32) for p in self.values()]
        return np.concatenate(bounds) if bounds else self.new()


def observation_space(**parts: Part) -> ObservationSpace:
    """Declare the parts of a game's observation in order.

    Raises ValueError for a name that records use for a method.
    """
    return ObservationSpace(parts)
