"""Rules of Pyramis, in the order of the rulebook. `PY` numbers refer to rules.md."""

from __future__ import annotations

from pyramidion.engine.events import event, only
from pyramidion.engine.random import below, draw
from pyramidion.engine.rule import rule
from pyramidion.engine.simultaneous import open_step, submit
from pyramidion.engine.softmax import share_the_win
from pyramidion.engine.turns import seat_after
from pyramidion.games.pyramis.layout import (
    ACCESSIBLE,
    ACTIONS,
    BY_PYRAMIDS,
    CARDS,
    COLOURS,
    COUNT,
    DECK_SIZE,
    DECKS,
    EVENTS,
    IN_TURN,
    LISTED,
    N_SPACES,
    OPEN,
    PLACE,
    REACH,
    REFILL,
    RIVER,
    ROTATE,
    STARS,
    STEAL,
)

PUT, TAKE_STAR, FILL, TURN = ACTIONS.place, ACTIONS.steal, ACTIONS.refill, ACTIONS.rotate
N_COLOURS = len(COLOURS)

STARTS, PLACED, DREW, FOUND = EVENTS.starts, EVENTS.placed, EVENTS.drew, EVENTS.found
NO_STAR, STOLE, STOLEN, REFILLED = EVENTS.no_star, EVENTS.stole, EVENTS.stolen, EVENTS.refilled
PAIR, NOBODY, TURNED = EVENTS.pair, EVENTS.nobody, EVENTS.turned
STAR, SCORED, ENDED = EVENTS.star, EVENTS.scored, EVENTS.ended


@rule
def setup(box, s):
    """Form two decks, lay out the River and the reserve, and draw the start player (PY 2)."""
    for card in range(CARDS):
        s.pool[card] = card
    s.pool_count = CARDS
    for deck in range(DECKS):
        s.left[deck] = DECK_SIZE
        turn_up_top(box, s, deck)
    for slot in range(RIVER):
        deck = 0 if slot < box.river_left else 1
        s.river[slot] = s.top[deck]
        s.left[deck] -= 1
        turn_up_top(box, s, deck)
    s.reserve = STARS
    s.start = below(s.rng, s.seats)
    event(s, STARTS, 2_03, s.start)
    begin_turn(s, s.start)


@rule
def turn_up_top(box, s, deck):
    """Draw the card that is on top of a deck from now on, and show its back (PY 2.1).

    The unseen cards have no order. Drawing a card from all of them when its back becomes visible is equivalent to
    shuffling them first and splitting them into two decks.
    """
    if s.left[deck] == 0:
        s.top[deck] = 0
        s.back[deck] = 0
        return
    card = draw(s.rng, s.pool, s.pool_count)
    n = s.pool_count - 1
    s.pool[n] = 0
    s.pool_count = n
    s.top[deck] = card + 1
    s.back[deck] = box.back[card]


@rule
def legal(box, s, seat, out):
    """Write the ids of `seat`'s legal actions to `out` in ascending order; return the count."""
    if s.phase == PLACE:
        return legal_placements(s, seat, out)
    if s.phase == REFILL:
        out[0] = FILL
        n = int(s.left[0] > 0)
        out[n] = FILL + 1
        return n + int(s.left[1] > 0)
    if s.phase == ROTATE:
        spaces = turnable(s, seat, s.colour)
        n = int(COUNT[spaces])
        for i in range(n):
            out[i] = TURN + int(LISTED[spaces, i])
        return n
    return legal_thefts(s, seat, out)


@rule
def apply(box, s, seat, action):
    """Apply a legal action and advance to the next decision."""
    if s.phase == PLACE:
        place(box, s, seat, (action - PUT) // N_SPACES, (action - PUT) % N_SPACES)
        return
    if s.phase == STEAL:
        steal(box, s, seat, action - TAKE_STAR)
        return
    if s.phase == REFILL:
        refill(box, s, seat, action - FILL)
    else:
        s.choice[seat] = action - TURN + 1
        if not submit(s, seat):
            return
        turn_chosen(s)
        if box.rotations == IN_TURN and ask_next_in_turn(s, seat):
            return
    if ask_for_next_pair(box, s):
        return
    s.turn += 1
    if s.turn == box.fleet_cards * s.seats:
        end_game(box, s)
    else:
        begin_turn(s, seat_after(s, s.active, 1))


# PY 3: turns


@rule
def begin_turn(s, seat):
    """Start a seat's turn, in which it first adds a card to its Fleet (PY 3.1)."""
    s.active = seat
    s.phase = PLACE
    s.acting = 1 << int(seat)


# PY 4: expanding the Fleet


@rule
def legal_placements(s, seat, out):
    """Write all placements of a River card on an open space of the Fleet to `out`; return the count (PY 4.1 to 4.3).

    A space is open if it touches the Fleet and rests on two cards or the ground.
    """
    spaces = OPEN[s.filled[seat]]
    count = int(COUNT[spaces])
    for i in range(count):
        space = PUT + int(LISTED[spaces, i])
        for slot in range(RIVER):
            out[slot * count + i] = slot * N_SPACES + space
    return RIVER * count


@rule
def place(box, s, seat, slot, space):
    """Place a River card into the Fleet, printed top end up (PY 4.1), and resolve its Shooting Star (PY 5.1)."""
    card = int(s.river[slot]) - 1
    s.river[slot] = 0
    s.gap = slot
    s.fleet[seat, space] = card + 1
    s.filled[seat] |= 1 << space
    s.of_colour[seat, box.colour[card]] |= 1 << space
    event(s, PLACED, 4_01, seat, card, space, box.colour[card])
    if box.star[card]:
        collect_star(box, s, seat)
    else:
        s.phase = REFILL


# PY 5: Shooting Stars


@rule
def collect_star(box, s, seat):
    """Draw a Star card from the reserve for a seat; if there is none, let it steal one from a player (PY 5.1)."""
    s.phase = REFILL
    if s.reserve > 0:
        held = 0
        for other in range(s.seats):
            held |= int(s.stars[other])
        star = nth_star(31 & ~held, below(s.rng, s.reserve))
        s.reserve -= 1
        s.stars[seat] |= 1 << star
        s.drawn[seat] |= 1 << star
        s.star_count[seat] += 1
        event(s, DREW, 5_01, seat)
        event(s, FOUND, 5_02, seat, box.star_pyramids[star], box.star_aliens[star], audience=only(seat))
    elif s.star_count[seat] < STARS:
        s.phase = STEAL
    else:
        event(s, NO_STAR, 5_01, seat)


@rule
def nth_star(stars, n):
    """Return the n-th Star card of a bitmask, counted from 0."""
    for star in range(STARS):
        if (stars >> star) & 1:
            if n == 0:
                return star
            n -= 1
    return 0


@rule
def legal_thefts(s, seat, out):
    """Write the thefts from each other player who holds a Star card to `out`; return the count (PY 5.1)."""
    n = 0
    for other in range(s.seats):
        out[n] = TAKE_STAR + other
        n += int(other != seat and s.star_count[other] > 0)
    return n


@rule
def steal(box, s, seat, victim):
    """Steal a random Star card from another player; only the two of them know which (PY 5.1, 5.2)."""
    stars = int(s.stars[victim])
    star = nth_star(stars, below(s.rng, s.star_count[victim]))
    s.stars[victim] = stars & ~(1 << star)
    s.stars[seat] |= 1 << star
    s.star_count[victim] -= 1
    s.star_count[seat] += 1
    n = s.thefts
    s.theft_to[n] = seat
    s.theft_from[n] = victim
    s.theft_star[n] = star
    s.theft_star_party[n] = (1 << seat) | (1 << victim)
    s.thefts = n + 1
    both = only(seat) | only(victim)
    event(s, STOLE, 5_01, seat, victim)
    event(s, STOLEN, 5_02, seat, victim, box.star_pyramids[star], box.star_aliens[star], audience=both)
    s.phase = REFILL


# PY 6: refills and rotations


@rule
def refill(box, s, seat, deck):
    """Fill the River's gap from a deck (PY 6.1) and check the visible backs for pairs (PY 6.2)."""
    card = int(s.top[deck]) - 1
    s.river[s.gap] = card + 1
    s.left[deck] -= 1
    turn_up_top(box, s, deck)
    event(s, REFILLED, 6_01, seat, deck, card, box.colour[card])
    s.pairs = shown_pairs(s)


@rule
def shown_pairs(s):
    """Return the colours (bitmask) with two or more Pyramids on the two visible backs together (PY 6.2)."""
    counts = int(s.back[0]) + int(s.back[1])
    pairs = 0
    for colour in range(N_COLOURS):
        pairs |= int((counts >> (4 * colour)) & 15 > 1) << colour
    return pairs


@rule
def turnable(s, seat, colour):
    """Return the spaces (bitmask) of a Fleet with an accessible card of a colour, which a pair may rotate (PY 6.3)."""
    return int(ACCESSIBLE[s.filled[seat]]) & int(s.of_colour[seat, colour])


@rule
def ask_for_next_pair(box, s):
    """Ask the seats for a card of the next colour with a pair (PY 6.2 to 6.4); return whether any seat has one."""
    while s.pairs:
        colour = 0
        while (s.pairs >> colour) & 1 == 0:
            colour += 1
        s.pairs = int(s.pairs) & ~(1 << colour)
        s.colour = colour
        event(s, PAIR, 6_02, colour)
        asked = 0
        for seat in range(s.seats):
            asked |= int(turnable(s, seat, colour) != 0) << seat
        if asked:
            s.phase = ROTATE
            if box.rotations == IN_TURN:
                ask_first_in_turn(s, asked)
            else:
                open_step(s, asked)
            return True
        event(s, NOBODY, 6_03, colour)
    return False


@rule
def ask_first_in_turn(s, asked):
    """Ask the first seat of the bitmask `asked`, clockwise from the active one, to rotate a card openly (PY 6.4)."""
    seat = int(s.active)
    while asked >> seat & 1 == 0:
        seat = seat_after(s, seat, 1)
    open_step(s, 1 << seat)


@rule
def ask_next_in_turn(s, seat):
    """Ask the next seat with a card to rotate, clockwise up to the active one; return whether there is one."""
    seat = seat_after(s, seat, 1)
    while seat != s.active:
        if turnable(s, seat, s.colour):
            open_step(s, 1 << seat)
            return True
        seat = seat_after(s, seat, 1)
    return False


@rule
def turn_chosen(s):
    """Rotate all chosen cards by 180 degrees at once (PY 6.4)."""
    for seat in range(s.seats):
        if s.choice[seat]:
            space = int(s.choice[seat]) - 1
            s.choice[seat] = 0
            s.turned[seat] ^= 1 << space
            event(s, TURNED, 6_02, seat, int(s.fleet[seat, space]) - 1, space, s.colour)


# PY 7: the end and scoring


@rule
def fleet_pyramids(box, s, seat, spaces):
    """Return the Pyramids on the top ends of those cards of a Fleet that lie on a bitmask of spaces (PY 7.2)."""
    spaces &= int(s.filled[seat])
    total = 0
    for i in range(COUNT[spaces]):
        space = int(LISTED[spaces, i])
        total += int(box.pyramids[int(s.fleet[seat, space]) - 1, (s.turned[seat] >> space) & 1])
    return total


@rule
def fleet_aliens(box, s, seat):
    """Return the Aliens on the top ends of a Fleet's cards (PY 7.4)."""
    total = 0
    for space in range(N_SPACES):
        card = int(s.fleet[seat, space]) - 1
        if card >= 0:
            total += int(box.aliens[card, (s.turned[seat] >> space) & 1])
    return total


@rule
def zone_at(spaces):
    """Return the zone (connected spaces, bitmask) that has the lowest of these spaces of one colour (PY 7.3)."""
    zone = spaces & -spaces
    grown = int(REACH[zone]) & spaces
    while grown != zone:
        zone = grown
        grown = int(REACH[zone]) & spaces
    return zone


@rule
def is_larger(box, cards, pyramids, most_cards, most_pyramids):
    """Return whether a zone is larger than the largest so far: more cards, then more Pyramids (option: vice versa)."""
    if box.largest_zone == BY_PYRAMIDS:
        return pyramids > most_pyramids or (pyramids == most_pyramids and cards > most_cards)
    return cards > most_cards or (cards == most_cards and pyramids > most_pyramids)


@rule
def largest_zone(box, s, seat):
    """Return the largest zone of a Fleet as a bitmask of spaces (PY 7.3)."""
    best, best_cards, best_pyramids = 0, 0, -1
    for colour in range(N_COLOURS):
        rest = int(s.of_colour[seat, colour])
        while rest:
            zone = zone_at(rest)
            rest &= ~zone
            cards, pyramids = int(COUNT[zone]), fleet_pyramids(box, s, seat, zone)
            if is_larger(box, cards, pyramids, best_cards, best_pyramids):
                best, best_cards, best_pyramids = zone, cards, pyramids
    return best


@rule
def star_pyramids(box, stars):
    """Return the Pyramids on the Star cards in a bitmask (PY 7.2)."""
    total = 0
    for star in range(STARS):
        total += int(box.star_pyramids[star]) * ((stars >> star) & 1)
    return total


@rule
def star_aliens(box, stars):
    """Return the Aliens on the Star cards in a bitmask (PY 7.4)."""
    total = 0
    for star in range(STARS):
        total += int(box.star_aliens[star]) * ((stars >> star) & 1)
    return total


@rule
def end_game(box, s):
    """End the game with ten cards in every Fleet (PY 7.1): reveal the Stars and score (PY 7.2 to 7.5)."""
    s.over = 1
    s.ending = 7_01
    s.phase = 0
    s.acting = 0
    most_aliens = 0
    for seat in range(s.seats):
        s.final_stars[seat] = s.stars[seat]
        for star in range(STARS):
            if (s.stars[seat] >> star) & 1:
                event(s, STAR, 7_02, seat, box.star_pyramids[star], box.star_aliens[star])
        aliens = fleet_aliens(box, s, seat) + star_aliens(box, int(s.stars[seat]))
        s.score[seat] = aliens
        most_aliens = max(most_aliens, aliens)
    best = -1
    for seat in range(s.seats):
        pyramids = fleet_pyramids(box, s, seat, int(s.filled[seat])) + star_pyramids(box, int(s.stars[seat]))
        zone = fleet_pyramids(box, s, seat, largest_zone(box, s, seat))
        # So far the score holds only the Aliens.
        aliens = int(s.score[seat]) if s.score[seat] == most_aliens else 0
        score = pyramids + zone + aliens
        s.score[seat] = score
        event(s, SCORED, 7_05, seat, pyramids, zone, aliens)
        if score > best:
            best = score
            s.winners = 0
        if score == best:
            s.winners |= 1 << seat
    event(s, ENDED, 7_01)


@rule
def points(box, s, out):
    """Write every seat's points to `out` (int32[seats])."""
    for seat in range(s.seats):
        out[seat] = s.score[seat]


@rule
def payoff(box, s, out):
    """Write every seat's share of the win to `out` (float64[seats]); the shares add up to 1 (PY 7.5)."""
    share_the_win(s, out)


@rule
def timeout(box, s, seat):
    """Return the action that is taken for an absent seat: the first legal one, since the rulebook has no rule for it.

    That is to place the first River card on the first space, to steal from the first player who holds a Star card, to
    refill from the left deck, or to rotate the first accessible card.
    """
    if s.phase == PLACE:
        return PUT + int(LISTED[OPEN[s.filled[seat]], 0])
    if s.phase == REFILL:
        return FILL + int(s.left[0] == 0)
    if s.phase == ROTATE:
        return TURN + int(LISTED[turnable(s, seat, s.colour), 0])
    other = 0
    while other == seat or s.star_count[other] == 0:
        other += 1
    return TAKE_STAR + other
