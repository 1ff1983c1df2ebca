"""Presentation of Downside Up Pyramid Scheme's events on the pyramid."""

from pyramidion.engine.presentation import Figure, Stage
from pyramidion.games.pyramid_of_ten.board_views import PLACES, TICKETS_WANTED, kept, places, show_of, submitted
from pyramidion.translation import marked

SHOW = show_of(
    "bankrupt",
    stages=(Stage("bankrupt", along=("tokens", "rich")), Stage("took"), Stage("held")),
    pieces={"held": ("stand-{seat}", "stand-{attackers}")},
    figures=(
        Figure(TICKETS_WANTED, submitted("claim")),
        Figure(PLACES, places("claim"), "more"),
        Figure(marked("tickets you attack with: {first} instead of {second}"), submitted("attack")),
        Figure(marked("tickets you defend with: {first} instead of {second}"), submitted("defend")),
        Figure(marked("garnets you bid: {first} instead of {second}"), submitted("bid")),
        Figure(marked("garnets you keep: {first} instead of {second}"), kept("garnets", "bid"), "more"),
    ),
)
