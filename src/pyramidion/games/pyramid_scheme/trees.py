"""Pyramids as trees: legal places, conditions, and the effects of a flip (PS 5, 6)."""

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
    """Return the card that an action's index stands for; the last index is the seat's own Founder."""
    return FIRST_FOUNDER + seat if index == HOLDERS - 1 else index


@rule
def named(card):
    """Return the index that stands for a card in actions; all Founders share the last one."""
    return min(int(card), HOLDERS - 1)


@rule
def is_police(card):
    """Return whether a card is a Police."""
    return FIRST_POLICE <= card < FIRST_FOUNDER


@rule
def clear_card(s, card):
    """Reset a card's fields of the pyramid, as it leaves one."""
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
    """Start a seat's pyramid with its Founder (PS 2.2)."""
    founder = FIRST_FOUNDER + seat
    s.room[founder] = FOUNDER_NUMBER
    s.level[founder] = 1
    s.pile[seat, 0] = founder
    s.pile_count[seat] = 1


@rule
def fits_below(s, card, number, colour_bit):
    """Return whether a Victim or Police with this number and colour may go directly below `card` (PS 5.2 to 5.4)."""
    # Both are looked up, since a branch on the first would often be predicted wrongly.
    return int(s.room[card] >= number) & int(int(s.above[card]) & colour_bit == 0) == 1


@rule
def colour_bit(box, card):
    """Return the bit of a card's colour in `above`; 0 for Police and Founder."""
    colour = int(box.colour[card])
    return (1 << colour) & 15


@rule
def has_place(box, s, seat, card):
    """Return whether a card fits anywhere in a seat's pyramid."""
    number, bit = int(box.number[card]), colour_bit(box, card)
    for k in range(s.pile_count[seat]):
        if fits_below(s, s.pile[seat, k], number, bit):
            return True
    return False


@rule
def add_to_pyramid(box, s, seat, card, under):
    """Place a card directly below the card `under`, and update the fields that follow from it."""
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
    """Return the demands of `card` that `child` satisfies, as a bitmask; by default a Police meets none (PS 6.3)."""
    if is_police(child) and not box.police_in_conditions:
        return 0
    number = int(box.number[child])
    return int(box.fits[card, 6 * int(box.colour[child]) + (number if number <= 5 else 0)])


@rule
def with_child(reached, fit):
    """Return the sets of demands that children can satisfy with one more child, which satisfies any one of `fit`.

    A set of demands is a 4-bit mask, and `reached` has a bit for each of the 16 sets that the children before can
    satisfy. The constants select the sets without the first, second, third and fourth demand.
    """
    sums = reached
    if fit & 1:
        sums |= (reached & 0x5555) << 1
    if fit & 2:
        sums |= (reached & 0x3333) << 2
    if fit & 4:
        sums |= (reached & 0x0F0F) << 4
    if fit & 8:
        sums |= (reached & 0x00FF) << 8
    return sums


@rule
def demands_met(box, s, seat, card):
    """Return the sets of demands of a card that its children can satisfy, each child one; see `with_child`."""
    reached = 1
    for k in range(s.pile_count[seat]):
        child = int(s.pile[seat, k])
        if s.parent[child] == card:
            reached = with_child(reached, demand_fit(box, card, child))
    return reached


@rule
def meets_condition(box, s, seat, card):
    """Return 1 if each demand of a card is satisfied by a different card directly below, otherwise 0 (PS 6.3)."""
    return (demands_met(box, s, seat, card) >> int(box.full[card])) & 1


@rule
def flippable(s, card):
    """Return whether a card is unflipped and its condition is met (PS 6.1)."""
    return int(s.met[card] == 1) & int(s.flipped[card] == 0) == 1


@rule
def may_flip(s, seat):
    """Return whether a seat has a card that it may flip by its condition (PS 6.1)."""
    for k in range(s.pile_count[seat]):
        if flippable(s, s.pile[seat, k]):
            return True
    return False


@rule
def legal_flips(s, seat, out):
    """Write to `out` the flips of cards whose condition is met, and the action "done"; return the count (PS 6.1)."""
    n = 0
    for k in range(s.pile_count[seat]):
        card = int(s.pile[seat, k])
        out[n] = FLIP + named(card)
        n += int(flippable(s, card))
    out[n] = DONE
    return n + 1


@rule
def flip(box, s, seat, card, rule_number):
    """Flip a card to its smart-ass side: it stops blocking its colour, and a Police can now carry cards."""
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
    # A branch has at most one unflipped Victim of a colour (PS 5.3), so no other card blocks this colour below `card`.
    for k in range(s.pile_count[seat]):
        below_it = int(s.pile[seat, k])
        if int(s.above[below_it]) & bit:
            up = below_it
            while up >= 0 and up != card:
                up = int(s.parent[up])
            if up == card:
                s.above[below_it] = int(s.above[below_it]) & ~bit
