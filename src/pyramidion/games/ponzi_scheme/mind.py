"""Redeal, policy (from policy.py) and observation for Ponzi Scheme.

All three use only information the seat can see. Hidden are the other seats' cash, the contents of envelopes between two
other seats, and the price in a pending envelope between two others. Anyone can work out the set of cards in the deck.
"""

from __future__ import annotations

import numpy as np

from pyramidion.engine.observation import observation_space, part
from pyramidion.engine.random import reseed
from pyramidion.engine.rule import rule
from pyramidion.games.ponzi_scheme.envelopes import expected_price, guess_payments, guess_price
from pyramidion.games.ponzi_scheme.features import ENTRIES, FEATURES, START, features
from pyramidion.games.ponzi_scheme.layout import (
    AMOUNT,
    ANSWER,
    BEAR,
    CARDS,
    INDUSTRIES,
    LUXURIES,
    MARKET,
    MAX_SEATS,
    MOST_CASH,
    MOST_ROUNDS,
    VALUES,
)
from pyramidion.games.ponzi_scheme.market import bears_in_market
from pyramidion.games.ponzi_scheme.policy import policy
from pyramidion.games.ponzi_scheme.scoring import luxury_points

__all__ = ["ENTRIES", "FEATURES", "OBSERVATION", "START", "features", "observe", "policy", "redeal"]

# Redeal


@rule(wraps_around=True)
def redeal(box, s, seat, chance):
    """Fill in at random what the redacted state `s` hides from `seat` (-1: a spectator), consistent with what it knows.

    `chance` is a generator, uint64[4]. In every redeal no seat has negative cash, all cash is accounted for, cash has
    only moved along pairs that have traded by envelope, and a pending offer is covered by the bidder's cash.
    """
    reseed(s.rng, chance)
    guess_envelopes(s, seat, chance)
    for p in range(s.seats):
        settle(s, seat, p)
    if s.phase == ANSWER and (seat < 0 or (s.price_party >> seat) & 1 == 0):
        mean = expected_price(s, int(s.offer_from), int(s.offer_to), int(s.offer_industry))
        s.price = min(guess_price(mean, chance), int(s.cash[s.offer_from]))


@rule
def guess_envelopes(s, seat, chance):
    """Guess the money in all envelopes between each two other seats, and derive everybody's cash (PZ 5.6)."""
    for p in range(s.seats):
        for q in range(p):
            net = int(s.traded[p, q]) - int(s.traded[q, p])  # if `seat` is in the pair, one of them is hidden (0)
            if p != seat and q != seat:
                net = guess_payments(s, q, p, chance) - guess_payments(s, p, q, chance)
            s.traded[p, q] = net
            s.traded[q, p] = -net
    for p in range(s.seats):
        s.cash[p] = s.public_cash[p]
        for q in range(s.seats):
            s.cash[p] += s.traded[p, q]


# Why `settle` terminates: The true state is one way to fill the gaps, and any guess differs from it by a set of paths
# that move cash from seat to seat, each step between two seats that have traded. A seat that is short of its minimum
# has more cash in the true state, so a path ends at it. That path starts at a seat that has less cash in the true
# state, which is still at least its minimum, so it has cash to spare. Every step has room, because the true amounts lie
# within the bounds of each pair. A search from the short seat, against the steps that have room, therefore reaches a
# seat with cash to spare. Each move brings the short seat at least $1 and leaves no other seat short.


@rule
def settle(s, seat, poor):
    """Move guessed cash between seats that have traded, until the seat `poor` holds the least it must have."""
    while s.cash[poor] < must_have(s, poor):
        # `path` holds, in four bits per seat reached, the next seat towards `poor`.
        reached, path, rich = 1 << poor, 0, -1
        for _ in range(s.seats):
            for p in range(s.seats):
                for q in range(s.seats):
                    new = rich < 0 and p != seat and (reached >> p) & 1 == 0 and (reached >> q) & 1 == 1
                    if new and most_to_move(s, p, q) > 0:
                        reached |= 1 << p
                        path |= q << (4 * p)
                        if s.cash[p] > must_have(s, p):
                            rich = p
        if rich < 0:
            return  # the redacted state is inconsistent
        move_cash(s, path, rich, poor)


@rule
def move_cash(s, path, rich, poor):
    """Move guessed cash along the path from `rich` to `poor`: as much as is needed and can be spared.

    `path` holds, in four bits per seat, the next seat towards `poor`.
    """
    amount = min(must_have(s, poor) - int(s.cash[poor]), int(s.cash[rich]) - must_have(s, rich))
    p = rich
    while p != poor:
        q = (path >> (4 * p)) & 15
        amount = min(amount, most_to_move(s, p, q))
        p = q
    s.cash[rich] -= amount
    s.cash[poor] += amount
    p = rich
    while p != poor:
        q = (path >> (4 * p)) & 15
        s.traded[p, q] -= amount
        s.traded[q, p] += amount
        p = q


@rule
def must_have(s, p):
    """Return the least cash that a seat must have: what the end revealed, the price in its pending envelope, or 0."""
    if s.over:
        return int(s.final_cash[p])
    if s.phase == ANSWER and s.offer_from == p:
        return int(s.price)
    return 0


@rule
def most_to_move(s, p, q):
    """Return the most cash that a guess of hidden cash may take from `p` and give to `q`, as both have traded.

    If `p` ever paid `q` by envelope there is no limit; otherwise it is what `p` has received from `q`.
    """
    return 1 << 30 if s.trades[p, q] > 0 else int(s.traded[p, q])


# Observation

SEATS, N_INDUSTRIES, TURNS = MAX_SEATS, len(INDUSTRIES), 5
MOST, MOST_TILES = MOST_CASH / 100, 100
MOST_TILE_POINTS = N_INDUSTRIES * MOST_TILES * (MOST_TILES + 1) // 2

BY_9, BY_10, BY_15, BY_20, BY_60, BY_100 = (np.float32(1 / n) for n in (9, 10, 15, 20, 60, 100))
"""Factors instead of divisors, which would take half of an observation's time."""
FIFTHS = (np.arange(MOST_TILES + 1) / 5).astype(np.float32)
WORTHS = (np.array(VALUES) / 80).astype(np.float32)
"""Numbers of tiles and cards as they are observed; looking them up is faster than converting them."""

OBSERVATION = observation_space(
    seats=part("1 at the number of seats: 3, 4, 5", 3),
    advanced=part("1 if the advanced game is played"),
    rounds_left=part("rounds left until the limit / 60", low=-1.0, high=MOST_ROUNDS / 60),
    phase=part("1 at the phase: funding, trading, amount, answer, marker, crash", 6),
    round_number=part("round number / 10", high=MOST_ROUNDS / 10),
    crashed=part("1 if the market crashed this round"),
    due=part("1 at each seat whose decision is due", SEATS),
    start=part("1 at the holder of the start marker", SEATS),
    turns_had=part("seats that have had their turn in this phase / 5"),
    bears=part("bears in the market / 9"),
    bears_missing=part("bears missing for a crash / 5; 0 or less: it crashes", low=(3 - MARKET) / 5),
    market=part(
        "for each place: value / 80, interest / 100, period / 5, 1 if a bear; 0 where empty", MARKET, 4, high=10.0
    ),
    market_cards=part("1 for each card, by value from $9, that is in the market", CARDS),
    deck=part("1 for each card that is in the deck", CARDS),
    discard=part("1 for each card on the discard pile", CARDS),
    supply=part("tiles in the supply of each industry / 15", N_INDUSTRIES, high=MOST_TILES / 15),
    tiles=part("for each seat: tiles of each industry / 5", SEATS, N_INDUSTRIES, high=MOST_TILES / 5),
    wheels=part("for each seat and card on its wheel: (6 - spaces to the arrow) / 5", SEATS, CARDS, high=1.2),
    calm=part(
        "for each seat: interest due at each of the next five turns of the wheel / 100", SEATS, TURNS, high=10.0 * CARDS
    ),
    crash=part("the same if the first of these turns follows a crash", SEATS, TURNS, high=10.0 * CARDS),
    highest_card=part("for each seat: highest fund value on the wheel / 80", SEATS),
    tile_points=part("for each seat: points of its tiles / 20", SEATS, high=MOST_TILE_POINTS / 20),
    luxury_points=part("for each seat: points of its luxuries / 10", SEATS, high=8.0),
    luxuries=part("for each: 1 at the market, or at its owner's place; 0 in the basic game", LUXURIES, 1 + SEATS),
    own_cash=part("cash / 100", high=MOST),
    public_cash=part("for each seat: cash without any envelope / 100", SEATS, low=-MOST, high=MOST),
    reckoned_cash=part(
        "for each seat: public cash and the envelopes shared with it / 100", SEATS, low=-2 * MOST, high=2 * MOST
    ),
    trades=part("how often each seat has paid each seat by envelope / 5", SEATS, SEATS, high=20.0),
    envelope=part("1 if an envelope is being filled; 1 if it is being answered", 2),
    envelope_from=part("1 at the seat that offers", SEATS),
    envelope_to=part("1 at the seat that must answer", SEATS),
    envelope_industry=part("1 at the industry offered for", N_INDUSTRIES),
    knows_price=part("1 if the seat knows the price in the envelope"),
    price=part("that price / 100", high=MOST),
    can_pay=part("1 if the seat has that much cash"),
)
"""Parts of the observation. Seats are in turn order, starting with the observing seat; empty seats are 0."""


@rule
def observe(box, s, seat, o):
    """Write what a seat knows to the record `o` of an observation. Seats run in turn order from its own."""
    observe_round(box, s, seat, o)
    observe_cards(box, s, seat, o)
    observe_seats(box, s, seat, o)
    observe_envelope(s, seat, o)


@rule
def place_of(s, seat, other):
    """Return the position of another seat in turn order, counted from `seat`."""
    # Faster than a remainder or a branch; an observation needs dozens of these.
    return other - seat + int(other < seat) * int(s.seats)


@rule
def seat_at(s, seat, place):
    """Return the seat at a position in turn order, counted from `seat`."""
    return seat + place if seat + place < s.seats else seat + place - int(s.seats)


@rule
def observe_round(box, s, seat, o):
    """Write the parts `seats` to `bears_missing` of an observation: round, phase, whose turn it is, and bears."""
    o.seats[int(s.seats) - 3] = 1.0
    o.advanced = box.advanced
    o.rounds_left = np.float32(int(box.round_limit) - int(s.round_number)) * BY_60
    if s.phase > 0:
        o.phase[int(s.phase) - 1] = 1.0
    o.round_number = np.float32(s.round_number) * BY_10
    o.crashed = s.crashed
    for place in range(s.seats):
        o.due[place] = (int(s.acting) >> seat_at(s, seat, place)) & 1
    o.start[place_of(s, seat, int(s.start_seat))] = 1.0
    o.turns_had = FIFTHS[s.turn]
    bears = bears_in_market(box, s)
    o.bears = np.float32(bears) * BY_9
    o.bears_missing = np.float32((int(s.seats) - bears) / 5)


@rule
def observe_cards(box, s, seat, o):
    """Write the parts `market` to `crash` of an observation: where each card is, and the interest each seat owes."""
    for i in range(s.market_count):
        card = int(s.market[i])
        o.market[i, 0] = WORTHS[card]
        o.market[i, 1] = np.float32(box.interest[card]) * BY_100
        o.market[i, 2] = FIFTHS[box.period[card]]
        o.market[i, 3] = box.kind[card] == BEAR
        o.market_cards[card] = 1.0
    for i in range(s.deck_count):
        o.deck[int(s.deck[i])] = 1.0
    for i in range(s.discard_count):
        o.discard[int(s.discard[i])] = 1.0
    for i in range(s.held_count):
        card, place, space = int(s.held_card[i]), place_of(s, seat, int(s.held_seat[i])), int(s.held_space[i])
        o.wheels[place, card] = FIFTHS[6 - space]
        o.highest_card[place] = max(o.highest_card[place], WORTHS[card])
        observe_interest(box, o, place, card, space)


@rule(within=True)
def observe_interest(box, o, place, card, space):
    """Add the interest of a card on the wheel to the turns of `calm` and `crash` at which it is due.

    `place` is the owner's position in turn order, and `space` the space of the wheel that the card is on.
    """
    interest, period = np.float32(box.interest[card]) * BY_100, int(box.period[card])
    first, after_crash = max(0, space - 1), max(0, space - 2)
    o.calm[place, first] += interest
    o.crash[place, after_crash] += interest
    # Nearly all cards have a period of 3 or more, so that they are due once more at most. Whether they are follows no
    # pattern: adding 0 costs less than a branch that is often predicted wrongly.
    turn, turn_after_crash = first + period, after_crash + period
    again, again_after_crash = int(turn < TURNS), int(turn_after_crash < TURNS)
    o.calm[place, turn * again] += interest * np.float32(again)
    o.crash[place, turn_after_crash * again_after_crash] += interest * np.float32(again_after_crash)
    if period < 3:
        for later in range(turn + period, TURNS, period):
            o.calm[place, later] += interest
        for later in range(turn_after_crash + period, TURNS, period):
            o.crash[place, later] += interest


@rule
def observe_seats(box, s, seat, o):
    """Write the tiles, luxuries and trades of all seats, and what the seat knows of their cash, to an observation.

    These are the parts `supply`, `tiles` and `tile_points` to `trades`.
    """
    for industry in range(N_INDUSTRIES):
        o.supply[industry] = np.float32(s.supply[industry]) * BY_15
    o.own_cash = np.float32(s.cash[seat]) * BY_100
    other = seat
    for place in range(s.seats):
        points = 0
        for industry in range(N_INDUSTRIES):
            n = int(s.tiles[other, industry])
            o.tiles[place, industry] = FIFTHS[n]
            points += n * (n + 1)  # twice the points: see `industry_points`
        o.tile_points[place] = np.float32(points >> 1) * BY_20
        o.public_cash[place] = np.float32(s.public_cash[other]) * BY_100
        reckoned = int(s.cash[seat]) if other == seat else int(s.public_cash[other]) - int(s.traded[seat, other])
        o.reckoned_cash[place] = np.float32(reckoned) * BY_100
        for paid in range(s.seats):
            o.trades[place, place_of(s, seat, paid)] = FIFTHS[s.trades[other, paid]]
        if box.advanced:
            o.luxury_points[place] = luxury_points(box, s, other) / 10
        other = other + 1 if other + 1 < s.seats else 0
    if box.advanced:
        for luxury in range(LUXURIES):
            owner = int(s.luxury_owner[luxury])
            o.luxuries[luxury, 0 if owner == 0 else 1 + place_of(s, seat, owner - 1)] = 1.0


@rule
def observe_envelope(s, seat, o):
    """Write the parts `envelope` to `can_pay` of an observation, if an envelope is filled or answered."""
    if s.phase != AMOUNT and s.phase != ANSWER:
        return
    o.envelope[0] = s.phase == AMOUNT
    o.envelope[1] = s.phase == ANSWER
    o.envelope_from[place_of(s, seat, int(s.offer_from))] = 1.0
    o.envelope_to[place_of(s, seat, int(s.offer_to))] = 1.0
    o.envelope_industry[int(s.offer_industry)] = 1.0
    if s.phase == ANSWER and (int(s.price_party) >> seat) & 1:
        o.knows_price = 1.0
        o.price = np.float32(s.price) * BY_100
        o.can_pay = s.cash[seat] >= s.price
