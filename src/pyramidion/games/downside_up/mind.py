"""Redeal, policy and observation for Downside Up."""

from __future__ import annotations

import math

from pyramidion.engine.observation import observation_space, part
from pyramidion.engine.random import below, reseed
from pyramidion.engine.rule import rule
from pyramidion.games.downside_up.habits import HABIT_SHAPES, HOLDINGS_SHAPE, Habits, count_decision, habitual_policy
from pyramidion.games.downside_up.layout import BID, LOWEST_PRIORITY, MOST_TICKETS, PRICE, ROUNDS, START_GARNETS
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
from pyramidion.games.pyramid_of_ten.fields import BATTLE, CLAIM, MOST_CLAIM, START_TICKETS
from pyramidion.games.pyramid_of_ten.habits import (
    HELD_GARNETS,
    copy_holdings,
    phase_index,
    similar_game,
    write_holdings,
)
from pyramidion.games.pyramid_of_ten.history_sampling import TRADE_FROM, sample_claims, sample_payments, sample_trades
from pyramidion.games.pyramid_of_ten.mind import (
    PYRAMID,
    add,
    bell_weights,
    deal_first_priorities,
    equal_weights,
    expected_tickets,
    forget_submissions,
    garnets_at_start,
    observe_pyramid,
    priority_is_public,
    share_of_tickets,
)
from pyramidion.games.pyramid_of_ten.spaces import LAYER, LEFT_ABOVE, TEN, TOP_SPACES
from pyramidion.games.pyramid_of_ten.submissions import is_awaited, may_save

__all__ = [
    "HABIT_SHAPES",
    "HOLDINGS_SHAPE",
    "OBSERVATION",
    "Habits",
    "count_decision",
    "habitual_policy",
    "habitual_redeal",
    "observe",
    "phase_index",
    "policy",
    "redeal",
    "write_holdings",
]


# Redeal


@rule
def redeal(box, s, seat, chance):
    """Fill in at random what the redacted state `s` hides from `seat` (-1: a spectator); `chance` is the generator.

    Exact: holdings at the end; garnets before the bids, and tickets until the first are handed out, if nobody trades
    earlier than players do. Plausible: bids consistent with the placement; since then tickets and garnets as if
    everybody had claimed, traded and paid for battles won as players do (`history_sampling`).
    The other seats have saved nothing yet in this phase.
    """
    reseed(s.rng, chance)
    forget_submissions(s, seat)
    if not priority_is_public(s):
        deal_first_priorities(box, s, seat, LOWEST_PRIORITY, chance)
    own_tickets, own_garnets = (int(s.tickets[seat]), int(s.garnets[seat])) if seat >= 0 else (0, 0)
    deal_bids(box, s, seat, chance)
    claims = max(0, int(s.round_number) - int(s.phase == CLAIM))
    battles = max(0, int(s.round_number) - 1)
    for past in range(claims):
        sample_claims(s, order_of_claims(s, past == 0), False, chance)
        if past + 1 >= TRADE_FROM:
            sample_trades(s, PRICE, 1 if past == battles else 3, chance)
        if past < battles:
            sample_payments(s, past + 1, chance)
    for other in range(TEN):
        if other != seat:
            s.attack[other] = 0
            s.defence[other] = 0
            if s.over:
                s.tickets[other] = s.final_tickets[other]
                s.garnets[other] = s.final_garnets[other]
    if seat >= 0:
        s.tickets[seat], s.garnets[seat] = own_tickets, own_garnets


@rule
def deal_bids(box, s, seat, chance):
    """Set everybody's tickets and garnets to those of the start, less a random bid that explains the placement.

    Bids close to all garnets are likelier than low ones.
    """
    bids = 0
    for place in range(TEN):
        # Insert the bid after those that are at least as high.
        bid, n = START_GARNETS - int(below(chance, 1 + below(chance, START_GARNETS + 1))), place
        while n > 0 and bids >> 4 * (n - 1) & 15 < bid:
            n -= 1
        kept = (1 << 4 * n) - 1
        bids = bids & kept | bid << 4 * n | (bids & ~kept) << 4
    for other in range(TEN):
        s.tickets[other] = START_TICKETS
        s.garnets[other] = garnets_at_start(box, seat, other, START_GARNETS)
        if s.round_number > 0 and (box.all_pay or s.placed[other] < TOP_SPACES):
            s.garnets[other] -= min(int(s.garnets[other]), bids >> 4 * int(s.placed[other]) & 15)


@rule
def order_of_claims(s, first):
    """Return the seats in order of precedence for a round's claims, packed four bits each, the first one lowest.

    If `first`, layers are those of the placement. In a later round all may have stood where they stand now.
    """
    order = 0
    for seat in range(TEN):
        ahead, layer = 0, LAYER[s.placed[seat] if first else s.space[seat]]
        for other in range(TEN):
            lower = LAYER[s.placed[other] if first else s.space[other]] - layer
            ahead += int(lower < 0) | int(lower == 0) & int(s.priority[other] > s.priority[seat])
        order |= seat << 4 * ahead
    return order


@rule
def habitual_redeal(box, s, seat, chance, habits):
    """Fill in what is hidden as `redeal` does, but mostly give the others what search bots held in a game."""
    redeal(box, s, seat, chance)
    own = int(s.garnets[seat]) if seat >= 0 else 0
    game = similar_game(s, seat, HELD_GARNETS, own, habits.holdings, chance)
    if game >= 0:
        copy_holdings(s, seat, habits.holdings[game, phase_index(s)])


# Policy

BID_SHARE, BID_WIDTH = 0.7, 0.3
ASKED_BY = 0.22
KEENNESS = 4.0
LATE_SHARE = 0.9
RICH = 16.0


@rule
def policy(box, s, seat, ids, weights):
    """Write a seat's candidate actions to `ids` (ascending) and positive weights to `weights`; return the count.

    The weights are float64.

    A seat saves each part once, in order, then confirms; it never reopens. Numbers come from a wide spread and the
    challenge from both spaces, so knowing the policy does not reveal a submission. A seat that may act but is not being
    waited for gets all its legal actions.
    """
    if not is_awaited(s, seat):
        return equal_weights(weights, legal(box, s, seat, ids))
    saves = may_save(s, seat)
    if saves and s.phase == BID and s.bid[seat] == 0:
        garnets = int(s.garnets[seat])
        return bell_weights(SET_BID, garnets, BID_SHARE * garnets, 1.0 + BID_WIDTH * garnets, ids, weights)
    if saves and s.phase == CLAIM and s.claim[seat] == 0:
        return weigh_claims(s, seat, ids, weights)
    n = 0
    if saves and s.phase == CLAIM and s.challenge[seat] == 0 and s.space[seat] >= TOP_SPACES:
        left = SET_CHALLENGE + LEFT_ABOVE[s.space[seat]]
        return add(left + 1, 1.0, ids, weights, add(left, 1.0, ids, weights, n))
    if s.round_number >= TRADE_FROM and may_trade(s, seat):
        n = add(TRADE, 4.0, ids, weights, n)
        if s.phase == BATTLE:
            return n
    elif saves and s.phase == BATTLE:
        held = int(s.tickets[seat])
        if s.target[seat] > 0 and s.attack[seat] == 0:
            middle = worth(s, seat, int(s.target[seat]) - 1) * held
            return bell_weights(SET_ATTACK, held, middle, 1.0 + 0.2 * held, ids, weights)
        if is_challenged(s, s.space[seat]) and s.defence[seat] == 0:
            middle = worth(s, seat, int(s.space[seat])) * held
            return bell_weights(SET_DEFENCE, held, middle, 1.0 + 0.2 * held, ids, weights)
    return add(CONFIRM, 1.0, ids, weights, n)


@rule
def weigh_claims(s, seat, ids, weights):
    """Write the claims of 1 to 4 tickets and their weights: the tickets that each brings on average; return 4.

    Every player with precedence is assumed to claim at random.
    """
    ahead = 0.0
    public = priority_is_public(s)
    for other in range(TEN):
        if public or LAYER[s.space[other]] != LAYER[s.space[seat]]:
            ahead += int(is_ahead(s, other, seat, True))
        else:
            # With hidden priority, any guess is as good as even odds.
            ahead += 0.5 * int(other != seat)
    for tickets in range(1, MOST_CLAIM + 1):
        ids[tickets - 1] = SET_CLAIM + tickets - 1
        weights[tickets - 1] = math.pow(expected_tickets(tickets, ASKED_BY * ahead), KEENNESS) + 0.05
    return MOST_CLAIM


@rule
def worth(s, seat, space):
    """Return the share of its tickets (0 to 1) that a seat should use in the battle for a space."""
    return share_of_tickets(s, seat, LAYER[space], ROUNDS, LATE_SHARE, RICH)


# Observation

OBSERVATION = observation_space(
    **PYRAMID,
    numbers=part(
        "own attack and defence that are saved, each + 1 and of 10; 0: nothing is saved",
        2,
        high=(MOST_TICKETS + 1) / 10,
    ),
)


@rule
def observe(box, s, seat, o):
    """Write what a seat knows to the record `o` of an observation. Seats run clockwise from its own."""
    observe_pyramid(s, seat, ROUNDS, o)
    for i in range(TEN):
        other = (seat + i) % TEN
        if s.target[other] > 0:
            o.challenges[i, (int(s.at[s.target[other] - 1]) - seat) % TEN] = 1.0
    o.numbers[0] = s.attack[seat] / 10.0
    o.numbers[1] = s.defence[seat] / 10.0
