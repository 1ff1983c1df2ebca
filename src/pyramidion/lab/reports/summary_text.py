"""Summary text: an experiment's question, and its results in sentences with their intervals."""

from __future__ import annotations

from math import isfinite

import pyramidion
from pyramidion.lab.experiments.aggregates import CHANGE
from pyramidion.lab.experiments.counters import LOOKS
from pyramidion.lab.experiments.result import BY_SEAT, COUNTED, SIGNIFICANT, Figure, Result
from pyramidion.lab.statistics.intervals import holm, p_value
from pyramidion.translation import quantity

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
SHARES = ("wins", *COUNTED)
"""Metrics whose figures are shares, shown in percent."""
TOO_FEW = "too few games"
"""Stands where so few games have an item that its interval, or even its mean, is not known."""
SHARE_ITEMS = ("real choices", "lead for good", "comebacks", "settled")


def question(result: Result) -> str:
    """Return the question that an experiment answers, as the title of its report."""
    game = pyramidion.load(result.spec.game)
    sides = result.spec.sides
    if "B" in sides:
        return f"{game.name}: what changes from {sides['A'].name} to {sides['B'].name}?"
    return f"{game.name}: how does it play with {quantity(result.spec.seats, 'seat')}?"


def answers(result: Result) -> list[str]:
    """Return what an experiment has found as sentences, most important first."""
    return _comparison(result) if "B" in result.sides else _description(result)


def item_name(item: str) -> str:
    """Return the display name of an item of the metrics `wins` and `payoff`."""
    kind, _, rest = item.partition(" ")
    if kind == "place":
        return f"{ORDINALS[int(rest) - 1]} to act"
    return rest if kind == "player" else {"shared": "shared win", "nobody": "no winner"}.get(item, item)


def row_name(metric: str, item: str) -> str:
    """Return the name of a figure's row in a table of several metrics."""
    return f"{metric}: {_item(metric, item)}"


def _item(metric: str, item: str) -> str:
    """Return the display name of an item of any metric."""
    return item_name(item) if metric in BY_SEAT else item


def shares(result: Result) -> list[str]:
    """Return the items of `wins` that belong in a chart: those by order of play (or by seat), and those by player."""
    return [item for item in result.items("wins") if result.is_listed(item) and item not in ("shared", "nobody")]


def fair(result: Result, item: str) -> float:
    """Return an item's expected share of wins if all seats and players were equally strong."""
    places = [name for name in result.items("wins") if name.startswith("seat")]
    each = sum(result.figure("wins", name).mean for name in places) / len(places)
    kind, _, name = item.partition(" ")
    return each * result.spec.players.count(name) if kind == "player" else each


def is_share(metric: str, item: str) -> bool:
    """Return whether a figure is a share, shown in percent."""
    return metric in SHARES or item in SHARE_ITEMS


def percent(share: float, digits: int = 1) -> str:
    """Return a share in percent, without an interval; it rounds as `format_figure` does."""
    return f"{round(100 * share, 2):.{digits}f} %"


def format_figure(figure: Figure, share: bool, *, change: bool = False, interval: bool = True) -> str:
    """Format a figure with its interval where that is known: in percent (points for a change), or as a number."""
    sign = "+" if change else ""
    form, scale, unit = f"{sign},.2f", 1, ""
    if share:
        form, scale, unit = f"{sign}.1f", 100, " points" if change else " %"
    # Adding 0.0 turns a rounded -0.0 into 0.0.
    mean, low, high = (format(round(scale * n, 2) + 0.0, form) for n in (figure.mean, figure.low, figure.high))
    if not isfinite(figure.mean):
        return TOO_FEW
    if not interval:
        return f"{mean}{unit}"
    return f"{mean}{unit} ({low} to {high})" if isfinite(figure.reach) else f"{mean}{unit} ({TOO_FEW})"


def _description(result: Result) -> list[str]:
    """Describe in sentences how a game plays, for an experiment with one side."""
    sentences: list[str] = []
    names = shares(result)
    players = [name for name in names if name.startswith("player")]
    if players:
        best = max(players, key=lambda name: result.figure("wins", name).mean - fair(result, name))
        sentences.append(
            f"{item_name(best).capitalize()} wins {format_figure(result.figure('wins', best), True)}; "
            f"players all alike would win {percent(fair(result, best))}."
        )
    if "place 1" in names:
        start, chance = result.figure("wins", "place 1"), fair(result, "place 1")
        comment = f"its fair share is {percent(chance)}"
        if start.low <= chance <= start.high:
            comment += ", and no advantage can be told from chance"
        sentences.append(f"The player who acts first wins {format_figure(start, True)} of the games; {comment}.")
    elif not players:
        sentences.append(_seats(result, names))
    length = result.figure("length", "decisions")
    within = f"{length.low:,.1f} to {length.high:,.1f} on average" if isfinite(length.reach) else TOO_FEW
    sentences.append(f"A game has {quantity(round(length.mean), 'decision')} ({within}).")
    if "lead for good" in result.items("lead"):
        lead, back = result.figure("lead", "lead for good"), result.figure("lead", "comebacks")
        sentences.append(
            f"The winner takes the lead for good after {percent(lead.mean, 0)} of the game, on average; "
            f"{percent(back.mean, 0)} of the games are won against a player who had had a chance of 75 % or more."
        )
    return sentences


def _seats(result: Result, names: list[str]) -> str:
    """Return a sentence about which seat wins most, for a game without an order of play."""
    figures = {name: result.figure("wins", name) for name in names}
    chance = fair(result, names[0])
    adjusted = holm([p_value(figure.mean - chance, figure.error) for figure in figures.values()])
    if min(adjusted) >= SIGNIFICANT:
        reach = max(figure.reach for figure in figures.values())
        return f"No seat can be told from another: each wins {percent(chance)}, to within {100 * reach:.1f} points."
    best = min(zip(adjusted, names, strict=True))[1]
    return f"{best.capitalize()} wins {format_figure(figures[best], True)}; a fair share is {percent(chance)}."


def _comparison(result: Result) -> list[str]:
    """Describe in sentences how the two sides differ, the first player's share of wins first."""
    changes = result.frame("changes")
    real = changes.filter(changes["p (Holm)"] < SIGNIFICANT)
    first = "place 1" if "place 1" in shares(result) else ""
    sentences: list[str] = []
    if first:
        change = result.figure("wins", first, CHANGE)
        p = changes.filter((changes["metric"] == "wins") & (changes["item"] == first))["p (Holm)"].item()
        before, after = (result.figure("wins", first, side).mean for side in ("A", "B"))
        if p < SIGNIFICANT:
            sentences.append(
                f"The first player's share of wins changes by {format_figure(change, True, change=True)}, "
                f"from {percent(before)} to {percent(after)}."
            )
        else:
            sentences.append(
                f"No change in the first player's share of wins can be told from chance: "
                f"{format_figure(change, True, change=True)}, from {percent(before)} to {percent(after)}."
            )
    others = [row for row in real.iter_rows(named=True) if (row["metric"], row["item"]) != ("wins", first)]
    if not others:
        sentences.append(
            f"{'Nothing else' if first else 'Nothing'} that was measured differs more than chance allows "
            f"({quantity(len(changes), 'comparison')}, Holm's correction)."
        )
    others.sort(key=lambda row: row["p (Holm)"])
    for row in others[:4]:
        figure = result.figure(row["metric"], row["item"], CHANGE)
        name = _item(row["metric"], row["item"])
        if row["metric"] != "wins":
            name = f"{row['metric']}, {name}"
        share = is_share(row["metric"], row["item"])
        sentences.append(f"{name[0].upper()}{name[1:]}: {format_figure(figure, share, change=True)}.")
    return sentences


def lead_places() -> list[float]:
    """Return the points in a game, as fractions of its length, at which chances were estimated."""
    return [look / LOOKS for look in range(LOOKS)]
