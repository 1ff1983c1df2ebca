"""Presentation of Upside Down Pyramid Scheme's events on the pyramid."""

from pyramidion.engine.show import Show

SHOW = Show(
    pieces={
        "challenged": ("stand-{seat}", "stand-{other}"),
        "void": ("stand-{seat}", "stand-{other}"),
        "took": ("stand-{seat}", "stand-{other}"),
        "held": ("stand-{seat}", "stand-{challengers}"),
        "got": ("stand-{seat}",),
        "candidate": ("stand-{seat}",),
    },
    walks={"took": ("stand-{seat}", "stand-{other}")},
    one_by_one={
        "got": ("tickets",),
        "screwed": ("tickets",),
        "challenged": ("seat",),
        "void": ("seat",),
        "held": ("seat",),
        "took": ("seat",),
    },
    seats=("a", "b", "c", "d", "e", "f", "g", "h", "i", "j"),
    chapters=("claim", "battle"),
    falls=("candidate",),
)
