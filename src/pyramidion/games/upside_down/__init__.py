"""Upside Down Pyramid Scheme, 10 seats: climb to the four spaces at the top, or have the most tickets in the end."""

from pathlib import Path

from pyramidion.engine.game import Credits, Game
from pyramidion.games.pyramid_of_ten.fields import MOST_GARNETS, MOST_PARTS
from pyramidion.games.pyramid_of_ten.levels import LEVELS
from pyramidion.games.upside_down import mind, rules, view
from pyramidion.games.upside_down.layout import ACTIONS, BOX, EVENTS, OPTIONS, ROUNDS, STATE, fill_box
from pyramidion.words import marked


def longest(seats: int) -> int:
    """Return the decisions after which every game is over, whatever its options.

    In each phase a seat saves 60 parts at most, times of reopening among them, and confirms once more than it reopens;
    every garnet is traded once, and two tokens are given away.
    """
    return (1 + 2 * ROUNDS) * seats * (2 * MOST_PARTS + 1) + seats * MOST_GARNETS + 2


GAME = Game(
    id="upside-down",
    name=marked("Upside Down Pyramid Scheme"),
    prefix="UD",
    summary=marked(
        "Ten on a pyramid that stands on its point: ask for tickets, challenge whoever is above you, and climb."
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
