"""Presentation of Pyramid-Sham-Bo's events on the board."""

from collections.abc import Mapping
from typing import Any

from pyramidion.engine.presentation import Figure, Presentation, Stage
from pyramidion.translation import _, marked


def _pips_of_opponent(view: Mapping[str, Any], _seat: int) -> int | None:
    """Return the pips of who has been challenged, or None."""
    return None if view["opponent"] is None else int(view["players"][view["opponent"]]["pips"])


FIGURES = (
    Figure(marked("your pips: {first} instead of {second}"), lambda view, seat: view["players"][seat]["pips"], "more"),
    Figure(marked("pips of the challenged player: {first} instead of {second}"), _pips_of_opponent, "less"),
    Figure(marked("pips at stake: {first} instead of {second}"), lambda view, _seat: view["worth"]),
    Figure(
        marked("your small pieces: {first} instead of {second}"),
        lambda view, seat: view["players"][seat]["count"]["small"],
    ),
)


def _open_choice(view: Mapping[str, Any]) -> bool:
    """Return whether a decision is open: all pieces are, and only throws are secret (SB 2.2)."""
    return view["phase"] != "throw"


def _moment(view: Mapping[str, Any]) -> str:
    """Return the number of the turn, in words."""
    return _("turn {turn}").format(turn=view["turn"])


SHOW = Presentation(
    stages=(
        Stage("out"),
        Stage("called_off"),
        # The third tie in a row, or any between the last two players.
        Stage("tied", when=lambda event: event["fee"] >= 4),
    ),
    chapters=("challenged",),
    falls=("out",),
    outcomes=("won", "called_off", "out"),
    open_choice=_open_choice,
    moment=_moment,
    figures=FIGURES,
)
