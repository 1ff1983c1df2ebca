"""Pictures that a game declares for reports: heat maps on the board, a typical pyramid, and cards with their worth."""

from __future__ import annotations

import math
from html import escape

import pyramidion
from pyramidion.engine.pictures import BoardMap, Levels
from pyramidion.lab.experiments.metric_keys import cards_of, pictures_of
from pyramidion.lab.experiments.result import COUNTED, Result
from pyramidion.lab.reports import charts

CELL_WIDTH, CELL_HEIGHT, GAP = 96, 56, 6
MOST_CARDS = 24
"""Maximum number of cards drawn with their worth; of more, only the best and the worst are."""


def sections(result: Result) -> list[dict[str, str]]:
    """Return a report's sections with the pictures that the game declares, if their values were measured.

    Each has `title`, `text` and `chart`.
    """
    game = pyramidion.load(result.spec.game)
    parts: list[dict[str, str]] = []
    for picture in pictures_of(game):
        for side in result.sides:
            name = f" ({result.spec.sides[side].name})" if len(result.sides) > 1 else ""
            chart = board(result, picture, side) if isinstance(picture, BoardMap) else levels(result, picture, side)
            if chart:
                parts.append({"title": picture.title + name, "text": picture.text, "chart": chart})
    drawn = cards(result)
    return [*parts, drawn] if drawn else parts


def board(result: Result, picture: BoardMap, side: str = "A") -> str:
    """Draw a metric's values on the game's board as an SVG heat map, darker for more; empty if nothing was measured."""
    values = {item: _value(result, picture, item, side) for item in picture.cells}
    measured = {item: value for item, value in values.items() if value is not None}
    if not measured:
        return ""
    low, high = min(measured.values()), max(measured.values())
    width = max(x for x, _ in picture.cells.values()) + 1
    height = max(y for _, y in picture.cells.values()) + 1
    left = (charts.WIDTH - width * CELL_WIDTH) / 2
    parts = [charts.opening(height * CELL_HEIGHT + 8, picture.title)]
    for item, (column, row) in picture.cells.items():
        x, y = left + column * CELL_WIDTH, 4 + row * CELL_HEIGHT
        value = measured.get(item)
        share = 0.0 if value is None or high == low else (value - low) / (high - low)
        name = escape(picture.names[item] if picture.names else item.rpartition(" ")[2])
        parts.append(
            f'<rect class="cell" x="{x + GAP / 2:.1f}" y="{y + GAP / 2:.1f}" width="{CELL_WIDTH - GAP}" '
            f'height="{CELL_HEIGHT - GAP}" rx="7" fill-opacity="{0.08 + 0.62 * share:.2f}"/>'
            f'<text class="tick" x="{x + CELL_WIDTH / 2:.1f}" y="{y + 21:.1f}" text-anchor="middle">{name}</text>'
            f'<text class="cell-value" x="{x + CELL_WIDTH / 2:.1f}" y="{y + 42:.1f}" text-anchor="middle">'
            f"{_value_text(picture, value)}</text>"
        )
    return "".join([*parts, "</svg>"])


def levels(result: Result, picture: Levels, side: str = "A") -> str:
    """Draw a pyramid with the mean number of cards on each level, as SVG; empty if that was not measured."""
    items = result.items(picture.metric, side)
    # Custom metrics are sorted by name; their labels keep the order of the levels.
    labels = [label for label in result.spec.own.get(picture.metric, ()) if label in items]
    means = [result.figure(picture.metric, label, side).mean for label in labels]
    while means and means[-1] < 0.05:
        means.pop()
    if not means:
        return ""
    card, height = 34.0, 46.0
    parts = [charts.opening(len(means) * height + 8, picture.title)]
    for row, mean in enumerate(means):
        left, y = charts.WIDTH / 2 - mean * card / 2, 4 + row * height
        whole = int(mean)
        for n in range(whole + 1):
            width = card if n < whole else (mean - whole) * card
            if width > 2:
                parts.append(
                    f'<rect class="cell" x="{left + n * card + 1.5:.1f}" y="{y:.1f}" width="{width - 3:.1f}" '
                    f'height="{height - 8:.1f}" rx="4" fill-opacity="{0.6 if n < whole else 0.3}"/>'
                    if width > 3
                    else ""
                )
        parts.append(f'<text class="tick" x="8" y="{y + 24:.1f}">{escape(labels[row])}</text>')
        parts.append(f'<text class="value" x="{charts.WIDTH}" y="{y + 24:.1f}" text-anchor="end">{mean:.2f}</text>')
    return "".join([*parts, "</svg>"])


def cards(result: Result) -> dict[str, str] | None:
    """Return a report's section with every card beside its worth, best first; None if no card's worth is known."""
    game = pyramidion.load(result.spec.game)
    card_set = cards_of(game)
    if card_set is None:
        return None
    rows = game.own_cards.data[card_set.key]
    list_items: list[tuple[float, str]] = []
    for index, row in enumerate(rows):
        item = card_set.item(index, row)
        if ("A", card_set.metric, item) not in result.sums:
            continue
        figure = result.figure(card_set.metric, item)
        if not math.isnan(figure.mean):
            figures = f"{100 * figure.mean:+.1f}<small>{100 * figure.low:+.1f} to {100 * figure.high:+.1f}</small>"
            list_items.append((-figure.mean, f"<li>{card_set.draw(row)}<span>{figures}</span></li>"))
    if not list_items:
        return None
    list_items.sort()
    half = MOST_CARDS // 2
    kept = list_items if len(list_items) <= MOST_CARDS else list_items[:half] + list_items[-half:]
    text = "The share of wins of players who had the card, less that of those who had not, in points."
    if len(kept) < len(list_items):
        text += f" The best and the worst {half} of {len(list_items)}."
    if len(result.sides) > 1:
        text += f" As measured with {result.spec.sides['A'].name}."
    drawn = "".join(markup for _, markup in kept)
    return {"title": "Cards and what they are worth", "text": text, "chart": f'<ul class="cards">{drawn}</ul>'}


def _value(result: Result, picture: BoardMap, item: str, side: str) -> float | None:
    """Return the value measured for a place on the board (`item`) on one side, or None."""
    sums = result.sums.get((side, picture.metric, item))
    if sums is None:
        return None
    if picture.value == "per game" and picture.metric in COUNTED:
        return sums["times"] / result.games
    mean = result.figure(picture.metric, item, side).mean
    return None if math.isnan(mean) else mean


def _value_text(picture: BoardMap, value: float | None) -> str:
    """Return a place's value as text, in the form of its picture."""
    if value is None:
        return "—"
    forms = {"worth": f"{100 * value:+.1f}", "share": f"{100 * value:.1f} %"}
    return forms.get(picture.value, f"{value:.2f}")
