"""High Card, two to four seats: the smallest game of chance with a hidden hand. For tests."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from pyramidion.engine.actions import action_space
from pyramidion.engine.events import event, event_space, only
from pyramidion.engine.game import Credits, Game
from pyramidion.engine.layout import EVERYTHING, int8, layout, own, public, seat_of, secret
from pyramidion.engine.observation import observation_space, part
from pyramidion.engine.random import draw, shuffle
from pyramidion.engine.rule import rule

CARDS, TURNS = 12, 2
ACTIONS = action_space(draw=(), stay=())
DRAW, STAY = ACTIONS.draw, ACTIONS.stay
EVENTS = event_space(drew=("seat",), card=("seat", "card"), stayed=("seat",), ended=())
DREW, CARD, STAYED, ENDED = EVENTS.drew, EVENTS.card, EVENTS.stayed, EVENTS.ended
STATE = layout(
    seats=4,
    events=4,
    turn=public(int8),
    left=public(int8),
    deck=secret(int8, CARDS),
    hand=own(int8),
    drawn=public(int8),
)
BOX = np.dtype([("cards", int8)], align=True)


@rule
def setup(box, s):
    for card in range(CARDS):
        s.deck[card] = card + 1
    s.left = CARDS
    for seat in range(s.seats):
        take(s, seat)
    s.acting = 1


@rule
def take(s, seat):
    s.hand[seat] = draw(s.rng, s.deck, s.left)
    s.left -= 1
    s.deck[s.left] = 0


@rule
def legal(box, s, seat, out):
    out[0] = DRAW
    out[1] = STAY
    return 2


@rule
def apply(box, s, seat, action):
    if action == DRAW:
        take(s, seat)
        event(s, DREW, 1_01, seat)
        event(s, CARD, 1_01, seat, s.hand[seat], audience=only(seat))
    else:
        event(s, STAYED, 1_01, seat)
    s.turn += 1
    if s.turn < TURNS * s.seats:
        s.acting = 1 << int(s.turn % s.seats)
        return
    s.over = 1
    s.ending = 1_02
    s.acting = 0
    event(s, ENDED, 1_02)
    best = 0
    for p in range(s.seats):
        if s.hand[p] > best:
            best = int(s.hand[p])
            s.winners = 1 << p


@rule
def payoff(box, s, out):
    for seat in range(s.seats):
        out[seat] = float((int(s.winners) >> seat) & 1)


@rule
def points(box, s, out):
    for seat in range(s.seats):
        out[seat] = s.hand[seat]


@rule
def timeout(box, s, seat):
    return STAY


OBSERVATION = observation_space(card=part("own card of 12"))


@rule
def redeal(box, s, seat, chance):
    unseen = 0
    for card in range(1, CARDS + 1):
        if seat < 0 or s.hand[seat] != card:
            s.deck[unseen] = card
            unseen += 1
    shuffle(chance, s.deck, unseen)
    for other in range(s.seats):
        if other != seat:
            unseen -= 1
            s.hand[other] = s.deck[unseen]
    for place in range(s.left, CARDS):
        s.deck[place] = 0
    for word in range(2):
        s.rng[word] = chance[word]


@rule
def policy(box, s, seat, ids, weights):
    n = legal(box, s, seat, ids)
    weights[0] = 13.0 - s.hand[seat]
    weights[1] = 0.1 + s.hand[seat]
    return n


@rule
def observe(box, s, seat, o):
    o.card = s.hand[seat] / CARDS


def _own(s, field, viewer):
    """What the viewer sees of a field of its own; all of it with everything open."""
    if viewer == EVERYTHING:
        return [int(n) for n in field[: s.seats]]
    return None if viewer is None else int(field[viewer])


def view(box, s, viewer):
    return {"seat": seat_of(viewer), "hand": _own(s, s.hand, viewer), "left": int(s.left), "turn": int(s.turn)}


def not_due(box, s, seat):
    return "HC 1.1", "It is not your turn."


def refusal(box, s, seat, action):
    return None


def tell(name, data, names):
    return f"{names[data['seat']] if 'seat' in data else 'The game'}: {name} {data.get('card', '')}".strip() + "."


def label(action, names, box=None):
    return action.family.capitalize()


def invariants(box, s):
    hands = [int(card) for card in s.hand[: s.seats]]
    deck = [int(card) for card in s.deck[: s.left]]
    return None if len({*hands, *deck}) == len(hands) + len(deck) and 0 not in deck + hands else "a card is double"


GAME = Game(
    id="high-card",
    name="High Card",
    prefix="HC",
    summary="Draw or stay.",
    credits=Credits(("nobody",), ()),
    seats=range(2, 5),
    usual_seats=2,
    rules_version=1,
    layout=STATE,
    box=BOX,
    fill_box=lambda cards, box: None,
    options={},
    actions=ACTIONS,
    events=EVENTS,
    rules=sys.modules[__name__],
    mind=sys.modules[__name__],
    view=sys.modules[__name__],
    invariants=invariants,
    longest=lambda seats: TURNS * seats,
    payoff_form="share",
    folder=Path(__file__).parent,
)
