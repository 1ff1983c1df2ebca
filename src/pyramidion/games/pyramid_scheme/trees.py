"""Pyramids: where a card may go, what a condition asks for, and what a flip changes (PS 5, 6)."""

from __future__ import annotations

from pyramidion.engine.events import event
from pyramidion.engine.rule import rule
from pyramidion.games.pyramid_scheme.layout import (
    ACTIONS,
    EVENTS,
    FIRST_FOUNDER,
    FIRST_POLICE,
    FOUNDER_NUMBER,
    HOLDERS,
    POLICE_NUMBER,
)

FLIP, DONE = ACTIONS.flip, ACTIONS.done
FLIPPED = EVENTS.flipped


@rule
def holder(seat, index):
    """The card that an action of `seat` names by its index: the last is the seat's own Founder."""
    return FIRST_FOUNDER + seat if index == HOLDERS - 1 else index


@rule
def named(card):
    """The index by which an action names a card."""
    return min(int(card), HOLDERS - 1)


@rule
def is_police(card):
    """Whether a card is one of the Police."""
    return FIRST_POLICE <= card < FIRST_FOUNDER


@rule
def clear_card(s, card):
    """Forget what a card was in a pyramid."""
    s.parent[card] = -1
    s.flipped[card] = 0
    s.limits[card] = 0
    s.room[card] = 0
    s.above[card] = 0
    s.level[card] = 0
    s.smart_below[card] = 0
    s.met[card] = 0


@rule
def found_pyramid(s, seat):
    """Put a seat's Founder in front of it (PS 2.2)."""
    founder = FIRST_FOUNDER + seat
    s.room[founder] = FOUNDER_NUMBER
    s.level[founder] = 1
    s.pile[seat, 0] = founder
    s.pile_count[seat] = 1


@rule
def fits_below(s, card, number, colour_bit):
    """Whether a card of a number and colour may be placed directly below `card` (PS 5.2 to 5.4)."""
    return s.room[card] >= number and int(s.above[card]) & colour_bit == 0


@rule
def colour_bit(box, card):
    """The bit of a card's colour in `above`, 0 for Police and Founder."""
    colour = int(box.colour[card])
    return (1 << colour) & 15


@rule
def has_place(box, s, seat, card):
    """Whether a card fits anywhere in a seat's pyramid."""
    number, bit = int(box.number[card]), colour_bit(box, card)
    for k in range(s.pile_count[seat]):
        if fits_below(s, s.pile[seat, k], number, bit):
            return True
    return False


@rule
def add_to_pyramid(box, s, seat, card, under):
    """Put a card directly below another; what depends on it follows."""
    i = int(s.pile_count[seat])
    while i > 0 and s.pile[seat, i - 1] > card:
        s.pile[seat, i] = s.pile[seat, i - 1]
        i -= 1
    s.pile[seat, i] = card
    s.pile_count[seat] += 1
    police = is_police(card)
    s.parent[card] = under
    s.room[under] -= box.number[card]
    s.room[card] = 0 if police else box.number[card]
    s.above[card] = int(s.above[under]) | colour_bit(box, card)
    s.level[card] = s.level[under] + (0 if police else 1)
    s.met[under] = meets_condition(box, s, seat, under)


@rule
def demand_fit(box, card, child):
    """The demands of `card` that a card below satisfies, as a bitmask (PS 6.3)."""
    number = int(box.number[child])
    return int(box.fits[card, 6 * int(box.colour[child]) + (number if number <= 5 else 0)])


@rule
def with_child(reached, fit):
    """The sets of demands that can be met with one more card, given those that can without it.

    A set of demands is a number from 0 to 15, and `reached` has a bit for each set. The masks pick the sets that lack
    the first, second, third and fourth demand.
    """
    more = reached
    if fit & 1:
        more |= (reached & 0x5555) << 1
    if fit & 2:
        more |= (reached & 0x3333) << 2
    if fit & 4:
        more |= (reached & 0x0F0F) << 4
    if fit & 8:
        more |= (reached & 0x00FF) << 8
    return more


@rule
def demands_met(box, s, seat, card):
    """The sets of demands of `card` that the cards directly below can meet, one each; see `with_child`."""
    reached = 1
    for k in range(s.pile_count[seat]):
        child = int(s.pile[seat, k])
        if s.parent[child] == card:
            reached = with_child(reached, demand_fit(box, card, child))
    return reached


@rule
def meets_condition(box, s, seat, card):
    """Whether each demand of a card is met by a different card directly below (PS 6.3)."""
    return (demands_met(box, s, seat, card) >> int(box.full[card])) & 1


@rule
def flippable(s, card):
    """Whether a card's condition is met and it is not flipped yet (PS 6.1)."""
    return s.met[card] == 1 and s.flipped[card] == 0


@rule
def may_flip(s, seat):
    """Whether a seat may flip anything by a condition (PS 6.1)."""
    for k in range(s.pile_count[seat]):
        if flippable(s, s.pile[seat, k]):
            return True
    return False


@rule
def legal_flips(s, seat, out):
    """Flip a card whose condition is met, or be done (PS 6.1)."""
    n = 0
    for k in range(s.pile_count[seat]):
        card = int(s.pile[seat, k])
        out[n] = FLIP + named(card)
        n += int(flippable(s, card))
    out[n] = DONE
    return n + 1


@rule
def flip(box, s, seat, card, rule_number):
    """Turn a card to its smart-ass side: it no longer restricts colours; a Police carries cards from now on."""
    s.flipped[card] = 1
    if s.parent[card] >= 0:
        s.smart_below[s.parent[card]] += 1
    event(s, FLIPPED, rule_number, seat, card, box.number[card])
    if is_police(card):
        s.room[card] = POLICE_NUMBER
        return
    bit = colour_bit(box, card)
    if bit == 0:
        return
    # At most one unflipped Victim of a colour lies in a branch (PS 5.3): below this card no other brings it back.
    for k in range(s.pile_count[seat]):
        below_it = int(s.pile[seat, k])
        if int(s.above[below_it]) & bit:
            up = below_it
            while up >= 0 and up != card:
                up = int(s.parent[up])
            if up == card:
                s.above[below_it] = int(s.above[below_it]) & ~bit
