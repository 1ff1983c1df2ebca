"""Presentation of Upside Down Pyramid Scheme's events on the pyramid."""

from pyramidion.games.pyramid_of_ten.board_views import show_of

SHOW = show_of(
    "candidate",
    "first_candidate",
    pieces={
        "void": ("stand-{seat}", "stand-{other}"),
        "held": ("stand-{seat}", "stand-{challengers}"),
        "tied": ("stand-{seat}", "stand-{challengers}"),
    },
    one_by_one={"screwed": ("tickets",), "void": ("seat",), "held": ("seat",), "tied": ("seat",), "took": ("seat",)},
)
