"""Pyramis, 2 to 4 seats: build a Fleet of ten cards, and turn them when the backs of the decks show a pair."""

from pathlib import Path

from pyramidion.engine.game import Credits, Game
from pyramidion.games.pyramis import mind, rules, view
from pyramidion.games.pyramis.layout import ACTIONS, BOX, EVENTS, N_SPACES, OPTIONS, STATE, fill_box
from pyramidion.words import marked


def longest(seats: int) -> int:
    """Return a bound on decisions: ten turns each of a placement, a theft, a refill and two rotations by everybody."""
    return N_SPACES * seats * (3 + 2 * seats)


GAME = Game(
    id="pyramis",
    name=marked("Pyramis"),
    prefix="PY",
    summary=marked("Build a Fleet of ten overlapping cards, and turn them as the backs of the decks command."),
    credits=Credits(designers=("Joan Dufour",), publishers=("Subverti",)),
    seats=range(2, 5),
    usual_seats=3,
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
