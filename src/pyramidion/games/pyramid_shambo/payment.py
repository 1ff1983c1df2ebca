"""Feasible payments by number of pieces of each size, regardless of colour (SB 3.2 to 3.6).

A set of pieces is given as counts of smalls, mediums and larges. Its `sums` are a bitmask of all subset totals. The 30
pieces of the game add up to 60 pips, so 64 bits suffice.
"""

from __future__ import annotations

import numpy as np

from pyramidion.engine.rule import rule
from pyramidion.games.pyramid_shambo.layout import ALL, EXACT, NO_WAY, WITH_CHANGE, WITH_TRADE

MOST_CHANGE = 4
"""Largest change any payment needs; see `may_be_paid`."""
TRADES = np.array(
    [
        (0, 1, 0, 2, 0, 0),
        (0, 0, 1, 1, 1, 0),
        (0, 0, 1, 3, 0, 0),
        (0, 2, 0, 1, 0, 1),
        (1, 0, 1, 0, 2, 0),
        (0, 0, 2, 0, 3, 0),
        (0, 3, 0, 0, 0, 2),
    ]
)
"""All trades that can be needed (SB 3.5): the payer's smalls, mediums and larges, then the pieces given for them.

Rows are sorted by the number of the payer's pieces, then of the others. No other trade is ever minimal. A set of trades
is a bitmask of rows.
"""
OF_ONE, OF_TWO, FOR_TWO = 0b0000111, 0b0111000, 0b1011011
"""Masks of the trades of one and of two of the payer's pieces, and of those for two pieces in return."""
ALL_TRADES_SINCE = 2
"""First version of the rules in which the payer may trade more than one piece, and must trade as few as possible."""


@rule
def sums(smalls, mediums, larges):
    """Return all totals that some of these pieces add up to, as a bitmask (bit t is total t), from 0 to all of them."""
    totals = (1 << (int(smalls) + 1)) - 1
    for _ in range(mediums):
        totals |= totals << 2
    for _ in range(larges):
        totals |= totals << 3
    return totals


@rule
def fits(s, seat, total):
    """Return whether some of a seat's pieces add up to exactly `total` pips."""
    return (sums(s.count[seat, 0], s.count[seat, 1], s.count[seat, 2]) >> total) & 1 == 1


@rule
def way_to_pay(box, s, payer, payee, fee):
    """Return how a fee can be paid: ALL, EXACT, WITH_CHANGE, WITH_TRADE or NO_WAY (SB 3.2 to 3.6)."""
    smalls, mediums, larges = int(s.count[payer, 0]), int(s.count[payer, 1]), int(s.count[payer, 2])
    if smalls + 2 * mediums + 3 * larges <= fee:
        return ALL
    if (sums(smalls, mediums, larges) >> fee) & 1:
        return EXACT
    owned = sums(s.count[payee, 0], s.count[payee, 1], s.count[payee, 2])
    if may_be_paid(smalls, mediums, larges, 0, 0, 0, fee, owned):
        return WITH_CHANGE
    return WITH_TRADE if trades(box, s, payer, payee, fee) else NO_WAY


@rule
def may_be_paid(smalls, mediums, larges, put0, put1, put2, fee, owned):
    """Return whether the payer can pay with change if it hands over put0 smalls, put1 mediums and put2 larges (SB 3.4).

    The payer holds `smalls`, `mediums` and `larges`, those included, and may add more of them.

    `owned` are the `sums` of the payee's pieces. The payer cannot pay exactly, so it holds at most one small. A payment
    and its change contain no parts of equal worth, since both could be left out; so they share no size. This leaves
    change of 1, of 2, of 3 for mediums (a large) and of 4 for larges (two mediums).
    """
    for change in range(1, MOST_CHANGE + 1):
        if (owned >> change) & 1:
            total = fee + change
            for c in range(put2, min(larges, total // 3) + 1):
                for b in range(put1, min(mediums, (total - 3 * c) // 2) + 1):
                    a = total - 3 * c - 2 * b
                    if put0 <= a <= smalls and is_minimal(a, b, c, fee, owned):
                        return True
    return False


@rule
def is_minimal(a, b, c, fee, owned):
    """Return whether paying with `a` smalls, `b` mediums and `c` larges is minimal: no part of them would do (SB 3.4).

    `owned` are the `sums` of the pieces from which change is given.
    """
    parts = sums(a, b, c) ^ (1 << (a + 2 * b + 3 * c))
    return (parts >> fee) & owned == 0


@rule
def uninvolved(s, seat, payer, payee):
    """Return whether a player is in the game and not a party to this payment (SB 3.5)."""
    return s.out_at[seat] == 0 and seat != payer and seat != payee


@rule
def trades(box, s, payer, payee, fee):
    """Return the trades with any uninvolved player that use the fewest of the payer's pieces (SB 3.5).

    Like all sets of trades, it is a bitmask of rows of TRADES.
    """
    trade_mask = 0
    for seat in range(s.seats):
        if uninvolved(s, seat, payer, payee):
            trade_mask |= trades_with(box, s, payer, fee, seat)
    return with_fewest_pieces(trade_mask)


@rule
def with_fewest_pieces(trade_mask):
    """Return those trades of a set (a bitmask of rows of TRADES) that use the fewest of the payer's pieces."""
    if trade_mask & OF_ONE:
        return trade_mask & OF_ONE
    return trade_mask & OF_TWO if trade_mask & OF_TWO else trade_mask


@rule
def trades_with(box, s, payer, fee, seat):
    """Return the smallest trades with the player `seat` that let the payer pay the fee exactly, as a bitmask."""
    trade_mask = 0
    for row in range(len(TRADES)):
        possible = True
        for size in range(3):
            has_both = s.count[payer, size] >= TRADES[row, size] and s.count[seat, size] >= TRADES[row, 3 + size]
            possible = possible and has_both
        if possible:
            totals = sums(
                s.count[payer, 0] - TRADES[row, 0] + TRADES[row, 3],
                s.count[payer, 1] - TRADES[row, 1] + TRADES[row, 4],
                s.count[payer, 2] - TRADES[row, 2] + TRADES[row, 5],
            )
            trade_mask |= ((totals >> fee) & 1) << row
    if box.rules_version < ALL_TRADES_SINCE:
        return trade_mask & OF_ONE
    trade_mask = with_fewest_pieces(trade_mask)
    return trade_mask & FOR_TWO if trade_mask & FOR_TWO else trade_mask
