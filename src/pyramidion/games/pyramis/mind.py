"""What a player of Pyramis who cannot see everything needs: redeal, policy and observation."""

from __future__ import annotations

from pyramidion.engine.random import below, draw, reseed
from pyramidion.engine.rule import rule
from pyramidion.games.pyramis.layout import (
    ACCESSIBLE,
    CARDS,
    COLOURS,
    COUNT,
    DECK_SIZE,
    DECKS,
    LISTED,
    MAX_SEATS,
    N_SPACES,
    RIVER,
    ROTATE,
    STARS,
)
from pyramidion.games.pyramis.policy import policy, seen_cards
from pyramidion.games.pyramis.rules import nth_star, star_aliens, star_pyramids, turnable

__all__ = ["OBSERVATION", "observe", "policy", "redeal"]

TRIES = 2000
"""So many histories of the Star cards are tried; with the game's own cards, at most six thefts, a few do."""
NO_FACE = 7
NO_FACES = 0o77777


@rule(wraps_around=True)
def redeal(box, s, seat, chance):
    """Refill what `seat` (or a spectator, -1) cannot see of the redacted state `s` in a way that it cannot rule out."""
    reseed(s.rng, chance)
    deal_decks(box, s, chance)
    deal_stars(s, seat, chance)
    deal_choices(s, seat, chance)


@rule
def deal_decks(box, s, chance):
    """Put the unseen cards into the decks; those on top are random ones with the backs that everybody sees (PY 2.1)."""
    seen = seen_cards(s)
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


# The Star cards: what a seat has seen of them is what it drew, took and lost; everything else can have happened in many
# ways. Redealing makes up one of them. The cards are called by the order in which they were drawn, 0 to 4: numbers in
# octal digits, one for each, say who drew it, who holds it, and which face it has.


@rule
def digit(number, place):
    """An octal digit of a number."""
    return (number >> (3 * place)) & 7


@rule
def with_digit(number, place, value):
    """A number with one octal digit replaced."""
    return (number & ~(7 << (3 * place))) | (value << (3 * place))


@rule
def deal_stars(s, seat, chance):
    """Deal the Star cards that the seat does not know: make up histories until one fits what it has seen (PY 5.2)."""
    if s.over:
        for p in range(s.seats):
            s.stars[p] = s.final_stars[p]
        return
    own, drawn = 0, 0
    if seat >= 0:
        own, drawn = int(s.stars[seat]), int(s.drawn[seat])
    fits = False
    for _ in range(TRIES):
        if not fits:
            fits = make_up_history(s, seat, drawn, chance)
    if not fits:
        deal_hands(s, seat, own)


@rule
def drawn_by(s, p):
    """How many Star cards a seat drew from the reserve: those it holds, less those it took, and those it lost."""
    n = int(s.star_count[p])
    for i in range(s.thefts):
        n += int(s.theft_from[i] == p) - int(s.theft_to[i] == p)
    return n


@rule
def make_up_history(s, seat, drawn, chance):
    """Draw, and play the thefts again, with cards that have no face until the seat sees it; return whether it fits.

    Where the seat sees a face, a card is chosen that fits, and the history kept as often as chance would have chosen
    so: histories that fit come up as often as they happen.
    """
    drawer, faces, n = 0, NO_FACES, 0
    for p in range(s.seats):
        known = drawn if p == seat else 0
        for _ in range(drawn_by(s, p)):
            drawer = with_digit(drawer, n, p)
            if known:
                face = nth_star(known, 0)
                faces = with_digit(faces, n, face)
                known &= ~(1 << face)
            n += 1
    holder = drawer
    for i in range(s.thefts):
        thief, victim = int(s.theft_to[i]), int(s.theft_from[i])
        face = int(s.theft_star[i]) if thief == seat or victim == seat else NO_FACE
        card = chosen_card(holder, faces, n, victim, face, chance)
        if card < 0:
            return False
        if face == NO_FACE:
            # Noted under its number; its face is written below, when every card has one.
            s.theft_star[i] = card
        else:
            faces = with_digit(faces, card, face)
        holder = with_digit(holder, card, thief)
    faces = deal_faces(faces, n, chance)
    for p in range(s.seats):
        s.stars[p] = 0
        s.drawn[p] = 0
    for card in range(n):
        s.stars[digit(holder, card)] |= 1 << digit(faces, card)
        s.drawn[digit(drawer, card)] |= 1 << digit(faces, card)
    for i in range(s.thefts):
        if s.theft_to[i] != seat and s.theft_from[i] != seat:
            s.theft_star[i] = digit(faces, int(s.theft_star[i]))
    return True


@rule
def chosen_card(holder, faces, n, victim, face, chance):
    """A random card in a victim's hand that can have the face seen (or NO_FACE); -1 if none can, or chance wills it."""
    hand, faceless = 0, 0
    for card in range(n):
        if digit(faces, card) == face != NO_FACE:
            return card if digit(holder, card) == victim else -1
        hand += int(digit(holder, card) == victim)
        faceless += int(digit(holder, card) == victim and digit(faces, card) == NO_FACE)
    nth = below(chance, hand)
    if face != NO_FACE and nth >= faceless:
        return -1
    for card in range(n):
        if digit(holder, card) == victim and (face == NO_FACE or digit(faces, card) == NO_FACE):
            if nth == 0:
                return card
            nth -= 1
    return -1


@rule
def deal_faces(faces, n, chance):
    """Give each of the first n cards that has none a random face that no other has."""
    taken = 0
    for card in range(n):
        if digit(faces, card) != NO_FACE:
            taken |= 1 << digit(faces, card)
    free = STARS
    for star in range(STARS):
        free -= (taken >> star) & 1
    for card in range(n):
        if digit(faces, card) == NO_FACE:
            face = nth_star(31 & ~taken, below(chance, free))
            faces = with_digit(faces, card, face)
            taken |= 1 << face
            free -= 1
    return faces


@rule
def deal_hands(s, seat, own):
    """Deal by the seat's own hand and the counts alone, for thefts so many that no history was found that fits."""
    left = 31 & ~own
    for p in range(s.seats):
        if p == seat:
            s.stars[p] = own
        else:
            s.stars[p] = 0
            for _ in range(s.star_count[p]):
                s.stars[p] |= left & -left
                left &= left - 1


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
        if p != seat and (asked >> p) & 1 and waiting > 1:
            spaces = turnable(s, p, s.colour)
            count = int(COUNT[spaces])
            chosen = below(chance, 2 * count) - count
            if chosen >= 0:
                s.choice[p] = int(LISTED[spaces, chosen]) + 1
                s.submitted |= 1 << p
                waiting -= 1


N_COLOURS, N_PHASES, CARD_NUMBERS, DECK_NUMBERS = len(COLOURS), 4, 9, 5
OBSERVATION = [
    ("phase", N_PHASES, "1 for the phase: place, steal, refill, rotate"),
    ("turning", N_COLOURS, "1 for the colour being turned: blue, green, pink, gray"),
    ("turn", 1, "turns that are over, of all turns of the game"),
    (
        "river",
        RIVER * CARD_NUMBERS,
        "each slot: colour one-hot; Pyramids and Aliens of top and bottom end, of 4; Shooting Star",
    ),
    ("decks", DECKS * DECK_NUMBERS, "each deck: cards of 24; Pyramids of each colour on the back on top"),
    ("seated", MAX_SEATS, "1 for each seat in the game, from this one clockwise; so are the two parts below"),
    (
        "fleets",
        MAX_SEATS * N_SPACES * CARD_NUMBERS,
        "each seat, each space a1 to d1: colour one-hot; Pyramids and Aliens on top and below, of 4; accessible",
    ),
    ("star counts", MAX_SEATS, "Star cards held, of 5"),
    ("reserve", 1, "Star cards in the reserve, of 5"),
    ("own stars", 2, "Pyramids and Aliens on the own Star cards, of 4"),
]


@rule
def observe_card(box, card, end, last, out, n):
    """Write the numbers of a card with `end` on top, of which `last` is the last, to `out` from n on."""
    out[n + int(box.colour[card])] = 1.0
    out[n + 4] = box.pyramids[card, end] / 4.0
    out[n + 5] = box.aliens[card, end] / 4.0
    out[n + 6] = box.pyramids[card, 1 - end] / 4.0
    out[n + 7] = box.aliens[card, 1 - end] / 4.0
    out[n + 8] = last


@rule
def observe(box, s, seat, out):
    """Write what `seat` knows to `out` (float32), as `OBSERVATION` says; other seats follow in turn order."""
    out[:] = 0.0
    if s.phase:
        out[int(s.phase) - 1] = 1.0
    n = N_PHASES
    if s.phase == ROTATE:
        out[n + int(s.colour)] = 1.0
    n += N_COLOURS
    out[n] = s.turn / (N_SPACES * s.seats)
    n += 1
    for slot in range(RIVER):
        card = int(s.river[slot]) - 1
        if card >= 0:
            observe_card(box, card, 0, float(box.star[card]), out, n)
        n += CARD_NUMBERS
    for deck in range(DECKS):
        out[n] = s.left[deck] / DECK_SIZE
        for colour in range(N_COLOURS):
            out[n + 1 + colour] = (int(s.back[deck]) >> (4 * colour)) & 15
        n += DECK_NUMBERS
    for k in range(s.seats):
        out[n + k] = 1.0
    n += MAX_SEATS
    for k in range(s.seats):
        other = (seat + k) % s.seats
        accessible = int(ACCESSIBLE[s.filled[other]])
        for space in range(N_SPACES):
            card = int(s.fleet[other, space]) - 1
            if card >= 0:
                at = n + (k * N_SPACES + space) * CARD_NUMBERS
                end = (int(s.turned[other]) >> space) & 1
                observe_card(box, card, end, float((accessible >> space) & 1), out, at)
    n += MAX_SEATS * N_SPACES * CARD_NUMBERS
    for k in range(s.seats):
        out[n + k] = s.star_count[(seat + k) % s.seats] / STARS
    n += MAX_SEATS
    out[n] = s.reserve / STARS
    out[n + 1] = star_pyramids(box, int(s.stars[seat])) / 4.0
    out[n + 2] = star_aliens(box, int(s.stars[seat])) / 4.0
