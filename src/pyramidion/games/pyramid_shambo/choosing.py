"""Choosing pieces one by one: which may be put forward in a payment, and when there are enough (SB 3.3 to 3.5).

Pieces put forward stay where they are until the choice is complete; then they change hands together.
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
from pyramidion.games.pyramid_shambo.payment import can_trade, fits, may_be_paid, sums

HAND, GIVE_CHANGE, SWAP, FOR = ACTIONS.pay, ACTIONS.change, ACTIONS.trade, ACTIONS.for_


@rule
def family(s):
    """The first id of the actions that choose a piece in this phase."""
    if s.phase == PAY:
        return HAND
    if s.phase == CHANGE:
        return GIVE_CHANGE
    return SWAP if s.phase == TRADE else FOR


@rule
def chosen_pips(s):
    """Pips of the giver's pieces that are put forward."""
    return int(s.chosen_count[0]) + 2 * int(s.chosen_count[1]) + 3 * int(s.chosen_count[2])


@rule
def open_sizes(s):
    """The sizes that may be chosen of each seat's pieces: bit 3 * (seat + 1) + size."""
    if s.phase == RETURN and s.giver == NOBODY:
        sizes = 0
        for seat in range(s.seats):
            if uninvolved(s, seat):
                sizes |= sizes_of(s, seat) << (3 * seat + 3)
        return sizes
    return sizes_of(s, int(s.giver)) << (3 * int(s.giver) + 3)


@rule
def sizes_of(s, seat):
    """The sizes (bitmask) of which one more piece of `seat` may be chosen now, such that the rest can be made up."""
    has0 = int(s.count[seat, 0]) - int(s.chosen_count[0])
    has1 = int(s.count[seat, 1]) - int(s.chosen_count[1])
    has2 = int(s.count[seat, 2]) - int(s.chosen_count[2])
    if s.phase == TRADE:
        return int(can_trade(s, s.payer, s.winner, 1)) << 1 | int(can_trade(s, s.payer, s.winner, 2)) << 2
    if s.phase == PAY and s.way == WITH_CHANGE:
        return sizes_with_change(s, has0, has1, has2)
    rest = int(s.need) - chosen_pips(s)
    # A trade is for several pieces: its first one is not worth the whole (SB 3.5).
    most = rest - 1 if s.phase == RETURN and s.giver == NOBODY else rest
    small = has0 > 0 and most >= 1 and (sums(has0 - 1, has1, has2) >> (rest - 1)) & 1 == 1
    medium = has1 > 0 and most >= 2 and (sums(has0, has1 - 1, has2) >> (rest - 2)) & 1 == 1
    large = has2 > 0 and most >= 3 and (sums(has0, has1, has2 - 1) >> (rest - 3)) & 1 == 1
    return int(small) | int(medium) << 1 | int(large) << 2


@rule
def sizes_with_change(s, has0, has1, has2):
    """The sizes of which the payer may hand over one more, when the winner gives change (SB 3.4)."""
    owned = sums(s.count[s.winner, 0], s.count[s.winner, 1], s.count[s.winner, 2])
    put0, put1, put2 = int(s.chosen_count[0]), int(s.chosen_count[1]), int(s.chosen_count[2])
    all0, all1, all2 = has0 + put0, has1 + put1, has2 + put2
    small = has0 > 0 and may_be_paid(all0, all1, all2, put0 + 1, put1, put2, int(s.need), owned)
    medium = has1 > 0 and may_be_paid(all0, all1, all2, put0, put1 + 1, put2, int(s.need), owned)
    large = has2 > 0 and may_be_paid(all0, all1, all2, put0, put1, put2 + 1, int(s.need), owned)
    return int(small) | int(medium) << 1 | int(large) << 2


@rule
def uninvolved(s, seat):
    """Whether a player is in the game and takes no part in this payment (SB 3.5)."""
    return s.out_at[seat] == 0 and seat != s.payer and seat != s.winner


@rule
def may_choose(s, piece, sizes):
    """Whether (1 or 0) a piece may be chosen, given the `open_sizes`."""
    return (sizes >> (3 * int(s.holder[piece]) + 3 + piece % N_SIZES)) & 1 & (1 - int(s.chosen[piece]))


@rule
def choose(s, piece):
    """Put a piece forward."""
    s.chosen[piece] = 1
    s.chosen_count[piece % N_SIZES] += 1
    s.giver = s.holder[piece]


@rule
def enough(s):
    """Whether the pieces put forward are all that was asked for."""
    pips = chosen_pips(s)
    if s.phase == TRADE:
        return True
    if s.phase == PAY and s.way == WITH_CHANGE:
        return pips > s.need and fits(s, s.winner, pips - int(s.need))
    return pips == s.need


@rule
def chosen_of(s, seat):
    """The pieces of a seat that are put forward, as a bitmask."""
    pieces = 0
    for piece in range(PIECES):
        pieces |= (int(s.chosen[piece]) & int(s.holder[piece] == seat)) << piece
    return pieces


@rule
def exchange(s, one, other):
    """The pieces put forward change hands between two seats."""
    for piece in range(N_SIZES * s.seats):
        if s.chosen[piece]:
            move(s, piece, other if s.holder[piece] == one else one)
            s.chosen[piece] = 0


@rule
def move(s, piece, seat):
    """Hand a piece to a seat."""
    size = piece % N_SIZES
    s.count[s.holder[piece], size] -= 1
    s.count[seat, size] += 1
    s.holder[piece] = seat
