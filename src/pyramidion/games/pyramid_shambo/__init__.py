"""Pyramid-Sham-Bo, 2 to 10 seats: a rock-paper-scissors tournament with pyramids at stake."""

from pathlib import Path

from pyramidion.engine.game import Credits, Game
from pyramidion.engine.minis import Mini
from pyramidion.engine.pace import Countdown, Pace
from pyramidion.games.pyramid_shambo import mind, premoves, rules, view
from pyramidion.games.pyramid_shambo.layout import (
    ACTIONS,
    BOX,
    COLOUR_NAMES,
    EVENTS,
    MOST_TIES,
    MOST_TURNS,
    N_SIZES,
    OPTIONS,
    STATE,
    fill_box,
)
from pyramidion.games.pyramid_shambo.presentation import SHOW
from pyramidion.translation import marked

MOST_PAYMENT = 3 * 10 + 2 + 5
"""Upper bound on decisions per payment: every piece in the game, two of change, and a trade of five pieces."""


def longest(seats: int, turn_limit: int = MOST_TURNS, tie_limit: int = MOST_TIES, pyramids: int = N_SIZES) -> int:
    """Return an upper bound on the number of decisions in a game with these options, whatever it begins with.

    A challenge takes one decision, two per throw up to the tie limit, and one payment by each player but the winner.
    """
    return turn_limit * (1 + 2 * tie_limit + (seats - 1) * MOST_PAYMENT)


GAME = Game(
    id="pyramid-shambo",
    name=marked("Pyramid-Sham-Bo"),
    prefix="SB",
    summary=marked(
        "Rock, paper, scissors for pyramids. Ties raise the fee. When a player is knocked out, their colour leaves "
        "the game."
    ),
    credits=Credits(designers=("Andrew Looney",), publishers=("Looney Labs",)),
    seats=range(2, 11),
    usual_seats=6,
    minutes=20,
    waits={2: 40, 3: 110, 4: 135, 5: 140, 6: 230, 7: 250, 8: 240, 9: 285, 10: 230},
    weight="light",
    goal=(
        marked("Challenge somebody to rock, paper, scissors. Every tie raises the fee."),
        marked(
            "The loser pays the winner in pyramids. When a player is knocked out, all pieces of their colour leave "
            "the game."
        ),
        marked("The last player at the table wins."),
    ),
    rules_version=2,
    earlier_versions={1: {}},
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
    private_talk="none",
    payoff_form="share",
    somebody_wins=True,
    submissions_open=True,
    premoves=premoves,
    colours=COLOUR_NAMES,
    paces=(Pace(5), Pace(10), Pace(15)),
    countdown=Countdown(events=("tied", "won"), option="call"),
    # Luck decides most games, so the levels are further apart than in other games.
    presentation=SHOW,
    minis=(Mini(3, {"pyramids": 1, "tie_limit": 1, "turn_limit": 4}, openings=2),),
    folder=Path(__file__).parent,
)
