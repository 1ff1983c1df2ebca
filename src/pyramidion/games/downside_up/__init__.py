"""Downside Up Pyramid Scheme, 10 seats: climb by attacking from below, and defend the space that you stand on."""

from pathlib import Path

from pyramidion.engine.game import Credits, Game
from pyramidion.games.downside_up import mind, rules, view
from pyramidion.games.downside_up.layout import ACTIONS, BOX, EVENTS, OPTIONS, ROUNDS, STATE, fill_box
from pyramidion.games.pyramid_of_ten.fields import MOST_GARNETS, MOST_PARTS
from pyramidion.games.pyramid_of_ten.levels import LEVELS
from pyramidion.words import marked


def longest(seats: int) -> int:
    """Return the decisions after which every game is over, whatever its options.

    In each phase a seat saves 60 parts at most, times of reopening among them, and confirms once more than it reopens;
    every second garnet is traded once.
    """
    return (1 + 2 * ROUNDS) * seats * (2 * MOST_PARTS + 1) + seats * MOST_GARNETS


GAME = Game(
    id="downside-up",
    name=marked("Downside Up Pyramid Scheme"),
    prefix="DU",
    summary=marked(
        "Ten on a pyramid: claim tickets, attack the two above you, and hold your space against the two below."
    ),
    credits=Credits(
        designers=("RedsToad",),
        publishers=(),
        note=marked("Played in The Genius: Code Red and The Genius: Code Redone."),
    ),
    seats=range(10, 11),
    usual_seats=10,
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
    payoff_form="sign",
    levels=LEVELS,
    folder=Path(__file__).parent,
    shared=Path(__file__).parents[1] / "pyramid_of_ten",
)
