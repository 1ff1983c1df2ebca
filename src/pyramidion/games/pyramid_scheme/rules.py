"""Rules of Pyramid Scheme: setup, turns, and the consequences of a decision. `PS` numbers refer to rules.md."""

from __future__ import annotations

from pyramidion.engine.events import event, only
from pyramidion.engine.random import below, draw
from pyramidion.engine.rule import rule
from pyramidion.engine.turns import seat_after
from pyramidion.games.pyramid_scheme.elimination import end_game, is_in, payoff, points
from pyramidion.games.pyramid_scheme.goals import claim_goals
from pyramidion.games.pyramid_scheme.layout import (
    ACTING,
    ACTIONS,
    ACTIONS_PER_TURN,
    CARDS,
    CLAIMING,
    DEALT,
    DISCARDED,
    EVENTS,
    FIRST_POLICE,
    FLIPPING,
    GOALS,
    GONE,
    HAND_LIMIT,
    HIDDEN,
    HOLDERS,
    IN_PYRAMID,
    MARKET,
    OPEN_GOALS,
    POLICE_NUMBER,
    POLICING,
    REWARDED,
    TOKENS,
    VICTIMS,
)
from pyramidion.games.pyramid_scheme.market import (
    add_to_hand,
    drop_from_hand,
    fill_market,
    legal_takes,
    reset_market,
    reveal_top,
    take,
)
from pyramidion.games.pyramid_scheme.rewards import can_be_carried_out, carry_out, flip_for_reward, legal_rewards
from pyramidion.games.pyramid_scheme.trees import (
    add_to_pyramid,
    clear_card,
    colour_bit,
    fits_below,
    found_pyramid,
    has_place,
    holder,
    legal_flips,
    may_flip,
    named,
)

__all__ = ["apply", "legal", "payoff", "points", "setup", "timeout"]

TAKE, PLACE, RESET, END, FLIP, PUT_POLICE, DONE = (
    ACTIONS.take,
    ACTIONS.place,
    ACTIONS.reset,
    ACTIONS.end,
    ACTIONS.flip,
    ACTIONS.police,
    ACTIONS.done,
)
DEALS, STARTS, TURN, PLACED, LOST = EVENTS.dealt, EVENTS.starts, EVENTS.turn, EVENTS.placed, EVENTS.lost
POLICED, OUT = EVENTS.police, EVENTS.out
N_GOALS = len(GOALS)


@rule
def legal(box, s, seat, out):
    """Write the ids of `seat`'s legal actions to `out` in ascending order; return the count."""
    if s.phase == ACTING:
        return legal_turn(box, s, seat, out)
    if s.phase == FLIPPING:
        return legal_flips(s, seat, out)
    if s.phase == REWARDED:
        return legal_rewards(s, seat, out)
    return legal_police(s, seat, out)


@rule
def apply(box, s, seat, action):
    """Apply a legal action and advance to the next decision."""
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


@rule(within=True)
def go_on(box, s):
    """Go on to the next decision: resolve lost rewards, goals, eliminated seats and the next turn."""
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
            if box.claim_between_flips and claim_goals(box, s, seat):
                s.phase = POLICING
                s.police_step = 1
            elif may_flip(s, seat):
                return
            else:
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


@rule
def setup(box, s):
    """Deal the hands, lay out the market, open six goals, and determine the start seat (PS 2)."""
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


@rule(within=True)
def open_goals(s):
    """Open six random goals, in ascending order (PS 2.2; selection sampling, Knuth's Algorithm S)."""
    n = 0
    for goal in range(N_GOALS):
        if n < OPEN_GOALS and below(s.rng, N_GOALS - goal) < OPEN_GOALS - n:
            s.goals[n] = goal
            n += 1


@rule(within=True)
def hand_sum(box, s, seat):
    """Return the sum of the numbers on the cards in a seat's hand."""
    total = 0
    for i in range(s.hand_count[seat]):
        total += int(box.number[s.hand[seat, i]])
    return total


@rule(within=True)
def first_seat(box, s):
    """Return the start seat: lowest sum in hand, ties drawn at random; or, by option, any seat at random (PS 2.3)."""
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


@rule
def next_seat(s, seat):
    """Return the next seat clockwise that is still in the game."""
    other = seat_after(s, seat, 1)
    while not is_in(s, other):
        other = seat_after(s, other, 1)
    return other


@rule
def begin_turn(s, seat):
    """Start a seat's turn with two actions (PS 3.1)."""
    s.turn_number += 1
    s.turn_seat = seat
    s.actions_left = ACTIONS_PER_TURN
    s.phase = ACTING
    event(s, TURN, 3_01, seat, s.turn_number)


@rule
def legal_turn(box, s, seat, out):
    """Write takes, placements, a market reset and the end of the turn to `out`; return the count (PS 3.1, 10.1).

    A turn may end once both actions are done.
    """
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


@rule(within=True)
def can_act(box, s, seat):
    """Return whether a seat can take a Victim or place one; otherwise its pyramid crumbles (PS 3.2)."""
    if s.hand_count[seat] < s.hand_limit[seat]:
        return True
    for i in range(s.hand_count[seat]):
        if has_place(box, s, seat, s.hand[seat, i]):
            return True
    return False


@rule
def crumble(box, s, seat, rule_number):
    """Eliminate a seat: take its Victims out of play or discard them, and return its Police and tokens.

    PS 3.2, 3.3, 7.6 and 9.2; `rule_number` is the one that eliminates it.
    """
    event(s, OUT, rule_number, seat)
    s.crumbled |= 1 << seat
    if rule_number == 9_02:
        s.crumbled_by_police |= 1 << seat
    if box.free_reserved:
        for i in range(OPEN_GOALS):
            if s.claimed[i] == 0 and s.reserved[i] == seat + 1:
                s.reserved[i] = 0
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


@rule(within=True)
def legal_placements(box, s, seat, out, n):
    """Append the placements of each Victim in hand below each card it fits to `out`; return the new count (PS 5.1)."""
    for i in range(s.hand_count[seat]):
        card = int(s.hand[seat, i])
        number, bit = int(box.number[card]), colour_bit(box, card)
        first = PLACE + card * HOLDERS
        for k in range(s.pile_count[seat]):
            under = int(s.pile[seat, k])
            out[n] = first + named(under)
            n += int(fits_below(s, under, number, bit))
    return n


@rule(within=True)
def place(box, s, seat, card, under):
    """Place a Victim from a seat's hand below a card of its pyramid (PS 5.1); then the seat may flip (PS 6.1)."""
    s.actions_left -= 1
    drop_from_hand(box, s, seat, card)
    s.spot[card] = IN_PYRAMID
    add_to_pyramid(box, s, seat, card, under)
    event(s, PLACED, 5_01, seat, card, under, 100 * int(box.number[card]) + int(box.number[under]))
    s.phase = FLIPPING


@rule(within=True)
def ask_for_police(box, s):
    """Ask the next seat that must place a Police; a seat that cannot is out (PS 8.21, 9.2).

    Returns False if no seat is left to ask. The turn then goes on; with `claim_between_flips`, after new claims, with
    the claimant's flips (PS 8.20).
    """
    claimed = s.police_rounds > 0
    while s.police_rounds > 0:
        if s.police_step >= s.seats:
            s.police_step = 1
            s.police_rounds -= 1
            continue
        seat = seat_after(s, s.turn_seat, s.police_step)
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
    s.phase = FLIPPING if claimed and box.claim_between_flips else ACTING
    return False


@rule
def legal_police(s, seat, out):
    """Write the cards of the seat's pyramid that a Police fits below to `out`; return the count (PS 9.1)."""
    n = 0
    for k in range(s.pile_count[seat]):
        under = int(s.pile[seat, k])
        out[n] = PUT_POLICE + named(under)
        n += int(fits_below(s, under, POLICE_NUMBER, 0))
    return n


@rule(within=True)
def place_police(box, s, seat, under):
    """Place the next Police from the box below a card of the seat's pyramid (PS 9.1)."""
    card = FIRST_POLICE
    while s.parent[card] >= 0:
        card += 1
    add_to_pyramid(box, s, seat, card, under)
    event(s, POLICED, 8_21, seat, under, box.number[under])
    s.police_step += 1


@rule
def timeout(box, s, seat):
    """Return the action that is taken for an absent seat.

    It takes the first Victim, places the first card where it fits, ends the turn, or declines. The rulebook does not
    cover absence; this spends nothing that the player might want to keep.
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
