"""Heuristic policy for Ponzi Scheme: candidate actions and their weights.

Values are in points. Tiles score as in PZ 10.2. `comfort` converts a seat's cash into points, mainly by whether it
covers the interest coming due. A rival's gain counts as a loss. The value of an action is the change it makes, and its
weight is the exponential of that value. The policy reads only what the seat can see.
"""

from __future__ import annotations

import math

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
    ROW,
    TRADING,
)
from pyramidion.games.ponzi_scheme.market import bears_in_market, row_start
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
    legal_give_back,
)
from pyramidion.games.ponzi_scheme.scoring import industry_points, luxury_points

N_INDUSTRIES = len(INDUSTRIES)

# Tuned by evolution, in games against random bots and self-play; GUESS and WIDE by hand (docs/strength/beliefs.md).
# A higher COLDNESS plays the best action more often.
COLDNESS = 60
CASH_SLOPE = 0.0138
ARMED = 0.0403
WEALTH_SLOPE = 0.0705
BROKE = 18.1
LATER = 15.3
MUCH_LATER = 2.57
INCOME = 67.4
EDGE = 0.0323
SOFT = 0.00932
LOAN = 0.0817
TAIL = 0.0165
EARNS = 113
HAZE = 22.2
WIDE = 8.0
FADE = 0.295
RIVAL = 0.206
CHASE = 0.203
THEIR_RIVAL = 0.469
KILL = 4.37
LEAD = 0.177
AHEAD = 0.316
PRICE = 10.2
DOUBT = 0.0375
SPREAD = 9.01
GUESS = 30.0
OFFER_COST = 1.49
CRASH_LOSS = 0.721
CULL = 0.0324
CROWD = 0.0156
KEEP = 0.199

# The end of the weights buffer holds the forecast: a page for each seat, then entries for all.
PAGE = 9
TURNS, HAS_AT, SURE_AT, PAYS_AT, THREAT_AT = 5, 5, 6, 7, 8
CRASH_AT, RICHEST_AT, WEALTH_AT, END_AT, LASTS_AT, CASH_AT = 45, 46, 47, 48, 49, 54
STEPS, STEP = 4, 24
FORECAST_SIZE = 63


@rule
def policy(box, s, seat, ids, weights):
    """Write a seat's candidate actions to `ids` (ascending) and positive weights to `weights`; return the count.

    The weights are float64. Both buffers are as long as the action space.
    """
    if s.phase == CRASH:
        n = weigh_tiles(box, s, seat, ids, weights)
    else:
        forecast = weights[weights.shape[0] - FORECAST_SIZE :]
        look_ahead(box, s, seat, forecast)
        if s.phase == FUNDING:
            n = weigh_funds(box, s, seat, forecast, ids, weights)
        elif s.phase == TRADING:
            n = weigh_offers(box, s, seat, forecast, ids, weights)
        elif s.phase == AMOUNT:
            n = weigh_amounts(s, seat, forecast, ids, weights)
        elif s.phase == ANSWER:
            n = weigh_answers(s, seat, forecast, ids, weights)
        else:
            n = weigh_removals(box, s, seat, forecast, ids, weights)
    best = weights[0]
    for i in range(1, n):
        best = max(best, weights[i])
    for i in range(n):
        behind = COLDNESS * (best - weights[i])
        weights[i] = math.exp(-behind) if behind < 9.0 else 0.0001
    return n


# Forecast


@rule
def look_ahead(box, s, seat, forecast):
    """Fill in a seat's forecast: each seat's debts, the chance of a crash, the game's length, and who is ahead.

    `forecast` is float64[FORECAST_SIZE]: a page of PAGE entries for each seat, then entries for all.
    """
    for i in range(PAGE * s.seats):
        forecast[i] = 0.0
    for i in range(s.held_count):
        card = s.held_card[i]
        interest, period = float(box.interest[card]), int(box.period[card])
        at, space = PAGE * int(s.held_seat[i]) - 1, int(s.held_space[i])
        forecast[at + space] += interest
        while space + period <= TURNS:
            space += period
            forecast[at + space] += interest
    missing = s.seats - bears_in_market(box, s)
    crash = 0.8 if missing <= 0 else 0.25 if missing == 1 else 0.05 if missing == 2 else 0.0
    forecast[CRASH_AT] = crash
    forecast[WEALTH_AT] = 0.0 if box.advanced else WEALTH_SLOPE
    forecast[RICHEST_AT] = 0.0
    for turn in range(TURNS):
        forecast[LASTS_AT + turn] = 1.0
    best = 1.0
    for other in range(s.seats):
        at = PAGE * other
        debt_1 = forecast[at]
        debt_2 = debt_1 + forecast[at + 1]
        debt_3 = debt_2 + forecast[at + 2]
        debt_4 = debt_3 + forecast[at + 3]
        forecast[at + 1], forecast[at + 2], forecast[at + 3] = debt_2, debt_3, debt_4
        has = float(reckon(s, seat, other, forecast))
        points = industry_points(s, other) + forecast[WEALTH_AT] * min(96.0, max(0.0, has - debt_1))
        if box.advanced:
            points += luxury_points(box, s, other)
        forecast[at + THREAT_AT] = points
        if other != seat:
            forecast[RICHEST_AT] = max(forecast[RICHEST_AT], has)
            if has >= debt_1:
                best = max(best, points)
            # A crash turns the wheel two spaces, so debts due at the second turn fall due at the first (PZ 8.1).
            sure = forecast[at + PAYS_AT]
            lasts = pays(has - debt_1 - crash * (debt_2 - debt_1), sure)
            forecast[LASTS_AT + 1] *= lasts
            sure *= FADE
            lasts *= pays(has + EARNS - debt_2, sure)
            forecast[LASTS_AT + 2] *= lasts
            sure *= FADE
            lasts *= pays(has + EARNS * 2.0 - debt_3, sure)
            forecast[LASTS_AT + 3] *= lasts
            lasts *= pays(has + EARNS * 3.0 - debt_4, sure * FADE)
            forecast[LASTS_AT + 4] *= lasts
    forecast[END_AT] = KILL * min(1.0, max(-1.0, AHEAD + LEAD * (forecast[PAGE * seat + THREAT_AT] - best)))
    scale = 1.0 / best
    for other in range(s.seats):
        part = min(1.0, forecast[PAGE * other + THREAT_AT] * scale)
        forecast[PAGE * other + THREAT_AT] = RIVAL + CHASE * part * part


@rule
def reckon(s, seat, other, forecast):
    """Estimate the cash that `other` has from what `seat` has seen; write it to the forecast, and return it.

    Exact if `other` has traded with no third seat. Envelopes between two others count with what they can be
    expected to have held (envelopes.py).
    """
    if other == seat:
        has, unseen = int(s.cash[seat]), 0
    else:
        has, unseen = int(s.public_cash[other]) - int(s.traded[seat, other]), 0
        for third in range(s.seats):
            if third != seat:
                unseen += int(s.trades[other, third]) + int(s.trades[third, other])
                has += int(s.expected[third, other]) - int(s.expected[other, third])
    forecast[PAGE * other + HAS_AT] = has
    forecast[PAGE * other + SURE_AT] = 1.0 / (1.0 + GUESS * unseen)
    forecast[PAGE * other + PAYS_AT] = 1.0 / (HAZE + WIDE * unseen)
    return has


@rule
def pays(left, sure):
    """Return the probability that a rival can pay if it is estimated to have `left` cash after interest.

    `sure` is how much the probability changes with each dollar.
    """
    return min(1.0, max(0.0, 0.5 + sure * left))


@rule
def short(left):
    """Return the penalty for `left` cash after paying interest: 1 or more below zero, and fading out above."""
    return 1.0 - 0.002 * left if left < 0.0 else max(0.0, EDGE - SOFT * left)


@rule
def comfort(forecast, seat, cash, interest, period):
    """Return the value in points of having `cash`, given the debts in the forecast and one more fund.

    The fund has this interest and period; 0 and 9 stand for none.
    """
    at = PAGE * seat
    rest_1 = cash - forecast[at] - interest * (period <= 1)
    rest_2 = cash - forecast[at + 1] - interest * (period <= 2)
    rest_3 = cash - forecast[at + 2] - interest * (period <= 3)
    rest_4 = cash - forecast[at + 3] - interest * (period <= 4)
    crash, goes_on = forecast[CRASH_AT], forecast[LASTS_AT + 1]
    worth = goes_on * (CASH_SLOPE * cash + ARMED * min(cash, forecast[RICHEST_AT]))
    worth += (1.0 - goes_on) * forecast[WEALTH_AT] * min(96.0, max(0.0, rest_1))
    worth -= BROKE * ((1.0 - crash) * short(rest_1) + crash * short(rest_2))
    worth -= goes_on * LATER * ((1.0 - crash) * short(rest_2 + INCOME) + crash * short(rest_3 + INCOME))
    worth -= MUCH_LATER * forecast[LASTS_AT + 2] * short(rest_3 + 2.0 * INCOME)
    worth -= MUCH_LATER * forecast[LASTS_AT + 3] * short(rest_4 + 3.0 * INCOME)
    return worth


# PZ 4


@rule
def weigh_funds(box, s, seat, forecast, ids, weights):
    """Write passing and each legal fund to `ids` and their values to `weights`; return the count.

    The value of a fund is its tile's points and the cash, less the interest over the rest of the game.
    """
    cash, last = float(s.cash[seat]), forecast[LASTS_AT + TURNS - 1]
    ids[0] = PASS
    weights[0] = comfort(forecast, seat, cash, 0, 9)
    n = 1
    for industry in range(N_INDUSTRIES):
        row = int(s.tiles[seat, industry])
        if s.supply[industry] == 0 or row >= ROW:
            continue
        tile = row + 1 + CROWD * (int(box.tiles_per_industry) - int(s.supply[industry]) - row)
        for place in range(row_start(box, s, row), row_start(box, s, row + 1)):
            card = int(s.market[place])
            interest, period = int(box.interest[card]), int(box.period[card])
            cost = interest * (LOAN * forecast[LASTS_AT + min(period, TURNS) - 1] + TAIL * last / period)
            ids[n] = FUND + industry * CARDS + card
            weights[n] = tile - cost + comfort(forecast, seat, cash + LOWEST_VALUE + card, interest, period)
            n += 1
    return n


# PZ 5


@rule
def forecast_cash(s, seat, forecast):
    """Write to the forecast the `comfort` of a seat with its current cash and with several steps less and more."""
    for step in range(-STEPS, STEPS + 1):
        forecast[CASH_AT + STEPS + step] = comfort(forecast, seat, float(s.cash[seat]) + STEP * step, 0, 9)


@rule
def worth_of_cash(forecast, change):
    """Return the value in points of a change in cash, interpolated between the steps of `forecast_cash`."""
    steps = min(STEPS - 0.01, max(-STEPS, change * (1.0 / STEP))) + STEPS
    low = int(steps)
    at = CASH_AT + low
    return forecast[at] + (steps - low) * (forecast[at + 1] - forecast[at])


@rule
def worth_of_buying(s, seat, other, industry, price, forecast):
    """Return the value of buying a tile from `other` at a price, which may save that rival from bankruptcy.

    The seat's own cash is not included.
    """
    at = PAGE * other
    gained, lost = int(s.tiles[seat, industry]) + 1, int(s.tiles[other, industry])
    survives = pays(forecast[at + HAS_AT] + price - forecast[at], forecast[at + PAYS_AT])
    return gained + forecast[at + THREAT_AT] * lost - forecast[END_AT] * survives


@rule
def worth_of_selling(s, seat, other, industry, price, forecast):
    """Return the value of selling a tile to `other` at a price, which may make that rival bankrupt."""
    at = PAGE * other
    lost, gained = int(s.tiles[seat, industry]), int(s.tiles[other, industry]) + 1
    survives = pays(forecast[at + HAS_AT] - price - forecast[at], forecast[at + PAYS_AT])
    return -lost - forecast[at + THREAT_AT] * gained - forecast[END_AT] * survives


@rule
def fair_price(s, seat, other, industry):
    """Return the price for a tile at which `other` should be indifferent between selling and countering."""
    return PRICE * (int(s.tiles[other, industry]) + 0.5 + THEIR_RIVAL * (int(s.tiles[seat, industry]) + 0.5))


@rule
def price_to_force(forecast, other):
    """Return a price that `other` probably cannot pay, so that it cannot counter and must sell (PZ 5.4)."""
    return max(0.0, forecast[PAGE * other + HAS_AT] + 0.5 / forecast[PAGE * other + SURE_AT])


@rule
def worth_of_envelope(s, seat, other, industry, price, fair, forecast):
    """Return the expected value of an envelope with a price: `other` either sells its tile or counters (PZ 5.3).

    `fair` is the price at which both are equally likely.
    """
    sale = min(0.97, max(0.03, 0.5 + DOUBT * (price - fair)))
    forced = 0.5 + forecast[PAGE * other + SURE_AT] * (price - forecast[PAGE * other + HAS_AT])
    sale = max(sale, min(1.0, forced))
    bought = worth_of_buying(s, seat, other, industry, price, forecast) + worth_of_cash(forecast, -price)
    sold = worth_of_selling(s, seat, other, industry, price, forecast) + worth_of_cash(forecast, price)
    return sale * bought + (1.0 - sale) * sold


@rule
def weigh_offers(box, s, seat, forecast, ids, weights):
    """Write passing, each envelope and luxuries to `ids` and their values to `weights`; return the count.

    The price is above the fair one to buy, below it to sell, or too high for the other seat to match.
    """
    forecast_cash(s, seat, forecast)
    cash = float(s.cash[seat])
    ids[0] = PASS
    weights[0] = forecast[CASH_AT + STEPS]
    n = 1
    for other in range(s.seats):
        if other == seat:
            continue
        at = PAGE * other
        unchanged = forecast[END_AT] * pays(forecast[at + HAS_AT] - forecast[at], forecast[at + PAYS_AT]) - OFFER_COST
        force = price_to_force(forecast, other)
        for industry in range(N_INDUSTRIES):
            if min(s.tiles[seat, industry], s.tiles[other, industry]) <= 0:
                continue
            fair = fair_price(s, seat, other, industry)
            buys = s.tiles[seat, industry] >= s.tiles[other, industry]
            price = min(cash, max(0.0, fair + SPREAD if buys else fair - SPREAD))
            worth = worth_of_envelope(s, seat, other, industry, price, fair, forecast)
            if force <= cash:
                worth = max(worth, worth_of_envelope(s, seat, other, industry, force, fair, forecast))
            ids[n] = OFFER + other * N_INDUSTRIES + industry
            weights[n] = worth + unchanged
            n += 1
    if box.advanced:
        for luxury in range(LUXURIES):
            price = int(box.luxury_price[luxury])
            if s.luxury_owner[luxury] == 0 and price <= cash:
                ids[n] = BUY + luxury
                weights[n] = int(box.luxury_points[luxury]) + comfort(forecast, seat, cash - price, 0, 9)
                n += 1
    return n


@rule
def weigh_amounts(s, seat, forecast, ids, weights):
    """Write a few amounts around the fair price to `ids` and their values to `weights`; return the count.

    Among them is one that the other seat probably cannot match (PZ 5.2).
    """
    forecast_cash(s, seat, forecast)
    other, industry = int(s.offer_to), int(s.offer_industry)
    fair, force = fair_price(s, seat, other, industry), math.ceil(price_to_force(forecast, other))
    n = 0
    for step in range(-3, 4):
        price = int(fair + 0.5 * SPREAD * step)
        n = weigh_amount(s, seat, min(price, force), fair, forecast, ids, weights, n)
        n = weigh_amount(s, seat, price, fair, forecast, ids, weights, n)
    return weigh_amount(s, seat, force, fair, forecast, ids, weights, n)


@rule
def weigh_amount(s, seat, price, fair, forecast, ids, weights, n):
    """Append an amount to the first `n` candidates, unless they already have one as high; return the new count."""
    price = min(int(s.cash[seat]), max(0, price))
    if n > 0 and PUT + price <= ids[n - 1]:
        return n
    ids[n] = PUT + price
    weights[n] = worth_of_envelope(s, seat, int(s.offer_to), int(s.offer_industry), float(price), fair, forecast)
    return n + 1


@rule
def weigh_answers(s, seat, forecast, ids, weights):
    """Write selling and, if the seat can pay, countering to `ids` and their values to `weights`; return the count.

    See PZ 5.3.
    """
    cash, price = float(s.cash[seat]), float(s.price)
    other, industry = int(s.offer_from), int(s.offer_industry)
    ids[0] = SELL
    weights[0] = worth_of_selling(s, seat, other, industry, price, forecast) + comfort(
        forecast, seat, cash + price, 0, 9
    )
    if price > cash:
        return 1
    ids[1] = COUNTER
    weights[1] = worth_of_buying(s, seat, other, industry, price, forecast) + comfort(
        forecast, seat, cash - price, 0, 9
    )
    return 2


# PZ 6 and 7


@rule
def weigh_removals(box, s, seat, forecast, ids, weights):
    """Write the removal of each market card to `ids` and its value to `weights`; return the count.

    A removal may hasten or delay a market crash (PZ 6.2, 7.1).
    """
    crash = worth_of_crash(s, seat, forecast)
    bears, drawn = bears_in_market(box, s), 0
    for i in range(s.deck_count):
        drawn += box.kind[s.deck[i]] == BEAR
    chance = drawn / max(1, int(s.deck_count))
    for i in range(s.market_count):
        card = int(s.market[i])
        missing = s.seats - bears + (box.kind[card] == BEAR)
        likely = 1.0 if missing <= 0 else chance if missing == 1 else 0.1 * chance if missing == 2 else 0.0
        ids[i] = REMOVE + card
        weights[i] = CULL * card + crash * likely
    return int(s.market_count)


@rule
def worth_of_crash(s, seat, forecast):
    """Return the value of a market crash for a seat: the rivals that it makes bankrupt, less the seat's own loss."""
    cash, at = float(s.cash[seat]), PAGE * seat
    worth = BROKE * (short(cash - forecast[at]) - short(cash - forecast[at + 1])) - CRASH_LOSS
    for other in range(s.seats):
        if other != seat:
            has, at = forecast[PAGE * other + HAS_AT], PAGE * other
            sure = forecast[at + PAYS_AT]
            worth += forecast[END_AT] * (pays(has - forecast[at], sure) - pays(has - forecast[at + 1], sure))
    return worth


@rule
def weigh_tiles(box, s, seat, ids, weights):
    """Write the tiles to give back to `ids` and their values to `weights`; return the count (PZ 7.3).

    Best is the industry in which the others hold the most.
    """
    n = legal_give_back(s, seat, ids)
    for i in range(n):
        weights[i] = -KEEP * int(s.supply[ids[i] - GIVE_BACK])
    return n
