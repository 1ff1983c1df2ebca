"""Heuristic policy for Pyramid Scheme: candidate actions and their weights.

Values measure useful room: the room below a card counts once for each colour that may go there, and large rooms count
slightly more than small ones. Placing a card moves room down the tree and blocks one more colour there; flipping it
frees the colour again. An action's weight is the exponential of its value. The policy reads only what the seat can see.
"""

from __future__ import annotations

from pyramidion.engine.rule import rule
from pyramidion.engine.softmax import soften
from pyramidion.games.pyramid_scheme.goals import count_of, progress, tally
from pyramidion.games.pyramid_scheme.layout import (
    ACTING,
    ACTIONS,
    DISCARD_HAND,
    DISCARD_POLICE,
    FIRST_POLICE,
    FLIP_BONUS,
    FLIP_OTHER,
    FLIP_POLICE,
    FLIPPING,
    GOAL_NEEDS,
    HAND_MORE,
    HOLDERS,
    LIMIT,
    NO_REWARD,
    OPEN_GOALS,
    POLICE_NUMBER,
    POLICING,
    RESERVE,
    RESETS,
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
PLACE, PUT_LIMIT, PUT_POLICE, REMOVE = ACTIONS.place, ACTIONS.limit, ACTIONS.police, ACTIONS.remove
RESERVE_GOAL, RESET = ACTIONS.reserve, ACTIONS.reset

# Tuned by self-play.
COLDNESS = 2.5
CONVEX = 0.06
WAIT = 0.0
NO_ROOM = 12.0
GOAL = 9.0
STEP = 8.0
BONUS = 2.0
TOKEN = 3.0
HAND_CARD = 3.0
RESERVED = 1.5
TOKENS_ON_CARD = 8.0
RESET_COST = 4.0
FUTURE = 0.8
FLIP_VALUE = 2.0


@rule
def policy(box, s, seat, ids, weights):
    """Write a seat's candidate actions to `ids` (ascending) and positive weights to `weights`; return the count.

    The weights are float64.
    """
    if s.phase == ACTING:
        n = legal_turn(box, s, seat, ids)
        worth_of_turn(box, s, seat, ids, weights, n)
    elif s.phase == FLIPPING:
        n = legal_flips(s, seat, ids)
        for i in range(n):
            weights[i] = 0.0 if ids[i] == DONE else 5.0 + worth_of_flip(box, s, seat, holder(seat, ids[i] - FLIP), True)
    elif s.phase == POLICING:
        n = legal_police(s, seat, ids)
        for i in range(n):
            under = holder(seat, ids[i] - PUT_POLICE)
            weights[i] = colours_open(s.above[under]) * (use_of(s.room[under] - POLICE_NUMBER) - use_of(s.room[under]))
    else:
        n = legal_rewards(s, seat, ids)
        worth_of_rewards(box, s, seat, ids, weights, n)
    soften(weights, n, COLDNESS, -20.0)
    return n


@rule
def use_of(room):
    """Return the value of an amount of room below a card, for one of the colours that may go there."""
    return room + CONVEX * room * room


@rule
def colours_open(above):
    """Return how many of the four colours may go below a card; `above` is the bitmask of those blocked there."""
    mask = int(above)
    return NO_COLOURS_SET - (mask & 1) - ((mask >> 1) & 1) - ((mask >> 2) & 1) - ((mask >> 3) & 1)


NO_COLOURS_SET = 4


# Turn


@rule(within=True)
def worth_of_turn(box, s, seat, ids, weights, n):
    """Write the values of the first `n` actions in `ids`, those of a turn, to `weights`.

    A card is placed if the hand is full or it completes something, otherwise a good one is taken.
    """
    tallied = tally(box, s, seat)
    best_take = -NO_ROOM
    for i in range(n):
        action = ids[i]
        if action < PLACE:
            weights[i] = worth_of_card(box, s, seat, action, tallied)
            best_take = max(best_take, weights[i])
        elif action < RESET:
            card, under = (action - PLACE) // HOLDERS, holder(seat, (action - PLACE) % HOLDERS)
            weights[i] = worth_of_place(box, s, seat, card, under, tallied) - WAIT
        elif action == END:
            weights[i] = 0.0
    for i in range(n):
        if ids[i] == RESET:
            weights[i] = worth_of_reset(s, seat, best_take)


@rule
def worth_of_reset(s, seat, best_take):
    """Return the value of a market reset; `best_take` is the value of the best Victim in the market."""
    if s.actions_left == 0:
        return -RESET_COST
    if s.hand_count[seat] >= s.hand_limit[seat]:
        return -NO_ROOM
    return -RESET_COST if best_take > -NO_ROOM else 0.0


@rule
def worth_of_card(box, s, seat, card, tallied):
    """Return the value of having a card in hand: that of its best placement now, or -NO_ROOM if it has none."""
    best = -NO_ROOM
    number, bit = int(box.number[card]), colour_bit(box, card)
    for k in range(s.pile_count[seat]):
        under = int(s.pile[seat, k])
        if fits_below(s, under, number, bit):
            best = max(best, worth_of_place(box, s, seat, card, under, tallied))
    return best


@rule
def worth_of_place(box, s, seat, card, under, tallied):
    """Return the value of placing a card below `under`: the room it moves, what it completes, and its goals."""
    number, above = int(box.number[card]), int(s.above[under])
    room = int(s.room[under])
    below_it = above | colour_bit(box, card)
    worth = colours_open(above) * (use_of(room - number) - use_of(room)) + colours_open(below_it) * use_of(number)
    if s.flipped[under] == 0 and s.met[under] == 0:
        reached = with_child(demands_met(box, s, seat, under), demand_fit(box, under, card))
        if (reached >> int(box.full[under])) & 1:
            worth += worth_of_flip(box, s, seat, under, True)
            if colour_bit(box, under):
                worth += use_of(number)
    worth += FUTURE * (
        FLIP_VALUE * use_of(number) + worth_of_reward(box, s, seat, int(box.reward[card]), int(box.reward_count[card]))
    )
    return worth + worth_towards_goals(box, s, seat, card, under, tallied)


@rule
def helps_with(box, s, goal, card, under, tallied):
    """Return whether a card directly below `under` (-1: not placed yet) brings its seat nearer to a goal.

    `tallied` is the seat's `tally`.
    """
    number, colour = int(box.number[card]), int(box.colour[card])
    if goal < 4:
        return goal == colour
    if goal == 4:
        return count_of(tallied[0], colour) < 2
    if goal == 5:
        return under >= 0 and int(s.level[under]) == tallied[5]
    if 7 <= goal <= 9:
        return number == goal - 6
    return goal == 10 and count_of(tallied[1], number) == 0


@rule
def worth_towards_goals(box, s, seat, card, under, tallied):
    """Return what a card below `under` is worth for the goals that the seat can still claim.

    `tallied` is the seat's `tally`; `under` is -1 if the card is not placed yet.
    """
    worth = 0.0
    for i in range(OPEN_GOALS):
        if s.claimed[i] == 0 and (s.reserved[i] == 0 or s.reserved[i] == seat + 1):
            goal = int(s.goals[i])
            if helps_with(box, s, goal, card, under, tallied):
                left = GOAL_NEEDS[goal] - progress(goal, tallied, s.tokens[seat])
                worth += GOAL if left <= 1 else STEP / left
    return worth


# Flips and rewards


@rule
def worth_of_flip(box, s, seat, card, gains):
    """Return the value of flipping a card: the colour freed below it and, if `gains`, its reward."""
    worth = 0.5
    if is_police(card):
        return worth + colours_open(s.above[card]) * use_of(POLICE_NUMBER)
    bit = colour_bit(box, card)
    if bit:
        for k in range(s.pile_count[seat]):
            below_it = int(s.pile[seat, k])
            if int(s.above[below_it]) & bit:
                up = below_it
                while up >= 0 and up != card:
                    up = int(s.parent[up])
                if up == card:
                    worth += use_of(s.room[below_it])
    if gains:
        worth += worth_of_reward(box, s, seat, int(box.reward[card]), int(box.reward_count[card]))
    return worth


@rule
def worth_of_reward(box, s, seat, reward, count):
    """Return the approximate value of a reward for a seat; `count` is its number, as in `limit +2`."""
    if reward == NO_REWARD:
        return 0.0
    if reward == LIMIT:
        return TOKENS_ON_CARD * count
    if reward == FLIP_BONUS or reward == FLIP_OTHER:
        return 2.0 * BONUS if reward == FLIP_BONUS else BONUS
    if reward == HAND_MORE:
        return HAND_CARD * count
    if reward == RESETS:
        return TOKEN * count
    if reward == RESERVE:
        return RESERVED
    if reward == DISCARD_POLICE or reward == FLIP_POLICE:
        for k in range(s.pile_count[seat]):
            if is_police(s.pile[seat, k]):
                return 2.0 * POLICE_NUMBER
    return 0.0


@rule(within=True)
def worth_of_rewards(box, s, seat, ids, weights, n):
    """Write the values of the first `n` actions in `ids`, the uses of the pending reward, to `weights`.

    Declining is worth 0.
    """
    reward = int(s.reward)
    tallied = tally(box, s, seat)
    for i in range(n):
        action = ids[i]
        if action == DONE:
            weights[i] = 0.0
        elif reward == LIMIT:
            card = holder(seat, action - PUT_LIMIT)
            room = s.room[card] + s.reward_count
            weights[i] = colours_open(s.above[card]) * (use_of(room) - use_of(s.room[card]))
        elif reward == FLIP_BONUS:
            weights[i] = 1.0 + worth_of_flip(box, s, seat, holder(seat, action - FLIP), True)
        elif reward == FLIP_OTHER or reward == FLIP_POLICE:
            weights[i] = 1.0 + worth_of_flip(box, s, seat, holder(seat, action - FLIP), False)
        elif reward == DISCARD_POLICE:
            card = FIRST_POLICE + action - REMOVE
            under = int(s.parent[card])
            gain = use_of(s.room[under] + POLICE_NUMBER) - use_of(s.room[under])
            weights[i] = colours_open(s.above[under]) * gain - colours_open(s.above[card]) * use_of(s.room[card])
        elif reward == RESERVE:
            goal = int(action - RESERVE_GOAL)
            left = GOAL_NEEDS[goal] - progress(goal, tallied, s.tokens[seat])
            weights[i] = 4.0 - left
        elif reward == DISCARD_HAND:
            weights[i] = -3.0 if has_place(box, s, seat, action - DISCARD) else 3.0
