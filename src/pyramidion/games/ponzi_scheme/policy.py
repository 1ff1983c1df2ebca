"""How a sensible player of Ponzi Scheme plays: candidate actions of a seat and how much each is worth trying.

Everything is counted in points. Tiles score as in PZ 10.2, and `comfort` says how many points the cash of a seat is worth,
above all by whether it carries the interest that falls due. An action is worth the points it changes; its weight grows
with the exponential of that. Nothing is read that the seat may not see.
"""

from __future__ import annotations

import math

import numpy as np

from pyramidion.engine.rule import rule
from pyramidion.games.ponzi_scheme.layout import (
    AMOUNT,
    ANSWER,
    BEAR,
    CARDS,
    CRASH,
    FUNDING,
    INDUSTRIES,
    LOWEST_VALUE,
    LUXURIES,
    MARKER,
    ROW,
    TRADING,
)
from pyramidion.games.ponzi_scheme.rules import (
    BUY,
    COUNTER,
    FUND,
    GIVE_BACK,
    OFFER,
    PASS,
    PUT,
    REMOVE,
    SELL,
    bears_in_market,
    legal_give_back,
)

N_INDUSTRIES = len(INDUSTRIES)

# Tuned in play against itself: benchmarks/strength.py.
COLDNESS = 3.0
CASH_SLOPE = 0.035
CASH_FULL = 100.0
CASH_SLOPE_ABOVE = 0.012
BROKE = 20.0
LATER = 6.0
MUCH_LATER = 3.0
INCOME = 35.0
MARGIN = 15.0
EDGE = 0.3
LOAN = 0.06
RIVAL = 0.3
PRICE = 9.0
DOUBT = 12.0
OFFER_COST = 0.3
KILL = 3.0
CRASH_LOSS = 1.5


@rule
def policy(box, s, seat, ids, weights):
    """Write candidate actions to `ids`, ascending, and their weights (float64, above 0) to `weights`; return how many."""
    if s.phase == FUNDING:
        n = worth_of_funds(box, s, seat, ids, weights)
    elif s.phase == TRADING:
        n = worth_of_offers(box, s, seat, ids, weights)
    elif s.phase == AMOUNT:
        n = worth_of_amounts(box, s, seat, ids, weights)
    elif s.phase == ANSWER:
        n = worth_of_answers(box, s, seat, ids, weights)
    elif s.phase == MARKER:
        n = worth_of_removals(box, s, seat, ids, weights)
    else:
        n = worth_of_tiles(s, seat, ids, weights)
    best = weights[0]
    for i in range(1, n):
        best = max(best, weights[i])
    for i in range(n):
        weights[i] = math.exp(max(COLDNESS * (weights[i] - best), -20.0))
    return n


@rule
def owed(box, s, seat):
    """What a seat will have paid in all after the next one, two, three and four spaces of the wheel, without new funds.

    A crash turns the wheel two spaces (PZ 8.1): the second number is then due at the next turn.
    """
    one, two, three, four = 0, 0, 0, 0
    for i in range(s.held_count):
        if s.held_seat[i] == seat:
            card = s.held_card[i]
            interest = int(box.interest[card])
            space = int(s.held_space[i])
            again = space + int(box.period[card])
            one += interest * (space <= 1)
            two += interest * ((space <= 2) + (again <= 2))
            three += interest * ((space <= 3) + (again <= 3))
            four += interest * ((space <= 4) + (again <= 4))
    return one, two, three, four


@rule
def short(left):
    """How bad it is to be left with that much cash after paying: about 1 below zero, fading out above."""
    if left < 0.0:
        return 1.0 - 0.002 * left
    return max(0.0, EDGE * (1.0 - left / MARGIN))


@rule
def comfort(cash, one, two, three, four, crash):
    """How many points it is worth to have `cash` when so much is `owed` and the market crashes with chance `crash`."""
    worth = CASH_SLOPE * min(cash, CASH_FULL) + CASH_SLOPE_ABOVE * max(0.0, cash - CASH_FULL)
    worth -= BROKE * ((1.0 - crash) * short(cash - one) + crash * short(cash - two))
    worth -= LATER * ((1.0 - crash) * short(cash + INCOME - two) + crash * short(cash + INCOME - three))
    worth -= MUCH_LATER * (short(cash + 2.0 * INCOME - three) + short(cash + 3.0 * INCOME - four))
    return worth


@rule
def crash_chance(box, s):
    """How likely the market crashes this round (PZ 7.1), by the bears that are still missing."""
    if s.phase == CRASH:
        return 1.0
    missing = s.seats - bears_in_market(box, s)
    if missing <= 0:
        return 0.8
    if missing == 1:
        return 0.25
    return 0.05 if missing == 2 else 0.0


@rule
def known_cash(s, seat, other):
    """What `seat` reckons that `other` has: all public income and payments, and the envelopes between the two."""
    if other == seat:
        return int(s.cash[seat])
    return int(s.public_cash[other]) - int(s.traded[seat, other])


# PZ 4


@rule
def worth_of_funds(box, s, seat, ids, weights):
    """Pass, or a tile's points and the fund's cash against the interest it will cost."""
    one, two, three, four = owed(box, s, seat)
    cash, crash = float(s.cash[seat]), crash_chance(box, s)
    ids[0] = PASS
    weights[0] = comfort(cash, one, two, three, four, crash)
    n = 1
    for industry in range(N_INDUSTRIES):
        row = int(s.tiles[seat, industry])
        if s.supply[industry] == 0 or row >= ROW:
            continue
        for place in range(row * ROW, min(row * ROW + ROW, int(s.market_count))):
            card = int(s.market[place])
            period, interest = int(box.period[card]), int(box.interest[card])
            ids[n] = FUND + industry * CARDS + card
            weights[n] = (
                row
                + 1
                - LOAN * interest / period
                + comfort(
                    cash + LOWEST_VALUE + card,
                    one + interest * (period <= 1),
                    two + interest * (period <= 2),
                    three + interest * (period <= 3),
                    four + interest * (period <= 4),
                    crash,
                )
            )
            n += 1
    return n


# PZ 5


@rule
def fair_price(tiles):
    """The price at which a player with so many tiles of an industry would as soon sell one as buy one."""
    return PRICE * (tiles + 0.5)


@rule
def chance_of_sale(s, seat, other, industry, price):
    """How likely `other` is to sell at a price rather than to counter (PZ 5.3)."""
    if price > known_cash(s, seat, other):
        return 0.95
    above = price - fair_price(int(s.tiles[other, industry]))
    return min(0.97, max(0.03, 0.5 + above / (2.0 * DOUBT)))


@rule
def worth_of_sale(s, seller, buyer, industry, seat):
    """Points that a tile's passing from `seller` to `buyer` brings `seat`, one of the two; the other's points count less."""
    lost, gained = int(s.tiles[seller, industry]), int(s.tiles[buyer, industry]) + 1
    return gained + RIVAL * lost if seat == buyer else -lost - RIVAL * gained


@rule
def worth_of_offers(box, s, seat, ids, weights):
    """Pass, or hand over an envelope at a price near what seems fair to the other; luxuries for their points."""
    one, two, three, four = owed(box, s, seat)
    cash, crash = float(s.cash[seat]), crash_chance(box, s)
    here = comfort(cash, one, two, three, four, crash)
    ids[0] = PASS
    weights[0] = here
    n = 1
    for other in range(s.seats):
        if other == seat:
            continue
        for industry in range(N_INDUSTRIES):
            theirs = int(s.tiles[other, industry])
            if min(s.tiles[seat, industry], theirs) <= 0:
                continue
            ids[n] = OFFER + other * N_INDUSTRIES + industry
            price = min(cash, fair_price(theirs) + DOUBT)
            high = worth_of_envelope(s, seat, other, industry, price, cash, one, two, three, four, crash)
            price = min(cash, max(0.0, fair_price(theirs) - DOUBT))
            low = worth_of_envelope(s, seat, other, industry, price, cash, one, two, three, four, crash)
            weights[n] = max(high, low) - OFFER_COST
            n += 1
    if box.advanced:
        for luxury in range(LUXURIES):
            price = int(box.luxury_price[luxury])
            if s.luxury_owner[luxury] == 0 and price <= s.cash[seat]:
                ids[n] = BUY + luxury
                weights[n] = int(box.luxury_points[luxury]) + comfort(cash - price, one, two, three, four, crash)
                n += 1
    return n


@rule
def worth_of_envelope(s, seat, other, industry, price, cash, one, two, three, four, crash):
    """Points that an offer at a price may be expected to bring: the tile bought, or the tile sold."""
    sale = chance_of_sale(s, seat, other, industry, price)
    bought = worth_of_sale(s, other, seat, industry, seat) + comfort(cash - price, one, two, three, four, crash)
    sold = worth_of_sale(s, seat, other, industry, seat) + comfort(cash + price, one, two, three, four, crash)
    return sale * bought + (1.0 - sale) * sold


@rule
def worth_of_amounts(box, s, seat, ids, weights):
    """A handful of prices around what seems fair to the other (PZ 5.2)."""
    one, two, three, four = owed(box, s, seat)
    cash, crash = int(s.cash[seat]), crash_chance(box, s)
    other, industry = int(s.offer_to), int(s.offer_industry)
    fair = fair_price(int(s.tiles[other, industry]))
    n = 0
    last = -1
    for step in range(-3, 4):
        price = min(cash, max(0, int(fair + step * 0.5 * DOUBT)))
        if price > last:
            ids[n] = PUT + price
            weights[n] = worth_of_envelope(s, seat, other, industry, price, cash, one, two, three, four, crash)
            n += 1
            last = price
    return n


@rule
def worth_of_answers(box, s, seat, ids, weights):
    """Sell, or counter with as much cash: which leaves more (PZ 5.3)."""
    one, two, three, four = owed(box, s, seat)
    cash, crash, price = float(s.cash[seat]), crash_chance(box, s), int(s.price)
    other, industry = int(s.offer_from), int(s.offer_industry)
    ids[0] = SELL
    weights[0] = worth_of_sale(s, seat, other, industry, seat) + comfort(cash + price, one, two, three, four, crash)
    if price > cash:
        return 1
    ids[1] = COUNTER
    weights[1] = worth_of_sale(s, other, seat, industry, seat) + comfort(cash - price, one, two, three, four, crash)
    return 2


# PZ 6 and 7


@rule
def worth_of_crash(box, s, seat):
    """Points that a market crash would bring a seat: what it would cost itself, against the rivals it would break."""
    one, two, three, four = owed(box, s, seat)
    cash = float(s.cash[seat])
    worth = comfort(cash, one, two, three, four, 1.0) - comfort(cash, one, two, three, four, 0.0) - CRASH_LOSS
    for other in range(s.seats):
        if other != seat:
            one, two, three, four = owed(box, s, other)
            has = known_cash(s, seat, other)
            if one <= has < two:
                worth += KILL
    return worth


@rule
def worth_of_removals(box, s, seat, ids, weights):
    """Bring a market crash nearer or push it off, as it serves (PZ 6.2, 7.1)."""
    crash = worth_of_crash(box, s, seat)
    bears, drawn = bears_in_market(box, s), 0
    for i in range(s.deck_count):
        drawn += box.kind[s.deck[i]] == BEAR
    chance = drawn / max(1, int(s.deck_count))
    for i in range(s.market_count):
        card = int(s.market[i])
        missing = s.seats - bears + (box.kind[card] == BEAR)
        ids[i] = REMOVE + card
        weights[i] = crash * (1.0 if missing <= 0 else chance if missing == 1 else 0.1 * chance if missing == 2 else 0.0)
    return int(s.market_count)


@rule
def worth_of_tiles(s, seat, ids, weights):
    """Give back a tile of the industry in which the others hold the most (PZ 7.3)."""
    n = legal_give_back(s, seat, ids)
    for i in range(n):
        industry = ids[i] - GIVE_BACK
        theirs = 0
        for other in range(s.seats):
            theirs += int(s.tiles[other, industry])
        weights[i] = 0.3 * (theirs - int(s.tiles[seat, industry]))
    return n
