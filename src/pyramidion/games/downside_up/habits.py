"""How players who search decide in Downside Up: a policy by what was counted in their games."""

from __future__ import annotations

from typing import Any, NamedTuple

from pyramidion.engine.rule import rule
from pyramidion.games.downside_up.layout import BID, ROUNDS
from pyramidion.games.downside_up.rules import (
    CONFIRM,
    SET_ATTACK,
    SET_BID,
    SET_CHALLENGE,
    SET_CLAIM,
    SET_DEFENCE,
    TRADE,
    is_challenged,
    legal,
    may_trade,
)
from pyramidion.games.pyramid_of_ten.claims import is_ahead
from pyramidion.games.pyramid_of_ten.fields import BATTLE, CLAIM, MOST_CLAIM
from pyramidion.games.pyramid_of_ten.habits import SHARES, TICKET_STEPS, habit_weights, share_of, ticket_step
from pyramidion.games.pyramid_of_ten.history_sampling import TRADE_FROM
from pyramidion.games.pyramid_of_ten.mind import add, equal_weights
from pyramidion.games.pyramid_of_ten.spaces import LAYER, LAYERS, LEFT_ABOVE, TEN, TOP_SPACES
from pyramidion.games.pyramid_of_ten.submissions import is_awaited, may_save

HABIT_SHAPES = {
    "bids": (TEN, SHARES),
    "claims": (ROUNDS, TEN, MOST_CLAIM),
    "challenges": (TEN, ROUNDS, 2),
    "trades": (ROUNDS, 2),
    "tickets": (ROUNDS, len(LAYERS) - 1, 2, TICKET_STEPS, 2, SHARES),
}
HOLDINGS_SHAPE = (2 * ROUNDS, TEN, 3)
"""The shape of what is held in a game: in each phase of each round, on each space, tickets, garnets and priority."""


class Habits(NamedTuple):
    """How often search bots chose each action in games between them: a table for each kind of decision.

    The last axis of a table has the choices, the axes before it the situation. HABIT_SHAPES has the sizes. `bids`: by
    how many seats have more priority; `claims`: by round and how many have precedence; `challenges`: by space and
    round, left or right; `trades`: by round, no or yes; `tickets`: by round, layer at stake, whether the seat defends
    it, tickets held, and whether there are several attackers. `holdings` (games, then HOLDINGS_SHAPE) is what the
    players held.
    """

    bids: Any
    claims: Any
    challenges: Any
    trades: Any
    tickets: Any
    holdings: Any


@rule
def habitual_policy(box, s, seat, ids, weights, habits):
    """Propose actions for a seat as `policy` does, weighted by how often search bots chose them.

    Writes action ids to `ids` (ascending) and positive weights (float64) to `weights`, and returns their number.
    """
    if not is_awaited(s, seat):
        return equal_weights(weights, legal(box, s, seat, ids))
    saves = may_save(s, seat)
    if saves and s.phase == BID and s.bid[seat] == 0:
        return habit_weights(bids_of(s, seat, habits), SET_BID, int(s.garnets[seat]), ids, weights)
    if saves and s.phase == CLAIM and s.claim[seat] == 0:
        row = claims_of(s, seat, habits)
        for n in range(MOST_CLAIM):
            ids[n] = SET_CLAIM + n
            weights[n] = row[n]
        return MOST_CLAIM
    n = 0
    if saves and s.phase == CLAIM and s.challenge[seat] == 0 and s.space[seat] >= TOP_SPACES:
        left = SET_CHALLENGE + LEFT_ABOVE[s.space[seat]]
        row = habits.challenges[int(s.space[seat]), s.round_number - 1]
        return add(left + 1, row[1], ids, weights, add(left, row[0], ids, weights, n))
    if s.round_number >= TRADE_FROM and may_trade(s, seat):
        if s.phase == BATTLE:
            return add(TRADE, 1.0, ids, weights, n)
        row = habits.trades[s.round_number - 1]
        n = add(TRADE, row[1], ids, weights, n)
        return add(CONFIRM, row[0], ids, weights, n)
    if saves and s.phase == BATTLE:
        held = int(s.tickets[seat])
        if s.target[seat] > 0 and s.attack[seat] == 0:
            row = tickets_of(s, seat, int(s.target[seat]) - 1, habits)
            return habit_weights(row, SET_ATTACK, held, ids, weights)
        if is_challenged(s, s.space[seat]) and s.defence[seat] == 0:
            row = tickets_of(s, seat, int(s.space[seat]), habits)
            return habit_weights(row, SET_DEFENCE, held, ids, weights)
    return add(CONFIRM, 1.0, ids, weights, n)


@rule
def count_decision(box, s, seat, action, habits):
    """Count a decision in `habits`: add 1 to the entry for the seat's situation and the action it has chosen."""
    held = int(s.tickets[seat])
    if action < SET_CLAIM:
        bids_of(s, seat, habits)[share_of(action - SET_BID, int(s.garnets[seat]))] += 1.0
    elif action < SET_CHALLENGE:
        claims_of(s, seat, habits)[action - SET_CLAIM] += 1.0
    elif action < SET_ATTACK:
        right = action - SET_CHALLENGE - LEFT_ABOVE[s.space[seat]]
        habits.challenges[int(s.space[seat]), s.round_number - 1, right] += 1.0
    elif action < SET_DEFENCE:
        tickets_of(s, seat, int(s.target[seat]) - 1, habits)[share_of(action - SET_ATTACK, held)] += 1.0
    elif action < TRADE:
        tickets_of(s, seat, int(s.space[seat]), habits)[share_of(action - SET_DEFENCE, held)] += 1.0
    elif s.phase == CLAIM and s.round_number >= TRADE_FROM and may_trade(s, seat):
        habits.trades[s.round_number - 1, int(action == TRADE)] += 1.0


@rule
def bids_of(s, seat, habits):
    """Return how often search bots in a seat's situation bid each share of their garnets (SHARES numbers)."""
    return habits.bids[seats_ahead(s, seat, False)]


@rule
def claims_of(s, seat, habits):
    """Return how often search bots in a seat's situation claimed 1, 2, 3 and 4 tickets."""
    return habits.claims[s.round_number - 1, seats_ahead(s, seat, True)]


@rule
def seats_ahead(s, seat, by_layer):
    """Return how many other seats have precedence over a seat: by layer first if `by_layer`, then by priority."""
    ahead = 0
    for other in range(TEN):
        ahead += int(is_ahead(s, other, seat, by_layer))
    return ahead


@rule
def tickets_of(s, seat, space, habits):
    """Return how often search bots in a seat's situation used each share of their tickets in the battle for a space."""
    attackers = 0
    for other in range(TEN):
        attackers += int(s.target[other] == space + 1)
    defends = int(s.space[seat] == space)
    step = ticket_step(s.tickets[seat])
    return habits.tickets[s.round_number - 1, LAYER[space], defends, step, int(attackers > 1)]
