"""Rules of Ponzi Scheme, in the order of the rulebook. `PZ` numbers refer to rules.md."""

from __future__ import annotations

from pyramidion.engine.events import event, only
from pyramidion.engine.random import below
from pyramidion.engine.rule import rule
from pyramidion.engine.turns import seat_after
from pyramidion.games.ponzi_scheme.layout import (
    ACTIONS,
    AMOUNT,
    ANSWER,
    BEAR,
    CARDS,
    CRASH,
    EVENTS,
    FUNDING,
    INDUSTRIES,
    LOWEST_VALUE,
    LUXURIES,
    MARKER,
    MARKET,
    ROW,
    STARTING,
    STARTING_CARDS,
    TRADING,
)
from pyramidion.games.ponzi_scheme.market import bears_in_market, restock, row_start, take_from_market
from pyramidion.games.ponzi_scheme.scoring import end_game, payoff, points

__all__ = ["apply", "legal", "payoff", "points", "setup", "timeout"]

PASS, FUND, OFFER, PUT = ACTIONS.pass_, ACTIONS.fund, ACTIONS.offer, ACTIONS.amount
SELL, COUNTER, REMOVE = ACTIONS.sell, ACTIONS.counter, ACTIONS.remove
GIVE_BACK, BUY = ACTIONS.give_back, ACTIONS.buy
N_INDUSTRIES = len(INDUSTRIES)

STARTS, ROUND, PASSED, FUNDED = EVENTS.starts, EVENTS.round, EVENTS.passed, EVENTS.funded
OFFERED, ENVELOPE, SOLD, COUNTERED = EVENTS.offered, EVENTS.envelope, EVENTS.sold, EVENTS.countered
BOUGHT, MARKER_PASSED, REMOVED = EVENTS.bought, EVENTS.marker, EVENTS.removed
CRASHED, GAVE_BACK, TURNED = EVENTS.crashed, EVENTS.gave_back, EVENTS.turned
PAID, BANKRUPT = EVENTS.paid, EVENTS.bankrupt


@rule
def setup(box, s):
    """Lay out the market and the deck, and draw the start player (PZ 2)."""
    for card in range(STARTING_CARDS):
        s.market[card] = card
    s.market_count = MARKET
    for card in range(STARTING_CARDS, CARDS):
        s.deck[card - STARTING_CARDS] = card
    s.deck_count = CARDS - STARTING_CARDS
    for industry in range(N_INDUSTRIES):
        s.supply[industry] = box.tiles_per_industry
    s.start_seat = below(s.rng, s.seats)
    event(s, STARTS, 2_02, s.start_seat)
    begin_round(box, s)


@rule
def legal(box, s, seat, out):
    """Write the ids of `seat`'s legal actions to `out` in ascending order; return the count."""
    if s.phase == FUNDING:
        return legal_funding(box, s, seat, out)
    if s.phase == TRADING:
        return legal_trading(box, s, seat, out)
    if s.phase == AMOUNT:
        cash = int(s.cash[seat])
        for amount in range(cash + 1):
            out[amount] = PUT + amount
        return cash + 1
    if s.phase == ANSWER:
        out[0] = SELL
        if s.cash[seat] < s.price:
            return 1
        out[1] = COUNTER
        return 2
    if s.phase == MARKER:
        for i in range(s.market_count):
            out[i] = REMOVE + int(s.market[i])
        return int(s.market_count)
    return legal_give_back(s, seat, out)


@rule
def apply(box, s, seat, action):
    """Apply a legal action and advance to the next decision."""
    if s.phase == FUNDING:
        if action == PASS:
            event(s, PASSED, 4_01, seat)
        else:
            fund(box, s, seat, (action - FUND) // CARDS, (action - FUND) % CARDS)
        next_turn(box, s)
    elif s.phase == TRADING:
        if action == PASS:
            event(s, PASSED, 5_01, seat)
            next_turn(box, s)
        elif action >= BUY:
            buy_luxury(box, s, seat, action - BUY)
            next_turn(box, s)
        else:
            offer(s, seat, (action - OFFER) // N_INDUSTRIES, (action - OFFER) % N_INDUSTRIES)
    elif s.phase == AMOUNT:
        fill_envelope(s, seat, action - PUT)
    elif s.phase == ANSWER:
        answer(s, seat, action == COUNTER)
        next_turn(box, s)
    elif s.phase == MARKER:
        remove_card(box, s, seat, action - REMOVE)
    else:
        give_back(s, seat, action - GIVE_BACK)
        s.turn += 1
        next_to_give_back(box, s)


# PZ 3: the round


@rule
def begin_round(box, s):
    """Start the next round; the holder of the start marker goes first (PZ 3)."""
    s.round_number += 1
    s.crashed = 0
    event(s, ROUND, 3_00, s.round_number, s.start_seat)
    begin_phase(s, FUNDING)


@rule
def begin_phase(s, phase):
    """Start a phase in which each seat takes one turn, clockwise from the start player."""
    s.phase = phase
    s.turn = 0
    s.acting = 1 << int(s.start_seat)


@rule
def next_turn(box, s):
    """Pass the turn to the next seat clockwise, or start the next phase (PZ 4.1, 5.1)."""
    s.turn += 1
    if s.phase == ANSWER:
        s.phase = TRADING
    if s.turn < s.seats:
        s.acting = 1 << seat_after(s, s.start_seat, s.turn)
    elif s.phase == FUNDING:
        begin_phase(s, TRADING)
    else:
        pass_marker(box, s)


# PZ 4: funding


@rule
def legal_funding(box, s, seat, out):
    """Write passing and the legal funds to `out`; return the count (PZ 4.2, 4.3).

    A seat's 1st, 2nd or 3rd tile of an industry takes a card from row 1, 2 or 3.
    """
    out[0] = PASS
    n = 1
    for industry in range(N_INDUSTRIES):
        row = int(s.tiles[seat, industry])
        if s.supply[industry] > 0 and row < ROW:
            start, end = row_start(box, s, row), row_start(box, s, row + 1)
            for i in range(start, start + ROW):  # of fixed length, which is faster; what is no part of the row goes
                out[n] = FUND + industry * CARDS + int(s.market[i])
                n += int(i < end)
    return n


@rule
def fund(box, s, seat, industry, card):
    """Give a seat a tile and a fund card, pay it the card's value (PZ 4.1, 4.4), and restock the market (PZ 4.5)."""
    s.supply[industry] -= 1
    s.tiles[seat, industry] += 1
    take_from_market(s, card)
    n = s.held_count
    s.held_card[n] = card
    s.held_seat[n] = seat
    s.held_space[n] = box.period[card]
    s.held_count = n + 1
    s.cash[seat] += LOWEST_VALUE + card
    s.public_cash[seat] += LOWEST_VALUE + card
    event(s, FUNDED, 4_04, seat, industry, LOWEST_VALUE + card, box.period[card])
    restock(box, s, 4_05)


# PZ 5: clandestine trading, and PZ 11: luxuries


@rule
def legal_trading(box, s, seat, out):
    """Write passing, offers to seats that share an industry, and luxuries to `out`; return the count (PZ 5.1, 11.1).

    Luxuries are for sale in the advanced game.
    """
    out[0] = PASS
    n = 1
    for other in range(s.seats):
        if other != seat:
            for industry in range(N_INDUSTRIES):
                # Write first and count only if legal: this avoids a branch that is mispredicted half the time.
                out[n] = OFFER + other * N_INDUSTRIES + industry
                n += int(min(s.tiles[seat, industry], s.tiles[other, industry]) > 0)
    if box.advanced:
        for luxury in range(LUXURIES):
            if s.luxury_owner[luxury] == 0 and box.luxury_price[luxury] <= s.cash[seat]:
                out[n] = BUY + luxury
                n += 1
    return n


@rule
def offer(s, seat, other, industry):
    """Offer an envelope to another seat for a tile of an industry (PZ 5.1); the amount comes next."""
    s.offer_from = seat
    s.offer_to = other
    s.offer_industry = industry
    s.phase = AMOUNT
    event(s, OFFERED, 5_01, seat, other, industry)


@rule
def fill_envelope(s, seat, amount):
    """Put an amount into the envelope, which only the two parties see, and ask for the answer (PZ 5.2, 2.3)."""
    parties = only(seat) | only(s.offer_to)
    s.price = amount
    s.price_party = parties
    s.phase = ANSWER
    s.acting = 1 << int(s.offer_to)
    event(s, ENVELOPE, 5_02, seat, s.offer_to, amount, audience=parties)


@rule
def answer(s, seat, counters):
    """Answer an envelope: sell a tile for its money, or counter, that is, pay as much and take a tile (PZ 5.3)."""
    offerer, industry, price = s.offer_from, s.offer_industry, s.price
    payer, payee = (seat, offerer) if counters else (offerer, seat)
    s.tiles[payer, industry] += 1
    s.tiles[payee, industry] -= 1
    s.cash[payer] -= price
    s.cash[payee] += price
    s.traded[payer, payee] -= price
    s.traded[payee, payer] += price
    s.trades[payer, payee] = min(99, s.trades[payer, payee] + 1)
    event(s, COUNTERED if counters else SOLD, 5_03, seat, offerer, industry)
    s.offer_from, s.offer_to, s.offer_industry = 0, 0, 0
    s.price, s.price_party = 0, 0


@rule
def buy_luxury(box, s, seat, luxury):
    """Buy a luxury tile from the market (PZ 11.1)."""
    price = box.luxury_price[luxury]
    s.luxury_owner[luxury] = seat + 1
    s.cash[seat] -= price
    s.public_cash[seat] -= price
    event(s, BOUGHT, 11_01, seat, price, box.luxury_points[luxury])


# PZ 6: the marker


@rule
def pass_marker(box, s):
    """Pass the start marker to the next seat, which must remove a card from the market (PZ 6.1, 6.2)."""
    s.start_seat = seat_after(s, s.start_seat, 1)
    s.turn = 0
    event(s, MARKER_PASSED, 6_01, s.start_seat)
    s.phase = MARKER
    s.acting = 1 << int(s.start_seat)
    if s.market_count == 0:
        check_crash(box, s)


@rule
def remove_card(box, s, seat, card):
    """Discard a market card, or a starting card for good (PZ 6.2); then restock the market (PZ 6.3)."""
    take_from_market(s, card)
    starting = box.kind[card] == STARTING
    if starting:
        s.removed_count += 1
    else:
        s.discard[s.discard_count] = card
        s.discard_count += 1
    event(s, REMOVED, 6_02, seat, LOWEST_VALUE + card, starting)
    restock(box, s, 6_03)
    check_crash(box, s)


# PZ 7: market crash


@rule
def check_crash(box, s):
    """Crash the market if it shows at least as many bears as players (PZ 7.1); otherwise turn the wheels."""
    bears = bears_in_market(box, s)
    if bears >= s.seats:
        crash(box, s, bears)
    else:
        turn_wheels(box, s)


@rule
def crash(box, s, bears):
    """Crash the market: bears, discard pile and deck form a new deck, and every seat gives back a tile (PZ 7)."""
    s.crashed = 1
    event(s, CRASHED, 7_01, bears)
    kept = 0
    for i in range(s.market_count):
        card = s.market[i]
        if box.kind[card] == BEAR:
            s.deck[s.deck_count] = card
            s.deck_count += 1
        else:
            s.market[kept] = card
            kept += 1
    s.market_count = kept
    for i in range(s.discard_count):
        s.deck[s.deck_count] = s.discard[i]
        s.deck_count += 1
        s.discard[i] = 0
    s.discard_count = 0
    restock(box, s, 7_02)
    s.phase = CRASH
    s.turn = 0
    next_to_give_back(box, s)


@rule
def next_to_give_back(box, s):
    """Ask the next seat with tiles to give one back (PZ 7.3), or turn the wheels after the last one."""
    while s.turn < s.seats:
        seat = seat_after(s, s.start_seat, s.turn)
        if most_tiles(s, seat) > 0:
            s.acting = 1 << seat
            return
        s.turn += 1
    turn_wheels(box, s)


@rule
def most_tiles(s, seat):
    """Return how many tiles a seat holds of the industry of which it holds most."""
    most = 0
    for industry in range(N_INDUSTRIES):
        most = max(most, int(s.tiles[seat, industry]))
    return most


@rule
def legal_give_back(s, seat, out):
    """Write the return of a tile of each of the seat's largest industries to `out`; return the count (PZ 7.3)."""
    size = most_tiles(s, seat)
    n = 0
    for industry in range(N_INDUSTRIES):
        if s.tiles[seat, industry] == size:
            out[n] = GIVE_BACK + industry
            n += 1
    return n


@rule
def give_back(s, seat, industry):
    """Return a seat's tile of an industry to the supply (PZ 7.3)."""
    s.tiles[seat, industry] -= 1
    s.supply[industry] += 1
    event(s, GAVE_BACK, 7_03, seat, industry)


# PZ 8 and 9: the wheel and the interest


@rule
def turn_wheels(box, s):
    """Turn every wheel one space, two after a crash, and collect the interest that is due (PZ 8.1).

    A card that would pass the arrow stops at it.
    """
    spaces = 2 if s.crashed else 1
    event(s, TURNED, 8_01, spaces)
    for seat in range(s.seats):
        s.due[seat] = 0
    for i in range(s.held_count):
        space = max(0, int(s.held_space[i]) - spaces)
        s.held_space[i] = space
        if space == 0:
            s.due[s.held_seat[i]] += box.interest[s.held_card[i]]
    pay_interest(box, s)


@rule
def pay_interest(box, s):
    """Let all seats pay the interest that is due; if any cannot, it is bankrupt and the game ends (PZ 9).

    A bankrupt seat pays nothing.
    """
    any_bankrupt = False
    for seat in range(s.seats):
        due = int(s.due[seat])
        if due > s.cash[seat]:
            s.bankrupt[seat] = 1
            any_bankrupt = True
            event(s, BANKRUPT, 9_02, seat, due)
        elif due > 0:
            s.cash[seat] -= due
            s.public_cash[seat] -= due
            event(s, PAID, 9_01, seat, due)
    if any_bankrupt:
        end_game(box, s, 9_03)
        return
    for i in range(s.held_count):
        if s.held_space[i] == 0:
            s.held_space[i] = box.period[s.held_card[i]]
    if s.round_number >= box.round_limit:
        end_game(box, s, 10_06)
    else:
        begin_round(box, s)


@rule
def timeout(box, s, seat):
    """Return the action that is taken for an absent seat.

    It passes, puts nothing into the envelope, sells, and otherwise takes the first legal action. The rulebook does not
    cover absence; this takes no risks on the player's behalf.
    """
    if s.phase == FUNDING or s.phase == TRADING:
        return PASS
    if s.phase == AMOUNT:
        return PUT
    if s.phase == ANSWER:
        return SELL
    if s.phase == MARKER:
        return REMOVE + int(s.market[0])
    for industry in range(N_INDUSTRIES):
        if s.tiles[seat, industry] == most_tiles(s, seat):
            return GIVE_BACK + industry
    return PASS
