"""Tickets: N of them for at most 5 - N players (UD 5.2, DU 3.1); and who comes first (compiled)."""

from __future__ import annotations

from pyramidion.engine.rule import rule
from pyramidion.games.pyramid_of_ten.fields import MOST_CLAIM
from pyramidion.games.pyramid_of_ten.spaces import LAYER, TEN


@rule
def is_ahead(s, one, other, by_layer):
    """Whether one seat comes before another: by priority, or by the higher layer first where layers count."""
    if by_layer and LAYER[s.space[one]] != LAYER[s.space[other]]:
        return LAYER[s.space[one]] < LAYER[s.space[other]]
    return s.priority[one] > s.priority[other]


@rule
def askers(s, tickets, default):
    """The seats (bitmask) that ask for so many tickets; `default` is what a seat asks that has saved nothing."""
    asking = 0
    for seat in range(TEN):
        asked = s.claim[seat] - 1 if s.claim[seat] > 0 else default
        asking |= int(asked == tickets) << seat
    return asking


@rule
def takers(s, tickets, asking, by_layer):
    """The seats (bitmask) among those asking that get so many tickets."""
    taking = 0
    for seat in range(TEN):
        if asking >> seat & 1:
            ahead = 0
            for other in range(TEN):
                ahead += asking >> other & int(is_ahead(s, other, seat, by_layer))
            taking |= int(ahead < MOST_CLAIM + 1 - tickets) << seat
    return taking


@rule
def place_by_bid(s):
    """Place everybody on A to J from the highest bid to the lowest, equal ones by priority (UD 3.2, DU 2.1)."""
    for seat in range(TEN):
        place = 0
        for other in range(TEN):
            # An unsaved bid is 0, and so is the bid that is stored as 1.
            mine, theirs = max(1, int(s.bid[seat])), max(1, int(s.bid[other]))
            place += int(theirs > mine) | int(theirs == mine) & int(s.priority[other] > s.priority[seat])
        s.space[seat] = place
        s.at[place] = seat
