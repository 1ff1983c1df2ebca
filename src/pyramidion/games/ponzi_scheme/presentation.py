"""Presentation of Ponzi Scheme's events on the board."""

from collections.abc import Mapping
from typing import Any

from pyramidion.engine.presentation import Presentation, Stage
from pyramidion.games.ponzi_scheme.layout import INDUSTRIES


def _open_choice(view: Mapping[str, Any]) -> bool:
    """Return whether nobody's hidden cash decides what can be chosen: tiles lie open, but luxuries have a price.

    See PZ 11.1.
    """
    return view["phase"] == "funding" or (view["phase"] == "trading" and not view["advanced"])


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
    open_choice=_open_choice,
)
