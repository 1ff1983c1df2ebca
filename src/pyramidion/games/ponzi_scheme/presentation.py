"""Presentation of Ponzi Scheme's events on the board."""

from collections.abc import Mapping
from typing import Any

from pyramidion.engine.presentation import Presentation
from pyramidion.games.ponzi_scheme.layout import INDUSTRIES

TILES = ("tile-{seat}-{industry}", "own-{industry}")


def _open_choice(view: Mapping[str, Any]) -> bool:
    """Return whether nobody's hidden cash decides what can be chosen: tiles lie open, but luxuries have a price.

    See PZ 11.1.
    """
    return view["phase"] == "funding" or (view["phase"] == "trading" and not view["advanced"])


SHOW = Presentation(
    pieces={
        "funded": (*TILES, "supply-{industry}", "card-{value}"),
        "offered": ("envelope", *TILES, "tile-{to}-{industry}"),
        "envelope": ("envelope",),
        "sold": ("envelope", *TILES, "tile-{to}-{industry}"),
        "countered": ("envelope", *TILES, "tile-{to}-{industry}"),
        "bought": ("luxury-{price}",),
        "removed": ("card-{value}",),
        "restocked": ("card-{first}", "card-{second}", "card-{third}", "card-{fourth}"),
        "gave_back": (*TILES, "supply-{industry}"),
    },
    words={"industry": lambda industry: INDUSTRIES[industry]},
    chapters=("round",),
    falls=("bankrupt",),
    open_choice=_open_choice,
)
