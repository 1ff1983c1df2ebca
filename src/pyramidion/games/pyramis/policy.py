"""Heuristic policy for Pyramis: candidate actions and their weights.

Values are in points: `worth` is the current score of a Fleet plus the expected gain from rotating its cards. The value
of an action is the change it makes, and its weight is the exponential of that value. The policy reads only what the
seat can see.
"""

from __future__ import annotations

import math

from pyramidion.engine.rule import rule
from pyramidion.engine.softmax import soften
from pyramidion.games.pyramis.layout import (
    ACCESSIBLE,
    CARDS,
    COLOURS,
    COUNT,
    DECKS,
    LISTED,
    N_SPACES,
    OPEN,
    PLACE,
    REFILL,
    RIVER,
    ROTATE,
)
from pyramidion.games.pyramis.rules import (
    FILL,
    PUT,
    TAKE_STAR,
    TURN,
    fleet_aliens,
    fleet_pyramids,
    is_larger,
    legal_thefts,
    star_aliens,
    turnable,
    zone_at,
)

N_COLOURS = len(COLOURS)

# Tuned by hill climbing against an earlier version, with equal weight on two, three and four seats.
COLDNESS = 10.0
ZONE_CARD = 1.0
ZONE_CARD_EARLY = 1.5  # extra value while all ten spaces are still empty
HOPE = 0.12
ALIEN_DOUBT = 0.4
ALIEN_TURNED = 0.7
STAR_CARD = 2.0
RIVAL = 1.6
NONE = -1


@rule
def policy(box, s, seat, ids, weights):
    """Write a seat's candidate actions to `ids` (ascending) and positive weights to `weights`; return the count.

    The weights are float64.
    """
    if s.phase == PLACE:
        n = worth_of_placements(box, s, seat, ids, weights)
    elif s.phase == ROTATE:
        n = worth_of_turns(box, s, seat, ids, weights)
    elif s.phase == REFILL:
        n = worth_of_decks(box, s, seat, ids, weights)
    else:
        n = worth_of_thefts(box, s, seat, ids, weights)
    soften(weights, n, COLDNESS, -20.0)
    return n


@rule
def most_aliens_of_others(box, s, seat):
    """Return the most Aliens that show in another player's Fleet; the others' Star cards are unknown."""
    most = 0
    for other in range(s.seats):
        if other != seat:
            most = max(most, fleet_aliens(box, s, other))
    return most


@rule
def own_star_aliens(box, s, seat):
    """Return the Aliens on a seat's own Star cards."""
    return star_aliens(box, int(s.stars[seat]))


@rule
def turn_gain(box, card, end, in_zone):
    """Return the gain in points from rotating a card that now has the printed `end` up.

    Pyramids in the largest zone count twice (`in_zone` is 1). Aliens are weighted by ALIEN_TURNED.
    """
    pyramids = int(box.pyramids[card, 1 - end]) - int(box.pyramids[card, end])
    aliens = int(box.aliens[card, 1 - end]) - int(box.aliens[card, end])
    return (1.0 + in_zone) * pyramids + ALIEN_TURNED * aliens


@rule
def worth(box, s, seat, extra, space, turned, rival):
    """Return the value of a seat's Fleet with the cards in `turned` rotated and the card `extra` (or NONE) on `space`.

    `turned` is a bitmask of spaces. `rival` is the number of Aliens to beat, less those on the seat's own Star cards.
    """
    filled = int(s.filled[seat])
    extra_colour = NONE
    if extra >= 0:
        filled |= 1 << space
        extra_colour = int(box.colour[extra])
    best_zone, best_cards, best_pyramids = 0, 0, -1
    for colour in range(N_COLOURS):
        rest = int(s.of_colour[seat, colour])
        if colour == extra_colour:
            rest |= 1 << space
        while rest:
            zone = zone_at(rest)
            rest &= ~zone
            cards = int(COUNT[zone])
            pyramids = 0
            for i in range(cards):
                n = int(LISTED[zone, i])
                card = extra if n == space else int(s.fleet[seat, n]) - 1
                pyramids += int(box.pyramids[card, (turned >> n) & 1])
            if is_larger(box, cards, pyramids, best_cards, best_pyramids):
                best_zone, best_cards, best_pyramids = zone, cards, pyramids
    total, aliens = 0, 0
    accessible = int(ACCESSIBLE[filled])
    blue, green, pink, gray = -9.0, -9.0, -9.0, -9.0
    for i in range(COUNT[filled]):
        n = int(LISTED[filled, i])
        card = extra if n == space else int(s.fleet[seat, n]) - 1
        end = (turned >> n) & 1
        total += int(box.pyramids[card, end])
        aliens += int(box.aliens[card, end])
        if (accessible >> n) & 1:
            gain = turn_gain(box, card, end, (best_zone >> n) & 1)
            colour = box.colour[card]
            blue = max(blue, gain if colour == 0 else -9.0)
            green = max(green, gain if colour == 1 else -9.0)
            pink = max(pink, gain if colour == 2 else -9.0)
            gray = max(gray, gain if colour == 3 else -9.0)
    free = N_SPACES - COUNT[filled]
    value = total + best_pyramids + (ZONE_CARD + ZONE_CARD_EARLY * free / N_SPACES) * best_cards
    value += aliens / (1.0 + math.exp((rival - aliens) / ALIEN_DOUBT))
    # A pair forces one card of its colour to rotate: the one that gains most or loses least.
    for best in (blue, green, pink, gray):
        if best > -9.0:
            value += HOPE * best
    return value


# PY 4


@rule
def worth_of_placements(box, s, seat, ids, weights):
    """Write every River card on every open space to `ids` and its value to `weights`; return the count.

    The value is that of the Fleet with the card, and of a Star card if it brings one.
    """
    rival = most_aliens_of_others(box, s, seat) - own_star_aliens(box, s, seat)
    spaces = OPEN[s.filled[seat]]
    count = int(COUNT[spaces])
    turned = int(s.turned[seat])
    n = 0
    for slot in range(RIVER):
        card = int(s.river[slot]) - 1
        for i in range(count):
            space = int(LISTED[spaces, i])
            ids[n] = PUT + slot * N_SPACES + space
            weights[n] = worth(box, s, seat, card, space, turned, rival) + STAR_CARD * box.star[card]
            n += 1
    return n


# PY 5


@rule
def worth_of_thefts(box, s, seat, ids, weights):
    """Write the thefts to `ids` and their values to `weights`: most against players who appear to be ahead.

    Returns the count.
    """
    n = legal_thefts(s, seat, ids)
    for i in range(n):
        other = int(ids[i]) - TAKE_STAR
        weights[i] = 0.3 * (fleet_pyramids(box, s, other, int(s.filled[other])) + s.star_count[other])
    return n


# PY 6


@rule
def worth_of_turns(box, s, seat, ids, weights):
    """Write the cards that may be rotated for the pair to `ids` and the Fleet's values to `weights`.

    The value is that of the Fleet with the card rotated. Returns the count.
    """
    rival = most_aliens_of_others(box, s, seat) - own_star_aliens(box, s, seat)
    spaces = turnable(s, seat, s.colour)
    n = int(COUNT[spaces])
    for i in range(n):
        space = int(LISTED[spaces, i])
        ids[i] = TURN + space
        weights[i] = worth(box, s, seat, NONE, NONE, int(s.turned[seat]) ^ (1 << space), rival)
    return n


@rule
def best_turn(box, s, seat, colour):
    """Return the points that a seat gains from a pair of this colour by rotating its best card; 0 if it has none."""
    spaces = turnable(s, seat, colour)
    count = int(COUNT[spaces])
    best = -99.0
    for i in range(count):
        space = int(LISTED[spaces, i])
        card = int(s.fleet[seat, space]) - 1
        best = max(best, turn_gain(box, card, (int(s.turned[seat]) >> space) & 1, 0))
    return best if count else 0.0


@rule
def seen_cards(s):
    """Return the cards that everybody sees, in the River and in Fleets, as a bitmask."""
    seen = 0
    for slot in range(RIVER):
        if s.river[slot]:
            seen |= 1 << (int(s.river[slot]) - 1)
    for seat in range(s.seats):
        for space in range(N_SPACES):
            if s.fleet[seat, space]:
                seen |= 1 << (int(s.fleet[seat, space]) - 1)
    return seen


@rule
def worth_of_decks(box, s, seat, ids, weights):
    """Write the refills to `ids` and their values to `weights`; return the count.

    The value of a deck depends on the pairs it may show: the seat's gain, less a share of the others' gains (PY 6.2).
    """
    seen = seen_cards(s)
    n = 0
    for deck in range(DECKS):
        if s.left[deck] == 0:
            continue
        value = 0.0
        for colour in range(N_COLOURS):
            likely = pair_chance(box, s, deck, colour, seen)
            if likely > 0.0:
                others = 0.0
                for other in range(s.seats):
                    if other != seat:
                        others += best_turn(box, s, other, colour)
                value += likely * (best_turn(box, s, seat, colour) - RIVAL * others / (s.seats - 1))
        ids[n] = FILL + deck
        weights[n] = value
        n += 1
    return n


@rule
def pair_chance(box, s, deck, colour, seen):
    """Return the probability that a colour shows a pair after a refill from a deck.

    The next back is that of a random unseen card. `seen` is the bitmask of the cards in the River and in Fleets.
    """
    other = (int(s.back[1 - deck]) >> (4 * colour)) & 15
    if s.left[deck] == 1:
        return 1.0 if other > 1 else 0.0
    cards, pairs = 0, 0
    for card in range(CARDS):
        if (seen >> card) & 1 == 0:
            cards += 1
            pairs += int(((int(box.back[card]) >> (4 * colour)) & 15) + other > 1)
    # The two top cards are among the unseen ones, but their backs are known.
    for pile in range(DECKS):
        if s.left[pile] > 0:
            cards -= 1
            pairs -= int(((int(s.back[pile]) >> (4 * colour)) & 15) + other > 1)
    return pairs / max(1, cards)
