"""Opening and placement in both games. Compiled."""

from __future__ import annotations

from pyramidion.engine.events import event
from pyramidion.engine.options import NOT_GIVEN
from pyramidion.engine.random import shuffle
from pyramidion.engine.rule import rule
from pyramidion.games.pyramid_of_ten.fields import EVERY_VIEWER, START_TICKETS
from pyramidion.games.pyramid_of_ten.spaces import NOBODY, NOWHERE, TEN


@rule
def deal_holdings(box, s, garnets, priority):
    """Deal 5 tickets to each seat, and garnets and priority as set by the options (UD 1.2, DU 1.1).

    Without the options each seat gets `garnets`, and the priorities from `priority` to `priority` + 9 are dealt at
    random. No seat is placed yet.
    """
    for seat in range(TEN):
        s.tickets[seat] = START_TICKETS
        s.garnets[seat] = garnets if box.garnets[seat] == NOT_GIVEN else box.garnets[seat]
        s.priority[seat] = priority + seat if box.priority[seat] == NOT_GIVEN else box.priority[seat]
        s.priority_party[seat] = EVERY_VIEWER if box.open_priority else 1 << seat
        s.space[seat] = NOWHERE
        s.at[seat] = NOBODY
    if box.priority[0] == NOT_GIVEN:
        shuffle(s.rng, s.priority, TEN)
    s.ec = NOBODY
    s.submitted_shown = box.confirmations


@rule
def place_by_bid(s):
    """Place the seats on A to J from the highest bid to the lowest; priority breaks ties (UD 3.2, DU 2.1)."""
    for seat in range(TEN):
        place = 0
        for other in range(TEN):
            # A missing bid (0) counts as a bid of 0, which is stored as 1.
            mine, theirs = max(1, int(s.bid[seat])), max(1, int(s.bid[other]))
            place += int(theirs > mine) | int(theirs == mine) & int(s.priority[other] > s.priority[seat])
        s.space[seat] = place
        s.placed[seat] = place
        s.at[place] = seat


@rule
def tell_places(s, top, rule_number):
    """Send four events that say who stands where, one for each layer; `top` is the code of the first."""
    event(s, top, rule_number, s.at[0], s.at[1], s.at[2], s.at[3])
    event(s, top + 1, rule_number, s.at[4], s.at[5], s.at[6])
    event(s, top + 2, rule_number, s.at[7], s.at[8])
    event(s, top + 3, rule_number, s.at[9])
