"""Presentation of Downside Up Pyramid Scheme's events on the pyramid."""

from pyramidion.engine.show import Show

SHOW = Show(
    pieces={
        "challenged": ("stand-{seat}", "stand-{other}"),
        "took": ("stand-{seat}", "stand-{other}"),
        "held": ("stand-{seat}",),
        "got": ("stand-{seat}",),
        "bankrupt": ("stand-{seat}",),
    },
    seats=("a", "b", "c", "d", "e", "f", "g", "h", "i", "j"),
    chapters=("claim", "battle"),
    falls=("bankrupt",),
)
