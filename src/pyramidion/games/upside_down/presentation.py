"""Presentation of Upside Down Pyramid Scheme's events on the pyramid."""

from pyramidion.engine.presentation import Stage
from pyramidion.games.pyramid_of_ten.board_views import show_of

SHOW = show_of(
    "candidate",
    "first_candidate",
    stages=(Stage("candidate", along=("first_candidate", "tokens", "most")), Stage("gave"), Stage("took")),
    pieces={
        "void": ("stand-{seat}", "stand-{other}"),
        "held": ("stand-{seat}", "stand-{challengers}"),
        "tied": ("stand-{seat}", "stand-{challengers}"),
    },
)
