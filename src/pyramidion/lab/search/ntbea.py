"""The N-Tuple Bandit Evolutionary Algorithm: a search over a grid whose values can only be measured with noise.

S. M. Lucas, J. Liu and D. Perez-Liebana, "The N-Tuple Bandit Evolutionary Algorithm for Game Agent Optimisation",
2018. It models the value of a point by the means of its 1-tuples, 2-tuples and of the whole point, walks to the
neighbour with the highest upper confidence bound, and may measure a point again. So it learns from few noisy
measurements.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import combinations

Point = tuple[int, ...]

NEIGHBOURS = 50
EXPLORATION = 1.0
"""The factor k of the confidence bound, in units of the standard deviation of all values so far."""
EPSILON = 0.5
"""Added to the number of measurements, so that the bound of an unknown tuple is finite."""


class Ntbea:
    """The search for the point of a grid with the highest value: its user measures each point that it asks for.

    A point is a tuple of indices, one for each dimension; `sizes` are the numbers of values of the dimensions.
    """

    def __init__(self, sizes: Sequence[int], seed: int = 0) -> None:
        if not sizes or min(sizes) < 1:
            raise ValueError("A search needs at least one value in every dimension.")
        self._sizes = tuple(sizes)
        self._random = random.Random(seed)
        every = range(len(sizes))
        self._tuples = [*combinations(every, 1)]
        self._tuples += [*combinations(every, 2)] if len(sizes) > 2 else []
        self._tuples += [tuple(every)] if len(sizes) > 1 else []
        self._statistics: dict[tuple[Point, Point], tuple[int, float]] = {}
        self._count, self._total, self._squares = 0, 0.0, 0.0
        self._measured: dict[Point, None] = {}
        self._current: Point = (0,) * len(sizes)

    def ask(self) -> Point:
        """Return the point to measure next; first the one with all indices 0."""
        return self._current

    def tell(self, value: float) -> None:
        """Record the value of the point that `ask` returned, and move to the most promising neighbour."""
        self._measured[self._current] = None
        self._count, self._total, self._squares = self._count + 1, self._total + value, self._squares + value * value
        for dims in self._tuples:
            key = dims, tuple(self._current[dim] for dim in dims)
            times, total = self._statistics.get(key, (0, 0.0))
            self._statistics[key] = times + 1, total + value
        neighbours = [self._neighbour() for _ in range(NEIGHBOURS)]
        # Ties are broken by chance; otherwise the first neighbours would be preferred.
        exploration = EXPLORATION * self._standard_deviation()
        self._current = max(
            neighbours, key=lambda point: (self._upper_bound(point, exploration), self._random.random())
        )

    def best(self) -> Point:
        """Return the measured point with the highest estimated value. Raises ValueError if nothing was measured."""
        if not self._measured:
            raise ValueError("Nothing has been measured.")
        return max(self._measured, key=lambda point: self._upper_bound(point, 0.0))

    def _neighbour(self) -> Point:
        """Return a random neighbour of the current point.

        One dimension gets a random index, and so does each other one with a probability of 1 / (number of dimensions).
        """
        count = len(self._sizes)
        changes = self._random.randrange(count)
        return tuple(
            self._random.randrange(size) if dim == changes or self._random.random() < 1 / count else self._current[dim]
            for dim, size in enumerate(self._sizes)
        )

    def _upper_bound(self, point: Point, exploration: float) -> float:
        """Return a point's upper confidence bound: the mean of the bounds of all combinations of its values.

        For a combination that was never tried, the mean of all values stands in for its own.
        """
        bound = 0.0
        for dims in self._tuples:
            times, total = self._statistics.get((dims, tuple(point[dim] for dim in dims)), (0, 0.0))
            mean = total / times if times else self._total / self._count
            bound += mean + exploration * math.sqrt(math.log(1 + self._count) / (times + EPSILON))
        return bound / len(self._tuples)

    def _standard_deviation(self) -> float:
        """Return the standard deviation of all values so far, or 1 if they are equal."""
        mean = self._total / self._count
        return math.sqrt(max(0.0, self._squares / self._count - mean * mean)) or 1.0
