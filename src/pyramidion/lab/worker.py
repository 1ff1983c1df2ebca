"""A worker process that runs one experiment for a server: `python -m pyramidion.lab.worker`.

It reads its order from the first line of standard input, and writes progress and figures as lines of JSON. It ends
when standard input is closed, so it never outlives the server that started it.
"""

from __future__ import annotations

import json
import math
import os
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import pyramidion
from pyramidion.bots.priority import lower_priority
from pyramidion.engine.cards import BadCards
from pyramidion.engine.game import Game
from pyramidion.lab.experiments.aggregates import CHANGE
from pyramidion.lab.experiments.experiment import Variant, experiment
from pyramidion.lab.experiments.metric_keys import cards_of
from pyramidion.lab.experiments.result import SIGNIFICANT, Result
from pyramidion.lab.reports import summary_text
from pyramidion.lab.search.parameters import varied

METRICS = ("wins", "points", "length", "branching", "endings", "events", "actions")
"""What a worker measures: everything but the lead, which takes seconds before the first figures."""
ROWS = {
    "points": ("winner", "margin"),
    "length": ("decisions", "turns"),
    "branching": ("legal actions", "real choices"),
}
NICENESS = 10


def main() -> None:
    """Run the experiment that the server orders on standard input, and write its progress and figures.

    An order is a JSON object: `game`, `seats`, `games` (the most), `seconds` (the most), `seed`, `edits` (values by
    path in the card file) and `options`. Without edits and options there is nothing to compare with.
    """
    lower_priority(niceness=NICENESS)
    order = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_server, daemon=True).start()
    _limit(order["seconds"])
    try:
        _run(order)
    except (ValueError, RuntimeError, BadCards) as error:
        say({"error": str(error)[:600]})


def say(message: Mapping[str, Any]) -> None:
    """Send the server a message, as a line of JSON on standard output."""
    print(json.dumps(message), flush=True)


def _end_with_server() -> None:
    """End this process when the server closes standard input."""
    sys.stdin.read()
    os._exit(1)


def _limit(seconds: float) -> None:
    """Limit the processor time of this process to `seconds` and two minutes, which compilation may take."""
    with suppress(ImportError):  # not on Windows
        import resource

        soft_limit = int(seconds) + 120
        resource.setrlimit(resource.RLIMIT_CPU, (soft_limit, soft_limit + 5))


def _run(order: Mapping[str, Any]) -> None:
    """Run the experiment of an order; write its progress and, at the end, its figures and report."""
    game = pyramidion.load(order["game"])
    edits: Mapping[str, Any] = order["edits"]
    cards = varied(game, {}, {f"cards.{path}": value for path, value in edits.items()}).get("cards")
    changed = cards is not None or order["options"]
    say({"done": 0, "games": order["games"]})
    stop = threading.Event()
    began: float | None = None

    def progress(done: int, games: int) -> None:
        """Write how far the experiment is, and stop it when its time is up."""
        nonlocal began
        if done and began is None:
            began = time.monotonic()
        if began is not None and time.monotonic() - began > order["seconds"]:
            stop.set()
        say({"done": done, "games": games})

    result = experiment(
        game,
        seats=order["seats"],
        games=order["games"],
        against=Variant(cards, order["options"], "yours") if changed else None,
        seed=order["seed"],
        metrics=METRICS,
        stop=stop,
        progress=progress,
        keep=lambda partial: say({"figures": figures(game, partial)}),
    )
    say({"figures": figures(game, result), "report": _report(result), "cards": cards, "over": True})


def _report(result: Result) -> str:
    """Return a result's report as an HTML page."""
    from pyramidion.lab.reports.report import page

    return page(result)


def figures(game: Game, result: Result) -> dict[str, Any]:
    """Return the figures of a result as JSON data for the server's page.

    `rows`: metric, item, whether it is a share, (mean, low, high) of each side, the same of the change, and whether the
    change is real; `cards`: for each card of the game's `CARDS` and each side (worth, low, high), or None if unknown;
    `fair`: an equal share of the wins.
    """
    real: set[tuple[str, str]] = set()
    if CHANGE in {side for side, _, _ in result.sums}:
        changes = result.frame("changes")
        real = set(changes.filter(changes["p (Holm)"] < SIGNIFICANT).select("metric", "item").iter_rows())
    rows: list[dict[str, Any]] = []
    for metric, items in {"wins": summary_text.shares(result), **ROWS}.items():
        for item in items:
            if item not in result.items(metric):
                continue
            figures_by_side = [result.figure(metric, item, side) for side in result.sides]
            change = result.figure(metric, item, CHANGE) if (CHANGE, metric, item) in result.sums else None
            rows.append(
                {
                    "metric": metric,
                    "item": item,
                    "share": summary_text.is_share(metric, item),
                    "values": [(f.mean, f.low, f.high) for f in figures_by_side],
                    "change": (change.mean, change.low, change.high) if change else None,
                    "real": (metric, item) in real,
                }
            )
    return {
        "games": result.games,
        "rows": rows,
        "cards": _cards(game, result),
        "fair": summary_text.fair(result, summary_text.shares(result)[0]),
    }


def _cards(game: Game, result: Result) -> list[list[tuple[float, float, float] | None]]:
    """Return what each card of the game is worth on each side: (worth, low, high), or None if that is not known."""
    cards = cards_of(game)
    by_card: list[list[tuple[float, float, float] | None]] = []
    for index, row in enumerate(game.own_cards.data[cards.key] if cards else ()):
        assert cards is not None
        worths: list[tuple[float, float, float] | None] = []
        for side in result.sides:
            item = cards.item(index, row)
            measured = (side, cards.metric, item) in result.sums
            figure = result.figure(cards.metric, item, side) if measured else None
            # A card that was too rare has no worth: not a number, which JSON does not have.
            worths.append((figure.mean, figure.low, figure.high) if figure and not math.isnan(figure.mean) else None)
        by_card.append(worths)
    return by_card


if __name__ == "__main__":
    main()
