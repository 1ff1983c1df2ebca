"""How players who search decide in Upside Down: a policy by what was counted in their games."""

from __future__ import annotations

from typing import Any, NamedTuple

from pyramidion.engine.rule import rule
from pyramidion.games.pyramid_of_ten.fields import BATTLE, CLAIM, MOST_CLAIM
from pyramidion.games.pyramid_of_ten.habits import SHARES, TICKET_STEPS, habit_weights, share_of, ticket_step
from pyramidion.games.pyramid_of_ten.history_sampling import TRADE_FROM
from pyramidion.games.pyramid_of_ten.mind import add, equal_weights
from pyramidion.games.pyramid_of_ten.spaces import LAYER, LAYERS, TEN
from pyramidion.games.pyramid_of_ten.submissions import is_awaited, may_save
from pyramidion.games.upside_down.layout import GIVING, LOWEST_PRIORITY, PREGAME, ROUNDS
from pyramidion.games.upside_down.rules import (
    CONFIRM,
    SET_ASK,
    SET_BID,
    SET_CHALLENGE,
    SET_TICKETS,
    TRADE,
    goes_through,
    legal,
    may_challenge,
)

PRIORITY_STEPS = 6
WIDEST = len(LAYERS[0])
HABIT_SHAPES = {
    "bids": (TEN, SHARES),
    "asks": (ROUNDS, PRIORITY_STEPS, len(LAYERS), MOST_CLAIM + 1),
    "challenges": (len(LAYERS) - 1, 1 << WIDEST, WIDEST),
    "trades": (ROUNDS, 2),
    "tickets": (ROUNDS, len(LAYERS) - 1, 2, TICKET_STEPS, 2, SHARES),
}
HOLDINGS_SHAPE = (2 * ROUNDS, TEN, 3)
"""The shape of what is held in a game: in each phase of each round, on each space, tickets, garnets and priority."""


class Habits(NamedTuple):
    """How often search bots chose each action in games between them: a table for each kind of decision.

    The last axis of a table has the choices, the axes before it the situation. HABIT_SHAPES has the sizes. `bids`: by
    priority; `asks`: by round, priority and layer; `challenges`: by the layer challenged and who may be challenged
    there; `trades`: by round, no or yes; `tickets`: by round, layer at stake, whether the seat defends it, tickets
    held, and whether there are several challengers. `holdings` (games, then HOLDINGS_SHAPE) is what the players held.
    """

    bids: Any
    asks: Any
    challenges: Any
    trades: Any
    tickets: Any
    holdings: Any


@rule
def habitual_policy(box, s, seat, ids, weights, habits):
    """Propose actions for a seat as `policy` does, weighted by how often search bots chose them.

    Writes action ids to `ids` (ascending) and positive weights (float64) to `weights`, and returns their number.
    """
    if s.phase == GIVING or not is_awaited(s, seat):
        return equal_weights(weights, legal(box, s, seat, ids))
    saves = may_save(s, seat)
    if saves and s.phase == PREGAME and s.bid[seat] == 0:
        return habit_weights(bids_of(s, seat, habits), SET_BID, max(0, int(s.priority[seat])), ids, weights)
    if saves and s.phase == CLAIM and s.claim[seat] == 0:
        row = asks_of(s, seat, habits)
        for tickets in range(MOST_CLAIM + 1):
            ids[tickets] = SET_ASK + tickets
            weights[tickets] = row[tickets]
        return MOST_CLAIM + 1
    n = 0
    if saves and s.phase == CLAIM and s.challenge[seat] == 0 and challengeable(s, seat):
        row = challenges_of(s, seat, habits)
        for other in range(TEN):
            if may_challenge(s, seat, other):
                n = add(SET_CHALLENGE + other, row[place_in_layer(s, other)], ids, weights, n)
        return n
    if s.round_number >= TRADE_FROM and s.garnets[seat] > 0:
        if s.phase == BATTLE and s.bid[seat] == 0:
            return add(TRADE, 1.0, ids, weights, n)
        row = habits.trades[s.round_number - 1]
        n = add(TRADE, row[1], ids, weights, n)
        return add(CONFIRM, row[0], ids, weights, n)
    if saves and s.phase == BATTLE and s.bid[seat] == 0:
        return habit_weights(tickets_of(s, seat, habits), SET_TICKETS, int(s.tickets[seat]), ids, weights)
    return add(CONFIRM, 1.0, ids, weights, n)


@rule
def count_decision(box, s, seat, action, habits):
    """Count a decision in `habits`: add 1 to the entry for the seat's situation and the action it has chosen."""
    if s.phase == PREGAME and SET_BID <= action < SET_ASK:
        bids_of(s, seat, habits)[share_of(action - SET_BID, max(0, int(s.priority[seat])))] += 1.0
    elif SET_ASK <= action < SET_CHALLENGE:
        asks_of(s, seat, habits)[action - SET_ASK] += 1.0
    elif SET_CHALLENGE <= action < SET_TICKETS:
        challenges_of(s, seat, habits)[place_in_layer(s, action - SET_CHALLENGE)] += 1.0
    elif s.phase == BATTLE and SET_TICKETS <= action <= SET_TICKETS + s.tickets[seat]:
        tickets_of(s, seat, habits)[share_of(action - SET_TICKETS, int(s.tickets[seat]))] += 1.0
    elif s.phase == CLAIM and s.round_number >= TRADE_FROM and s.garnets[seat] > 0:
        habits.trades[s.round_number - 1, int(action == TRADE)] += 1.0


@rule
def bids_of(s, seat, habits):
    """Return how often search bots with a seat's priority bid each share of it (SHARES numbers)."""
    return habits.bids[min(max(int(s.priority[seat]) - LOWEST_PRIORITY, 0), TEN - 1)]


@rule
def asks_of(s, seat, habits):
    """Return how often search bots in a seat's situation asked for 0, 1, 2, 3 and 4 tickets."""
    return habits.asks[s.round_number - 1, priority_step(s.priority[seat]), LAYER[s.space[seat]]]


@rule
def priority_step(priority):
    """Return which of the PRIORITY_STEPS ranges a priority lies in, from 0 for the lowest."""
    return int(priority > -10) + int(priority > -3) + int(priority > 1) + int(priority > 5) + int(priority > 10)


@rule
def challenges_of(s, seat, habits):
    """Return how often search bots in a seat's situation challenged each place of the layer above, from the left."""
    return habits.challenges[LAYER[s.space[seat]] - 1, challengeable(s, seat)]


@rule
def challengeable(s, seat):
    """Return the places in the layer above that a seat may challenge, as a bitmask; bit 0 is the leftmost."""
    mask = 0
    for other in range(TEN):
        mask |= may_challenge(s, seat, other) << place_in_layer(s, other)
    return mask


@rule
def place_in_layer(s, seat):
    """Return a seat's place in its layer, counted from 0 on the left."""
    place = int(s.space[seat])
    return place - int(place >= 4) * 4 - int(place >= 7) * 3 - int(place >= 9) * 2


@rule
def tickets_of(s, seat, habits):
    """Return how often search bots in a seat's situation used each share of their tickets in a battle."""
    defends = not goes_through(s, seat)
    defender = seat if defends else int(s.target[seat]) - 1
    challengers = 0
    for other in range(TEN):
        challengers += int(s.target[other] == defender + 1 and goes_through(s, other))
    layer = LAYER[s.space[defender]]
    step = ticket_step(s.tickets[seat])
    return habits.tickets[s.round_number - 1, layer, int(defends), step, int(challengers > 1)]
