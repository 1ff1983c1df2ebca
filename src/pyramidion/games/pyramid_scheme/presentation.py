"""Presentation of Pyramid Scheme's events on the board."""

from pyramidion.engine.presentation import Presentation, Stage
from pyramidion.games.pyramid_scheme.layout import FIRST_FOUNDER, GOALS, HOLDER_NAMES


def _key(card: int) -> str:
    """Return the key of a card's element on the board; for Police and Founders, the part of it before the seat."""
    return HOLDER_NAMES[min(max(card, 0), FIRST_FOUNDER)]


SHOW = Presentation(
    stages=(Stage("out"), Stage("claimed"), Stage("reserved")),
    pieces={
        "dealt": ("{card}",),
        "taken": ("{card}",),
        "placed": ("{card}", "{card}-{seat}"),
        "flipped": ("{card}", "{card}-{seat}"),
        "limit": ("{card}", "{card}-{seat}"),
        "reserved": ("goal-{goal}",),
        "discarded": ("{card}",),
        "claimed": ("goal-{goal}",),
        "police": ("{below}", "{below}-{seat}"),
    },
    words={"card": _key, "below": _key, "top": _key, "goal": lambda goal: GOALS[goal]},
    chapters=("turn",),
    falls=("out",),
)
