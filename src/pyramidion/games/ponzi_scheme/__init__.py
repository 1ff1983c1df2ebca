"""Ponzi Scheme, 3 to 5 seats: raise funds, hide your cash, and outlast whoever goes bankrupt first."""

from pathlib import Path

from pyramidion.engine.game import Credits, Game
from pyramidion.games.ponzi_scheme import mind, orders, rules, view
from pyramidion.games.ponzi_scheme.layout import ACTIONS, BOX, EVENTS, OPTIONS, STATE, fill_box
from pyramidion.words import marked

MOST_DECISIONS_PER_ROUND = 5
"""Per seat: fund, offer, amount, answer and a tile given back; the card removed is one more for all."""

GAME = Game(
    id="ponzi-scheme",
    name=marked("Ponzi Scheme"),
    prefix="PZ",
    summary=marked(
        "Raise money you cannot repay, trade industries in secret envelopes, and outlast the first bankruptcy."
    ),
    credits=Credits(designers=("Jesse Li",), publishers=("Homosapiens Lab",)),
    seats=range(3, 6),
    usual_seats=4,
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
    longest=lambda seats: 200 * (MOST_DECISIONS_PER_ROUND * seats + 1),
    payoff_form="share",
    orders=orders,
    folder=Path(__file__).parent,
)
