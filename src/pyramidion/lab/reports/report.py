"""The report of an experiment: a self-contained HTML page."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any

import jinja2
import polars as pl

from pyramidion.lab.experiments.aggregates import CHANGE
from pyramidion.lab.experiments.result import BY_SEAT, SIGNIFICANT, Result
from pyramidion.lab.reports import board_pictures, charts, summary_text
from pyramidion.lab.reports.charts import Bar
from pyramidion.translation import quantity

MOST_ROWS = 24
"""Maximum number of rows in a chart of keys; if there are more, only the best and the worst are drawn."""
TITLES = {
    "actions": ("Actions", "What each action is worth to the player who takes it in a game."),
    "choices": (
        "Choices within actions",
        "What each choice of a card, a place or a player is worth to the player who makes it in a game.",
    ),
    "families": ("Kinds of actions", "What each kind of action is worth to the player who takes it in a game."),
    "events": ("Events", "What each event is worth to the player it happens to."),
    "details": ("Events by card and place", "What each event is worth to its player, by what it is about."),
}


def page(result: Result, command: str = "") -> str:
    """Render an experiment's report as an HTML page; `command` is the command line that reproduces it."""
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    template = environment.from_string((files("pyramidion.lab") / "report.html.j2").read_text("utf-8"))
    sections = (*_pictures(result), *board_pictures.sections(result), *_worth_charts(result))
    changes = list(result.frame("changes").iter_rows(named=True)) if "B" in result.sides else []
    return template.render(
        style=(files("pyramidion.lab") / "report.css").read_text("utf-8"),
        result=result,
        spec=result.spec,
        question=summary_text.question(result),
        answers=summary_text.answers(result),
        command=command,
        sections=[section for section in sections if section],
        changes=sorted((_change(result, row) for row in changes), key=_prominence),
        figures=_figures(result),
    )


def _pictures(result: Result) -> list[dict[str, str] | None]:
    """Return the sections with the charts that every experiment has; None where there is nothing to draw."""
    return [
        _wins_chart(result),
        _lead_chart(result),
        _histogram(result, "length"),
        _histogram(result, "points"),
        _endings_chart(result),
    ]


def _wins_chart(result: Result) -> dict[str, str]:
    """Return the section with the chart of the shares of wins."""
    bars: list[Bar] = []
    for item in summary_text.shares(result):
        figures = [result.figure("wins", item, side) for side in result.sides]
        bars.append(
            Bar(
                summary_text.item_name(item),
                tuple((f.mean, f.low, f.high) for f in figures),
                " → ".join(summary_text.percent(f.mean) for f in figures),
            )
        )
    first = summary_text.shares(result)[0]
    chart = charts.dots(bars, "Share of wins with 95 % intervals", mark=summary_text.fair(result, first))
    return {"title": "Who wins", "text": "Share of wins; the dashed line is a fair share.", "chart": chart}


def _lead_chart(result: Result) -> dict[str, str] | None:
    """Return the section with the chart of the winner's chance during the game, or None if it was not measured."""
    sides = [
        [
            (f.mean, f.low, f.high)
            for item in result.items("chance", side)
            for f in [result.figure("chance", item, side)]
        ]
        for side in result.sides
    ]
    if not all(sides):
        return None
    games = result.figure("chance", "00").games
    chart = charts.curve(
        sides, "The winner's chance in the course of the game", summary_text.lead_places(), low=0, high=1
    )
    return {
        "title": "When it is decided",
        "text": "The chance of the player who wins in the end, from the start to the end of the game. "
        "A line that rises early means games that are decided early. "
        f"Measured in {quantity(games, 'game')}, each played out 32 times from 20 positions.",
        "chart": chart,
    }


def _histogram(result: Result, metric: str) -> dict[str, str] | None:
    """Return the section with the histogram of a metric, or None if all games have one value."""
    sides = [
        {
            int(row["item"]): row["games"]
            for row in result.data.filter(side=side, metric=f"{metric} histogram").iter_rows(named=True)
        }
        for side in result.sides
    ]
    if not all(sides) or all(len(side) == 1 for side in sides):
        return None
    title, unit = ("How long it takes", "decisions") if metric == "length" else ("Points of the winner", "points")
    return {"title": title, "text": "", "chart": charts.histogram(sides, title, unit)}


def _endings_chart(result: Result) -> dict[str, str] | None:
    """Return the section with the chart of the rules that end games, or None if there is only one."""
    frame = result.frame("endings")
    rules = list(dict.fromkeys(frame["rule"].to_list()))
    if len(rules) < 2:
        return None
    bars: list[Bar] = []
    for rule in rules:
        values: list[tuple[float, float, float]] = []
        for side in result.sides:
            row = frame.filter(rule=rule, side=side)
            values.append((row["share"].item(), row["low"].item(), row["high"].item()) if len(row) else (0.0, 0.0, 0.0))
        bars.append(Bar(rule, tuple(values), " → ".join(summary_text.percent(mean) for mean, _, _ in values)))
    return {"title": "How it ends", "text": "By the rule that ends the game.", "chart": charts.dots(bars, "Endings")}


def _worth_charts(result: Result) -> list[dict[str, str] | None]:
    """Return the sections with the charts of what actions and events are worth."""
    # If an action has at most one parameter, its choices are the actions themselves.
    choices = "choices" if result.items("choices") else "actions"
    groups = (
        (choices, "families") if "actions" in result.spec.metrics else (),
        ("details", "events") if "events" in result.spec.metrics else (),
    )
    return [_worth_chart(result, metric) for metrics in groups for metric in metrics]


def _worth_chart(result: Result, metric: str) -> dict[str, str] | None:
    """Return the section with the chart of what each item of a metric is worth, or None if no worth is known."""
    frame = result.frame(metric)
    frame = frame.filter(pl.col("worth").is_not_null())
    mine = frame.filter(side=result.sides[0])
    if mine.is_empty():
        return None
    half = MOST_ROWS // 2
    rows = list(mine.iter_rows(named=True))
    kept = rows if len(rows) <= MOST_ROWS else rows[:half] + rows[-half:]
    bars: list[Bar] = []
    for row in kept:
        values = [(row["worth"], row["low"], row["high"])]
        for side in result.sides[1:]:
            other = frame.filter(side=side, item=row["item"])
            if len(other):
                values.append((other["worth"].item(), other["low"].item(), other["high"].item()))
        bars.append(Bar(row["item"], tuple(values), f"{row['per game']:.2f} a game"))
    title, text = TITLES[metric]
    text += " The difference in the share of wins between players who had it in a game and those who had not."
    if len(kept) < len(rows):
        text += f" The best and the worst {half} of {len(rows)}."
    chart = charts.dots(bars, title, form="{:+.0%}", mark=0.0)
    return {"title": title, "text": text, "chart": chart}


def _change(result: Result, row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of the table of changes as the template shows it, its figures as text."""
    share = summary_text.is_share(row["metric"], row["item"])
    form = summary_text.percent if share else "{:,.2f}".format
    figure = result.figure(row["metric"], row["item"], CHANGE)
    # On a phone the interval has a line of its own.
    change = _unbroken(summary_text.format_figure(figure, share, change=True)).replace("\N{NO-BREAK SPACE}(", " (")
    real = row["p (Holm)"] < SIGNIFICANT
    return {
        "name": summary_text.row_name(row["metric"], row["item"]),
        "a": _unbroken(form(row["A"])),
        "b": _unbroken(form(row["B"])),
        "change": change,
        "p": "< 0.001" if row["p (Holm)"] < 0.001 else f"{row['p (Holm)']:.3f}",
        "real": real,
        "first": real or row["metric"] == "wins",
    }


def _unbroken(text: str) -> str:
    """Return a text with spaces at which a line cannot break."""
    return text.replace(" ", "\N{NO-BREAK SPACE}")


def _prominence(change: dict[str, Any]) -> tuple[Any, ...]:
    """Return a key that sorts changes: real ones first, then the wins in their order, then the rest by name.

    Numbers in names are compared as numbers: `level 2` comes before `level 10`.
    """
    words = [] if change["first"] else re.split(r"(\d+)", change["name"])
    return not change["real"], not change["first"], [int(word) if word.isdigit() else word for word in words]


def _figures(result: Result) -> list[dict[str, Any]]:
    """Return the rows of the table of all means: the name of each figure, and its text for each side."""
    rows: list[dict[str, Any]] = []
    for metric in ("wins", "payoff", "points", "length", "branching", "lead", *result.spec.own):
        for item in result.items(metric):
            if metric in BY_SEAT and not result.is_listed(item):
                continue
            share = summary_text.is_share(metric, item)
            values = [summary_text.format_figure(result.figure(metric, item, side), share) for side in result.sides]
            rows.append({"name": summary_text.row_name(metric, item), "values": values})
    return rows
