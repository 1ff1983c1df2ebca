"""Redeal, policy and observation for Kuhn Poker. Compiled."""

from __future__ import annotations

from pyramidion.engine.observation import observation_space, part
from pyramidion.engine.random import below, reseed
from pyramidion.engine.rule import rule

from .layout import BET, CALL, CHECK, FOLD, MOST_HANDS
from .rules import faces_bet

JACK, QUEEN, KING = 1, 2, 3
OBSERVATION = observation_space(
    card=part("1 at the own card: jack, queen, king", 3),
    bet=part("1 if the other has bet"),
    checked=part("1 if somebody has checked in this hand"),
    chips=part("chips won or lost so far, of the most that can be won", low=-1.0),
    hands=part("hands left, of those played"),
)


@rule
def redeal(box, s, seat, chance):
    """Sample the cards hidden from `seat` (-1: a spectator); keep everything it can see."""
    if not s.over:
        if seat < 0:
            s.card[0] = below(chance, 3) + 1
            seat = 0
        # The opponent holds one of the two cards that the seat does not.
        s.card[1 - seat] = (s.card[seat] + below(chance, 2)) % 3 + 1
    reseed(s.rng, chance)


@rule
def policy(box, s, seat, ids, weights):
    """Write an equilibrium strategy for one hand as actions and probabilities; return the count (Kuhn 1950)."""
    bet, first = faces_bet(s, seat), s.first == seat
    strong = CALL if bet else BET
    weak = FOLD if bet else CHECK
    if s.card[seat] == KING:
        often = 1.0
    elif s.card[seat] == JACK:
        often = 0.0 if bet else 1.0 / 3.0
    elif bet:
        often = 2.0 / 3.0 if first else 1.0 / 3.0
    else:
        often = 0.0
    n = 0
    for action in range(CHECK, FOLD + 1):
        weight = often if action == strong else 1.0 - often if action == weak else 0.0
        if weight > 0.0:
            ids[n] = action
            weights[n] = weight
            n += 1
    return n


@rule
def observe(box, s, seat, o):
    """Write the parts of OBSERVATION to the record `o`."""
    if s.card[seat] > 0:
        o.card[int(s.card[seat]) - 1] = 1.0
    o.bet = 1.0 if faces_bet(s, seat) else 0.0
    o.checked = s.checked
    o.chips = s.chips[seat] / (2.0 * MOST_HANDS)
    o.hands = float(box.hands - s.hand) / float(box.hands)
