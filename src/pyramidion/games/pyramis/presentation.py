"""Presentation of Pyramis' events on the board."""

from pyramidion.engine.presentation import Presentation

SHOW = Presentation(
    pieces={
        "placed": ("card-{card}",),
        "drew": ("stars-{seat}",),
        "stole": ("stars-{seat}", "stars-{victim}"),
        "refilled": ("card-{card}", "deck-left", "deck-right"),
        "pair": ("deck-left", "deck-right"),
        "turned": ("card-{card}",),
    },
    chapters=("placed",),
)
