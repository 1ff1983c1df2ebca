"""Features of the actions of Pyramid Scheme, from which a policy is learned (bots/learned_policy.py)."""

from __future__ import annotations

from pyramidion.engine.entries import note
from pyramidion.engine.rule import rule
from pyramidion.games.pyramid_scheme.goals import progress, tally
from pyramidion.games.pyramid_scheme.layout import (
    ACTING,
    ACTIONS,
    DISCARD_HAND,
    FIRST_FOUNDER,
    FLIP_BONUS,
    FLIP_OTHER,
    FLIP_POLICE,
    FLIPPING,
    GOAL_NEEDS,
    HOLDERS,
    LIMIT,
    OPEN_GOALS,
    POLICE_NUMBER,
    POLICING,
    RESERVE,
    REWARDS,
)
from pyramidion.games.pyramid_scheme.policy import (
    COLDNESS,
    NO_ROOM,
    colours_open,
    helps_with,
    use_of,
    worth_of_flip,
    worth_of_place,
    worth_of_reset,
    worth_of_rewards,
)
from pyramidion.games.pyramid_scheme.rewards import legal_rewards
from pyramidion.games.pyramid_scheme.rules import legal_police, legal_turn
from pyramidion.games.pyramid_scheme.trees import (
    colour_bit,
    demand_fit,
    demands_met,
    fits_below,
    has_place,
    holder,
    is_police,
    legal_flips,
    with_child,
)

DISCARD, DONE, END, FLIP = ACTIONS.discard, ACTIONS.done, ACTIONS.end, ACTIONS.flip
PLACE, PUT_LIMIT, PUT_POLICE = ACTIONS.place, ACTIONS.limit, ACTIONS.police
RESERVE_GOAL, RESET = ACTIONS.reserve, ACTIONS.reset

N_REWARDS = len(REWARDS)
ROOMS, OPEN, CAPACITY, GOAL_STEPS = 8, 5, 4, 3

# Where each group of features begins. The first is the value that the policy written by hand gives the action.
WORTH = 0
TAKE_BASE = 1  # by free places in the hand (0 to 2) and actions left (1, 2)
TAKE_NUMBER = TAKE_BASE + 6
TAKE_PLACES = TAKE_NUMBER + 6  # by the number of places where it fits, 0 to 3
TAKE_GOAL = TAKE_PLACES + 4
TAKE_BEST = TAKE_GOAL + GOAL_STEPS
PLACE_BASE = TAKE_BEST + 1  # by cards in hand (1 to 3) and actions left
PLACE_NUMBER = PLACE_BASE + 6
PLACE_UNDER = PLACE_NUMBER + 6  # Founder, Victim, smart-ass, Police
PLACE_ROOM = PLACE_UNDER + 4
PLACE_OPEN = PLACE_ROOM + ROOMS  # colours that may go below the card above
PLACE_BELOW = PLACE_OPEN + OPEN  # colours that may go below the card placed
PLACE_MOVES = PLACE_BELOW + OPEN  # the room it moves, by how much room the pyramid has
PLACE_FLIPS = PLACE_MOVES + 3  # by the reward of the card that can then be flipped
PLACE_FITS = PLACE_FLIPS + N_REWARDS  # serves a condition, serves none, the card above needs nothing
PLACE_HOPES = PLACE_FITS + 3  # by the reward of the card placed
PLACE_GOAL = PLACE_HOPES + N_REWARDS
PLACE_POLICE = PLACE_GOAL + GOAL_STEPS  # Police that would still fit
PLACE_LEVEL = PLACE_POLICE + CAPACITY
RESET_BASE = PLACE_LEVEL + 6
FLIP_DONE = RESET_BASE + 4
FLIP_REWARD = FLIP_DONE + 1
FLIP_NUMBER = FLIP_REWARD + N_REWARDS
POLICE_ROOM = FLIP_NUMBER + 6
POLICE_OPEN = POLICE_ROOM + ROOMS
POLICE_UNDER = POLICE_OPEN + OPEN
POLICE_LEFT = POLICE_UNDER + 4
REWARD_DONE = POLICE_LEFT + CAPACITY
LIMIT_ROOM = REWARD_DONE + N_REWARDS
LIMIT_OPEN = LIMIT_ROOM + ROOMS
LIMIT_UNDER = LIMIT_OPEN + OPEN
RESERVE_LEFT = LIMIT_UNDER + 4
DISCARD_FITS = RESERVE_LEFT + 4
FEATURES = DISCARD_FITS + 2
"""Number of features."""
ENTRIES = 14
"""Largest number of features of one action that are not 0."""
START = (COLDNESS,)
"""The coefficients of the first features with which the learned policy plays as the one written by hand."""


@rule
def features(box, s, seat, ids, worths, where, much):
    """Write a seat's candidate actions to `ids` (ascending), and the features that describe them; return the count.

    `where` (int16[n, ENTRIES + 1]) has the features of each candidate that are not 0, ended by -1, and `much` (float32
    of the same shape) their values. `worths` (float64[n]) is a buffer. Reads only what the seat can see.
    """
    if s.phase == ACTING:
        n = legal_turn(box, s, seat, ids)
        describe_turn(box, s, seat, ids, n, where, much)
    elif s.phase == FLIPPING:
        n = legal_flips(s, seat, ids)
        for i in range(n):
            k = 0
            if ids[i] == DONE:
                k = note(where, much, i, k, FLIP_DONE, 1.0)
            else:
                k = describe_flip(box, s, seat, holder(seat, ids[i] - FLIP), 5.0, True, where, much, i)
            where[i, k] = -1
    elif s.phase == POLICING:
        n = legal_police(s, seat, ids)
        room = room_for_police(s, seat)
        for i in range(n):
            under = holder(seat, ids[i] - PUT_POLICE)
            left = int(s.room[under]) - POLICE_NUMBER
            moved = colours_open(s.above[under]) * (use_of(left) - use_of(s.room[under]))
            k = note(where, much, i, 0, WORTH, moved)
            k = note(where, much, i, k, POLICE_ROOM + min(left, ROOMS - 1), 1.0)
            k = note(where, much, i, k, POLICE_OPEN + colours_open(s.above[under]), 1.0)
            k = note(where, much, i, k, POLICE_UNDER + sort_of(s, under), 1.0)
            k = note(where, much, i, k, POLICE_LEFT + min(room - 1, CAPACITY - 1), 1.0)
            where[i, k] = -1
    else:
        n = legal_rewards(s, seat, ids)
        worth_of_rewards(box, s, seat, ids, worths, n)
        describe_rewards(box, s, seat, ids, worths, n, where, much)
    return n


@rule
def sort_of(s, card):
    """Return a card's sort as a number: 0 for a Founder, 1 for a Victim, 2 for a smart-ass, 3 for a Police."""
    if card >= FIRST_FOUNDER:
        return 0
    if is_police(card):
        return 3
    return 1 + int(s.flipped[card])


@rule
def room_for_police(s, seat):
    """Return how many Police fit into a seat's pyramid, none of them below another."""
    room = 0
    for k in range(s.pile_count[seat]):
        room += int(s.room[int(s.pile[seat, k])]) // POLICE_NUMBER
    return room


@rule
def goal_step(box, s, seat, card, under, tallied):
    """Return how near a card brings a seat to a goal: 0 if it helps with none, 3 if it completes one.

    It is 2 if one more step is missing then, and 1 if more are. `under` is the card above it (-1: not placed yet).
    """
    best = 0
    for i in range(OPEN_GOALS):
        if s.claimed[i] == 0 and (s.reserved[i] == 0 or s.reserved[i] == seat + 1):
            goal = int(s.goals[i])
            if helps_with(box, s, goal, card, under, tallied):
                left = GOAL_NEEDS[goal] - progress(goal, tallied, s.tokens[seat])
                best = max(best, 3 if left <= 1 else 2 if left == 2 else 1)
    return best


@rule(within=True)
def describe_turn(box, s, seat, ids, n, where, much):
    """Write the features of takes, placements, a market reset and the end of a turn to `where` and `much`."""
    tallied = tally(box, s, seat)
    police, wide = room_for_police(s, seat), 0
    for k in range(s.pile_count[seat]):
        card = int(s.pile[seat, k])
        wide += colours_open(s.above[card]) * int(s.room[card])
    width = 0 if wide < 20 else 1 if wide < 50 else 2
    held, left = int(s.hand_count[seat]), int(s.actions_left)
    slack = min(2, int(s.hand_limit[seat]) - held - 1)
    best_take = -NO_ROOM
    for i in range(n):
        action = int(ids[i])
        k = 0
        if action < PLACE:
            number, bit, places, best = int(box.number[action]), colour_bit(box, action), 0, -NO_ROOM
            for j in range(s.pile_count[seat]):
                under = int(s.pile[seat, j])
                if fits_below(s, under, number, bit):
                    places += 1
                    best = max(best, worth_of_place(box, s, seat, action, under, tallied))
            best_take = max(best_take, best)
            k = note(where, much, i, k, WORTH, best)
            k = note(where, much, i, k, TAKE_BASE + 2 * slack + min(left, 2) - 1, 1.0)
            k = note(where, much, i, k, TAKE_NUMBER + number, 1.0)
            k = note(where, much, i, k, TAKE_PLACES + min(places, 3), 1.0)
            step = goal_step(box, s, seat, action, -1, tallied)
            if step:
                k = note(where, much, i, k, TAKE_GOAL + step - 1, 1.0)
            if places:
                k = note(where, much, i, k, TAKE_BEST, best * 0.1)
        elif action < RESET:
            card, under = (action - PLACE) // HOLDERS, holder(seat, (action - PLACE) % HOLDERS)
            k = note(where, much, i, k, WORTH, worth_of_place(box, s, seat, card, under, tallied))
            k = note(where, much, i, k, PLACE_BASE + 2 * min(held - 1, 2) + min(left, 2) - 1, 1.0)
            k = describe_place(box, s, seat, card, under, tallied, police, width, where, much, i, k)
        elif action == RESET:
            k = note(where, much, i, k, WORTH, worth_of_reset(s, seat, best_take))
            k = note(where, much, i, k, RESET_BASE + min(int(s.tokens[seat]), 2) - 1, 1.0)
            k = note(where, much, i, k, RESET_BASE + 2 + int(left == 0), 1.0)
        where[i, k] = -1


@rule
def describe_place(box, s, seat, card, under, tallied, police, width, where, much, i, k):
    """Append the features of a placement to those of the candidate `i`, which has `k`; return the new number."""
    number, above, room = int(box.number[card]), int(s.above[under]), int(s.room[under])
    below_it = above | colour_bit(box, card)
    k = note(where, much, i, k, PLACE_NUMBER + number, 1.0)
    k = note(where, much, i, k, PLACE_UNDER + sort_of(s, under), 1.0)
    k = note(where, much, i, k, PLACE_ROOM + min(room - number, ROOMS - 1), 1.0)
    k = note(where, much, i, k, PLACE_OPEN + colours_open(above), 1.0)
    k = note(where, much, i, k, PLACE_BELOW + colours_open(below_it), 1.0)
    moved = colours_open(above) * (use_of(room - number) - use_of(room)) + colours_open(below_it) * use_of(number)
    k = note(where, much, i, k, PLACE_MOVES + width, moved * 0.1)
    if s.flipped[under] == 0 and s.met[under] == 0:
        fit = demand_fit(box, under, card)
        reached = with_child(demands_met(box, s, seat, under), fit)
        if (reached >> int(box.full[under])) & 1:
            k = note(where, much, i, k, PLACE_FLIPS + int(box.reward[under]), 1.0)
        else:
            k = note(where, much, i, k, PLACE_FITS + int(fit == 0), 1.0)
    else:
        k = note(where, much, i, k, PLACE_FITS + 2, 1.0)
    k = note(where, much, i, k, PLACE_HOPES + int(box.reward[card]), max(1.0, float(box.reward_count[card])))
    step = goal_step(box, s, seat, card, under, tallied)
    if step:
        k = note(where, much, i, k, PLACE_GOAL + step - 1, 1.0)
    fits = police - room // POLICE_NUMBER + (room - number) // POLICE_NUMBER + number // POLICE_NUMBER
    k = note(where, much, i, k, PLACE_POLICE + min(fits, CAPACITY - 1), 1.0)
    return note(where, much, i, k, PLACE_LEVEL + min(int(s.level[under]), 6) - 1, 1.0)


@rule
def describe_flip(box, s, seat, card, extra, gains, where, much, i):
    """Write the features of a flip as those of the candidate `i`; return their number.

    `gains` says whether the flip brings a reward, and `extra` is added to its value.
    """
    k = note(where, much, i, 0, WORTH, extra + worth_of_flip(box, s, seat, card, gains))
    if gains:
        k = note(where, much, i, k, FLIP_REWARD + int(box.reward[card]), max(1.0, float(box.reward_count[card])))
    return note(where, much, i, k, FLIP_NUMBER + min(int(box.number[card]), 6) - 1, 1.0)


@rule(within=True)
def describe_rewards(box, s, seat, ids, worths, n, where, much):
    """Write the features of the uses of the pending reward to `where` and `much`; declining is worth 0."""
    reward = int(s.reward)
    tallied = tally(box, s, seat)
    for i in range(n):
        action, k = int(ids[i]), 0
        if action == DONE:
            k = note(where, much, i, k, REWARD_DONE + reward, 1.0)
        elif reward == FLIP_BONUS or reward == FLIP_OTHER or reward == FLIP_POLICE:
            k = describe_flip(box, s, seat, holder(seat, action - FLIP), 1.0, reward == FLIP_BONUS, where, much, i)
        else:
            k = note(where, much, i, k, WORTH, worths[i])
            if reward == LIMIT:
                card = holder(seat, action - PUT_LIMIT)
                k = note(where, much, i, k, LIMIT_ROOM + min(int(s.room[card]), ROOMS - 1), 1.0)
                k = note(where, much, i, k, LIMIT_OPEN + colours_open(s.above[card]), 1.0)
                k = note(where, much, i, k, LIMIT_UNDER + sort_of(s, card), 1.0)
            elif reward == RESERVE:
                goal = action - RESERVE_GOAL
                left = GOAL_NEEDS[goal] - progress(goal, tallied, s.tokens[seat])
                k = note(where, much, i, k, RESERVE_LEFT + max(0, min(left, 4) - 1), 1.0)
            elif reward == DISCARD_HAND:
                k = note(where, much, i, k, DISCARD_FITS + int(has_place(box, s, seat, action - DISCARD)), 1.0)
        where[i, k] = -1
