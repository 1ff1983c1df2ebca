"""Gamble, two or three seats: a chip for certain, or more for the bold. Payoffs are chips. For tests."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from pyramidion.engine.actions import action_space
from pyramidion.engine.events import event, event_space
from pyramidion.engine.game import Credits, Game
from pyramidion.engine.layout import SEATS, int8, int16, layout, public, seat_of
from pyramidion.engine.legality import legal_from, refusal_from
from pyramidion.engine.observation import observation_space, part
from pyramidion.engine.options import number
from pyramidion.engine.random import below, reseed
from pyramidion.engine.rule import rule

SAFE, WON, LOST, MOST_STAKES = 1, 12, -3, 5
ACTIONS = action_space(take=(), gamble=())
TAKE, GAMBLE = ACTIONS.take, ACTIONS.gamble
EVENTS = event_space(took=("seat",), gambled=("seat", "won"), ended=())
TOOK, GAMBLED, ENDED = EVENTS.took, EVENTS.gambled, EVENTS.ended
OPTIONS = {"stakes": number(1, 1, MOST_STAKES, rule="1.2", label="Stakes", help="How many chips a chip is.")}
STATE = layout(seats=3, events=4, turn=public(int8), chips=public(int16, SEATS))
BOX = np.dtype([("stakes", int8)], align=True)


@rule
def setup(box, s):
    s.acting = 1


@rule
def forbidden(box, s, seat, action):
    return 0


legal = legal_from(forbidden, len(ACTIONS))


@rule
def apply(box, s, seat, action):
    if action == TAKE:
        s.chips[seat] = box.stakes * SAFE
        event(s, TOOK, 1_01, seat)
    else:
        won = below(s.rng, 3) == 0
        s.chips[seat] = box.stakes * (WON if won else LOST)
        event(s, GAMBLED, 1_01, seat, int(won))
    s.turn += 1
    if s.turn < s.seats:
        s.acting = 1 << int(s.turn)
        return
    s.over = 1
    s.ending = 1_03
    s.acting = 0
    event(s, ENDED, 1_03)
    most = 0
    for p in range(s.seats):
        if p == 0 or s.chips[p] > most:
            most = int(s.chips[p])
    for p in range(s.seats):
        if s.chips[p] == most:
            s.winners |= 1 << p


@rule
def payoff(box, s, out):
    for seat in range(s.seats):
        out[seat] = s.chips[seat]


@rule
def points(box, s, out):
    for seat in range(s.seats):
        out[seat] = s.chips[seat]


@rule
def timeout(box, s, seat):
    return TAKE


OBSERVATION = observation_space(turn=part("decisions made, of 3"))


@rule
def redeal(box, s, seat, chance):
    reseed(s.rng, chance)


@rule
def policy(box, s, seat, ids, weights):
    n = legal(box, s, seat, ids)
    weights[0] = 1.0
    weights[1] = 1.0
    return n


@rule
def observe(box, s, seat, o):
    o.turn = s.turn / 3.0


def view(box, s, viewer):
    return {"seat": seat_of(viewer), "turn": int(s.turn), "chips": [int(n) for n in s.chips[: s.seats]]}


def not_due(box, s, seat):
    return "GA 1.1", "It is not your turn."


refusal = refusal_from(forbidden, {}, "GA")


def tell(name, data, names):
    return f"{names[data['seat']] if 'seat' in data else 'The game'}: {name}."


def label(action, names, box=None):
    return action.family.capitalize()


def invariants(box, s):
    return None if s.turn <= s.seats else "there were too many decisions"


def payoff_bound(seats, stakes=MOST_STAKES):
    """Return the most chips that a seat can win or lose."""
    return stakes * WON


GAME = Game(
    id="gamble",
    name="Gamble",
    prefix="GA",
    summary="Take a chip, or gamble.",
    credits=Credits(("nobody",), ()),
    seats=range(2, 4),
    usual_seats=2,
    rules_version=1,
    layout=STATE,
    box=BOX,
    fill_box=lambda cards, box: None,
    options=OPTIONS,
    actions=ACTIONS,
    events=EVENTS,
    rules=sys.modules[__name__],
    mind=sys.modules[__name__],
    view=sys.modules[__name__],
    invariants=invariants,
    longest=lambda seats, stakes=MOST_STAKES: seats,
    payoff_form="sum",
    payoff_bound=payoff_bound,
    folder=Path(__file__).parent,
)
