"""Pyramid Scheme, 2 to 4 seats: recruit Victims below your Founder and let your pyramid crumble last."""

from pathlib import Path

from pyramidion.engine.game import Credits, Game
from pyramidion.games.pyramid_scheme import mind, rules, view
from pyramidion.games.pyramid_scheme.layout import ACTIONS, BOX, EVENTS, OPTIONS, STATE, fill_box, longest
from pyramidion.words import marked

GAME = Game(
    id="pyramid-scheme",
    name=marked("Pyramid Scheme"),
    prefix="PS",
    summary=marked(
        "Recruit the right Victims into the right places, turn them into smart-asses, and be the last to crumble."
    ),
    credits=Credits(designers=("Danilo Valente", "Rodrigo Rego"), publishers=()),
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
