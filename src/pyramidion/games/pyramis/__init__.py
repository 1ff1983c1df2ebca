"""Pyramis, 2 to 4 seats: build a Fleet of ten cards, and rotate cards when the backs of the decks show a pair."""

from pathlib import Path

from pyramidion.engine.game import Credits, Game
from pyramidion.engine.minis import Mini
from pyramidion.games.pyramis import mind, rules, view
from pyramidion.games.pyramis.layout import ACTIONS, BOX, EVENTS, N_SPACES, OPTIONS, STATE, fill_box
from pyramidion.games.pyramis.presentation import SHOW
from pyramidion.translation import marked


def longest(seats: int, river_left: int = 0, fleet_cards: int = N_SPACES) -> int:
    """Return an upper bound on the number of decisions in a game, for any number of River cards from the left deck.

    A seat has a turn for each card of its Fleet: a placement, a theft, a refill and two rotations by every seat.
    """
    return fleet_cards * seats * (3 + 2 * seats)


GAME = Game(
    id="pyramis",
    name=marked("Pyramis"),
    prefix="PY",
    summary=marked("Build a Fleet of ten overlapping cards, and turn cards when the backs of the decks match."),
    credits=Credits(
        designers=("Joan Dufour",),
        publishers=("Subverti",),
        note=marked("Developed by Jérémy Partinico, illustrated by Léane Loubere, with graphic design by Ange Hubert."),
    ),
    seats=range(2, 5),
    usual_seats=3,
    minutes=15,
    waits={2: 44, 3: 68, 4: 92},
    weight="light",
    goal=(
        marked("Build a Fleet of ten cards. The upper end of each shows Pyramids, Aliens or both."),
        marked("When the backs of the decks match, everybody turns an uncovered card of that colour."),
        marked("Most points win: Pyramids, your largest zone of one colour, and the Aliens if you have the most."),
    ),
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
    private_talk="none",
    payoff_form="share",
    somebody_wins=True,
    presentation=SHOW,
    minis=(Mini(2, {"fleet_cards": 6}), Mini(2, {"fleet_cards": 2}, name="micro", openings=1)),
    folder=Path(__file__).parent,
)
