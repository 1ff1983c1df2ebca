"""Charts of balances as lines of an SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 600, 200
LEFT, EDGE, BELOW = 30, 12, 24
"""Space for the numbers of the scale, around the lines, and for the numbers of the episodes."""
APART = 1.4
"""How far apart lines with equal balances are drawn, so that each can be seen."""


@dataclass(frozen=True, slots=True)
class ChartLine:
    """The line of one contestant in a chart of balances.

    Attributes:
        who: the contestant's id.
        points: the `points` of an SVG polyline.
        last: the latest balance.
    """

    who: str
    points: str
    last: int


@dataclass(frozen=True, slots=True)
class Chart:
    """The lines and scales of a chart of balances, in the coordinates of an SVG.

    `scale` has pairs of a y coordinate and its balance, `episodes` pairs of an x coordinate and an episode's number.
    """

    lines: Sequence[ChartLine]
    scale: Sequence[tuple[float, int]]
    episodes: Sequence[tuple[float, int]]


def chart(series: Mapping[str, Sequence[int]]) -> Chart | None:
    """Return a chart of the balances of contestants, given by their ids; None without contestants.

    A contestant's first balance is the one before the first episode, the last the present one. Between them is one for
    each closed episode.
    """
    numbers = [number for row in series.values() for number in row]
    if not numbers:
        return None
    low, high = min(0, *numbers), max(1, *numbers)
    count = max(2, *(len(row) for row in series.values()))
    across = (WIDTH - LEFT - EDGE) / (count - 1)

    def y(value: int) -> float:
        return EDGE + (HEIGHT - EDGE - BELOW) * (high - value) / (high - low)

    lines: list[ChartLine] = []
    for index, (who, row) in enumerate(series.items()):
        shift = (index - (len(series) - 1) / 2) * APART
        values = row if len(row) > 1 else [*row, *row]
        spots = [(LEFT + across * number, y(value) + shift) for number, value in enumerate(values)]
        lines.append(ChartLine(who, " ".join(f"{left:.1f},{top:.1f}" for left, top in spots), row[-1]))
    scale = [(y(value), value) for value in sorted({low, 0, high})]
    return Chart(lines, scale, [(LEFT + across * number, number) for number in range(1, count - 1)])
