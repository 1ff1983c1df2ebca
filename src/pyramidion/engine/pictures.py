"""Pictures that a game declares for the lab's reports, in the module `lab` of its folder (docs/lab.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class BoardMap:
    """A heat map for a report: the figures of a metric at their places on the board.

    Attributes:
        title, text: heading and explanation, in English.
        metric: the metric that holds the figures.
        value: `per game`, how often each item occurs; `worth`; or, for a custom metric, `mean`, or `share` in percent.
        cells: the place of each item, as (x, y) in widths and heights of a cell from the top left.
        names: what to write on a cell; by default the last word of its item.
    """

    title: str
    text: str
    metric: str
    value: Literal["per game", "worth", "mean", "share"]
    cells: Mapping[str, tuple[float, float]]
    names: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Levels:
    """A picture of a typical pyramid for a report: the mean number of cards on each level, top level first.

    Attributes:
        title, text: heading and explanation, in English.
        metric: a custom metric; each of its labels is a level.
    """

    title: str
    text: str
    metric: str


@dataclass(frozen=True)
class CardSet:
    """Which cards of a game a designer edits in the lab, how they are drawn, and which metric says what they are worth.

    Attributes:
        key: name of the cards' array of tables in the card file.
        draw: returns the drawing of a card as SVG, from its table; it escapes texts.
        metric: the metric that knows what each card is worth.
        item: returns a card's item in that metric, from its index and table.
        ignore: fields that cannot be changed one by one.
    """

    key: str
    draw: Callable[[Mapping[str, Any]], str]
    metric: str
    item: Callable[[int, Mapping[str, Any]], str]
    ignore: tuple[str, ...] = ()
