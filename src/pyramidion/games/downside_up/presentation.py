"""Presentation of Downside Up Pyramid Scheme's events on the pyramid."""

from pyramidion.games.pyramid_of_ten.board_views import show_of

SHOW = show_of(
    "bankrupt",
    pieces={"held": ("stand-{seat}", "stand-{attackers}")},
    one_by_one={"missed": ("tickets",), "held": ("seat", "space"), "took": ("space",)},
)
