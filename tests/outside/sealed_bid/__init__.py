"""Sealed Bid, three seats: the smallest game of simultaneous, replaceable, hidden submissions. For tests."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from pyramidion.engine.actions import action_space, whole
from pyramidion.engine.events import event, event_space, only
from pyramidion.engine.game import Credits, Game
from pyramidion.engine.layout import EVERYTHING, SEATS, int8, int16, int32, layout, own, public, seat_of
from pyramidion.engine.observation import observation_space, part
from pyramidion.engine.options import flag
from pyramidion.engine.random import below
from pyramidion.engine.rule import rule
from pyramidion.engine.simultaneous import open_step, submit
from pyramidion.engine.softmax import share_the_win

COINS, ROUNDS, SEATS_ASKED = 10, 3, 0b111
ACTIONS = action_space(bid=whole(0, COINS), confirm=())
BID, CONFIRM = ACTIONS.bid, ACTIONS.confirm
EVENTS = event_space(saved=("seat", "bid"), confirmed=("seat",), won=("seat", "bid"), tied=("bid",), ended=())
SAVED, CONFIRMED, WON, TIED, ENDED = EVENTS.saved, EVENTS.confirmed, EVENTS.won, EVENTS.tied, EVENTS.ended
STATE = layout(seats=3, events=4, round_number=public(int8), score=public(int8, SEATS), coins=own(int32), bid=own(int8))
BOX = np.dtype([("show_submitted", int8), ("unused", int16)], align=True)
OPTIONS = {"show_submitted": flag(False, rule="1.2", label="Show who has confirmed", help="Everybody sees it.")}


@rule
def setup(box, s):
    for seat in range(s.seats):
        s.coins[seat] = COINS
    s.submitted_shown = box.show_submitted
    open_step(s, SEATS_ASKED)


@rule
def legal(box, s, seat, out):
    for amount in range(s.coins[seat] + 1):
        out[amount] = BID + amount
    n = int(s.coins[seat]) + 1
    out[n] = CONFIRM
    return n + 1


@rule
def apply(box, s, seat, action):
    if action != CONFIRM:
        s.bid[seat] = action - BID
        event(s, SAVED, 1_02, seat, action - BID, audience=only(seat))
        return
    event(s, CONFIRMED, 1_02, seat, audience=only(seat))
    if submit(s, seat):
        resolve(s)


@rule
def resolve(s):
    best, winner = -1, -1
    for seat in range(s.seats):
        if s.bid[seat] > best:
            best, winner = int(s.bid[seat]), seat
        elif s.bid[seat] == best:
            winner = -1
    if winner >= 0:
        s.coins[winner] -= best
        s.score[winner] += 1
        event(s, WON, 1_03, winner, best)
    else:
        event(s, TIED, 1_03, best)
    for seat in range(s.seats):
        s.bid[seat] = 0
    s.round_number += 1
    if s.round_number == ROUNDS:
        end_game(s)
    else:
        open_step(s, SEATS_ASKED)


@rule
def end_game(s):
    s.over = 1
    s.ending = 1_04
    s.acting = 0
    event(s, ENDED, 1_04)
    most = 0
    for seat in range(s.seats):
        most = max(most, int(s.score[seat]))
    for seat in range(s.seats):
        if s.score[seat] == most:
            s.winners |= 1 << seat


@rule
def payoff(box, s, out):
    share_the_win(s, out)


@rule
def points(box, s, out):
    for seat in range(s.seats):
        out[seat] = s.score[seat]


@rule
def timeout(box, s, seat):
    return CONFIRM


OBSERVATION = observation_space(coins=part("own coins of 10"))


@rule
def redeal(box, s, seat, chance):
    for other in range(s.seats):
        if other != seat:
            # The coins of the others are what they had, less what everybody saw them win with; here: anything possible.
            s.coins[other] = below(chance, COINS + 1)
            s.bid[other] = below(chance, int(s.coins[other]) + 1)
    for word in range(2):
        s.rng[word] = chance[word]


@rule
def policy(box, s, seat, ids, weights):
    n = legal(box, s, seat, ids)
    for i in range(n):
        weights[i] = 1.0
    weights[n - 1] = 5.0
    return n


@rule
def observe(box, s, seat, o):
    o.coins = s.coins[seat] / COINS


def _own(s, field, viewer):
    """What the viewer sees of a field of its own; all of it with everything open."""
    if viewer == EVERYTHING:
        return [int(n) for n in field[: s.seats]]
    return None if viewer is None else int(field[viewer])


def view(box, s, viewer):
    return {
        "seat": seat_of(viewer),
        "round": int(s.round_number),
        "score": [int(n) for n in s.score[: s.seats]],
        "coins": _own(s, s.coins, viewer),
        "bid": _own(s, s.bid, viewer),
        "asked": [p for p in range(s.seats) if int(s.acting) >> p & 1],
        "submitted": [p for p in range(s.seats) if int(s.submitted) >> p & 1],
    }


def not_due(box, s, seat):
    return "SB 1.2", "Your bid is confirmed; wait for the others."


def refusal(box, s, seat, action):
    if action.family == "bid" and action.args[0] > s.coins[seat]:
        return "SB 1.2", f"You have {int(s.coins[seat])} coins."
    return None


def tell(name, data, names):
    who = names[data["seat"]] if "seat" in data else "Nobody"
    return f"{who}: {name} {data.get('bid', '')}".strip() + "."


def label(action, names, box=None):
    return f"Bid {action.args[0]}" if action.family == "bid" else "Confirm"


def invariants(box, s):
    return None if (s.coins >= 0).all() and (s.coins <= COINS).all() else "coins are out of range"


GAME = Game(
    id="sealed-bid",
    name="Sealed Bid",
    prefix="SB",
    summary="Bid in secret.",
    credits=Credits(("nobody",), ()),
    seats=range(3, 4),
    usual_seats=3,
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
    longest=lambda seats: 5000,
    payoff_form="share",
    folder=Path(__file__).parent,
)
