"""Small charts of balances, one for each contestant, as lines of an SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 120, 40
EDGE, LABEL = 4, 24
"""Space around a line, and to its right for the number at its end."""


@dataclass(frozen=True, slots=True)
class BalanceLine:
    """The chart of one contestant's balance, in the coordinates of an SVG.

    Attributes:
        who: the contestant's id.
        points: the `points` of an SVG polyline.
        end: x and y of its last point.
        zero: the y coordinate of a balance of 0.
        last: the latest balance.
    """

    who: str
    points: str
    end: tuple[float, float]
    zero: float
    last: int


def balance_lines(series: Mapping[str, Sequence[int]]) -> list[BalanceLine]:
    """Return a chart of each contestant's balances, given by id, all on the same scale.

    A contestant's first balance is the one before the first episode, the last the present one. Between them is one for
    each closed episode. There are no charts where no balance has ever changed.
    """
    numbers = [number for row in series.values() for number in row]
    if not numbers or (len(numbers) > len(series) and all(len({*row}) == 1 for row in series.values())):
        return []
    low, high = min(0, *numbers), max(1, *numbers)
    count = max(2, *(len(row) for row in series.values()))
    across = (WIDTH - LABEL - EDGE) / (count - 1)

    def y(value: int) -> float:
        return EDGE + (HEIGHT - 2 * EDGE) * (high - value) / (high - low)

    lines: list[BalanceLine] = []
    for who, row in series.items():
        values = row if len(row) > 1 else [*row, *row]
        spots = [(EDGE + across * number, y(value)) for number, value in enumerate(values)]
        points = " ".join(f"{left:.1f},{top:.1f}" for left, top in spots)
        lines.append(BalanceLine(who, points, spots[-1], y(0), row[-1]))
    return lines
