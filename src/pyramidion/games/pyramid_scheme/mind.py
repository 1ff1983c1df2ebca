"""What a player of Pyramid Scheme who cannot see everything needs: redeal, policy and observation."""

from __future__ import annotations

from pyramidion.engine.random import below, reseed, shuffle
from pyramidion.engine.rule import rule
from pyramidion.games.pyramid_scheme.layout import HIDDEN, IN_HAND, VICTIMS
from pyramidion.games.pyramid_scheme.observation import OBSERVATION, observe
from pyramidion.games.pyramid_scheme.policy import policy

__all__ = ["OBSERVATION", "observe", "policy", "redeal"]

TRIES = 40
"""Deals tried at random before one is built that fits; most fit at once."""


@rule(wraps_around=True)
def redeal(box, s, seat, chance):
    """Refill what `seat` (or a spectator, -1) cannot see of the redacted state `s`, in a way that it cannot rule out.

    Unknown are the dealt Victims still in other hands, and the deck below its top card. What is public about the deal:
    the start seat had the lowest sum, of several lowest it was drawn (PS 2.3).
    """
    reseed(s.rng, chance)
    count = gather_unknown(s, seat)
    needed = count - int(s.deck_count)
    tries = 0
    while True:
        if tries < TRIES:
            for i in range(needed):  # the first `needed` cards of a random order
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
    """Exchange two entries."""
    held = values[i]
    values[i] = values[j]
    values[j] = held


@rule(within=True)
def gather_unknown(s, seat):
    """Write to `s.deck` the Victims whose place the seat does not know, ascending; return how many."""
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
    """How many Victims of a hand nobody else has seen: dealt and not played since."""
    hidden = int(s.hand_count[other])
    for card in range(VICTIMS):
        hidden -= int(s.spot[card] == IN_HAND + other)
    return hidden


@rule
def dealt_total(box, s, seat, other, at):
    """What a seat was dealt if its unknown cards are in `s.deck` from `at` on; and where the next seat's begin."""
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
    """Whether the start seat would have started with this deal; unless `any_tie`, a tie is drawn as at the start."""
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
    """Build a deal that is likely to fit: the lowest unknown cards for the start seat, the highest for the others.

    If any deal fits, one of these does: exchanging a card of the start seat for a lower one, or another's for a higher
    one of the deck, keeps a deal that fits fitting. Only how the highest are shared is left to chance, and at most six
    cards are, so trying again soon finds it.
    """
    for i in range(1, count):  # sort by number, descending
        j = i
        while j > 0 and box.number[s.deck[j - 1]] < box.number[s.deck[j]]:
            swap(s.deck, j - 1, j)
            j -= 1
    starter = int(s.start_seat)
    lows = unknown_in_hand(s, starter) if starter != seat else 0
    highs = needed - lows
    shuffle(chance, s.deck, highs)
    # In seat order: highs of the seats before the starter, its lows, highs of the seats after it.
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
    """Give a seat its unknown cards from `s.deck`, from `at` on, with those everybody saw it take; ascending."""
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
