"""What a player of Pyramis who cannot see everything needs: redeal, policy and observation."""

from __future__ import annotations

import numpy as np

from pyramidion.engine.random import below, draw, random_half
from pyramidion.engine.rule import rule
from pyramidion.games.pyramis.layout import (
    CARDS,
    COLOURS,
    DECKS,
    N_SPACES,
    RIVER,
    ROTATE,
    STARS,
)
from pyramidion.games.pyramis.policy import policy
from pyramidion.games.pyramis.rules import nth_star, turnable

_32 = np.uint64(32)
TRIES = 2000
"""So often a history of the Star cards is made up that fits what a seat has seen; with the game's own cards a few do."""


@rule(wraps_around=True)
def redeal(box, s, seat, chance):
    """Refill what `seat` (or a spectator, -1) cannot see of the redacted state `s`, in a way that it cannot rule out."""
    for word in range(2):
        s.rng[word] = (random_half(chance) << _32) | random_half(chance)
    deal_decks(box, s, chance)
    deal_stars(s, seat, chance)
    deal_choices(s, seat, chance)


@rule
def deal_decks(box, s, chance):
    """Put the unseen cards into the decks; those on top are random ones with the backs that everybody sees (PY 2.1)."""
    seen = 0
    for slot in range(RIVER):
        if s.river[slot]:
            seen |= 1 << (int(s.river[slot]) - 1)
    for seat in range(s.seats):
        for space in range(N_SPACES):
            if s.fleet[seat, space]:
                seen |= 1 << (int(s.fleet[seat, space]) - 1)
    for deck in range(DECKS):
        s.top[deck] = 0
        if s.left[deck] == 0:
            continue
        n = 0
        for card in range(CARDS):
            if (seen >> card) & 1 == 0 and box.back[card] == s.back[deck]:
                s.pool[n] = card
                n += 1
        card = int(draw(chance, s.pool, n))
        s.top[deck] = card + 1
        seen |= 1 << card
    n = 0
    for card in range(CARDS):
        if (seen >> card) & 1 == 0:
            s.pool[n] = card
            n += 1
    for i in range(n, CARDS):
        s.pool[i] = 0


@rule
def deal_stars(s, seat, chance):
    """Deal the Star cards that the seat does not know, by making up what happened until it fits all it has seen (PY 5.2)."""
    own, drawn = 0, 0
    if seat >= 0:
        own, drawn = int(s.stars[seat]), int(s.drawn[seat])
    if s.over:
        for p in range(s.seats):
            s.stars[p] = s.final_stars[p]
    else:
        fits = False
        for _ in range(TRIES):
            if not fits:
                fits = tell_history(s, seat, drawn, chance)
        if not fits:
            forget_history(s, seat, own)
        fill_hands(s, chance)
    deal_drawn(s, seat, drawn, chance)


@rule
def held_by_anyone(s):
    """The Star cards in all hands together, a bitmask."""
    held = 0
    for p in range(s.seats):
        held |= int(s.stars[p])
    return held


@rule
def star_total(s, p):
    """How many Star cards a seat drew from the reserve: what it holds, less what it took, and what was taken from it."""
    n = int(s.star_count[p])
    for i in range(s.thefts):
        n += int(s.theft_from[i] == p) - int(s.theft_to[i] == p)
    return n


@rule
def stars_in(mask):
    """The number of Star cards in a bitmask."""
    n = 0
    for star in range(STARS):
        n += (mask >> star) & 1
    return n


@rule
def tell_history(s, seat, drawn, chance):
    """Play the thefts again from the draws on, with cards that have no face until the seat sees it; return whether it fits.

    Hands are in `s.stars`, as far as faces are known; `blank` counts the others of each seat, four bits a seat. Where
    the seat sees a card the choice is made to fit, and kept as often as chance would have made it so: the histories
    that fit come up as often as they happen.
    """
    blank = 0
    for p in range(s.seats):
        if p == seat:
            s.stars[p] = drawn
        else:
            s.stars[p] = 0
            blank |= star_total(s, p) << (4 * p)
    for i in range(s.thefts):
        thief, victim = int(s.theft_to[i]), int(s.theft_from[i])
        faceless = (blank >> (4 * victim)) & 15
        known = stars_in(int(s.stars[victim]))
        face = -1
        if thief == seat or victim == seat:
            face = int(s.theft_star[i])
            if (int(s.stars[victim]) >> face) & 1 == 0:
                if (held_by_anyone(s) >> face) & 1 or below(chance, faceless + known) >= faceless:
                    return False
                blank -= 1 << (4 * victim)
                s.stars[victim] |= 1 << face
        else:
            chosen = below(chance, faceless + known)
            if chosen < faceless:
                blank += (1 << (4 * thief)) - (1 << (4 * victim))
            else:
                face = nth_star(int(s.stars[victim]), chosen - faceless)
        if face >= 0:
            s.stars[victim] = int(s.stars[victim]) & ~(1 << face)
            s.stars[thief] |= 1 << face
    return True


@rule
def forget_history(s, seat, own):
    """Keep only what the seat holds itself; for histories so long that none was found that fits."""
    for p in range(s.seats):
        s.stars[p] = own if p == seat else 0


@rule
def fill_hands(s, chance):
    """Give every seat random Star cards that nobody holds yet, until it has as many as everybody can see."""
    for p in range(s.seats):
        while stars_in(int(s.stars[p])) < s.star_count[p]:
            free = 31 & ~held_by_anyone(s)
            s.stars[p] |= 1 << nth_star(free, below(chance, stars_in(free)))


@rule
def deal_drawn(s, seat, drawn, chance):
    """Deal who drew which Star card: it bears on what the others know, not on what anybody holds."""
    for p in range(s.seats):
        s.drawn[p] = drawn if p == seat else 0
    dealt = drawn
    for p in range(s.seats):
        if p != seat:
            for _ in range(star_total(s, p)):
                free = 31 & ~dealt
                star = 1 << nth_star(free, below(chance, stars_in(free)))
                dealt |= star
                s.drawn[p] |= star


@rule
def deal_choices(s, seat, chance):
    """Let others have chosen a card to turn, or not yet: that is hidden until all have (PY 6.4)."""
    if s.phase != ROTATE:
        return
    asked = int(s.acting)
    for p in range(s.seats):
        if p != seat:
            s.choice[p] = 0
            s.submitted = int(s.submitted) & ~(1 << p)
    # Somebody is always still to choose, or the cards would have turned.
    waiting = 0
    for p in range(s.seats):
        waiting += (asked >> p) & 1 & ~(int(s.submitted) >> p)
    for p in range(s.seats):
        if p != seat and (asked >> p) & 1 and waiting > 1 and below(chance, 2) == 0:
            choose_any(s, p, chance)
            waiting -= 1


@rule
def choose_any(s, p, chance):
    """Submit a random choice of a seat."""
    spaces = turnable(s, p, s.colour)
    n = 0
    for space in range(N_SPACES):
        n += (spaces >> space) & 1
    n = below(chance, n)
    for space in range(N_SPACES):
        if (spaces >> space) & 1:
            if n == 0:
                s.choice[p] = space + 1
            n -= 1
    s.submitted |= 1 << p


OBSERVATION = [("nothing yet", 1, "to be replaced")]
N_COLOURS = len(COLOURS)


@rule
def observe(box, s, seat, out):
    out[0] = 0.0
