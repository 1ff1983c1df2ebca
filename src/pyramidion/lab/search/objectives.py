"""Objectives of a search in words: `wins:place 1<=0.34`, `length:turns<=40`, `points:margin=3`, `-length:decisions`."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from pyramidion.lab.experiments.result import Result
from pyramidion.translation import quantity

_FORM = re.compile(r"(-?)([^:]+):(.+?)\s*(?:(<=|>=|=)\s*(-?\d+(?:\.\d+)?))?")


@dataclass(frozen=True)
class Objective:
    """The objective of a search: a figure of a result to make small, large, or equal to a target.

    Attributes:
        metric, item: the figure; for a counted metric, its worth.
        sign: 1, or -1 if the figure is to be large.
        form: `<=`, `>=` or `=` if there is a target; only the distance from it counts then.
        target: the target.
    """

    metric: str
    item: str
    sign: int = 1
    form: str = ""
    target: float = 0.0

    @classmethod
    def parse(cls, text: str) -> Objective:
        """Return the objective that a text describes. Raises ValueError with a sentence."""
        match = _FORM.fullmatch(text.strip())
        if match is None or (match[1] and match[4]):
            raise ValueError(
                f"{text!r} is no objective; write METRIC:ITEM to make a figure small, -METRIC:ITEM to make it "
                "large, or METRIC:ITEM<=NUMBER, >=NUMBER or =NUMBER, such as 'wins:place 1<=0.34'."
            )
        sign, metric, item, form, target = match.groups()
        return cls(metric.strip(), item.strip(), -1 if sign else 1, form or "", float(target or 0))

    def __call__(self, result: Result) -> float:
        """Return the number to minimize. Raises ValueError if the figure was not measured."""
        try:
            figure = result.figure(self.metric, self.item)
        except KeyError:
            available = ", ".join(result.items(self.metric)[:12]) or "none"
            raise ValueError(f"{self.metric} has no figure {self.item!r}; there are: {available}.") from None
        if math.isnan(figure.mean):
            raise ValueError(
                f"{self.metric}: {self.item} occurs too rarely in {quantity(result.games, 'game')} to have a worth."
            )
        off = figure.mean - self.target
        distances = {"<=": max(0.0, off), ">=": max(0.0, -off), "=": abs(off)}
        return distances.get(self.form, self.sign * figure.mean)
