"""Observation of a seat in Pyramid Scheme: its own part first, then the other seats clockwise."""

from __future__ import annotations

import numpy as np

from pyramidion.engine.observation import observation_space, part
from pyramidion.engine.rule import rule
from pyramidion.games.pyramid_scheme.elimination import is_in
from pyramidion.games.pyramid_scheme.layout import (
    ACTIONS_PER_TURN,
    CARDS,
    DISCARDED,
    GOALS,
    GONE,
    HIDDEN,
    IN_HAND,
    IN_MARKET,
    MAX_SEATS,
    ON_TOP,
    OPEN_GOALS,
    PHASES,
    PYRAMID,
    REWARDS,
    TOKENS,
    VICTIMS,
)

OBSERVATION = observation_space(
    phase=part("one-hot: over, act, flip, reward, claim, police", len(PHASES)),
    reward=part("one-hot: the reward that is due, or none", len(REWARDS)),
    turn=part("one-hot: whose turn it is, counted from the own seat", MAX_SEATS),
    actions_left=part("actions left / 2", high=64.0),
    seats=part(
        "for each seat from the own: at the table, still in, to act, cards in hand / 10, hand limit / 10, "
        "reset tokens / 20, cards in the pyramid / 67, started",
        MAX_SEATS,
        8,
    ),
    goals=part(
        "for each goal: open, claimed, reserved by the own seat, reserved by another, in this game", len(GOALS), 5
    ),
    deck=part("cards below the top card / 64, discarded Victims / 64", 2),
    victims=part(
        "for each Victim one-hot: market, deck's top, discarded, out of the game, in the pyramid of each seat from "
        "the own, in the hand of each seat from the own as far as known; all zero if not known",
        VICTIMS,
        4 + 2 * MAX_SEATS,
    ),
    cards=part(
        "for each card: flipped, limit tokens / 20, room / 12, level / 12, condition met, smart-asses below "
        "it / 22, and 1 + the number of the card above it / 86 (0: none)",
        CARDS,
        7,
        low=-1.0,
        high=10.0,
    ),
)


BY_10, BY_12, BY_22, BY_TOKENS, BY_CARDS, BY_PYRAMID = (np.float32(1 / n) for n in (10, 12, 22, TOKENS, CARDS, PYRAMID))
"""Factors instead of divisors, which are several times slower."""
COLUMNS = np.zeros(IN_HAND + MAX_SEATS, np.int8)
"""For each spot of a Victim that is in nobody's hand or pyramid: 1 + its column in the part `victims`; otherwise 0."""
COLUMNS[[IN_MARKET, ON_TOP, DISCARDED, GONE]] = 1, 2, 3, 4


@rule
def observe(box, s, seat, o):
    """Write what a seat knows to the record `o` of an observation. Seats run in turn order from its own."""
    seats = int(s.seats)
    o.phase[int(s.phase)] = 1.0
    o.reward[int(s.reward)] = 1.0
    o.turn[place_of(int(s.turn_seat), seat, seats)] = 1.0
    o.actions_left = s.actions_left / ACTIONS_PER_TURN
    observe_seats(s, seat, o)
    for i in range(OPEN_GOALS):
        goal = int(s.goals[i])
        o.goals[goal, 0] = int(s.claimed[i] == 0)
        o.goals[goal, 1] = int(s.claimed[i] != 0)
        o.goals[goal, 2] = int(s.reserved[i] == seat + 1)
        o.goals[goal, 3] = int(s.reserved[i] != 0 and s.reserved[i] != seat + 1)
        o.goals[goal, 4] = 1.0
    o.deck[0] = s.deck_count / VICTIMS
    o.deck[1] = s.discard_count / VICTIMS
    observe_victims(s, seat, o)
    for card in range(CARDS):
        o.cards[card, 0] = s.flipped[card]
        o.cards[card, 1] = s.limits[card] * BY_TOKENS
        o.cards[card, 2] = s.room[card] * BY_12
        o.cards[card, 3] = s.level[card] * BY_12
        o.cards[card, 4] = s.met[card]
        o.cards[card, 5] = s.smart_below[card] * BY_22
        o.cards[card, 6] = (s.parent[card] + 1) * BY_CARDS


@rule(within=True)
def observe_seats(s, seat, o):
    """Write the part `seats` of an observation: what everybody can see of each seat."""
    seats = int(s.seats)
    for i in range(seats):
        other = (seat + i) % seats
        o.seats[i, 0] = 1.0
        o.seats[i, 1] = int(is_in(s, other))
        o.seats[i, 2] = (int(s.acting) >> other) & 1
        o.seats[i, 3] = s.hand_count[other] * BY_10
        o.seats[i, 4] = s.hand_limit[other] * BY_10
        o.seats[i, 5] = s.tokens[other] * BY_TOKENS
        o.seats[i, 6] = s.pile_count[other] * BY_PYRAMID
        o.seats[i, 7] = int(s.start_seat == other)


@rule
def place_of(other, seat, seats):
    """Return the position of another seat in turn order, counted from `seat`."""
    return other - seat if other >= seat else other - seat + seats


@rule(within=True)
def observe_victims(s, seat, o):
    """Write the part `victims` of an observation: where each Victim is, as far as the seat knows."""
    seats = int(s.seats)
    for card in range(VICTIMS):
        # Writes 0.0 to the first column if there is nothing to tell: a branch would often be predicted wrongly.
        spot = int(s.spot[card])
        column = 5 + MAX_SEATS + place_of(spot - IN_HAND, seat, seats) if spot >= IN_HAND else int(COLUMNS[spot])
        o.victims[card, max(0, column - 1)] = int(column > 0)
    for other in range(seats):
        column = 4 + place_of(other, seat, seats)
        for i in range(s.pile_count[other]):
            if s.pile[other, i] < VICTIMS:
                o.victims[int(s.pile[other, i]), column] = 1.0
    for i in range(s.hand_count[seat]):
        card = int(s.hand[seat, i])
        if s.spot[card] == HIDDEN:
            o.victims[card, 4 + MAX_SEATS] = 1.0
