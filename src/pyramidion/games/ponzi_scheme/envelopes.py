"""What somebody who sees an envelope change hands can expect of the price in it.

Prices are hidden from all but two seats (PZ 5.2), but they rise with the round and with the tiles at stake. `take_note`
adds up what can be expected, since later nobody could tell at which price level an envelope was traded.
"""

from __future__ import annotations

from pyramidion.engine.random import below
from pyramidion.engine.rule import rule
from pyramidion.games.ponzi_scheme.layout import ACTIONS

SELL, COUNTER = ACTIONS.sell, ACTIONS.counter

PER_ROUND, LAST_ROUND = 6, 6
"""How much prices rise with each round, and the last in which they do."""
PER_TILE, PER_OWN_TILE, MOST_TILES = 4, 3, 3
"""How much they rise with each tile of the industry that the answering seat and the offering one hold, and up to how
many."""
CHEAPER = 10
"""How much lower prices are that were countered. These numbers follow measured prices
(docs/strength/beliefs.md)."""


@rule(within=True)
def take_note(s, seat, action):
    """Note the price to expect in an envelope that a seat is about to answer: add it to `s.expected` (PZ 5.3)."""
    if SELL <= action <= COUNTER:
        offerer, counters = s.offer_from, action == COUNTER
        payer, payee = (seat, offerer) if counters else (offerer, seat)
        price = expected_price(s, offerer, seat, s.offer_industry) - CHEAPER * int(counters)
        s.expected[payer, payee] += price


@rule
def expected_price(s, offerer, other, industry):
    """Return the price to expect in an envelope for a tile of an industry, from what everybody can see."""
    theirs, own = int(s.tiles[other, industry]), int(s.tiles[offerer, industry])
    tiles = PER_TILE * min(MOST_TILES, theirs) + PER_OWN_TILE * min(MOST_TILES, own)
    return PER_ROUND * min(LAST_ROUND, int(s.round_number)) + tiles


@rule
def guess_price(mean, chance):
    """Return a random price from 0 to twice `mean`, which is both the average and the likeliest price.

    So guesses deviate from the mean by two fifths of it, about as much as prices do.
    """
    return below(chance, mean + 1) + below(chance, mean + 1)


@rule
def guess_payments(s, payer, payee, chance):
    """Return a random guess at the sum of all payments that one seat has made to another by envelope."""
    paid, n = 0, int(s.trades[payer, payee])
    for _ in range(n):
        paid += guess_price(int(s.expected[payer, payee]) // n, chance)
    return paid
