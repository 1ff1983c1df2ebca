"""SVG charts, drawn without a library, in colours that the page sets for light and dark mode.

Every chart has a title for screen readers. Lengths are in units of its view box, which the page scales.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, LABELS, ROW = 720, 220, 30
RIGHT = WIDTH - 110


@dataclass(frozen=True, slots=True)
class Bar:
    """A row of the chart `dots`: a label, and each side's value with its interval.

    Attributes:
        label: the name on the left.
        values: for each side (mean, low, high).
        text: the text on the right.
    """

    label: str
    values: tuple[tuple[float, float, float], ...]
    text: str


@dataclass(frozen=True, slots=True)
class _Rows:
    """How `dots` lays out its rows: label, dots and value side by side, or on phones the texts above the dots.

    Attributes:
        kind: the CSS class of the chart.
        width: the chart's width, in units of the view box, as all other lengths.
        left, right: the ends of the axis.
        row: the height of a row.
        words, value: the distance of the texts, and of the dots, from the top of the row.
    """

    kind: str
    width: int
    left: int
    right: int
    row: int
    words: int
    value: int


BROAD = _Rows("broad", WIDTH, LABELS, RIGHT, ROW, words=ROW // 2 + 9, value=ROW // 2 + 4)
NARROW = _Rows("narrow", 340, 18, 320, 44, words=15, value=32)


def dots(bars: Sequence[Bar], title: str, *, form: str = "{:.0%}", mark: float | None = None, zero: bool = True) -> str:
    """Draw values as dots with their intervals, a row for each of `bars`; `mark` adds a dashed vertical line.

    `form` formats the numbers of the axis, which contains 0 if `zero`. The chart is drawn for broad and for narrow
    screens; the style sheet shows one of the two.
    """
    ends = [end for bar in bars for value in bar.values for end in value if math.isfinite(end)]
    ends += [mark] if mark is not None else []
    ends = ends or [0.0, 1.0]
    low, high = (min([0.0, *ends]), max([0.0, *ends])) if zero else (min(ends), max(ends))
    steps = ticks(low, high)
    low, high = min(low, steps[0]), max(high, steps[-1])
    return "".join(_dots(bars, title, rows, steps, (low, high), form, mark) for rows in (BROAD, NARROW))


def _dots(
    bars: Sequence[Bar],
    title: str,
    rows: _Rows,
    steps: Sequence[float],
    span: tuple[float, float],
    form: str,
    mark: float | None,
) -> str:
    """Draw the chart `dots` for one width of screen; its axis covers `span` (low, high), with numbers at `steps`."""
    low, high = span

    def x(value: float) -> float:
        return rows.left + (rows.right - rows.left) * (value - low) / ((high - low) or 1)

    height = rows.row * len(bars) + 34
    parts = [opening(height, title, rows.width, rows.kind)]
    for step in steps:
        parts.append(_line("axis", x(step), 4, x(step), height - 26))
        parts.append(_text("tick", x(step), height - 8, form.format(step), "middle"))
    if mark is not None:
        parts.append(_line("mark", x(mark), 4, x(mark), height - 26))
    for n, bar in enumerate(bars):
        words, middle = rows.row * n + rows.words, rows.row * n + rows.value
        at, anchor = (LABELS - 12, "end") if rows is BROAD else (0, "start")
        parts.append(_text("label", at, words, _short(bar.label), anchor, bar.label))
        for side, (mean, low_end, high_end) in enumerate(bar.values):
            y = middle + (10 * side - 5 if len(bar.values) > 1 else 0)
            kind = "ab"[side]
            if math.isfinite(high_end - low_end):
                parts.append(_line(f"interval {kind}", x(low_end), y, x(high_end), y))
            if math.isfinite(mean):
                parts.append(f'<circle class="{kind}" cx="{x(mean):.1f}" cy="{y:.1f}" r="4.5"/>')
        parts.append(_text("value", rows.width, words, bar.text, "end"))
    return "".join([*parts, "</svg>"])


def histogram(sides: Sequence[dict[int, int]], title: str, unit: str) -> str:
    """Draw a histogram of whole numbers, with one outline for each side; `sides` has how often each number occurred."""
    low = min(min(side) for side in sides)
    high = max(_quantile(side, 0.999) for side in sides)
    width = max(1, math.ceil((high - low + 1) / 40))
    count = max(1, math.ceil((high - low + 1) / width))
    shares: list[list[float]] = []
    for side in sides:
        total = sum(side.values())
        bins = [0.0] * count
        for value, times in side.items():
            if value <= high:
                bins[min(count - 1, (value - low) // width)] += times / total
        shares.append(bins)
    top = max(max(bins) for bins in shares) or 1
    height, base, left = 232, 180, 20

    def x(value: float) -> float:
        return left + (WIDTH - 2 * left) * (value - low) / (count * width)

    parts = [opening(height, title)]
    for step in (n for n in ticks(low, high) if low <= n <= high):
        parts.append(_text("tick", x(step + (0.5 if width == 1 else 0)), base + 22, f"{step:,.0f}", "middle"))
    parts.append(_text("tick", WIDTH - left, height - 6, unit, "end"))
    for kind, bins in zip("ab", shares, strict=False):
        points = [f"M{x(low):.1f},{base}"]
        for n, share in enumerate(bins):
            y = base - (base - 14) * share / top
            points.append(f"L{x(low + n * width):.1f},{y:.1f} L{x(low + (n + 1) * width):.1f},{y:.1f}")
        points.append(f"L{x(low + count * width):.1f},{base}Z")
        parts.append(f'<path class="area {kind}" d="{" ".join(points)}"/>')
    parts.append(_line("ground", left, base, WIDTH - left, base))
    return "".join([*parts, "</svg>"])


def curve(
    sides: Sequence[Sequence[tuple[float, float, float]]],
    title: str,
    places: Sequence[float],
    *,
    form: str = "{:.0%}",
    place_form: str = "{:.0%}",
    low: float | None = None,
    high: float | None = None,
    mark: float | None = None,
) -> str:
    """Draw each side's values (mean, low, high) over `places` as a line, with the intervals as a band.

    An infinite interval fills the height. `form` and `place_form` format the numbers of the two axes; `low` and `high`
    set the ends of the vertical one; `mark` adds a dashed horizontal line.
    """
    ends = [end for side in sides for value in side for end in value if math.isfinite(end)] or [0.0, 1.0]
    low, high = min(ends) if low is None else low, max(ends) if high is None else high
    height, base, left = 260, 218, 72
    steps = ticks(low, high)
    low, high = min(low, steps[0]), max(high, steps[-1])

    def x(value: float) -> float:
        return left + (WIDTH - left - 24) * (value - places[0]) / ((places[-1] - places[0]) or 1)

    def y(value: float) -> float:
        return base - (base - 14) * (min(max(value, low), high) - low) / ((high - low) or 1)

    parts = [opening(height, title)]
    for step in steps:
        parts.append(_line("axis", left, y(step), WIDTH - 24, y(step)))
        parts.append(_text("tick", left - 8, y(step) + 4, form.format(step), "end"))
    for place in places if len(places) < 12 else [n for n in ticks(places[0], places[-1]) if n <= places[-1]]:
        parts.append(_text("tick", x(place), base + 24, place_form.format(place), "middle"))
    if mark is not None:
        parts.append(_line("mark", left, y(mark), WIDTH - 24, y(mark)))
    for kind, side in zip("ab", sides, strict=False):
        points = [(place, value) for place, value in zip(places, side, strict=True) if math.isfinite(value[0])]
        if not points:
            continue
        upper = [f"{x(place):.1f},{y(high_end):.1f}" for place, (_, _, high_end) in points]
        lower = [f"{x(place):.1f},{y(low_end):.1f}" for place, (_, low_end, _) in points]
        middle = [f"{x(place):.1f},{y(mean):.1f}" for place, (mean, _, _) in points]
        parts.append(f'<path class="band {kind}" d="M{" L".join([*upper, *reversed(lower)])}Z"/>')
        parts.append(f'<path class="line {kind}" d="M{" L".join(middle)}"/>')
    return "".join([*parts, "</svg>"])


def ticks(low: float, high: float) -> list[float]:
    """Return about five round numbers that cover the range from `low` to `high`."""
    if low == high:
        low, high = low - 0.5, high + 0.5
    span = high - low
    size = 10 ** math.floor(math.log10(span / 4))
    step = next(size * n for n in (1, 2, 5, 10) if span / (size * n) <= 5)
    return [n * step for n in range(math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9) + 1)]


def _quantile(counts: dict[int, int], share: float) -> int:
    """Return the least value such that at least this share of what was counted is not greater; `counts` is by value."""
    left = share * sum(counts.values())
    for value in sorted(counts):
        left -= counts[value]
        if left <= 0:
            return value
    return max(counts)


def _short(text: str) -> str:
    """Return a label cut to 26 characters."""
    return text if len(text) <= 26 else f"{text[:25]}…"


def opening(height: float, title: str, width: int = WIDTH, kind: str = "chart") -> str:
    """Return the start tag of a chart of this size and CSS class (`kind`), with its title for screen readers."""
    return f'<svg class="{kind}" viewBox="0 0 {width} {height:.0f}" role="img" aria-label="{escape(title)}">'


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    """Return an SVG line of this style."""
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _text(kind: str, x: float, y: float, text: str, anchor: str, title: str = "") -> str:
    """Return an SVG text of this style, with a tooltip if `title` says something else."""
    tooltip = f"<title>{escape(title)}</title>" if title and title != text else ""
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}{tooltip}</text>'
