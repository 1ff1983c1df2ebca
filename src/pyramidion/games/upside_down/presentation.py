"""Presentation of Upside Down Pyramid Scheme's events on the pyramid."""

from pyramidion.engine.presentation import Figure, Stage
from pyramidion.games.pyramid_of_ten.board_views import (
    PLACES,
    TICKETS_KEPT,
    TICKETS_WANTED,
    kept,
    places,
    show_of,
    submitted,
)
from pyramidion.translation import marked

SHOW = show_of(
    "candidate",
    "first_candidate",
    stages=(Stage("candidate", along=("first_candidate", "tokens", "most")), Stage("gave"), Stage("took")),
    pieces={
        "void": ("stand-{seat}", "stand-{other}"),
        "held": ("stand-{seat}", "stand-{challengers}"),
        "tied": ("stand-{seat}", "stand-{challengers}"),
    },
    figures=(
        Figure(TICKETS_WANTED, submitted("ask")),
        Figure(PLACES, places("ask"), "more"),
        Figure(marked("tickets you fight with: {first} instead of {second}"), submitted("tickets")),
        Figure(TICKETS_KEPT, kept("tickets", "tickets"), "more"),
        Figure(marked("priority you bid: {first} instead of {second}"), submitted("bid")),
        Figure(marked("priority you keep: {first} instead of {second}"), kept("priority", "bid"), "more"),
        Figure(
            marked("your priority: {first} instead of {second}"),
            lambda view, seat: view["players"][seat]["priority"],
            "more",
        ),
    ),
)
