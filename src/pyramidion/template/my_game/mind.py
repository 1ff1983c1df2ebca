"""Bot support for My Game: determinization, a heuristic policy and observations. Compiled."""

# What goes here: `redeal` samples the information hidden from a seat; `policy` proposes actions; `observe` writes the
# observation vector for learning programs. All three take a redacted state, in which hidden fields are 0.

from __future__ import annotations

from pyramidion.engine.observation import observation_space, part
from pyramidion.engine.random import reseed, shuffle
from pyramidion.engine.rule import rule

from .layout import CARDS, MOST_SEATS
from .rules import legal

# The parts of the observation vector. The reference docs list them.
OBSERVATION = observation_space(
    card=part("own card, of 12"),
    swapped=part("for each seat from the own one on: 1 if it has swapped", MOST_SEATS),
)


@rule
def redeal(box, s, seat, chance):
    """Deal the cards hidden from `seat` (-1 for a spectator) at random; keep the visible ones."""
    unseen = 0
    for card in range(1, CARDS + 1):
        visible = seat >= 0 and s.hand[seat] == card
        for other in range(s.seats):
            visible |= s.revealed[other] == card
        if not visible:
            s.deck[unseen] = card
            unseen += 1
    shuffle(chance, s.deck, unseen)
    for other in range(s.seats):
        if s.over:
            s.hand[other] = s.revealed[other]
        elif other != seat:
            unseen -= 1
            s.hand[other] = s.deck[unseen]
    for place in range(s.left, CARDS):
        s.deck[place] = 0
    reseed(s.rng, chance)


@rule
def policy(box, s, seat, ids, weights):
    """Write candidate actions and their weights, preferring to swap low cards; return the number of candidates."""
    n = legal(box, s, seat, ids)
    weights[0] = float(s.hand[seat])
    weights[1] = float(CARDS + 1 - s.hand[seat])
    return n


@rule
def observe(box, s, seat, o):
    """Write what a seat observes to the record `o`, which has the parts of OBSERVATION and is all zeros."""
    o.card = s.hand[seat] / CARDS
    for k in range(s.seats):
        o.swapped[k] = s.swapped[(seat + k) % s.seats]
