"""What a player of Ponzi Scheme needs who cannot see everything: a redeal, a policy (policy.py) and an observation.

All three work from what the seat sees. Hidden in Ponzi Scheme are the others' cash, what the envelopes between others
held, and the price in an envelope that is on its way between two others; the deck is a set that everybody can work out.
"""

from __future__ import annotations

import numpy as np

from pyramidion.engine.random import below, reseed
from pyramidion.engine.rule import rule
from pyramidion.games.ponzi_scheme.layout import (
    AMOUNT,
    ANSWER,
    BEAR,
    CARDS,
    INDUSTRIES,
    LOWEST_VALUE,
    LUXURIES,
    MARKET,
    MAX_SEATS,
)
from pyramidion.games.ponzi_scheme.market import bears_in_market
from pyramidion.games.ponzi_scheme.policy import policy
from pyramidion.games.ponzi_scheme.scoring import highest_card, industry_points, luxury_points

__all__ = ["OBSERVATION", "observe", "policy", "redeal"]

COMMON_PRICE = 41
"""Prices guessed for unseen envelopes run from 0 to twice this less 2, and are most often this."""


# Redeal


@rule(wraps_around=True)
def redeal(box, s, seat, chance):
    """Refill what `seat` (-1: a spectator) cannot see of the redacted state `s`, in a way that it cannot rule out.

    `chance` is a generator, uint64[4]. What the seat knows holds in the new world: nobody has less than nothing, all
    cash is accounted for, cash went only from who paid by envelope to who was paid, and an offer is covered.
    """
    reseed(s.rng, chance)
    guess_envelopes(s, seat, chance)
    for p in range(s.seats):
        settle(s, seat, p)
    if s.phase == ANSWER and (seat < 0 or (s.price_party >> seat) & 1 == 0):
        s.price = min(guess_price(chance), int(s.cash[s.offer_from]))


@rule
def guess_envelopes(s, seat, chance):
    """Guess what each envelope between two others held; cash is what is public and what was traded (PZ 5.6)."""
    for p in range(s.seats):
        for q in range(p):
            net = int(s.traded[p, q]) - int(s.traded[q, p])  # one of them is hidden, thus 0, if the other is the seat's
            if p != seat and q != seat:
                net = 0
                for _ in range(s.trades[q, p]):
                    net += guess_price(chance)
                for _ in range(s.trades[p, q]):
                    net -= guess_price(chance)
            s.traded[p, q] = net
            s.traded[q, p] = -net
    for p in range(s.seats):
        s.cash[p] = s.public_cash[p]
        for q in range(s.seats):
            s.cash[p] += s.traded[p, q]


@rule
def guess_price(chance):
    """What an unseen envelope may hold."""
    return below(chance, COMMON_PRICE) + below(chance, COMMON_PRICE)


# Why a guess can always be settled. The truth is one way to fill the gaps. Compared with it, a guess differs by paths
# along which cash moves from seat to seat, each step between two that have traded. A seat that is short of what it must
# have has more in truth, so such a path ends there. It begins where a seat has less in truth, which is still no less
# than it must have: there is something to spare. Each step has room, since the truth lies within what a pair may have
# paid. So a search from the short seat against the steps that have room meets a seat with cash to spare, as long as any
# is short. Every move brings the short seat at least $1 and makes nobody short: it ends.


@rule
def settle(s, seat, poor):
    """Move guessed cash along pairs that have traded until `poor` has what it must have."""
    while s.cash[poor] < must_have(s, poor):
        # `path` holds for each seat reached, in four bits, the seat to which its cash goes on.
        reached, path, rich = 1 << poor, 0, -1
        for _ in range(s.seats):
            for p in range(s.seats):
                for q in range(s.seats):
                    new = rich < 0 and p != seat and (reached >> p) & 1 == 0 and (reached >> q) & 1 == 1
                    if new and may_move(s, p, q) > 0:
                        reached |= 1 << p
                        path |= q << (4 * p)
                        if s.cash[p] > must_have(s, p):
                            rich = p
        if rich < 0:
            return  # no truth stands behind this state
        move_cash(s, path, rich, poor)


@rule
def move_cash(s, path, rich, poor):
    """Move as much cash as can be spared, and is needed, from `rich` along the path to `poor`."""
    amount = min(must_have(s, poor) - int(s.cash[poor]), int(s.cash[rich]) - must_have(s, rich))
    p = rich
    while p != poor:
        q = (path >> (4 * p)) & 15
        amount = min(amount, may_move(s, p, q))
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
    """What a seat has at least: its cash where that is laid open, the price it has put into an envelope, or nothing."""
    if s.over:
        return int(s.final_cash[p])
    if s.phase == ANSWER and s.offer_from == p:
        return int(s.price)
    return 0


@rule
def may_move(s, p, q):
    """How much more `p` may have paid `q` in all: any amount if it ever paid, otherwise what it got from `q`."""
    return 1 << 30 if s.trades[p, q] > 0 else int(s.traded[p, q])


# Observation

SEATS, N_INDUSTRIES, TURNS = MAX_SEATS, len(INDUSTRIES), 5

OBSERVATION = [
    ("seats", 3, "1 at the number of seats: 3, 4, 5"),
    ("options", 2, "1 if the advanced game is played; rounds left until the limit / 60"),
    ("phase", 6, "1 at the phase: funding, trading, amount, answer, marker, crash"),
    ("round", 2, "round number / 10; 1 if the market crashed this round"),
    ("due", SEATS, "1 at each seat whose decision is due"),
    ("start", SEATS, "1 at the holder of the start marker"),
    ("turns had", 1, "seats that have had their turn in this phase / 5"),
    ("bears", 2, "bears in the market / 9; bears missing for a crash / 5 (0 or less: it crashes)"),
    ("market", MARKET * 4, "for each place: value / 80, interest / 100, period / 5, 1 if a bear; 0 where empty"),
    ("market cards", CARDS, "1 for each card, by value from $9, that is in the market"),
    ("deck", CARDS, "1 for each card that is in the deck"),
    ("discard", CARDS, "1 for each card on the discard pile"),
    ("supply", N_INDUSTRIES, "tiles in the supply of each industry / 15"),
    ("tiles", SEATS * N_INDUSTRIES, "for each seat: tiles of each industry / 5"),
    ("wheels", SEATS * CARDS, "for each seat and card on its wheel: (6 - spaces to the arrow) / 5"),
    ("calm", SEATS * TURNS, "for each seat: interest due at each of the next five turns of the wheel / 100"),
    ("crash", SEATS * TURNS, "the same if the first of these turns follows a crash"),
    ("highest card", SEATS, "for each seat: highest fund value on the wheel / 80"),
    ("tile points", SEATS, "for each seat: points of its tiles / 20"),
    ("luxury points", SEATS, "for each seat: points of its luxuries / 10"),
    ("luxuries", LUXURIES * (SEATS + 1), "for each: 1 at the market, or at its owner's place; 0 in the basic game"),
    ("own cash", 1, "cash / 100"),
    ("public cash", SEATS, "for each seat: cash without any envelope / 100"),
    ("reckoned cash", SEATS, "for each seat: public cash and the envelopes shared with it / 100"),
    ("trades", SEATS * SEATS, "how often each seat has paid each seat by envelope / 5"),
    ("envelope", 2, "1 if an envelope is being filled; 1 if it is being answered"),
    ("envelope from", SEATS, "1 at the seat that offers"),
    ("envelope to", SEATS, "1 at the seat that must answer"),
    ("envelope industry", N_INDUSTRIES, "1 at the industry offered for"),
    ("price", 3, "1 if the seat knows the price; price / 100; 1 if the seat has that much cash"),
]
"""The parts of an observation, in order: name, size, and what each number says.

Seats are in turn order from the observing seat, which comes first; places of seats that are not at the table are 0.
"""


@rule
def observe(box, s, seat, out):
    """Write the observation of a seat to `out` (float32, as long as the sizes in OBSERVATION together)."""
    out[:] = 0.0
    at = observe_round(box, s, seat, out, 0)
    at = observe_cards(box, s, seat, out, at)
    at = observe_seats(box, s, seat, out, at)
    observe_envelope(s, seat, out, at)


@rule
def place_of(s, seat, other):
    """The place of another seat in turn order from `seat`."""
    return (other - seat + int(s.seats)) % int(s.seats)


@rule
def observe_round(box, s, seat, out, at):
    """Write `seats` to `bears`."""
    out[at + s.seats - 3] = 1.0
    out[at + 3] = box.advanced
    out[at + 4] = (box.round_limit - s.round_number) / 60.0
    if s.phase > 0:
        out[at + 4 + s.phase] = 1.0
    out[at + 11] = s.round_number / 10.0
    out[at + 12] = s.crashed
    for other in range(s.seats):
        out[at + 13 + place_of(s, seat, other)] = (int(s.acting) >> other) & 1
    out[at + 13 + SEATS + place_of(s, seat, int(s.start_seat))] = 1.0
    at += 13 + 2 * SEATS
    out[at] = s.turn / 5.0
    bears = bears_in_market(box, s)
    out[at + 1] = bears / 9.0
    out[at + 2] = (s.seats - bears) / 5.0
    return at + 3


@rule
def observe_cards(box, s, seat, out, at):
    """Write `market` to `crash`: where every card is, and what it costs whom."""
    for i in range(s.market_count):
        card = int(s.market[i])
        out[at + 4 * i] = (LOWEST_VALUE + card) / 80.0
        out[at + 4 * i + 1] = box.interest[card] / 100.0
        out[at + 4 * i + 2] = box.period[card] / 5.0
        out[at + 4 * i + 3] = box.kind[card] == BEAR
        out[at + 4 * MARKET + card] = 1.0
    at += 4 * MARKET + CARDS
    for i in range(s.deck_count):
        out[at + int(s.deck[i])] = 1.0
    for i in range(s.discard_count):
        out[at + CARDS + int(s.discard[i])] = 1.0
    at += 2 * CARDS
    for industry in range(N_INDUSTRIES):
        out[at + industry] = s.supply[industry] / 15.0
        for other in range(s.seats):
            place = place_of(s, seat, other)
            out[at + N_INDUSTRIES * (1 + place) + industry] = s.tiles[other, industry] / 5.0
    at += N_INDUSTRIES * (1 + SEATS)
    calm = at + SEATS * CARDS
    for i in range(s.held_count):
        card, place, space = int(s.held_card[i]), place_of(s, seat, int(s.held_seat[i])), int(s.held_space[i])
        out[at + place * CARDS + card] = (6 - space) / 5.0
        observe_due(box, card, max(1, space), out, calm + place * TURNS)
        observe_due(box, card, max(1, space - 1), out, calm + (SEATS + place) * TURNS)
    return calm + 2 * SEATS * TURNS


@rule
def observe_due(box, card, turn, out, at):
    """Add a card's interest to the turns of the wheel at which it is due, first at `turn` (from 1)."""
    while turn <= TURNS:
        out[at + turn - 1] += np.float32(box.interest[card] / 100.0)
        turn += int(box.period[card])


@rule
def observe_seats(box, s, seat, out, at):
    """Write `highest card` to `trades`: what every seat has, as far as the seat knows."""
    luxuries = at + 3 * SEATS
    own = luxuries + LUXURIES * (SEATS + 1)
    trades = own + 1 + 2 * SEATS
    out[own] = s.cash[seat] / 100.0
    for other in range(s.seats):
        place = place_of(s, seat, other)
        out[at + place] = highest_card(s, other) / 80.0
        out[at + SEATS + place] = industry_points(s, other) / 20.0
        out[at + 2 * SEATS + place] = luxury_points(box, s, other) / 10.0
        out[own + 1 + place] = s.public_cash[other] / 100.0
        reckoned = int(s.cash[seat]) if other == seat else int(s.public_cash[other]) - int(s.traded[seat, other])
        out[own + 1 + SEATS + place] = reckoned / 100.0
        for third in range(s.seats):
            out[trades + SEATS * place + place_of(s, seat, third)] = s.trades[other, third] / 5.0
    if box.advanced:
        for luxury in range(LUXURIES):
            owner = int(s.luxury_owner[luxury])
            place = 0 if owner == 0 else 1 + place_of(s, seat, owner - 1)
            out[luxuries + (SEATS + 1) * luxury + place] = 1.0
    return trades + SEATS * SEATS


@rule
def observe_envelope(s, seat, out, at):
    """Write `envelope` to `price`."""
    if s.phase != AMOUNT and s.phase != ANSWER:
        return
    out[at] = s.phase == AMOUNT
    out[at + 1] = s.phase == ANSWER
    out[at + 2 + place_of(s, seat, int(s.offer_from))] = 1.0
    out[at + 2 + SEATS + place_of(s, seat, int(s.offer_to))] = 1.0
    out[at + 2 + 2 * SEATS + int(s.offer_industry)] = 1.0
    at += 2 + 2 * SEATS + N_INDUSTRIES
    if s.phase == ANSWER and (int(s.price_party) >> seat) & 1:
        out[at] = 1.0
        out[at + 1] = s.price / 100.0
        out[at + 2] = s.cash[seat] >= s.price
