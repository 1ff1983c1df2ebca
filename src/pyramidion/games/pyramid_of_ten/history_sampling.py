"""The hidden past of a game, dealt again: what every seat may have got, traded and paid until now. Compiled.

Seats are kept in an order of precedence, packed into an integer with four bits for each place, the first one lowest.
"""

from __future__ import annotations

import numpy as np

from pyramidion.engine.random import below
from pyramidion.engine.rule import rule
from pyramidion.games.pyramid_of_ten.fields import MOST_CLAIM
from pyramidion.games.pyramid_of_ten.spaces import TEN

TRADE_FROM = 3
"""The first round in which garnets are traded; until then players keep them."""
ASKED = np.array([4, 4, 4, 4, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 1], np.int64)
"""Numbers of tickets that players ask for: any of ASKED_WINDOW of them in a row. The row of the first two players in
the order begins with the first number, that of the next two with the second, and so on."""
ASKED_WINDOW = 12
LEAST_PAID, MOST_PAID = 3, 10
"""The winner of a battle pays from three to ten tenths of the tickets held."""


@rule
def at_place(order, place):
    """Return the seat at a place (0: the first) in a packed order of precedence."""
    return order >> 4 * place & 15


@rule
def order_of_priority(s):
    """Return the seats by priority, highest first, as a packed order; `rank` decides between equal ones."""
    order = 0
    for seat in range(TEN):
        ahead, own = 0, (int(s.priority[seat]) << 4) - int(s.rank[seat])
        for other in range(TEN):
            ahead += int((int(s.priority[other]) << 4) - int(s.rank[other]) > own)
        order |= seat << 4 * ahead
    return order


@rule
def sample_claims(s, order, with_losses, chance):
    """Replay the claims of a round: everybody asks as players do, and gets tickets in this order (UD 5.2, DU 3.1).

    `with_losses`, those who get a number lose the priorities of those who are screwed at it (UD 5.3).
    """
    asked = 0
    for place in range(TEN):
        asked |= int(ASKED[below(chance, ASKED_WINDOW) + place // 2]) << 4 * place
    for tickets in range(1, MOST_CLAIM + 1):
        taking, left, lost = 0, MOST_CLAIM + 1 - tickets, 0
        for place in range(TEN):
            if at_place(asked, place) == tickets:
                seat = at_place(order, place)
                if left > 0:
                    taking |= 1 << seat
                    left -= 1
                else:
                    lost += abs(int(s.priority[seat]))
        for seat in range(TEN):
            if taking >> seat & 1:
                s.tickets[seat] += tickets
                if with_losses:
                    s.priority[seat] -= lost


@rule
def sample_trades(s, price, times, chance):
    """Let every seat turn a random part of the garnets it has left into tickets, a number of times."""
    for seat in range(TEN):
        tickets = int(s.garnets[seat]) // price
        for _ in range(times):
            tickets = below(chance, tickets + 1)
        traded = int(s.garnets[seat]) // price - tickets
        s.garnets[seat] -= traded * price
        s.tickets[seat] += traded


@rule
def sample_payments(s, round_number, chance):
    """Let the winners of a round's battles pay a random part of their tickets (UD 6.3, DU 4.4)."""
    for seat in range(TEN):
        if int(s.won[seat]) >> round_number - 1 & 1:
            share = LEAST_PAID + below(chance, MOST_PAID + 1 - LEAST_PAID)
            s.tickets[seat] -= (int(s.tickets[seat]) * share + MOST_PAID // 2) // MOST_PAID
