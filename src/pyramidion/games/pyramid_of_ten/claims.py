"""Ticket claims: at most 5 - N players get N tickets, in order of precedence (UD 5.2, DU 3.1). Compiled."""

from __future__ import annotations

from pyramidion.engine.rule import rule
from pyramidion.games.pyramid_of_ten.fields import MOST_CLAIM
from pyramidion.games.pyramid_of_ten.spaces import LAYER, TEN


@rule
def is_ahead(s, seat, other, by_layer):
    """Return whether a seat has precedence over another: by layer first if `by_layer`, then by priority."""
    if by_layer and LAYER[s.space[seat]] != LAYER[s.space[other]]:
        return LAYER[s.space[seat]] < LAYER[s.space[other]]
    return s.priority[seat] > s.priority[other]


@rule
def askers(s, tickets, default):
    """Return the seats (bitmask) that ask for this number of tickets; one that saved nothing asks for `default`."""
    asking = 0
    for seat in range(TEN):
        asked = s.claim[seat] - 1 if s.claim[seat] > 0 else default
        asking |= int(asked == tickets) << seat
    return asking


@rule
def takers(s, tickets, asking, by_layer):
    """Return which seats of the bitmask `asking` get this number of tickets, as a bitmask.

    At most 5 less this number do: those with precedence, by layer first if `by_layer`, then by priority.
    """
    taking = 0
    for seat in range(TEN):
        if asking >> seat & 1:
            ahead = 0
            for other in range(TEN):
                ahead += asking >> other & int(is_ahead(s, other, seat, by_layer))
            taking |= int(ahead < MOST_CLAIM + 1 - tickets) << seat
    return taking
