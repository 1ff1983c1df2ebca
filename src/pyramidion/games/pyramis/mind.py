"""Redeal, policy and observation for Pyramis."""

from __future__ import annotations

from pyramidion.engine.observation import observation_space, part
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
    MOST_ON_A_STAR,
    MOST_ON_AN_END,
    N_SPACES,
    RIVER,
    ROTATE,
    STARS,
)
from pyramidion.games.pyramis.policy import policy, seen_cards
from pyramidion.games.pyramis.rules import nth_star, star_aliens, star_pyramids, turnable

__all__ = ["OBSERVATION", "observe", "policy", "redeal"]

TRIES = 2000
"""Histories of the Star cards to try. With the game's own cards (at most six thefts), a few suffice."""
NO_FACE = 7
NO_FACES = 0o77777


@rule(wraps_around=True)
def redeal(box, s, seat, chance):
    """Fill in at random what the redacted state `s` hides from `seat` (-1: a spectator), consistent with what it knows.

    `chance` is the generator.
    """
    reseed(s.rng, chance)
    deal_decks(box, s, chance)
    deal_stars(s, seat, chance)
    deal_choices(s, seat, chance)


@rule
def deal_decks(box, s, chance):
    """Deal the unseen cards to the decks at random, with top cards that have the visible backs (PY 2.1)."""
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


# Star cards: a seat knows those that it drew, stole and lost, and many histories are consistent with that. A redeal
# samples one of them. Cards are numbered 0 to 4 in the order drawn. Three numbers with an octal digit per card store
# who drew it, who holds it, and its face.


@rule
def digit(number, place):
    """Return the octal digit of a number at a place, counted from 0 for the lowest."""
    return (number >> (3 * place)) & 7


@rule
def with_digit(number, place, value):
    """Return a number with the octal digit at a place replaced."""
    return (number & ~(7 << (3 * place))) | (value << (3 * place))


@rule
def deal_stars(s, seat, chance):
    """Deal the Star cards that the seat does not know: make up histories until one fits what it knows (PY 5.2)."""
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
    """Return how many Star cards a seat drew from the reserve: those held, less those stolen, plus those lost."""
    n = int(s.star_count[p])
    for i in range(s.thefts):
        n += int(s.theft_from[i] == p) - int(s.theft_to[i] == p)
    return n


@rule
def make_up_history(s, seat, drawn, chance):
    """Replay draws and thefts at random and deal the Star cards; return whether that fits what the seat knows.

    A card gets a face only when the seat sees it. Where the seat saw a face, a matching card is chosen, and the history
    is rejected with the probability that chance would have chosen another. Consistent histories therefore occur with
    their true frequencies.
    """
    drawer, faces, n = 0, NO_FACES, 0
    for p in range(s.seats):
        own_stars = drawn if p == seat else 0
        for _ in range(drawn_by(s, p)):
            drawer = with_digit(drawer, n, p)
            if own_stars:
                face = nth_star(own_stars, 0)
                faces = with_digit(faces, n, face)
                own_stars &= ~(1 << face)
            n += 1
    holder = drawer
    for i in range(s.thefts):
        thief, victim = int(s.theft_to[i]), int(s.theft_from[i])
        face = int(s.theft_star[i]) if thief == seat or victim == seat else NO_FACE
        card = chosen_card(holder, faces, n, victim, face, chance)
        if card < 0:
            return False
        if face == NO_FACE:
            # Store the card's number for now; it becomes a face below, once every card has one.
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
    """Return a random card for a theft from the victim that can have this face, or -1 to reject the history.

    `face` is NO_FACE if the seat has not seen it. `holder` and `faces` have an octal digit for each of the `n` cards.
    """
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
    """Give each of the first `n` cards that have no face a random unused one; return the new number of faces.

    `faces` and the result have an octal digit for each card.
    """
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
    """Deal the Star cards by the seat's own hand and the public counts alone, if no consistent history was found."""
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
    """Sample which other seats have chosen a card to rotate, and which card: hidden until all have chosen (PY 6.4)."""
    if s.phase != ROTATE:
        return
    asked = int(s.acting)
    for p in range(s.seats):
        if p != seat:
            s.choice[p] = 0
            s.submitted = int(s.submitted) & ~(1 << p)
    # At least one seat must still be choosing, or the cards would have rotated.
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


N_COLOURS, N_PHASES = len(COLOURS), 4
CARD_NUMBERS, MOST = N_COLOURS + 5, MOST_ON_AN_END / 4
OBSERVATION = observation_space(
    phase=part("1 for the phase: place, steal, refill, rotate", N_PHASES),
    turning=part("1 for the colour being turned: blue, green, pink, gray", N_COLOURS),
    turn=part("turns that are over, of all turns of the game"),
    river=part(
        "each slot: colour one-hot; Pyramids and Aliens of top and bottom end, of 4; Shooting Star",
        RIVER,
        CARD_NUMBERS,
        high=MOST,
    ),
    decks=part("each deck: cards of 24; Pyramids of each colour on the back on top", DECKS, 1 + N_COLOURS, high=15.0),
    seated=part("1 for each seat in the game, from this one clockwise; so are the two parts below", MAX_SEATS),
    fleets=part(
        "each seat, each space a1 to d1: colour one-hot; Pyramids and Aliens on top and below, of 4; accessible",
        MAX_SEATS,
        N_SPACES,
        CARD_NUMBERS,
        high=MOST,
    ),
    star_counts=part("Star cards held, of 5", MAX_SEATS),
    reserve=part("Star cards in the reserve, of 5"),
    own_stars=part("Pyramids and Aliens on the own Star cards, of 4", 2, high=STARS * MOST_ON_A_STAR / 4),
)


@rule
def observe_card(box, card, end, last, numbers):
    """Write a card's colour, Pyramids and Aliens to `numbers`, with `end` on top, and `last` as the final entry."""
    numbers[int(box.colour[card])] = 1.0
    numbers[N_COLOURS] = box.pyramids[card, end] / 4.0
    numbers[N_COLOURS + 1] = box.aliens[card, end] / 4.0
    numbers[N_COLOURS + 2] = box.pyramids[card, 1 - end] / 4.0
    numbers[N_COLOURS + 3] = box.aliens[card, 1 - end] / 4.0
    numbers[N_COLOURS + 4] = last


@rule
def observe(box, s, seat, o):
    """Write what a seat knows to the record `o` of an observation. Seats run in turn order from its own."""
    if s.phase:
        o.phase[int(s.phase) - 1] = 1.0
    if s.phase == ROTATE:
        o.turning[int(s.colour)] = 1.0
    o.turn = s.turn / (box.fleet_cards * s.seats)
    for slot in range(RIVER):
        card = int(s.river[slot]) - 1
        if card >= 0:
            observe_card(box, card, 0, float(box.star[card]), o.river[slot])
    for deck in range(DECKS):
        o.decks[deck, 0] = s.left[deck] / DECK_SIZE
        for colour in range(N_COLOURS):
            o.decks[deck, 1 + colour] = (int(s.back[deck]) >> (4 * colour)) & 15
    for k in range(s.seats):
        other = (seat + k) % s.seats
        o.seated[k] = 1.0
        accessible = int(ACCESSIBLE[s.filled[other]])
        for space in range(N_SPACES):
            card = int(s.fleet[other, space]) - 1
            if card >= 0:
                end = (int(s.turned[other]) >> space) & 1
                observe_card(box, card, end, float((accessible >> space) & 1), o.fleets[k, space])
        o.star_counts[k] = s.star_count[other] / STARS
    o.reserve = s.reserve / STARS
    o.own_stars[0] = star_pyramids(box, int(s.stars[seat])) / 4.0
    o.own_stars[1] = star_aliens(box, int(s.stars[seat])) / 4.0
