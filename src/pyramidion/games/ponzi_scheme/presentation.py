"""Presentation of Ponzi Scheme's events on the board."""

from collections.abc import Mapping
from typing import Any

from pyramidion.engine.presentation import Figure, Presentation, Stage
from pyramidion.games.ponzi_scheme.layout import INDUSTRIES
from pyramidion.translation import _, marked


def _open_choice(view: Mapping[str, Any]) -> bool:
    """Return whether nobody's hidden cash decides what can be chosen: tiles lie open, but luxuries have a price.

    See PZ 11.1.
    """
    return view["phase"] in ("funding", "marker", "crash") or (view["phase"] == "trading" and not view["advanced"])


def _due_in_five_turns(view: Mapping[str, Any], seat: int) -> int:
    """Return the interest that a player owes at the next five turns of its wheel (PZ 9.1)."""
    return sum(row["due"] for row in view["players"][seat]["forecast"])


def _short(view: Mapping[str, Any], seat: int) -> int | None:
    """Return what a player lacks for the interest due this round (PZ 9.1); None while funds still bring cash."""
    player = view["players"][seat]
    if view["phase"] in ("funding", "over") or player["cash"] is None:
        return None
    due = player["forecast"][0]["due_if_crash" if view["crashed"] else "due"]
    return max(0, due - player["cash"])


def _due_now(view: Mapping[str, Any], seat: int) -> list[str]:
    """Return the keys of the funds whose interest a player owes at the next turn of its wheel (PZ 9.1)."""
    first = view["players"][seat]["forecast"][0]
    return [f"card-{value}" for value in first["cards_if_crash" if view["crashed"] else "cards"]]


FIGURES = (
    Figure(
        marked("short at the next payment: ${first} instead of ${second}"),
        _short,
        "less",
        marked("You could not pay the interest due this turn: ${value} short."),
    ),
    Figure(
        marked("your points: {first} instead of {second}"), lambda view, seat: view["players"][seat]["points"], "more"
    ),
    Figure(
        marked("interest due over five turns: ${first} instead of ${second}"),
        _due_in_five_turns,
        "less",
    ),
    Figure(
        marked("your cash: ${first} instead of ${second}"), lambda view, seat: view["players"][seat]["cash"], "more"
    ),
    Figure(
        marked("tile points of your best opponent: {first} instead of {second}"),
        lambda view, seat: max(player["tile_points"] for player in view["players"] if player["seat"] != seat),
        "less",
    ),
    Figure(marked("bears in the market: {first} instead of {second}"), lambda view, _seat: view["bears_in_market"]),
)


def _moment(view: Mapping[str, Any]) -> str:
    """Return the number of the round, in words."""
    return _("round {round}").format(round=view["round"])


SHOW = Presentation(
    stages=(Stage("bankrupt"), Stage("crashed"), Stage("envelope", to=("to",))),
    pieces={
        "funded": ("tile-{seat}-{industry}", "card-{value}"),
        "offered": ("envelope", "tile-{seat}-{industry}", "tile-{to}-{industry}"),
        "envelope": ("envelope",),
        "sold": ("tile-{seat}-{industry}", "tile-{to}-{industry}"),
        "countered": ("tile-{seat}-{industry}", "tile-{to}-{industry}"),
        "bought": ("luxury-{price}",),
        "removed": ("card-{value}",),
        "gave_back": ("tile-{seat}-{industry}",),
    },
    words={"industry": lambda industry: INDUSTRIES[industry]},
    chapters=("round",),
    falls=("bankrupt",),
    culprits=_due_now,
    chosen_first=("sell", "counter"),
    next_steps={
        "fund 0": marked("Now take the tile"),
        "fund 1": marked("Now take a fund from the lit row"),
        "offer 0": marked("Now choose whose tile"),
        "offer 1": marked("Now choose the industry"),
    },
    open_choice=_open_choice,
    moment=_moment,
    figures=FIGURES,
)
