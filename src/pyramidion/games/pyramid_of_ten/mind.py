"""Helpers for redeal, policy and observation in both games. Compiled."""

from __future__ import annotations

import math

from pyramidion.engine.observation import part
from pyramidion.engine.options import HIDDEN, NOT_GIVEN
from pyramidion.engine.random import shuffle
from pyramidion.engine.rule import rule
from pyramidion.games.pyramid_of_ten.fields import EVERY_VIEWER, MOST_CLAIM, MOST_GARNETS, MOST_PRIORITY
from pyramidion.games.pyramid_of_ten.spaces import TEN
from pyramidion.games.pyramid_of_ten.submissions import is_awaited

INT8 = 127
PRIORITY_HIGH = MOST_PRIORITY + TEN * TEN
"""Upper bound on a priority: each of a few tiebreaks raises it by nine at most (UD 2.2)."""
PRIORITY_LOW = -(MOST_PRIORITY + TEN) * TEN**5
"""Lower bound: in each of five rounds a seat may lose what the nine others have (UD 5.3)."""
PYRAMID = {
    "phase": part("phase as the rules number it, 0: over", 5),
    "round_number": part("round, of the rounds there are"),
    "asked": part("whether the own submission is asked for and not confirmed"),
    "tickets": part("own tickets, of 20", high=INT8 / 20),
    "garnets": part("own garnets, of 10", high=MOST_GARNETS / 10),
    "priority": part("own priority, of 20", low=PRIORITY_LOW / 20, high=PRIORITY_HIGH / 20),
    "saved": part("1 where the own bid, claim and challenge are saved", 3),
    "space": part("space of each seat, from the own one clockwise", TEN, TEN),
    "challenges": part("what each seat challenges, from the own one clockwise: a seat, counted the same way", TEN, TEN),
    "tokens": part("tokens of life of each seat, of 3, from the own one clockwise", TEN, high=INT8 / 3),
    "final": part("tickets laid open at the end, of 20, from the own seat clockwise", TEN, high=INT8 / 20),
    "priorities": part(
        "priorities the seat can see, of 20, from the own one clockwise; 0: hidden",
        TEN,
        low=PRIORITY_LOW / 20,
        high=PRIORITY_HIGH / 20,
    ),
}
"""The parts of the observation that both games share."""
EARLY_SHARE = 0.5


@rule
def forget_submissions(s, seat):
    """Clear the submissions of all seats except `seat`."""
    for other in range(TEN):
        if other != seat:
            s.bid[other] = 0
            s.claim[other] = 0
            s.challenge[other] = 0
            s.parts[other] = 0


@rule
def garnets_at_start(box, seat, other, usual):
    """Return the garnets `other` started with; if they are hidden from `seat`, an estimate of at least `usual`."""
    if box.garnets[other] == NOT_GIVEN:
        return usual
    if box.garnets[other] != HIDDEN:
        return int(box.garnets[other])
    return max(usual, int(box.garnets[seat])) if seat >= 0 else usual


@rule
def priority_is_public(s):
    """Return whether everybody sees everybody's priority."""
    return s.priority_party[0] == EVERY_VIEWER


@rule
def first_priorities_unknown(box, seat):
    """Return whether a seat does not know the others' first priorities: dealt at random, or set in secret."""
    others = box.priority[1 if seat == 0 else 0]
    return others == NOT_GIVEN or others == HIDDEN


@rule
def deal_first_priorities(box, s, seat, lowest, chance):
    """Set all priorities to those of the start: set by the table, or `lowest` and the next nine at random.

    The seat keeps its own priority.
    """
    own = int(s.priority[seat]) if seat >= 0 else 0
    unknown = first_priorities_unknown(box, seat)
    for other in range(TEN):
        s.priority[other] = lowest + other if unknown else box.priority[other]
    if unknown:
        shuffle(chance, s.priority, TEN)
        if seat >= 0:
            for other in range(TEN):
                if s.priority[other] == own:
                    s.priority[other] = s.priority[seat]
            s.priority[seat] = own


@rule(within=True)
def equal_weights(weights, n):
    """Give the first `n` candidates the same weight; return `n`."""
    for i in range(n):
        weights[i] = 1.0
    return n


@rule(within=True)
def expected_tickets(tickets, mean):
    """Return how many tickets asking for `tickets` brings on average.

    About `mean` players with precedence are expected to ask for as many.
    """
    # Poisson: the request succeeds if fewer than 5 - N players ahead ask for N.
    term, chance = math.exp(-mean), 0.0
    for others in range(MOST_CLAIM + 1 - tickets):
        chance += term
        term *= mean / (others + 1)
    return tickets * chance


@rule
def share_of_tickets(s, seat, layer, rounds, late, rich):
    """Return the share of its tickets (0 to 1) that a seat should use for a space in this layer.

    Until the last of the `rounds` it is half at most. In the last one only the top layer and escaping the bottom count;
    their share is `late`. A seat with `rich` tickets keeps them.
    """
    if s.round_number < rounds:
        return EARLY_SHARE if layer == 0 else 0.7 * EARLY_SHARE
    if layer == 2:
        return late
    return late if layer == 0 and s.tickets[seat] < rich else 0.1


@rule
def bell_weights(first, highest, middle, width, ids, weights):
    """Write the actions for the numbers 0 to `highest`, weighted by a bell curve around `middle`.

    `first` is the id of the action for 0. Returns the number of actions.
    """
    for number in range(highest + 1):
        ids[number] = first + number
        off = (number - middle) / width
        weights[number] = math.exp(-min(off * off, 12.0))
    return highest + 1


@rule
def add(action, weight, ids, weights, n):
    """Append an action and its weight to the first `n` candidates; return the new count."""
    ids[n] = action
    weights[n] = weight
    return n + 1


BY_3, BY_10, BY_20 = 1 / 3, 1 / 10, 1 / 20
"""Factors instead of divisors, which are several times slower."""


@rule
def observe_pyramid(s, seat, rounds, o):
    """Write the parts of a seat's observation that both games share (PYRAMID) to the record `o`.

    Each game writes `challenges` itself.
    """
    o.phase[int(s.phase)] = 1.0
    o.round_number = s.round_number / rounds
    o.asked = is_awaited(s, seat)
    o.tickets = s.tickets[seat] * BY_20
    o.garnets = s.garnets[seat] * BY_10
    o.priority = s.priority[seat] * BY_20
    o.saved[0] = int(s.bid[seat] > 0)
    o.saved[1] = int(s.claim[seat] > 0)
    o.saved[2] = int(s.challenge[seat] > 0)
    for i in range(TEN):
        other = (seat + i) % TEN
        if s.space[other] >= 0:
            o.space[i, int(s.space[other])] = 1.0
        o.tokens[i] = s.tol[other] * BY_3
        o.final[i] = s.final_tickets[other] * BY_20
        if other == seat or priority_is_public(s):
            o.priorities[i] = s.priority[other] * BY_20
