"""The rules of Pyramid Scheme, in the order of the rulebook; `PS` numbers are those of rules.md."""

from __future__ import annotations

from pyramidion.engine.events import event, only
from pyramidion.engine.random import below, draw
from pyramidion.engine.rule import rule
from pyramidion.games.pyramid_scheme.layout import (
    ACTING,
    ACTIONS,
    ACTIONS_PER_TURN,
    CARDS,
    CLAIMING,
    DEALT,
    DISCARD_HAND,
    DISCARD_POLICE,
    DISCARDED,
    EVENTS,
    FIRST_FOUNDER,
    FIRST_POLICE,
    FLIP_BONUS,
    FLIP_OTHER,
    FLIP_POLICE,
    FLIPPING,
    FOUNDER_NUMBER,
    GOAL_NEEDS,
    GOALS,
    GONE,
    HAND_LIMIT,
    HAND_MORE,
    HIDDEN,
    HOLDERS,
    IN_HAND,
    IN_MARKET,
    IN_PYRAMID,
    LIMIT,
    MARKET,
    NO_COLOUR,
    NO_REWARD,
    ON_TOP,
    OPEN_GOALS,
    POLICE_NUMBER,
    POLICING,
    RESERVE,
    RESETS,
    REWARDED,
    TOKENS,
    VICTIMS,
)

TAKE, PLACE, RESET, END = ACTIONS.take, ACTIONS.place, ACTIONS.reset, ACTIONS.end
FLIP, PUT_LIMIT, REMOVE, DISCARD = ACTIONS.flip, ACTIONS.limit, ACTIONS.remove, ACTIONS.discard
RESERVE_GOAL, PUT_POLICE, DONE = ACTIONS.reserve, ACTIONS.police, ACTIONS.done

DEALS, STARTS, TURN, TAKEN, FILLED = EVENTS.dealt, EVENTS.starts, EVENTS.turn, EVENTS.taken, EVENTS.filled
RESHUFFLED, PLACED, HAS_RESET, FLIPPED = EVENTS.reshuffled, EVENTS.placed, EVENTS.reset, EVENTS.flipped
LIMITED, REMOVED, RESERVED, HAND_GREW = EVENTS.limit, EVENTS.removed, EVENTS.reserved, EVENTS.hand
THREW, GAINED, LOST, CLAIMED = EVENTS.discarded, EVENTS.tokens, EVENTS.lost, EVENTS.claimed
POLICED, OUT, ENDED = EVENTS.police, EVENTS.out, EVENTS.ended

N_GOALS = len(GOALS)


@rule
def legal(box, s, seat, out):
    """Write the ids of the actions that `seat` may take to `out`, ascending; return how many."""
    if s.phase == ACTING:
        return legal_turn(box, s, seat, out)
    if s.phase == FLIPPING:
        return legal_flips(s, seat, out)
    if s.phase == REWARDED:
        return legal_rewards(s, seat, out)
    return legal_police(s, seat, out)


@rule
def apply(box, s, seat, action):
    """Carry out a legal action, and everything that follows until the next decision."""
    if s.phase == ACTING:
        if action == END:
            begin_turn(s, next_seat(s, seat))
        elif action == RESET:
            reset_market(box, s, seat)
        elif action < PLACE:
            take(box, s, seat, action - TAKE)
        else:
            place(box, s, seat, (action - PLACE) // HOLDERS, holder(seat, (action - PLACE) % HOLDERS))
    elif s.phase == POLICING:
        place_police(box, s, seat, holder(seat, action - PUT_POLICE))
    elif action == DONE:
        s.phase = CLAIMING if s.phase == FLIPPING else FLIPPING
    elif s.phase == FLIPPING:
        flip_for_reward(box, s, seat, holder(seat, action - FLIP))
    else:
        carry_out(box, s, seat, action)
    go_on(box, s)


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
def go_on(box, s):
    """Settle what needs no decision until one is due: lost rewards, goals, seats that are out, the next turn."""
    while s.over == 0:
        seat = int(s.turn_seat)
        s.acting = 1 << seat
        if s.phase == REWARDED:
            if can_be_carried_out(s, seat):
                return
            event(s, LOST, 6_02, seat, s.reward)
            s.phase = FLIPPING
        elif s.phase == FLIPPING:
            s.reward, s.reward_count, s.reward_card = 0, 0, 0
            if may_flip(s, seat):
                return
            s.phase = CLAIMING
        elif s.phase == CLAIMING:
            claim_goals(box, s, seat)
            s.phase = POLICING
            s.police_step = 1
        elif s.phase == POLICING:
            if ask_for_police(box, s):
                return
        elif s.actions_left == 0:
            if s.tokens[seat] > 0:
                return
            begin_turn(s, next_seat(s, seat))
        elif can_act(box, s, seat):
            return
        else:
            crumble(box, s, seat, 3_02)
            if s.over == 0:
                begin_turn(s, next_seat(s, seat))


# PS 2: setup


@rule
def setup(box, s):
    """Deal the hands, lay out the market, open six goals, and find who starts (PS 2)."""
    for card in range(VICTIMS):
        s.deck[card] = card
    s.deck_count = VICTIMS
    for card in range(CARDS):
        s.parent[card] = -1
    for seat in range(s.seats):
        s.hand_limit[seat] = HAND_LIMIT
        s.tokens[seat] = 1
        found_pyramid(s, seat)
        for _ in range(DEALT):
            s.deck_count -= 1
            card = draw(s.rng, s.deck, s.deck_count + 1)
            s.deck[s.deck_count] = 0
            add_to_hand(s, seat, card)
            event(s, DEALS, 2_01, seat, card, box.number[card], audience=only(seat))
    s.supply = TOKENS - s.seats
    reveal_top(s)
    for i in range(MARKET):
        fill_market(box, s, i, 2_01)
    open_goals(s)
    s.start_seat = first_seat(box, s)
    event(s, STARTS, 2_03, s.start_seat)
    begin_turn(s, s.start_seat)
    s.acting = 1 << int(s.start_seat)


@rule
def found_pyramid(s, seat):
    """Put a seat's Founder in front of it (PS 2.2)."""
    founder = FIRST_FOUNDER + seat
    s.room[founder] = FOUNDER_NUMBER
    s.level[founder] = 1
    s.pile[seat, 0] = founder
    s.pile_count[seat] = 1


@rule
def open_goals(s):
    """Open six of the goals by chance, in their order (PS 2.2; selection sampling, Knuth's algorithm S)."""
    n = 0
    for goal in range(N_GOALS):
        if n < OPEN_GOALS and below(s.rng, N_GOALS - goal) < OPEN_GOALS - n:
            s.goals[n] = goal
            n += 1


@rule
def hand_sum(box, s, seat):
    """The sum of the numbers in a hand."""
    total = 0
    for i in range(s.hand_count[seat]):
        total += int(box.number[s.hand[seat, i]])
    return total


@rule
def first_seat(box, s):
    """The seat with the lowest sum in hand, of several one by chance; or, as an option, any by chance (PS 2.3)."""
    if box.start:
        return below(s.rng, s.seats)
    lowest, ties, first = 99, 0, 0
    for seat in range(s.seats):
        total = hand_sum(box, s, seat)
        if total < lowest:
            lowest, ties, first = total, 1, seat
        elif total == lowest:
            ties += 1
            if below(s.rng, ties) == 0:
                first = seat
    return first


# PS 3: the turn


@rule
def is_in(s, seat):
    """Whether a seat is still in the game."""
    return (int(s.crumbled) >> seat) & 1 == 0


@rule
def next_seat(s, seat):
    """The next seat clockwise that is still in the game."""
    other = (int(seat) + 1) % int(s.seats)
    while not is_in(s, other):
        other = (other + 1) % int(s.seats)
    return other


@rule
def begin_turn(s, seat):
    """Give a seat its two actions (PS 3.1)."""
    s.turn_number += 1
    s.turn_seat = seat
    s.actions_left = ACTIONS_PER_TURN
    s.phase = ACTING
    event(s, TURN, 3_01, seat, s.turn_number)


@rule
def legal_turn(box, s, seat, out):
    """Take, place, reset the market, and end the turn once both actions are done (PS 3.1, 10.1)."""
    n = 0
    if s.actions_left > 0:
        if s.hand_count[seat] < s.hand_limit[seat]:
            n = legal_takes(s, out)
        n = legal_placements(box, s, seat, out, n)
    if s.tokens[seat] > 0:
        out[n] = RESET
        n += 1
    if s.actions_left == 0:
        out[n] = END
        n += 1
    return n


@rule
def can_act(box, s, seat):
    """Whether a seat can take or place (PS 3.2)."""
    if s.hand_count[seat] < s.hand_limit[seat]:
        return True
    for i in range(s.hand_count[seat]):
        if has_place(box, s, seat, s.hand[seat, i]):
            return True
    return False


@rule
def crumble(box, s, seat, rule_number):
    """A seat is out: its Victims leave the game or are discarded, its Police and tokens go back (PS 3.2, 3.3, 9.2)."""
    event(s, OUT, rule_number, seat)
    s.crumbled |= 1 << seat
    where = DISCARDED if box.recycle_crumbled else GONE
    for i in range(s.pile_count[seat]):
        card = int(s.pile[seat, i])
        s.supply += s.limits[card]
        if card < VICTIMS:
            s.spot[card] = where
            s.discard_count += int(where == DISCARDED)
        clear_card(s, card)
        s.pile[seat, i] = 0
    s.pile_count[seat] = 0
    for i in range(s.hand_count[seat]):
        card = int(s.hand[seat, i])
        if s.spot[card] == HIDDEN:
            s.dealt_sum[seat] += box.number[card]
        s.spot[card] = where
        s.discard_count += int(where == DISCARDED)
        s.hand[seat, i] = 0
    s.hand_count[seat] = 0
    s.supply += s.tokens[seat]
    s.tokens[seat] = 0
    left = 0
    for other in range(s.seats):
        left += int(is_in(s, other))
    if left == 1:
        end_game(s, 10_02)


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


# PS 4: take


@rule
def legal_takes(s, out):
    """The three Victims of the market, ascending (PS 4.1)."""
    a, b, c = int(s.market[0]), int(s.market[1]), int(s.market[2])
    low, high = min(a, b), max(a, b)
    out[0] = TAKE + min(low, c)
    out[1] = TAKE + max(low, min(high, c))
    out[2] = TAKE + max(high, c)
    return MARKET


@rule
def take(box, s, seat, card):
    """Take a Victim of the market into hand; the deck's top card fills the gap (PS 4.1, 4.2)."""
    s.actions_left -= 1
    add_to_hand(s, seat, card)
    s.spot[card] = IN_HAND + seat
    event(s, TAKEN, 4_01, seat, card, box.number[card])
    i = 0
    while s.market[i] != card:
        i += 1
    fill_market(box, s, i, 4_02)


@rule
def add_to_hand(s, seat, card):
    """Put a card where it belongs in a hand."""
    i = int(s.hand_count[seat])
    while i > 0 and s.hand[seat, i - 1] > card:
        s.hand[seat, i] = s.hand[seat, i - 1]
        i -= 1
    s.hand[seat, i] = card
    s.hand_count[seat] += 1


@rule
def drop_from_hand(box, s, seat, card):
    """Take a card out of a hand; a dealt one is known from now on."""
    if s.spot[card] == HIDDEN:
        s.dealt_sum[seat] += box.number[card]
    i = 0
    while s.hand[seat, i] != card:
        i += 1
    s.hand_count[seat] -= 1
    while i < s.hand_count[seat]:
        s.hand[seat, i] = s.hand[seat, i + 1]
        i += 1
    s.hand[seat, i] = 0


@rule
def fill_market(box, s, i, rule_number):
    """Move the deck's top card into a gap of the market; the game ends if no Victim is left for the deck (PS 4.2, 4.3)."""
    card = int(s.deck_top)
    s.market[i] = card
    s.spot[card] = IN_MARKET
    if s.deck_count == 0:
        reshuffle(s)
    if s.deck_count == 0:
        s.deck_top = -1
        event(s, FILLED, rule_number, card, box.number[card], -1, 0)
        end_game(s, 4_03)
        return
    reveal_top(s)
    event(s, FILLED, rule_number, card, box.number[card], s.deck_top, box.number[s.deck_top])


@rule
def reveal_top(s):
    """Turn up the next card of the deck, which is drawn from it by chance."""
    s.deck_count -= 1
    card = draw(s.rng, s.deck, s.deck_count + 1)
    s.deck[s.deck_count] = 0
    s.deck_top = card
    s.spot[card] = ON_TOP


@rule
def reshuffle(s):
    """The discarded Victims become the deck (PS 4.3); drawing is at random, so no order is laid down."""
    if s.discard_count == 0:
        return
    event(s, RESHUFFLED, 4_03, s.discard_count)
    n = 0
    for card in range(VICTIMS):
        if s.spot[card] == DISCARDED:
            s.spot[card] = HIDDEN
            s.deck[n] = card
            n += 1
    s.deck_count = n
    s.discard_count = 0


# PS 5: place


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
def legal_placements(box, s, seat, out, n):
    """Every Victim in hand below every card of the own pyramid that it fits below (PS 5.1)."""
    for i in range(s.hand_count[seat]):
        card = int(s.hand[seat, i])
        number, bit = int(box.number[card]), colour_bit(box, card)
        first = PLACE + card * HOLDERS
        for k in range(s.pile_count[seat]):
            under = int(s.pile[seat, k])
            out[n] = first + named(under)
            n += int(fits_below(s, under, number, bit))
    return n


@rule
def has_place(box, s, seat, card):
    """Whether a card fits anywhere in a seat's pyramid."""
    number, bit = int(box.number[card]), colour_bit(box, card)
    for k in range(s.pile_count[seat]):
        if fits_below(s, s.pile[seat, k], number, bit):
            return True
    return False


@rule
def place(box, s, seat, card, under):
    """Place a Victim from hand (PS 5.1); then the seat may flip (PS 6.1)."""
    s.actions_left -= 1
    drop_from_hand(box, s, seat, card)
    s.spot[card] = IN_PYRAMID
    add_to_pyramid(box, s, seat, card, under)
    event(s, PLACED, 5_01, seat, card, under, 100 * int(box.number[card]) + int(box.number[under]))
    s.phase = FLIPPING


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


# PS 6: flips


@rule
def demand_fit(box, card, child):
    """The demands of `card` that a card below satisfies, as a bitmask (PS 6.3)."""
    number = int(box.number[child])
    return int(box.fits[card, 6 * int(box.colour[child]) + (number if number <= 5 else 0)])


@rule
def with_child(reached, fit):
    """The sets of demands that can be met with one more card, given those that can without it.

    A set of demands is a number from 0 to 15, and `reached` has a bit for each set. The masks pick the sets that lack the
    first, second, third and fourth demand.
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
    # At most one unflipped Victim of a colour lies in a branch (PS 5.3): below this card no other brings its colour back.
    for k in range(s.pile_count[seat]):
        below_it = int(s.pile[seat, k])
        if int(s.above[below_it]) & bit:
            up = below_it
            while up >= 0 and up != card:
                up = int(s.parent[up])
            if up == card:
                s.above[below_it] = int(s.above[below_it]) & ~bit


@rule
def flip_for_reward(box, s, seat, card):
    """Flip a card and gain its reward: what needs no choice at once, the rest is asked for (PS 6.2)."""
    flip(box, s, seat, card, 6_01 if s.phase == FLIPPING else 7_02)
    reward, count = int(box.reward[card]), int(box.reward_count[card])
    s.phase = FLIPPING
    if reward == HAND_MORE:
        s.hand_limit[seat] += count
        event(s, HAND_GREW, 7_07, seat, count, s.hand_limit[seat])
    elif reward == RESETS:
        gained = min(count, int(s.supply))
        s.supply -= gained
        s.tokens[seat] += gained
        event(s, GAINED, 7_09, seat, gained, s.tokens[seat])
    elif reward != NO_REWARD:
        s.phase = REWARDED
        s.reward, s.reward_count, s.reward_card = reward, count, card


# PS 7: rewards


@rule
def can_be_carried_out(s, seat):
    """Whether the reward that is due can do anything (PS 6.2)."""
    reward = int(s.reward)
    if reward == LIMIT:
        return s.supply > 0
    if reward == DISCARD_HAND:
        return s.hand_count[seat] > 0
    if reward == RESERVE:
        for i in range(OPEN_GOALS):
            if s.claimed[i] == 0 and s.reserved[i] == 0:
                return True
        return False
    for k in range(s.pile_count[seat]):
        if is_choice(s, reward, s.pile[seat, k]):
            return True
    return False


@rule
def is_choice(s, reward, card):
    """Whether a reward that asks for a card of the own pyramid may be used on this one (PS 7.1 to 7.5)."""
    police = is_police(card)
    if reward == LIMIT:
        return not police or s.flipped[card] == 1
    if reward == FLIP_BONUS or reward == FLIP_OTHER:
        return s.flipped[card] == 0
    if reward == FLIP_POLICE:
        return police and s.flipped[card] == 0
    return police and (s.flipped[card] == 0 or s.room[card] - s.limits[card] == POLICE_NUMBER)


@rule
def legal_rewards(s, seat, out):
    """What the reward that is due may be used on, or to decline it (PS 6.2, 7)."""
    reward, n = int(s.reward), 0
    if reward == DISCARD_HAND:
        for i in range(s.hand_count[seat]):
            out[i] = DISCARD + int(s.hand[seat, i])
        n = int(s.hand_count[seat])
    elif reward == RESERVE:
        for i in range(OPEN_GOALS):
            out[n] = RESERVE_GOAL + int(s.goals[i])
            n += int(s.claimed[i] == 0 and s.reserved[i] == 0)
    else:
        first = FLIP
        if reward == LIMIT:
            first = PUT_LIMIT
        elif reward == DISCARD_POLICE:
            first = REMOVE - FIRST_POLICE
        for k in range(s.pile_count[seat]):
            card = int(s.pile[seat, k])
            out[n] = first + named(card)
            n += int(is_choice(s, reward, card))
    out[n] = DONE
    return n + 1


@rule
def carry_out(box, s, seat, action):
    """Use the reward that is due as chosen (PS 7)."""
    reward = int(s.reward)
    if reward == FLIP_BONUS:
        flip_for_reward(box, s, seat, holder(seat, action - FLIP))
        return
    if reward == DISCARD_HAND:
        discard_from_hand(box, s, seat, action - DISCARD)
        if s.hand_count[seat] == 0:
            s.phase = FLIPPING
        return
    s.phase = FLIPPING
    if reward == LIMIT:
        put_limit_tokens(box, s, seat, holder(seat, action - PUT_LIMIT))
    elif reward == DISCARD_POLICE:
        remove_police(box, s, seat, FIRST_POLICE + action - REMOVE)
    elif reward == RESERVE:
        reserve(s, seat, action - RESERVE_GOAL)
    else:
        flip(box, s, seat, holder(seat, action - FLIP), 7_03 if reward == FLIP_OTHER else 7_05)


@rule
def put_limit_tokens(box, s, seat, card):
    """Put the limit tokens, as many as the supply has, on one card (PS 7.1)."""
    count = min(int(s.reward_count), int(s.supply))
    s.supply -= count
    s.limits[card] += count
    s.room[card] += count
    event(s, LIMITED, 7_01, seat, card, box.number[card], count)


@rule
def remove_police(box, s, seat, card):
    """Return a Police with nothing below it to the box (PS 7.4)."""
    under = int(s.parent[card])
    s.room[under] += POLICE_NUMBER
    s.smart_below[under] -= s.flipped[card]
    s.supply += s.limits[card]
    clear_card(s, card)
    i = 0
    while s.pile[seat, i] != card:
        i += 1
    s.pile_count[seat] -= 1
    while i < s.pile_count[seat]:
        s.pile[seat, i] = s.pile[seat, i + 1]
        i += 1
    s.pile[seat, i] = 0
    s.met[under] = meets_condition(box, s, seat, under)
    event(s, REMOVED, 7_04, seat)


@rule
def reserve(s, seat, goal):
    """Keep an open goal for oneself (PS 7.6)."""
    for i in range(OPEN_GOALS):
        if s.goals[i] == goal:
            s.reserved[i] = seat + 1
    event(s, RESERVED, 7_06, seat, goal)


@rule
def discard_from_hand(box, s, seat, card):
    """Put a Victim from hand on the discard pile (PS 7.8)."""
    drop_from_hand(box, s, seat, card)
    s.spot[card] = DISCARDED
    s.discard_count += 1
    event(s, THREW, 7_08, seat, card, box.number[card])


# PS 8: goals


@rule
def count_of(packed, index):
    """One of the counts, up to 255, that `tally` packs into a number."""
    return (packed >> (8 * index)) & 255


@rule
def tally(box, s, seat):
    """What goals count in a seat's pyramid.

    Returns counts, packed for `count_of`: Victims by colour and by number, flipped Victims by colour, flipped cards by
    number (the Founder's as 6); then limit tokens, levels, and the most flipped cards directly below one card.
    """
    colours, numbers, smart_colours, smart_numbers = 0, 0, 0, 0
    tokens, levels, widest = 0, 0, 0
    for k in range(s.pile_count[seat]):
        card = int(s.pile[seat, k])
        number, smart = min(int(box.number[card]), 6), int(s.flipped[card])
        if card < VICTIMS:
            colour = int(box.colour[card])
            colours += 1 << (8 * colour)
            numbers += 1 << (8 * number)
            smart_colours += smart << (8 * colour)
        smart_numbers += smart << (8 * number)
        tokens += int(s.limits[card])
        levels = max(levels, int(s.level[card]))
        widest = max(widest, int(s.smart_below[card]))
    return colours, numbers, smart_colours, smart_numbers, tokens, levels, widest


@rule
def progress(goal, tallied, reset_tokens):
    """How much of what a goal asks for a seat has, by its `tally` and its unused reset tokens (PS 8.1 to 8.17)."""
    colours, numbers, smart_colours, smart_numbers, tokens, levels, widest = tallied
    if goal < 4:  # five of a colour
        return count_of(colours, goal)
    if goal == 4:  # two of each colour
        total = 0
        for colour in range(NO_COLOUR):
            total += min(2, count_of(colours, colour))
        return total
    if goal == 5:
        return levels
    if goal == 6:
        return tokens
    if goal < 10:  # five 1s, four 2s, three 3s
        return count_of(numbers, goal - 6)
    if goal == 11:
        return int(reset_tokens)
    if goal == 16:
        return widest
    # The others ask for different colours or numbers, or for the most of one.
    packed = numbers if goal == 10 else smart_colours if goal == 12 or goal == 13 else smart_numbers
    different, most = 0, 0
    for i in range(7):
        n = count_of(packed, i)
        different += int(n > 0)
        most = max(most, n)
    return most if goal == 13 or goal == 15 else different


@rule
def goal_is_met(goal, tallied, reset_tokens):
    """Whether a seat meets a goal (PS 8.1 to 8.17)."""
    return progress(goal, tallied, reset_tokens) >= GOAL_NEEDS[goal]


@rule
def claim_goals(box, s, seat):
    """Claim every open goal that the seat meets and nobody else has reserved (PS 8.20, 7.6)."""
    s.police_rounds = 0
    tallied = tally(box, s, seat)
    for i in range(OPEN_GOALS):
        free = s.claimed[i] == 0 and (s.reserved[i] == 0 or s.reserved[i] == seat + 1)
        if free and goal_is_met(int(s.goals[i]), tallied, s.tokens[seat]):
            s.claimed[i] = seat + 1
            s.police_rounds += 1
            event(s, CLAIMED, 8_20, seat, s.goals[i])


# PS 9: police


@rule
def ask_for_police(box, s):
    """Ask the next seat that has to place a Police; who cannot is out (PS 8.21, 9.2). False when nobody is left to ask."""
    while s.police_rounds > 0:
        if s.police_step >= s.seats:
            s.police_step = 1
            s.police_rounds -= 1
            continue
        seat = (int(s.turn_seat) + int(s.police_step)) % int(s.seats)
        if is_in(s, seat):
            if has_place(box, s, seat, FIRST_POLICE):
                s.acting = 1 << seat
                return True
            crumble(box, s, seat, 9_02)
            if s.over:
                return False
        s.police_step += 1
    s.police_rounds = 0
    s.police_step = 0
    s.phase = ACTING
    return False


@rule
def legal_police(s, seat, out):
    """Every card of the own pyramid that a Police fits below (PS 9.1)."""
    n = 0
    for k in range(s.pile_count[seat]):
        under = int(s.pile[seat, k])
        out[n] = PUT_POLICE + named(under)
        n += int(fits_below(s, under, POLICE_NUMBER, 0))
    return n


@rule
def place_police(box, s, seat, under):
    """Place the next Police of the box (PS 9.1)."""
    card = FIRST_POLICE
    while s.parent[card] >= 0:
        card += 1
    add_to_pyramid(box, s, seat, card, under)
    event(s, POLICED, 8_21, seat, under, box.number[under])
    s.police_step += 1


# PS 10: reset tokens and the end


@rule
def reset_market(box, s, seat):
    """Spend a reset token: discard the three Victims of the market and deal three new ones (PS 10.1)."""
    s.tokens[seat] -= 1
    s.supply += 1
    event(s, HAS_RESET, 10_01, seat, s.tokens[seat])
    for i in range(MARKET):
        s.spot[s.market[i]] = DISCARDED
    s.discard_count += MARKET
    for i in range(MARKET):
        fill_market(box, s, i, 10_01)


@rule
def smart_asses(s, seat):
    """How many flipped cards a seat has, Founder and Police included (PS 10.2)."""
    count = 0
    for k in range(s.pile_count[seat]):
        count += int(s.flipped[s.pile[seat, k]])
    return count


@rule
def end_game(s, rule_number):
    """The game is over: the last seat left has won, or the most flipped cards of those left (PS 10.2, 10.3)."""
    s.over = 1
    s.ending = rule_number
    s.acting = 0
    s.phase = 0
    s.police_rounds, s.police_step = 0, 0
    event(s, ENDED, rule_number, rule_number)
    most = -1
    for seat in range(s.seats):
        s.score[seat] = smart_asses(s, seat) if is_in(s, seat) else -1
        most = max(most, int(s.score[seat]))
    s.winners = 0
    for seat in range(s.seats):
        if s.score[seat] == most:
            s.winners |= 1 << seat


@rule
def points(box, s, out):
    """Write every seat's flipped cards at the end to `out` (int32[seats]); -1 for who is out."""
    for seat in range(s.seats):
        out[seat] = s.score[seat]


@rule
def payoff(box, s, out):
    """Write every seat's share of the win to `out` (float64[seats]), 1 in all (PS 10.2)."""
    count = 0
    for seat in range(s.seats):
        count += (int(s.winners) >> seat) & 1
    for seat in range(s.seats):
        out[seat] = 1.0 / count if (int(s.winners) >> seat) & 1 else 0.0


@rule
def timeout(box, s, seat):
    """What an absent seat does: take the first Victim, place the first card where it fits, end the turn, decline the rest.

    The rules know no absence; this spends nothing that the player might want to keep.
    """
    if s.phase == FLIPPING or s.phase == REWARDED:
        return DONE
    if s.phase == ACTING and s.actions_left == 0:
        return END
    if s.phase == ACTING and s.hand_count[seat] < s.hand_limit[seat]:
        return TAKE + min(int(s.market[0]), int(s.market[1]), int(s.market[2]))
    for k in range(s.pile_count[seat]):
        under = int(s.pile[seat, k])
        if s.phase == POLICING:
            if fits_below(s, under, POLICE_NUMBER, 0):
                return PUT_POLICE + named(under)
            continue
        for i in range(s.hand_count[seat]):
            card = int(s.hand[seat, i])
            if fits_below(s, under, box.number[card], colour_bit(box, card)):
                return PLACE + card * HOLDERS + named(under)
    return END
