"""Presentation of Downside Up Pyramid Scheme's events on the pyramid."""

from pyramidion.engine.presentation import Stage
from pyramidion.games.pyramid_of_ten.board_views import show_of

SHOW = show_of(
    "bankrupt",
    stages=(Stage("bankrupt", along=("tokens", "rich")), Stage("took"), Stage("held")),
    pieces={"held": ("stand-{seat}", "stand-{attackers}")},
)
