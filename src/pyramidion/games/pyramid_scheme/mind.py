"""Redeal, policy and observation for Pyramid Scheme."""

from __future__ import annotations

from pyramidion.engine.random import below, reseed, shuffle
from pyramidion.engine.rule import rule
from pyramidion.games.pyramid_scheme.features import ENTRIES, FEATURES, START, features
from pyramidion.games.pyramid_scheme.layout import HIDDEN, IN_HAND, VICTIMS
from pyramidion.games.pyramid_scheme.observation import OBSERVATION, observe
from pyramidion.games.pyramid_scheme.policy import policy

__all__ = ["ENTRIES", "FEATURES", "OBSERVATION", "START", "features", "observe", "policy", "redeal"]

TRIES = 40
"""Random deals to try before constructing one that is consistent. Most succeed at the first try."""


@rule(wraps_around=True)
def redeal(box, s, seat, chance):
    """Fill in at random what the redacted state `s` hides from `seat` (-1: a spectator), consistent with what it knows.

    Hidden are the dealt Victims still in other hands, and the deck below its top card. One fact about the deal is
    public: the start seat had the lowest sum, with ties broken at random (PS 2.3).
    """
    reseed(s.rng, chance)
    count = gather_unknown(s, seat)
    needed = count - int(s.deck_count)
    tries = 0
    while True:
        if tries < TRIES:
            for i in range(needed):  # shuffle the first `needed` places
                swap(s.deck, i, i + below(chance, count - i))
        else:
            build_deal(box, s, seat, count, needed, chance)
        tries += 1
        if deal_fits(box, s, seat, tries > TRIES, chance):
            break
    at = 0
    for other in range(s.seats):
        if other != seat:
            at = fill_hand(s, other, at)
    for i in range(s.deck_count):
        s.deck[i] = s.deck[at + i]
    for i in range(int(s.deck_count), count):
        s.deck[i] = 0


@rule
def swap(values, i, j):
    """Swap the entries `i` and `j` of an array."""
    held = values[i]
    values[i] = values[j]
    values[j] = held


@rule(within=True)
def gather_unknown(s, seat):
    """Write to `s.deck` the Victims whose location the seat does not know, in ascending order; return the count."""
    count = 0
    for card in range(VICTIMS):
        mine = False
        if seat >= 0:
            for i in range(s.hand_count[seat]):
                mine = mine or s.hand[seat, i] == card
        if s.spot[card] == HIDDEN and not mine:
            s.deck[count] = card
            count += 1
    return count


@rule
def unknown_in_hand(s, other):
    """Return how many Victims in the hand of `other` are hidden: dealt to it, and not played since."""
    hidden = int(s.hand_count[other])
    for card in range(VICTIMS):
        hidden -= int(s.spot[card] == IN_HAND + other)
    return hidden


@rule
def dealt_total(box, s, seat, other, at):
    """Return the sum of the numbers dealt to the seat `other`, and the index in `s.deck` after its cards.

    Its cards hidden from `seat` start at `s.deck[at]`.
    """
    total = int(s.dealt_sum[other])
    if other == seat:
        for i in range(s.hand_count[seat]):
            if s.spot[s.hand[seat, i]] == HIDDEN:
                total += int(box.number[s.hand[seat, i]])
        return total, at
    for _ in range(unknown_in_hand(s, other)):
        total += int(box.number[s.deck[at]])
        at += 1
    return total, at


@rule(within=True)
def deal_fits(box, s, seat, any_tie, chance):
    """Return whether the deal in `s.deck` gives the start seat the lowest sum, as it must have had.

    Ties are resolved at random, or all count if `any_tie`.
    """
    if box.start:
        return True
    at, ties, starter = 0, 0, int(s.start_seat)
    start_total, lowest = 0, 99
    for other in range(s.seats):
        total, at = dealt_total(box, s, seat, other, at)
        if other == starter:
            start_total = total
        if total < lowest:
            lowest, ties = total, 0
        ties += int(total == lowest)
    return start_total == lowest and (any_tie or below(chance, ties) == 0)


@rule(within=True)
def build_deal(box, s, seat, count, needed, chance):
    """Construct a deal in `s.deck` that probably fits: low hidden cards for the start seat, high ones for the others.

    If a consistent deal exists, one of this form does: swapping a card of the start seat for a lower one, or another
    seat's card for a higher one from the deck, keeps a consistent deal consistent. Only the distribution of the high
    cards is random. There are at most six of them, so a few attempts suffice.
    """
    for i in range(1, count):  # insertion sort by number, descending
        j = i
        while j > 0 and box.number[s.deck[j - 1]] < box.number[s.deck[j]]:
            swap(s.deck, j - 1, j)
            j -= 1
    starter = int(s.start_seat)
    lows = unknown_in_hand(s, starter) if starter != seat else 0
    highs = needed - lows
    shuffle(chance, s.deck, highs)
    # Seats before the starter get high cards, the starter low ones, and seats after it the other high cards.
    before = 0
    for other in range(starter):
        if other != seat:
            before += unknown_in_hand(s, other)
    for i in range(lows):
        swap(s.deck, highs + i, count - 1 - i)
    for i in range(lows):
        for j in range(highs + i, before + i, -1):
            swap(s.deck, j, j - 1)


@rule(within=True)
def fill_hand(s, other, at):
    """Fill the hand of `other` with the cards dealt to it in `s.deck` from index `at` on, and those it took openly.

    They are in ascending order. Returns the index after the dealt cards.
    """
    unknown = unknown_in_hand(s, other)
    n = 0
    for card in range(VICTIMS):
        dealt = False
        for i in range(at, at + unknown):
            dealt = dealt or s.deck[i] == card
        if dealt or s.spot[card] == IN_HAND + other:
            s.hand[other, n] = card
            n += 1
    return at + unknown
