"""Presentation of Pyramis' events on the board."""

from pyramidion.engine.presentation import Presentation, Stage

SHOW = Presentation(
    stages=(Stage("scored"), Stage("pair"), Stage("stole")),
    pieces={
        "placed": ("card-{card}",),
        "drew": ("stars-{seat}",),
        "stole": ("stars-{seat}", "stars-{victim}"),
        "pair": ("deck-left", "deck-right"),
        "turned": ("card-{card}",),
    },
    chapters=("placed",),
)
