"""How many of which size: which payments are possible at all (SB 3.2 to 3.6), whatever the colours.

Sets of pieces are counts of smalls, mediums and larges. `sums` of such a set is a bitmask of all totals that some of
its pieces make; the 30 pieces of the game come to 60 pips, so 64 bits hold it.
"""

from __future__ import annotations

from pyramidion.engine.rule import rule
from pyramidion.games.pyramid_shambo.layout import ALL, EXACT, NO_WAY, WITH_CHANGE, WITH_TRADE

MOST_CHANGE = 4
"""No payment needs more change: see `may_be_paid`."""


@rule
def sums(smalls, mediums, larges):
    """The totals that some of these pieces make, 0 and all of them included; total t is bit t."""
    totals = (1 << (int(smalls) + 1)) - 1
    for _ in range(mediums):
        totals |= totals << 2
    for _ in range(larges):
        totals |= totals << 3
    return totals


@rule
def fits(s, seat, total):
    """Whether some of a seat's pieces make exactly `total`."""
    return (sums(s.count[seat, 0], s.count[seat, 1], s.count[seat, 2]) >> total) & 1 == 1


@rule
def way_to_pay(s, payer, payee, fee):
    """How `fee` pips can be paid: everything, exactly, with change, with a trade, or not at all (SB 3.2 to 3.6)."""
    smalls, mediums, larges = int(s.count[payer, 0]), int(s.count[payer, 1]), int(s.count[payer, 2])
    if smalls + 2 * mediums + 3 * larges <= fee:
        return ALL
    if (sums(smalls, mediums, larges) >> fee) & 1:
        return EXACT
    owned = sums(s.count[payee, 0], s.count[payee, 1], s.count[payee, 2])
    if may_be_paid(smalls, mediums, larges, 0, 0, 0, fee, owned):
        return WITH_CHANGE
    if can_trade(s, payer, payee, 1) or can_trade(s, payer, payee, 2):
        return WITH_TRADE
    return NO_WAY


@rule
def may_be_paid(smalls, mediums, larges, put0, put1, put2, fee, owned):
    """Whether the payer may hand over a set that contains (put0, put1, put2) and get change (SB 3.4).

    `owned`: the `sums` of the payee's pieces. The payer cannot pay exactly, so holds at most one small. What is handed
    over and the change have no parts of the same worth - the payment could do without them - so they share no size.
    That leaves change of 1, of 2, of 3 for mediums (a large) and of 4 for larges (two mediums).
    """
    for change in range(1, MOST_CHANGE + 1):
        if (owned >> change) & 1:
            total = fee + change
            for c in range(put2, min(larges, total // 3) + 1):
                for b in range(put1, min(mediums, (total - 3 * c) // 2) + 1):
                    a = total - 3 * c - 2 * b
                    if put0 <= a <= smalls and does_without_none(a, b, c, fee, owned):
                        return True
    return False


@rule
def does_without_none(a, b, c, fee, owned):
    """Whether no smaller part of the set (a, b, c) could be handed over for the fee and the right change (SB 3.4)."""
    parts = sums(a, b, c) ^ (1 << (a + 2 * b + 3 * c))
    return (parts >> fee) & owned == 0


@rule
def can_trade(s, payer, payee, size):
    """Whether the payer has a medium (1) or large (2) for which an uninvolved player has several pieces (SB 3.5)."""
    if s.count[payer, size] > 0:
        for seat in range(s.seats):
            if seat not in (payer, payee) and s.out_at[seat] == 0:
                smalls = s.count[seat, 0]
                if smalls > size or (size == 2 and smalls > 0 and s.count[seat, 1] > 0):
                    return True
    return False
