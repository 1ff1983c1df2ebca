"""Facts of a whole, dealt position of Ponzi Scheme, from which a net learns its value (bots/learned.py)."""

from __future__ import annotations

from pyramidion.engine.rule import rule
from pyramidion.games.ponzi_scheme.layout import (
    AMOUNT,
    ANSWER,
    BEAR,
    FUNDING,
    INDUSTRIES,
    LOWEST_VALUE,
    LUXURIES,
    MARKET,
    MAX_SEATS,
    ROW,
)
from pyramidion.games.ponzi_scheme.market import bears_in_market
from pyramidion.games.ponzi_scheme.scoring import highest_card, industry_points, luxury_points, wealth_points

N_INDUSTRIES, TURNS = len(INDUSTRIES), 5

# Each seat has a block of facts. The first entries are sums of interest until the block is finished.
DUE_AT, CRASH_AT, CASH_AT, ROW_AT, TILES_AT = 0, 7, 8, 10, 11
POINTS_AT, WEALTH_AT, CARD_AT, LUXURY_AT, SCORE_AT = 15, 16, 17, 18, 19
ACTS_AT, STARTS_AT, COMES_AT, RATE_AT, RAISE_AT = 20, 21, 22, 23, 24
LEAD_AT, ENDS_AT, DOOMED_AT = 25, 29, 30
BLOCK = 31

# Then follow the facts of the table.
TABLE_AT = BLOCK * MAX_SEATS
PHASES, MARKET_FACTS = 6, 4
MARKET_AT = TABLE_AT + PHASES + 10
SUPPLY_AT = MARKET_AT + MARKET_FACTS * MARKET
SALE_AT = SUPPLY_AT + N_INDUSTRIES
ENVELOPE_AT = SALE_AT + LUXURIES
FACTS = ENVELOPE_AT + 2 * MAX_SEATS + N_INDUSTRIES + 2
"""Number of facts."""


@rule
def facts(box, s, seat, out):
    """Write the facts of a position to `out` (float32[FACTS], zeroed), seats in turn order from `seat`."""
    count_interest(box, s, seat, out)
    broke, doomed = False, False
    for k in range(s.seats):
        p = (seat + k) % int(s.seats)
        broke = describe_seat(box, s, p, out[BLOCK * k : BLOCK * k + BLOCK]) or broke
        doomed = doomed or out[BLOCK * k + RAISE_AT] < 0.0
    compare_seats(s, out, broke, doomed)
    describe_table(box, s, out[TABLE_AT:], broke)
    describe_market(box, s, out)
    describe_envelope(s, seat, out[ENVELOPE_AT:])


@rule
def clipped(number):
    """Return a number cut off at -1 and 1."""
    return max(-1.0, min(1.0, number))


@rule
def count_interest(box, s, seat, out):
    """Add up each seat's interest at each of the next turns of the wheel, and at the next after a crash (PZ 8.1)."""
    for i in range(s.held_count):
        card, place = int(s.held_card[i]), int(s.held_seat[i]) - seat
        at = BLOCK * (place if place >= 0 else place + int(s.seats))
        interest, period, space = float(box.interest[card]), int(box.period[card]), max(1, int(s.held_space[i]))
        out[at + RATE_AT] += interest / period
        if space <= 2:
            out[at + CRASH_AT] += interest
        while space <= TURNS:
            out[at + space - 1] += interest
            space += period


@rule
def describe_seat(box, s, p, out):
    """Write a seat's block but for its standing among the others; return whether it cannot pay at the next turn."""
    cash = float(s.cash[p])
    one = float(out[0])
    two = one + out[1]
    three = two + out[2]
    four = three + out[3]
    five = four + out[4]
    out[DUE_AT] = clipped((cash - one) / 5.0)
    out[DUE_AT + 1] = clipped((cash - one) / 25.0)
    out[DUE_AT + 2] = clipped((cash - two) / 10.0)
    out[DUE_AT + 3] = clipped((cash - two) / 50.0)
    out[DUE_AT + 4] = clipped((cash - three) / 100.0)
    out[DUE_AT + 5] = clipped((cash - four) / 150.0)
    out[DUE_AT + 6] = clipped((cash - five) / 200.0)
    out[CRASH_AT] = clipped((cash - out[CRASH_AT]) / 10.0)
    out[CASH_AT] = cash / 100.0
    out[CASH_AT + 1] = min(1.0, cash / 30.0)
    for industry in range(N_INDUSTRIES):
        tiles = s.tiles[p, industry] / 3.0
        out[TILES_AT + industry] = tiles
        out[ROW_AT] = max(out[ROW_AT], tiles)
    points = float(industry_points(s, p))
    luxury, wealth = 0.0, 0.0
    if box.advanced:
        luxury = float(luxury_points(box, s, p))
    else:
        wealth = float(wealth_points(box, int(max(0.0, cash - one))))
    card = highest_card(s, p) / 80.0
    out[POINTS_AT] = points / 15.0
    out[WEALTH_AT] = wealth / 4.0
    out[LUXURY_AT] = luxury / 6.0
    out[CARD_AT] = card
    out[SCORE_AT] = points + luxury + wealth + 0.01 * card if cash >= one else -1.0
    place = p - int(s.start_seat)
    comes = (place if place >= 0 else place + int(s.seats)) >= int(s.turn)
    out[ACTS_AT] = (int(s.acting) >> p) & 1
    out[STARTS_AT] = int(p == int(s.start_seat))
    out[COMES_AT] = int(comes)
    out[RATE_AT] /= 50.0
    raised = 0.0
    if s.phase == FUNDING and comes:
        for industry in range(N_INDUSTRIES):
            row = int(s.tiles[p, industry])
            if s.supply[industry] > 0 and row < ROW and s.market_count > ROW * row:
                last = min(ROW * row + ROW, int(s.market_count)) - 1
                raised = max(raised, float(LOWEST_VALUE + int(s.market[last])))
    out[RAISE_AT] = clipped((cash + raised - one) / 10.0)
    return cash < one


@rule
def compare_seats(s, out, broke, doomed):
    """Write each seat's lead over the best of the others, also as it counts if the next turn ends the game."""
    best, second = -2.0, -2.0
    for k in range(s.seats):
        score = float(out[BLOCK * k + SCORE_AT])
        if score > best:
            best, second = score, best
        elif score > second:
            second = score
    for k in range(s.seats):
        at = BLOCK * k
        score = float(out[at + SCORE_AT])
        lead = score - (second if score == best else best)
        out[at + SCORE_AT] = score / 15.0
        out[at + LEAD_AT] = lead / 10.0
        out[at + LEAD_AT + 1] = clipped(lead / 2.0)
        out[at + LEAD_AT + 2] = clipped(lead * 3.0)
        out[at + LEAD_AT + 3] = int(score == best)
        out[at + ENDS_AT] = clipped(lead / 2.0) * int(broke)
        out[at + DOOMED_AT] = clipped(lead / 2.0) * int(doomed)


@rule
def describe_table(box, s, out, broke):
    """Write the phase, the round, and how near a crash is."""
    if s.phase > 0:
        out[int(s.phase) - 1] = 1.0
    missing = int(s.seats) - bears_in_market(box, s)
    bears = 0
    for i in range(s.deck_count):
        bears += int(box.kind[s.deck[i]] == BEAR)
    out[PHASES] = s.round_number / 10.0
    out[PHASES + 1] = s.crashed
    out[PHASES + 2] = missing / 4.0
    out[PHASES + 3] = int(missing <= 0)
    out[PHASES + 4] = int(missing == 1)
    out[PHASES + 5] = int(missing == 2)
    out[PHASES + 6] = s.turn / 4.0
    out[PHASES + 7] = bears / max(1.0, float(s.deck_count))
    out[PHASES + 8] = s.deck_count / 60.0
    out[PHASES + 9] = int(broke)


@rule
def describe_market(box, s, out):
    """Write the cards, tiles and luxuries that can be had."""
    for i in range(s.market_count):
        card, at = int(s.market[i]), MARKET_AT + MARKET_FACTS * i
        out[at] = (LOWEST_VALUE + card) / 80.0
        out[at + 1] = box.interest[card] / 100.0
        out[at + 2] = box.period[card] / 5.0
        out[at + 3] = int(box.kind[card] == BEAR)
    for industry in range(N_INDUSTRIES):
        out[SUPPLY_AT + industry] = s.supply[industry] / 10.0
    if box.advanced:
        for luxury in range(LUXURIES):
            out[SALE_AT + luxury] = int(s.luxury_owner[luxury] == 0)


@rule
def describe_envelope(s, seat, out):
    """Write who offers what to whom, and the price."""
    if s.phase != AMOUNT and s.phase != ANSWER:
        return
    giver, taker = int(s.offer_from) - seat, int(s.offer_to) - seat
    out[giver if giver >= 0 else giver + int(s.seats)] = 1.0
    out[MAX_SEATS + (taker if taker >= 0 else taker + int(s.seats))] = 1.0
    out[2 * MAX_SEATS + int(s.offer_industry)] = 1.0
    if s.phase == ANSWER:
        out[2 * MAX_SEATS + N_INDUSTRIES] = s.price / 50.0
        out[2 * MAX_SEATS + N_INDUSTRIES + 1] = int(s.cash[int(s.offer_to)] >= s.price)
