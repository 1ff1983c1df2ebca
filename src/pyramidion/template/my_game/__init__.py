"""My Game, 2 to 5 seats: keep your card or swap it once; the highest card wins."""

# What goes here: GAME, the declaration that the registry, server, command line and docs read.

from __future__ import annotations

from pathlib import Path

from pyramidion.engine.game import Credits, Game
from pyramidion.translation import marked

from . import mind, rules, view
from .layout import ACTIONS, BOX, EVENTS, MOST_SEATS, MOST_TURNS, OPTIONS, STATE, fill_box


def longest(seats: int, turns: int = MOST_TURNS) -> int:
    """Return the most decisions that a game can have with so many seats and the option `turns`."""
    return turns * seats


GAME = Game(
    id="my-game",
    name=marked("My Game"),
    prefix="MG",
    summary=marked("Keep your card or swap it once: the highest card wins."),
    credits=Credits(designers=("nobody yet",), publishers=()),
    seats=range(2, MOST_SEATS + 1),
    usual_seats=3,
    minutes=5,
    weight="light",
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
    folder=Path(__file__).parent,
)
