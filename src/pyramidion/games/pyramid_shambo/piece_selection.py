"""Selection of pieces one by one during a payment: legal pieces, and when the selection is complete (SB 3.3 to 3.5).

Selected pieces stay with their holders until the selection is complete, then change hands together.
"""

from __future__ import annotations

from pyramidion.engine.rule import rule
from pyramidion.games.pyramid_shambo.layout import (
    ACTIONS,
    CHANGE,
    N_SIZES,
    NOBODY,
    PAY,
    PIECES,
    RETURN,
    TRADE,
    WITH_CHANGE,
)
from pyramidion.games.pyramid_shambo.payment import TRADES, fits, may_be_paid, sums, trades, trades_with, uninvolved

HAND, GIVE_CHANGE, SWAP, FOR = ACTIONS.pay, ACTIONS.change, ACTIONS.trade, ACTIONS.for_


@rule
def family(s):
    """Return the id of the first action that selects a piece in this phase; the ids of the others follow."""
    if s.phase == PAY:
        return HAND
    if s.phase == CHANGE:
        return GIVE_CHANGE
    return SWAP if s.phase == TRADE else FOR


@rule
def chosen_pips(s):
    """Return the pips of the giver's selected pieces."""
    return int(s.chosen_count[0]) + 2 * int(s.chosen_count[1]) + 3 * int(s.chosen_count[2])


@rule
def open_sizes(box, s):
    """Return which sizes may be selected from whose pieces, as a bitmask: bit 3 * (seat + 1) + size."""
    if s.phase == RETURN and s.giver == NOBODY:
        sizes = 0
        for seat in range(s.seats):
            if uninvolved(s, seat, s.payer, s.winner):
                sizes |= sizes_of(box, s, seat) << (3 * seat + 3)
        return sizes
    return sizes_of(box, s, int(s.giver)) << (3 * int(s.giver) + 3)


@rule
def sizes_of(box, s, seat):
    """Return the sizes (bitmask) of which `seat` may add one more piece and still complete the selection."""
    if s.phase == TRADE:
        return sizes_to_trade(s, trades(box, s, s.payer, s.winner, s.fee), 0)
    if s.phase == RETURN:
        possible = trades(box, s, s.payer, s.winner, s.fee) & trades_with(box, s, s.payer, s.fee, seat)
        return sizes_to_trade(s, possible, 3)
    has0 = int(s.count[seat, 0]) - int(s.chosen_count[0])
    has1 = int(s.count[seat, 1]) - int(s.chosen_count[1])
    has2 = int(s.count[seat, 2]) - int(s.chosen_count[2])
    if s.phase == PAY and s.way == WITH_CHANGE:
        return sizes_with_change(s, has0, has1, has2)
    rest = int(s.need) - chosen_pips(s)
    small = has0 > 0 and rest >= 1 and (sums(has0 - 1, has1, has2) >> (rest - 1)) & 1 == 1
    medium = has1 > 0 and rest >= 2 and (sums(has0, has1 - 1, has2) >> (rest - 2)) & 1 == 1
    large = has2 > 0 and rest >= 3 and (sums(has0, has1, has2 - 1) >> (rest - 3)) & 1 == 1
    return int(small) | int(medium) << 1 | int(large) << 2


@rule
def sizes_to_trade(s, possible, side):
    """Return the sizes (bitmask) of which one more piece may be added to a trade on one side of it (SB 3.5).

    `side` is 0 for the payer's pieces and 3 for the other player's. `possible` is the set of trades to complete.
    """
    sizes = 0
    for row in range(len(TRADES)):
        fits_so_far = (possible >> row) & 1 == 1 and (side == 0 or is_for_what_is_traded(s, row))
        for size in range(N_SIZES):
            fits_so_far = fits_so_far and s.chosen_count[size] <= TRADES[row, side + size]
        if fits_so_far:
            for size in range(N_SIZES):
                sizes |= int(s.chosen_count[size] < TRADES[row, side + size]) << size
    return sizes


@rule
def is_for_what_is_traded(s, row):
    """Return whether the trade in a row of TRADES takes exactly the sizes that the payer has selected."""
    traded = chosen_of(s, s.payer)
    for size in range(N_SIZES):
        pieces = 0
        for piece in range(size, PIECES, N_SIZES):
            pieces += (traded >> piece) & 1
        if pieces != TRADES[row, size]:
            return False
    return True


@rule
def sizes_with_change(s, has0, has1, has2):
    """Return the sizes (bitmask) of which the payer may add one more piece to a payment with change (SB 3.4).

    `has0`, `has1` and `has2` are the payer's smalls, mediums and larges that are not selected yet.
    """
    owned = sums(s.count[s.winner, 0], s.count[s.winner, 1], s.count[s.winner, 2])
    put0, put1, put2 = int(s.chosen_count[0]), int(s.chosen_count[1]), int(s.chosen_count[2])
    all0, all1, all2 = has0 + put0, has1 + put1, has2 + put2
    small = has0 > 0 and may_be_paid(all0, all1, all2, put0 + 1, put1, put2, int(s.need), owned)
    medium = has1 > 0 and may_be_paid(all0, all1, all2, put0, put1 + 1, put2, int(s.need), owned)
    large = has2 > 0 and may_be_paid(all0, all1, all2, put0, put1, put2 + 1, int(s.need), owned)
    return int(small) | int(medium) << 1 | int(large) << 2


@rule
def may_choose(s, piece, sizes):
    """Return 1 if a piece may be selected, otherwise 0; `sizes` are the `open_sizes`."""
    return (sizes >> (3 * int(s.holder[piece]) + 3 + piece % N_SIZES)) & 1 & (1 - int(s.chosen[piece]))


@rule
def choose(s, piece):
    """Select a piece for the payment; its holder becomes the giver."""
    s.chosen[piece] = 1
    s.chosen_count[piece % N_SIZES] += 1
    s.giver = s.holder[piece]


@rule
def enough(box, s):
    """Return whether the pieces selected so far complete the selection."""
    pips = chosen_pips(s)
    if s.phase == TRADE:
        return sizes_of(box, s, int(s.payer)) == 0
    if s.phase == PAY and s.way == WITH_CHANGE:
        return pips > s.need and fits(s, s.winner, pips - int(s.need))
    return pips == s.need


@rule
def chosen_of(s, seat):
    """Return a seat's selected pieces as a bitmask."""
    pieces = 0
    for piece in range(PIECES):
        pieces |= (int(s.chosen[piece]) & int(s.holder[piece] == seat)) << piece
    return pieces


@rule
def exchange(s, seat, other):
    """Hand the selected pieces of each of two seats to the other, and clear the selection."""
    for piece in range(N_SIZES * s.seats):
        if s.chosen[piece]:
            move(s, piece, other if s.holder[piece] == seat else seat)
            s.chosen[piece] = 0


@rule
def move(s, piece, seat):
    """Move a piece from its holder to a seat."""
    size = piece % N_SIZES
    s.count[s.holder[piece], size] -= 1
    s.count[seat, size] += 1
    s.holder[piece] = seat
