"""Pyramid-Sham-Bo, 2 to 10 seats: a tournament of rock, paper, scissors that is paid for in pyramids."""

from pathlib import Path

from pyramidion.engine.game import Credits, Game
from pyramidion.games.pyramid_shambo import mind, orders, rules, view
from pyramidion.games.pyramid_shambo.layout import (
    ACTIONS,
    BOX,
    EVENTS,
    MOST_TIES,
    MOST_TURNS,
    OPTIONS,
    STATE,
    fill_box,
)
from pyramidion.words import marked

MOST_PAYMENT = 3 * 10 + 2 + 4
"""Decisions in one payment: every piece of the game, two of change, and a trade of one piece for three."""


def longest(seats: int) -> int:
    """Return the decisions after which every game is over, whatever its options.

    A challenge is one decision, two for each throw up to the tie limit, and a payment by each player but the winner.
    """
    return MOST_TURNS * (1 + 2 * MOST_TIES + (seats - 1) * MOST_PAYMENT)


GAME = Game(
    id="pyramid-shambo",
    name=marked("Pyramid-Sham-Bo"),
    prefix="SB",
    summary=marked(
        "Rock, paper, scissors for pyramids: ties raise the fee, and who is knocked out takes a colour along."
    ),
    credits=Credits(designers=("Andrew Looney",), publishers=("Looney Labs",)),
    seats=range(2, 11),
    usual_seats=6,
    rules_version=1,
    layout=STATE,
    box=BOX,
    fill_box=fill_box,
    options=OPTIONS,
    actions=ACTIONS,
    events=EVENTS,
    rules=rules,
    mind=mind,
    view=view,
    invariants=view.invariants,
    longest=longest,
    payoff_form="share",
    submissions_open=True,
    orders=orders,
    # Luck decides most games, so the levels are set further apart than elsewhere.
    levels={"easy": (20, 5.0), "normal": (60, 2.0), "hard": (200, 1.0)},
    folder=Path(__file__).parent,
)
