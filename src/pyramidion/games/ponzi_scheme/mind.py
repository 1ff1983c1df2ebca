"""What a player of Ponzi Scheme who cannot see everything needs: redeal, policy and observation."""

from __future__ import annotations

import numpy as np

from pyramidion.engine.random import below, random_half
from pyramidion.engine.rule import rule
from pyramidion.games.ponzi_scheme.layout import ANSWER
from pyramidion.games.ponzi_scheme.policy import policy

OBSERVATION = [("nothing yet", 1, "to be replaced")]
_32 = np.uint64(32)


@rule(wraps_around=True)
def redeal(box, s, seat, chance):
    """Refill what `seat` (or a spectator, -1) cannot see of the redacted state `s`, in a way that it cannot rule out."""
    for word in range(2):
        s.rng[word] = (random_half(chance) << _32) | random_half(chance)
    deal_trades(s, seat, chance)
    for p in range(s.seats):
        settle(s, seat, p)
    if s.phase == ANSWER and (seat < 0 or (s.price_party >> seat) & 1 == 0):
        s.price = min(one_price(chance), s.cash[s.offer_from])


@rule
def deal_trades(s, seat, chance):
    """Guess every envelope between two others; cash is what is public and what was traded (PZ 5.6)."""
    for p in range(s.seats):
        for q in range(p):
            net = 0
            if p == seat or q == seat:
                net = int(s.traded[p, q]) - int(s.traded[q, p])
            else:
                for _ in range(s.trades[q, p]):
                    net += one_price(chance)
                for _ in range(s.trades[p, q]):
                    net -= one_price(chance)
            s.traded[p, q] = net
            s.traded[q, p] = -net
    for p in range(s.seats):
        cash = int(s.public_cash[p])
        for q in range(s.seats):
            cash += int(s.traded[p, q])
        s.cash[p] = cash


@rule
def one_price(chance):
    """What an envelope may have held: mostly what a tile or two are worth."""
    return below(chance, 21) + below(chance, 21)


# The true world is one way to fill the gaps, so a way to repair a guess exists: compare the guess with the truth, pair by
# pair, and the difference is a set of paths along which cash moves between pairs that may move it. A seat that has
# too little here has more in the truth, so such a path ends there, and begins where a seat has more here than in
# the truth, thus more than it needs. As long as a seat is short, the search from it therefore meets a seat that can
# spare something; each pass moves at least $1 and makes nobody short, so it ends.


@rule
def settle(s, seat, poor):
    """Move guessed cash, as little as may be, until `poor` has what it is known to have at least."""
    while s.cash[poor] < least_cash(s, poor):
        # `path` holds, four bits for each seat reached, the seat to which its cash goes on.
        reached, path, rich = 1 << poor, 0, -1
        while rich < 0:
            for p in range(s.seats):
                for q in range(s.seats):
                    if rich < 0 and p != seat and (reached >> p) & 1 == 0 and (reached >> q) & 1 and room(s, p, q) > 0:
                        reached |= 1 << p
                        path |= q << (4 * p)
                        if s.cash[p] > least_cash(s, p):
                            rich = p
        amount = min(least_cash(s, poor) - s.cash[poor], s.cash[rich] - least_cash(s, rich))
        p = rich
        while p != poor:
            q = (path >> (4 * p)) & 15
            amount = min(amount, room(s, p, q))
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
def least_cash(s, p):
    """What a seat must have: its cash once that is laid open, the price that it has put into an envelope, or nothing."""
    if s.over:
        return int(s.final_cash[p])
    if s.phase == ANSWER and s.offer_from == p:
        return int(s.price)
    return 0


@rule
def room(s, p, q):
    """How much more cash `p` may have paid `q` in all: any if it ever did, otherwise what it got from `q`."""
    return 1 << 30 if s.trades[p, q] > 0 else int(s.traded[p, q])


@rule
def observe(box, s, seat, out):
    out[0] = 0.0
