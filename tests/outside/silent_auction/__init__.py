"""Silent Auction, three seats: submissions of two parts that are saved, confirmed and taken back, and gifts at once."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from pyramidion.engine.actions import action_space, part, seats, whole
from pyramidion.engine.events import event, event_space, only
from pyramidion.engine.game import Credits, Game
from pyramidion.engine.layout import EVERYTHING, SEATS, int8, int16, int32, layout, own, public, seat_of
from pyramidion.engine.observation import observation_space
from pyramidion.engine.observation import part as observed
from pyramidion.engine.options import flag, numbers
from pyramidion.engine.random import below
from pyramidion.engine.rule import rule
from pyramidion.engine.simultaneous import open_step, submit
from pyramidion.engine.softmax import share_the_win

COINS, ROUNDS, SEATS_ASKED = 5, 3, 0b111
ACTIONS = action_space(bid=part(whole(0, COINS)), wink=part(), gift=part(seats(3)), confirm=(), reopen=part())
BID, WINK, GIFT, CONFIRM, REOPEN = ACTIONS.bid, ACTIONS.wink, ACTIONS.gift, ACTIONS.confirm, ACTIONS.reopen
EVENTS = event_space(saved=("seat", "bid"), given=("seat", "other"), won=("seat", "bid"), tied=("bid",), ended=())
SAVED, GIVEN, WON, TIED, ENDED = EVENTS.saved, EVENTS.given, EVENTS.won, EVENTS.tied, EVENTS.ended
STATE = layout(
    seats=3,
    events=4,
    round_number=public(int8),
    gifts=public(int16),
    score=public(int8, SEATS),
    bid=own(int8),
    winks=own(int32),
)
BOX = np.dtype([("show_submitted", int8), ("sits_out", int8), ("handicap", int32, 3)], align=True)
OPTIONS = {
    "show_submitted": flag(False, rule="1.2", label="Show who has confirmed", help="Everybody sees it."),
    "sits_out": flag(False, rule="1.1", label="One sits out", help="The first player does not bid."),
    "handicap": numbers(3, -2, 2, rule="1.4", label="Handicap", help="Points that each player begins with."),
}


@rule
def setup(box, s):
    for seat in range(s.seats):
        given = box.handicap[seat]
        s.score[seat] = given if given > -100 else 0
    s.submitted_shown = box.show_submitted
    s.free = SEATS_ASKED
    open_step(s, 0b110 if box.sits_out else SEATS_ASKED)


@rule
def legal(box, s, seat, out):
    n = 0
    asked = (int(s.acting) >> seat) & 1
    confirmed = (int(s.submitted) >> seat) & 1
    if asked and confirmed == 0:
        for amount in range(COINS + 1):
            out[n] = BID + amount
            n += 1
        out[n] = WINK
        n += int(s.winks[seat] == 0)
    if s.gifts < 20:
        for other in range(3):
            out[n] = GIFT + other
            n += int(other != seat)
    out[n] = REOPEN if confirmed else CONFIRM
    return n + asked


@rule
def apply(box, s, seat, action):
    if action < WINK:
        s.bid[seat] = action - BID
        event(s, SAVED, 1_02, seat, action - BID, audience=only(seat))
    elif action == WINK:
        s.winks[seat] += 1
    elif action < CONFIRM:
        s.gifts += 1
        event(s, GIVEN, 1_05, seat, action - GIFT)
    elif action == REOPEN:
        s.submitted = int(s.submitted) & ~(1 << seat)
    elif submit(s, seat):
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
        s.score[winner] += 1
        event(s, WON, 1_03, winner, best)
    else:
        event(s, TIED, 1_03, best)
    for seat in range(s.seats):
        s.bid[seat] = 0
        s.winks[seat] = 0
    s.round_number += 1
    if s.round_number == ROUNDS:
        end_game(s)
    else:
        open_step(s, s.acting)


@rule
def end_game(s):
    s.over = 1
    s.ending = 1_04
    s.acting = 0
    s.free = 0
    event(s, ENDED, 1_04)
    most = -100
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


OBSERVATION = observation_space(bid=observed("own bid of 5"))


@rule
def redeal(box, s, seat, chance):
    for other in range(s.seats):
        if other != seat:
            s.bid[other] = below(chance, COINS + 1)
    for word in range(2):
        s.rng[word] = chance[word]


@rule
def policy(box, s, seat, ids, weights):
    n = legal(box, s, seat, ids)
    for i in range(n):
        # Nothing is given away, and nothing taken back.
        weights[i] = 1.0 if ids[i] < GIFT else 3.0 if ids[i] == CONFIRM else 0.0
    weights[n - 1] = max(weights[n - 1], 0.01)
    return n


@rule
def observe(box, s, seat, o):
    o.bid = s.bid[seat] / COINS


def _own(s, field, viewer):
    """What the viewer sees of a field of its own; all of it with everything open."""
    if viewer == EVERYTHING:
        return [int(n) for n in field[: s.seats]]
    return None if viewer is None else int(field[viewer])


def view(box, s, viewer):
    return {
        "seat": seat_of(viewer),
        "seats": int(s.seats),
        "round": int(s.round_number),
        "score": [int(n) for n in s.score[: s.seats]],
        "bid": _own(s, s.bid, viewer),
        "gifts": int(s.gifts),
        "submitted": [p for p in range(s.seats) if int(s.submitted) >> p & 1],
    }


def not_due(box, s, seat):
    return "SA 1.2", "The auction is over."


def refusal(box, s, seat, action):
    confirmed = int(s.submitted) >> seat & 1
    if action.family != "gift" and not int(s.acting) >> seat & 1:
        return "SA 1.1", "You sit this round out."
    if action.family in ("bid", "wink", "confirm") and confirmed:
        return "SA 1.2", "Your bid is confirmed; take that back first."
    if action.family == "wink" and s.winks[seat]:
        return "SA 1.2", "You have winked already."
    if action.family == "reopen" and not confirmed:
        return "SA 1.2", "You have not confirmed yet."
    if action.family == "gift" and (s.gifts >= 20 or action.args[0] == seat):
        return "SA 1.5", f"Seat {action.args[0]} cannot be given anything."
    return None


def tell(name, data, names):
    who = names[data["seat"]] if "seat" in data else "Nobody"
    return f"{who}: {name} {data.get('bid', '')}".strip() + "."


def label(action, names, box=None):
    words = {"bid": "Bid {0}", "gift": "A gift to {name}", "wink": "Wink", "confirm": "Confirm", "reopen": "Take back"}
    name = names[action.args[0]] if action.family == "gift" else ""
    return words[action.family].format(*action.args, name=name)


def invariants(box, s):
    return None if (s.bid >= 0).all() and (s.bid <= COINS).all() else "bids are out of range"


GAME = Game(
    id="silent-auction",
    name="Silent Auction",
    prefix="SA",
    summary="Save, confirm, take back.",
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
