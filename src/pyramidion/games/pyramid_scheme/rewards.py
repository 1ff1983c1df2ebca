"""Rewards of flipped cards (PS 7)."""

from __future__ import annotations

from pyramidion.engine.events import event
from pyramidion.engine.rule import rule
from pyramidion.games.pyramid_scheme.layout import (
    ACTIONS,
    DISCARD_HAND,
    DISCARD_POLICE,
    DISCARDED,
    EVENTS,
    FIRST_POLICE,
    FLIP_BONUS,
    FLIP_OTHER,
    FLIP_POLICE,
    FLIPPING,
    HAND_MORE,
    LIMIT,
    NO_REWARD,
    OPEN_GOALS,
    POLICE_NUMBER,
    RESERVE,
    RESETS,
    REWARDED,
)
from pyramidion.games.pyramid_scheme.market import drop_from_hand
from pyramidion.games.pyramid_scheme.trees import clear_card, flip, holder, is_police, meets_condition, named

FLIP, PUT_LIMIT, REMOVE, DISCARD, RESERVE_GOAL, DONE = (
    ACTIONS.flip,
    ACTIONS.limit,
    ACTIONS.remove,
    ACTIONS.discard,
    ACTIONS.reserve,
    ACTIONS.done,
)
LIMITED, REMOVED, RESERVED, HAND_GREW, THREW = (
    EVENTS.limit,
    EVENTS.removed,
    EVENTS.reserved,
    EVENTS.hand,
    EVENTS.discarded,
)
GAINED = EVENTS.tokens


@rule
def flip_for_reward(box, s, seat, card):
    """Flip a card and grant its reward, at once if it needs no choice; otherwise ask for one (PS 6.2)."""
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


@rule(within=True)
def can_be_carried_out(s, seat):
    """Return whether the pending reward can have any effect; otherwise it is lost (PS 6.2)."""
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
    """Return whether a reward that affects the seat's own pyramid may be used on this card of it (PS 7.1 to 7.5)."""
    police = is_police(card)
    if reward == LIMIT:
        return not police or s.flipped[card] == 1
    if reward == FLIP_BONUS or reward == FLIP_OTHER:
        return s.flipped[card] == 0
    if reward == FLIP_POLICE:
        return police and s.flipped[card] == 0
    return police and (s.flipped[card] == 0 or s.room[card] - s.limits[card] == POLICE_NUMBER)


@rule(within=True)
def legal_rewards(s, seat, out):
    """Write the legal uses of the pending reward, and declining it, to `out`; return the count (PS 6.2, 7)."""
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


@rule(within=True)
def carry_out(box, s, seat, action):
    """Use the pending reward as the seat has chosen (PS 7)."""
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


@rule(within=True)
def put_limit_tokens(box, s, seat, card):
    """Put the pending reward's limit tokens, as many as the supply has, on one card (PS 7.1)."""
    count = min(int(s.reward_count), int(s.supply))
    s.supply -= count
    s.limits[card] += count
    s.room[card] += count
    event(s, LIMITED, 7_01, seat, card, box.number[card], count)


@rule(within=True)
def remove_police(box, s, seat, card):
    """Send a Police card with nothing below it from a pyramid back to the box (PS 7.4)."""
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


@rule(within=True)
def reserve(s, seat, goal):
    """Reserve an open goal for the seat (PS 7.6)."""
    for i in range(OPEN_GOALS):
        if s.goals[i] == goal:
            s.reserved[i] = seat + 1
    event(s, RESERVED, 7_06, seat, goal)


@rule(within=True)
def discard_from_hand(box, s, seat, card):
    """Discard a Victim from hand (PS 7.8)."""
    drop_from_hand(box, s, seat, card)
    s.spot[card] = DISCARDED
    s.discard_count += 1
    event(s, THREW, 7_08, seat, card, box.number[card])
