"""Features of the actions of Ponzi Scheme, from which a policy is learned (bots/learned_policy.py).

Most say in which of several ranges a number lies, such as the cash that is left after the next interest. The first ones
are the values that the policy written by hand gives the actions of each phase.
"""

from __future__ import annotations

import numpy as np

from pyramidion.engine.entries import note
from pyramidion.engine.rule import rule
from pyramidion.games.ponzi_scheme.envelopes import expected_price
from pyramidion.games.ponzi_scheme.layout import (
    AMOUNT,
    ANSWER,
    BEAR,
    CARDS,
    CRASH,
    FUNDING,
    INDUSTRIES,
    LOWEST_VALUE,
    MARKER,
    ROW,
    STARTING,
    TRADING,
)
from pyramidion.games.ponzi_scheme.market import bears_in_market
from pyramidion.games.ponzi_scheme.policy import (
    COLDNESS,
    END_AT,
    FORECAST_SIZE,
    HAS_AT,
    PAGE,
    PAYS_AT,
    SURE_AT,
    THREAT_AT,
    fair_price,
    look_ahead,
    pays,
    price_to_force,
    weigh_amounts,
    weigh_answers,
    weigh_funds,
    weigh_offers,
    weigh_removals,
    weigh_tiles,
)
from pyramidion.games.ponzi_scheme.rules import BUY, FUND, OFFER, PUT, REMOVE

N_INDUSTRIES = len(INDUSTRIES)
STAGES = 4  # of the game: two rounds each, and the last
LACKING = 4  # bears until a crash, 0 to 3 or more
LEFT, GAPS, RATIOS, PARTS = 7, 7, 7, 5  # ranges of cash, of differences, of ratios, and of shares
PERIODS, TOTALS = 6, 8
MORE = 3  # whether a seat holds as much of an industry as the other, more, or less
PAIRS = 9  # tiles of an industry that a seat and the other hold, 1 to 3 each

# Where each group of features begins.
WORTH = 0  # by phase
IDLE_FUNDING = WORTH + 6  # passing, by stage and cash left
IDLE_LACKING = IDLE_FUNDING + STAGES * LEFT
FUND_NEXT = IDLE_LACKING + LACKING  # cash left after the next interest
FUND_SECOND = FUND_NEXT + LEFT
FUND_THIRD = FUND_SECOND + LEFT
FUND_DUE = FUND_THIRD + LEFT  # cash left when its own interest is due, by period
FUND_NEED = FUND_DUE + LEFT * PERIODS  # cash that would be left without it, by its value
FUND_PERIOD = FUND_NEED + LEFT * 4
FUND_RATE = FUND_PERIOD + PERIODS * STAGES
FUND_VALUE = FUND_RATE + STAGES
FUND_CARD = FUND_VALUE + STAGES  # by stage, row and place in the row
FUND_HOLDERS = FUND_CARD + STAGES * ROW * ROW  # others who hold the industry, by stage
FUND_RIVAL = FUND_HOLDERS + STAGES * 4  # most tiles that another holds of it, by own tiles
FUND_SUPPLY = FUND_RIVAL + ROW * 4
FUND_LACKING = FUND_SUPPLY + 3
FUND_LEAD = FUND_LACKING + LACKING
FUND_TOTAL = FUND_LEAD + STAGES * 3  # tiles in all
FUND_BEAR = FUND_TOTAL + TOTALS
FUND_BEST = FUND_BEAR + 1  # whether the policy written by hand likes it best: a little or much more than to pass
IDLE_TRADING = FUND_BEST + 2
OFFER_STAGE = IDLE_TRADING + STAGES * LEFT
OFFER_TILES = OFFER_STAGE + STAGES  # by whether a price that the other cannot match can be paid
OFFER_THEIRS = OFFER_TILES + PAIRS * 2  # the other's cash left
OFFER_OWN = OFFER_THEIRS + MORE * LEFT
OFFER_FORCE = OFFER_OWN + LEFT
OFFER_MORE = OFFER_FORCE + STAGES * 2
OFFER_CASH = OFFER_MORE + STAGES * MORE  # cash for each unit of money that such envelopes usually hold
OFFER_THREAT = OFFER_CASH + RATIOS
OFFER_END = OFFER_THREAT + 1
OFFER_LEADER = OFFER_END + 1
OFFER_TRADES = OFFER_LEADER + STAGES * 2
OFFER_BEST = OFFER_TRADES + 3
BUYING = OFFER_BEST + 2
AMOUNT_GAP = BUYING + 1  # from the fair price
AMOUNT_FORCE = AMOUNT_GAP + 2 * GAPS
AMOUNT_OVER = AMOUNT_FORCE + 2  # over the other's cash, in units of what is known of it
AMOUNT_LEFT = AMOUNT_OVER + GAPS  # by whether the other cannot match it
AMOUNT_OWN = AMOUNT_LEFT + 2 * LEFT
AMOUNT_THEIRS = AMOUNT_OWN + 2 * LEFT
AMOUNT_SHARE = AMOUNT_THEIRS + LEFT
AMOUNT_USUAL = AMOUNT_SHARE + PARTS
AMOUNT_CASH = AMOUNT_USUAL + 2 * RATIOS
AMOUNT_PRICE = AMOUNT_CASH + RATIOS
AMOUNT_BEST = AMOUNT_PRICE + STAGES
COUNTER_STAGE = AMOUNT_BEST + 2
COUNTER_TILES = COUNTER_STAGE + STAGES
COUNTER_GAP = COUNTER_TILES + PAIRS
COUNTER_LEFT = COUNTER_GAP + 2 * GAPS  # cash left if one counters
COUNTER_SOLD = COUNTER_LEFT + MORE * LEFT  # and if one sells
COUNTER_THEIRS = COUNTER_SOLD + MORE * LEFT
COUNTER_BOUGHT = COUNTER_THEIRS + LEFT
COUNTER_USUAL = COUNTER_BOUGHT + LEFT
COUNTER_SHARE = COUNTER_USUAL + MORE * RATIOS
COUNTER_LEADER = COUNTER_SHARE + PARTS
COUNTER_BEST = COUNTER_LEADER + 2
REMOVE_BEAR = COUNTER_BEST + 2  # by how near a crash is, and whether one could pay before and after it
REMOVE_LEAD = REMOVE_BEAR + LACKING * 3
REMOVE_LEFT = REMOVE_LEAD + LACKING * 3
REMOVE_PLACE = REMOVE_LEFT + LEFT
REMOVE_STARTING = REMOVE_PLACE + STAGES * 9
REMOVE_PERIOD = REMOVE_STARTING + 1
REMOVE_RATE = REMOVE_PERIOD + PERIODS
REMOVE_BEST = REMOVE_RATE + PARTS
FEATURES = REMOVE_BEST + 1
"""Number of features."""
ENTRIES = 18
"""Largest number of features of one action that are not 0."""
START = (COLDNESS,) * 6
"""The coefficients of the first features with which the learned policy plays as the one written by hand."""


@rule
def features(box, s, seat, ids, worths, where, much):
    """Write a seat's candidate actions to `ids` (ascending), and the features that describe them; return the count.

    `where` (int16[n, ENTRIES + 1]) has the features of each candidate that are not 0, ended by -1, and `much` (float32
    of the same shape) their values. `worths` (float64[n]) is a buffer. Reads only what the seat can see.
    """
    if s.phase == CRASH:
        n = weigh_tiles(box, s, seat, ids, worths)
        for i in range(n):
            where[i, note(where, much, i, 0, WORTH + CRASH - 1, worths[i])] = -1
        return n
    forecast = worths[worths.shape[0] - FORECAST_SIZE :]
    look_ahead(box, s, seat, forecast)
    if s.phase == FUNDING:
        n = weigh_funds(box, s, seat, forecast, ids, worths)
        describe_funds(box, s, seat, forecast, ids, worths, n, where, much)
    elif s.phase == TRADING:
        n = weigh_offers(box, s, seat, forecast, ids, worths)
        describe_offers(s, seat, forecast, ids, worths, n, where, much)
    elif s.phase == AMOUNT:
        n = weigh_amounts(s, seat, forecast, ids, worths)
        describe_amounts(s, seat, forecast, ids, worths, n, where, much)
    elif s.phase == ANSWER:
        n = weigh_answers(s, seat, forecast, ids, worths)
        where[0, note(where, much, 0, 0, WORTH + ANSWER - 1, worths[0])] = -1
        if n > 1:
            describe_counter(s, seat, forecast, worths, where, much)
    else:
        n = weigh_removals(box, s, seat, forecast, ids, worths)
        describe_removals(box, s, seat, forecast, ids, worths, n, where, much)
    return n


# Ranges


@rule
def left(cash):
    """Return which of the LEFT ranges the cash left after paying interest lies in, from 0 for deep in debt."""
    debt = int(cash >= -15.0) + int(cash >= 0.0)
    return debt + int(cash >= 8.0) + int(cash >= 20.0) + int(cash >= 40.0) + int(cash >= 70.0)


@rule
def gap(difference):
    """Return which of the GAPS ranges a difference lies in: its nearest whole number from -3 to 3, plus 3."""
    return int(min(3.0, max(-3.0, difference)) + 3.5)


@rule
def ratio(x):
    """Return which of the RATIOS ranges a ratio lies in, from 0 for the lowest; 1.0 lies in the middle one."""
    low = int(x >= 0.3) + int(x >= 0.6) + int(x >= 0.9)
    return low + int(x >= 1.2) + int(x >= 1.6) + int(x >= 2.2)


@rule
def part(x):
    """Return which of the PARTS ranges a share (0 to 1) lies in, from 0 for the lowest."""
    return int(x >= 0.2) + int(x >= 0.4) + int(x >= 0.6) + int(x >= 0.85)


@rule
def stage(s):
    """Return the stage of the game, two rounds each, from 0 to STAGES - 1."""
    return min(STAGES - 1, (int(s.round_number) - 1) // 2)


@rule
def lacking(box, s):
    """Return how many bears the market lacks for a crash, from 0 to LACKING - 1 for that many or more."""
    return max(0, min(LACKING - 1, int(s.seats) - bears_in_market(box, s)))


@rule
def lead(forecast):
    """Return how well a seat would stand if the game ended soon: 0 for badly, 1 for evenly, 2 for well."""
    return int(forecast[END_AT] > -1.0) + int(forecast[END_AT] > 2.0)


@rule
def compare_tiles(s, seat, other, industry):
    """Return 0 if two seats hold equally many tiles of an industry, 1 if `seat` holds more, 2 if `other` does."""
    own, theirs = int(s.tiles[seat, industry]), int(s.tiles[other, industry])
    return int(own > theirs) + 2 * int(own < theirs)


@rule
def pair(s, seat, other, industry):
    """Return an index from 0 to PAIRS - 1 for the tiles of an industry that two seats hold, 1 to 3 or more each."""
    own, theirs = int(s.tiles[seat, industry]), int(s.tiles[other, industry])
    return 3 * (min(own, 3) - 1) + min(theirs, 3) - 1


@rule
def leader(s, seat, forecast):
    """Return the other seat whose gains threaten `seat` most, according to the forecast."""
    best = -1
    for other in range(s.seats):
        if other != seat and (best < 0 or forecast[PAGE * other + THREAT_AT] > forecast[PAGE * best + THREAT_AT]):
            best = other
    return best


# The phases


@rule
def describe_funds(box, s, seat, forecast, ids, worths, n, where, much):
    """Write the features of passing and of each fund to `where` and `much`, as `features` says (PZ 4)."""
    cash, at, now, near = float(s.cash[seat]), PAGE * seat, stage(s), lacking(box, s)
    tiles = 0
    for industry in range(N_INDUSTRIES):
        tiles += int(s.tiles[seat, industry])
    total = min(tiles, TOTALS - 1)
    k = note(where, much, 0, 0, WORTH, worths[0])
    k = note(where, much, 0, k, IDLE_FUNDING + now * LEFT + left(cash - forecast[at]), 1.0)
    where[0, note(where, much, 0, k, IDLE_LACKING + near, 1.0)] = -1
    best, last, place, row, rival, holders = np.argmax(worths[:n]), -1, 0, 0, 0, 0
    for i in range(1, n):
        industry, card = (ids[i] - FUND) // CARDS, (ids[i] - FUND) % CARDS
        interest, period, value = float(box.interest[card]), int(box.period[card]), float(LOWEST_VALUE + card)
        place = min(ROW - 1, place + 1) if industry == last else 0
        if industry != last:
            last, row, rival, holders = industry, int(s.tiles[seat, industry]), 0, 0
            for other in range(s.seats):
                if other != seat:
                    rival = max(rival, int(s.tiles[other, industry]))
                    holders += int(s.tiles[other, industry] > 0)
        k = note(where, much, i, 0, WORTH, worths[i])
        for turn in range(3):
            rest = cash + value - forecast[at + turn] - interest * (period <= turn + 1)
            k = note(where, much, i, k, FUND_NEXT + turn * LEFT + left(rest), 1.0)
        due = cash + value - interest - forecast[at + min(period, 4) - 1]
        k = note(where, much, i, k, FUND_DUE + PERIODS * left(due) + period, 1.0)
        worth = int(value >= 20.0) + int(value >= 35.0) + int(value >= 50.0)
        k = note(where, much, i, k, FUND_NEED + 4 * left(cash - forecast[at]) + worth, 1.0)
        k = note(where, much, i, k, FUND_PERIOD + PERIODS * now + period, 1.0)
        k = note(where, much, i, k, FUND_RATE + now, 0.1 * interest / period)
        k = note(where, much, i, k, FUND_VALUE + now, 0.05 * value)
        k = note(where, much, i, k, FUND_CARD + ROW * ROW * now + ROW * row + place, 1.0)
        k = note(where, much, i, k, FUND_HOLDERS + 4 * now + min(holders, 3), 1.0)
        k = note(where, much, i, k, FUND_RIVAL + 4 * row + min(rival, 3), 1.0)
        k = note(where, much, i, k, FUND_SUPPLY + int(s.supply[industry] > 1) + int(s.supply[industry] > 3), 1.0)
        k = note(where, much, i, k, FUND_LACKING + near, 1.0)
        k = note(where, much, i, k, FUND_LEAD + 3 * now + lead(forecast), 1.0)
        k = note(where, much, i, k, FUND_TOTAL + total, 1.0)
        if box.kind[card] == BEAR:
            k = note(where, much, i, k, FUND_BEAR, 1.0)
        if i == best:
            k = note(where, much, i, k, FUND_BEST + int(worths[i] > worths[0] + 1.0), 1.0)
        where[i, k] = -1


@rule
def describe_offers(s, seat, forecast, ids, worths, n, where, much):
    """Write the features of passing, of each envelope and of luxuries to `where` and `much` (PZ 5.1, 11.1)."""
    cash, now, first = float(s.cash[seat]), stage(s), leader(s, seat, forecast)
    rest = left(cash - forecast[PAGE * seat])
    k = note(where, much, 0, 0, WORTH + TRADING - 1, worths[0])
    where[0, note(where, much, 0, k, IDLE_TRADING + now * LEFT + rest, 1.0)] = -1
    best = np.argmax(worths[:n])
    for i in range(1, n):
        k = note(where, much, i, 0, WORTH + TRADING - 1, worths[i])
        if ids[i] >= BUY:
            where[i, note(where, much, i, k, BUYING, 1.0)] = -1
            continue
        other, industry = (ids[i] - OFFER) // N_INDUSTRIES, (ids[i] - OFFER) % N_INDUSTRIES
        at, side = PAGE * other, compare_tiles(s, seat, other, industry)
        theirs = forecast[at + HAS_AT] - forecast[at]
        forces = int(price_to_force(forecast, other) <= cash)
        trades = int(s.trades[seat, other]) + int(s.trades[other, seat])
        usual = max(1, expected_price(s, seat, other, industry))
        k = note(where, much, i, k, OFFER_STAGE + now, 1.0)
        k = note(where, much, i, k, OFFER_TILES + 2 * pair(s, seat, other, industry) + forces, 1.0)
        k = note(where, much, i, k, OFFER_THEIRS + LEFT * side + left(theirs), 1.0)
        k = note(where, much, i, k, OFFER_OWN + rest, 1.0)
        k = note(where, much, i, k, OFFER_FORCE + 2 * now + forces, 1.0)
        k = note(where, much, i, k, OFFER_MORE + MORE * now + side, 1.0)
        k = note(where, much, i, k, OFFER_CASH + ratio(cash / usual), 1.0)
        k = note(where, much, i, k, OFFER_THREAT, forecast[at + THREAT_AT])
        k = note(where, much, i, k, OFFER_END, forecast[END_AT] * pays(theirs, forecast[at + PAYS_AT]))
        k = note(where, much, i, k, OFFER_LEADER + 2 * now + int(other == first), 1.0)
        k = note(where, much, i, k, OFFER_TRADES + min(2, trades), 1.0)
        if i == best:
            k = note(where, much, i, k, OFFER_BEST + int(worths[i] > worths[0] + 1.0), 1.0)
        where[i, k] = -1


@rule
def describe_amounts(s, seat, forecast, ids, worths, n, where, much):
    """Write the features of each amount for the envelope to `where` and `much` (PZ 5.2)."""
    other, industry = int(s.offer_to), int(s.offer_industry)
    at, cash = PAGE * other, float(s.cash[seat])
    rest, has, now = cash - forecast[PAGE * seat], forecast[at + HAS_AT], stage(s)
    fair, force = fair_price(s, seat, other, industry), price_to_force(forecast, other)
    usual = max(1, expected_price(s, seat, other, industry))
    buys = int(s.tiles[seat, industry] >= s.tiles[other, industry])
    best = np.argmax(worths[:n])
    for i in range(n):
        price = float(ids[i] - PUT)
        over = min(1.0, max(-1.0, forecast[at + SURE_AT] * (price - has)))
        k = note(where, much, i, 0, WORTH + AMOUNT - 1, worths[i])
        k = note(where, much, i, k, AMOUNT_GAP + GAPS * buys + gap((price - fair) / 5.0), 1.0)
        if price >= force:
            k = note(where, much, i, k, AMOUNT_FORCE + buys, 1.0)
        k = note(where, much, i, k, AMOUNT_OVER + gap(4.0 * over), 1.0)
        k = note(where, much, i, k, AMOUNT_LEFT + LEFT * int(price >= force) + left(rest - price), 1.0)
        k = note(where, much, i, k, AMOUNT_OWN + LEFT * buys + left(rest - price), 1.0)
        k = note(where, much, i, k, AMOUNT_THEIRS + left(has - price - forecast[at]), 1.0)
        k = note(where, much, i, k, AMOUNT_SHARE + part(price / max(1.0, cash)), 1.0)
        k = note(where, much, i, k, AMOUNT_USUAL + RATIOS * buys + ratio(price / usual), 1.0)
        k = note(where, much, i, k, AMOUNT_CASH + ratio(price / max(1.0, has)), 1.0)
        k = note(where, much, i, k, AMOUNT_PRICE + now, 0.05 * price)
        if i == best:
            k = note(where, much, i, k, AMOUNT_BEST + buys, 1.0)
        where[i, k] = -1


@rule
def describe_counter(s, seat, forecast, worths, where, much):
    """Write the features of countering (candidate 1), compared with selling, to `where` and `much` (PZ 5.3)."""
    other, industry = int(s.offer_from), int(s.offer_industry)
    at, cash, price = PAGE * other, float(s.cash[seat]), float(s.price)
    rest, theirs = cash - forecast[PAGE * seat], forecast[at + HAS_AT] - forecast[at]
    side, keeps = compare_tiles(s, seat, other, industry), int(s.tiles[seat, industry] >= s.tiles[other, industry])
    usual = max(1, expected_price(s, other, seat, industry))
    k = note(where, much, 1, 0, WORTH + ANSWER - 1, worths[1])
    k = note(where, much, 1, k, COUNTER_STAGE + stage(s), 1.0)
    k = note(where, much, 1, k, COUNTER_TILES + pair(s, seat, other, industry), 1.0)
    apart = gap((price - fair_price(s, seat, other, industry)) / 5.0)
    k = note(where, much, 1, k, COUNTER_GAP + GAPS * keeps + apart, 1.0)
    k = note(where, much, 1, k, COUNTER_LEFT + LEFT * side + left(rest - price), 1.0)
    k = note(where, much, 1, k, COUNTER_SOLD + LEFT * side + left(rest + price), 1.0)
    k = note(where, much, 1, k, COUNTER_THEIRS + left(theirs + price), 1.0)
    k = note(where, much, 1, k, COUNTER_BOUGHT + left(theirs - price), 1.0)
    k = note(where, much, 1, k, COUNTER_USUAL + RATIOS * side + ratio(price / usual), 1.0)
    k = note(where, much, 1, k, COUNTER_SHARE + part(price / max(1.0, cash)), 1.0)
    k = note(where, much, 1, k, COUNTER_LEADER + int(other == leader(s, seat, forecast)), 1.0)
    where[1, note(where, much, 1, k, COUNTER_BEST + int(worths[1] > worths[0]), 1.0)] = -1


@rule
def describe_removals(box, s, seat, forecast, ids, worths, n, where, much):
    """Write the features of removing each card of the market to `where` and `much` (PZ 6.2)."""
    cash, at, now, near = float(s.cash[seat]), PAGE * seat, stage(s), lacking(box, s)
    safe = int(cash >= forecast[at]) + int(cash >= forecast[at + 1])
    best = np.argmax(worths[:n])
    for i in range(n):
        card = ids[i] - REMOVE
        period = int(box.period[card])
        rate = float(box.interest[card]) / (period * float(LOWEST_VALUE + card))
        k = note(where, much, i, 0, WORTH + MARKER - 1, worths[i])
        if box.kind[card] == BEAR:
            k = note(where, much, i, k, REMOVE_BEAR + 3 * near + safe, 1.0)
            k = note(where, much, i, k, REMOVE_LEAD + 3 * near + lead(forecast), 1.0)
            k = note(where, much, i, k, REMOVE_LEFT + left(cash - forecast[at + 1]), 1.0)
        if box.kind[card] == STARTING:
            k = note(where, much, i, k, REMOVE_STARTING, 1.0)
        k = note(where, much, i, k, REMOVE_PLACE + 9 * now + min(i, 8), 1.0)
        k = note(where, much, i, k, REMOVE_PERIOD + period, 1.0)
        k = note(where, much, i, k, REMOVE_RATE + part(2.0 * rate), 1.0)
        if i == best:
            k = note(where, much, i, k, REMOVE_BEST, 1.0)
        where[i, k] = -1
