"""Presentation of Downside Up Pyramid Scheme's events on the pyramid."""

from pyramidion.engine.show import Show

SHOW = Show(
    pieces={
        "challenged": ("stand-{seat}", "stand-{other}"),
        "took": ("stand-{seat}", "stand-{other}"),
        "held": ("stand-{seat}", "stand-{attackers}"),
        "got": ("stand-{seat}",),
        "bankrupt": ("stand-{seat}",),
    },
    walks={"took": ("stand-{seat}", "stand-{other}")},
    one_by_one={
        "got": ("tickets",),
        "missed": ("tickets",),
        "challenged": ("seat",),
        "held": ("seat", "space"),
        "took": ("space",),
    },
    seats=("a", "b", "c", "d", "e", "f", "g", "h", "i", "j"),
    chapters=("claim", "battle"),
    falls=("bankrupt",),
)
