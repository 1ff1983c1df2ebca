"""Presentation of Pyramid-Sham-Bo's events on the board."""

from pyramidion.engine.presentation import Presentation, Stage

SHOW = Presentation(
    stages=(
        Stage("out"),
        Stage("called_off"),
        # The third tie in a row, or any between the last two players.
        Stage("tied", when=lambda event: event["fee"] >= 4),
    ),
    chapters=("challenged",),
    falls=("out",),
)
