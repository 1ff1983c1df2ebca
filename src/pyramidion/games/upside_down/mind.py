"""Redeal, policy and observation for Upside Down."""

from __future__ import annotations

import math

from pyramidion.engine.observation import observation_space, part
from pyramidion.engine.random import below, reseed, shuffle
from pyramidion.engine.rule import rule
from pyramidion.games.pyramid_of_ten.fields import BATTLE, CLAIM, MOST_CLAIM, START_TICKETS
from pyramidion.games.pyramid_of_ten.habits import (
    HELD_PRIORITY,
    copy_holdings,
    phase_index,
    similar_game,
    write_holdings,
)
from pyramidion.games.pyramid_of_ten.history_sampling import (
    TRADE_FROM,
    at_place,
    order_of_priority,
    sample_claims,
    sample_payments,
    sample_trades,
)
from pyramidion.games.pyramid_of_ten.mind import (
    PYRAMID,
    add,
    bell_weights,
    deal_first_priorities,
    equal_weights,
    expected_tickets,
    first_priorities_unknown,
    forget_submissions,
    garnets_at_start,
    observe_pyramid,
    priority_is_public,
    share_of_tickets,
)
from pyramidion.games.pyramid_of_ten.spaces import LAYER, NOBODY, TEN
from pyramidion.games.pyramid_of_ten.submissions import is_awaited, may_save
from pyramidion.games.upside_down.habits import HABIT_SHAPES, HOLDINGS_SHAPE, Habits, count_decision, habitual_policy
from pyramidion.games.upside_down.layout import (
    GIVING,
    LOWEST_PRIORITY,
    PREGAME,
    START_GARNETS,
)
from pyramidion.games.upside_down.rules import (
    CONFIRM,
    RANKED_BEFORE_BIDS_SINCE,
    SET_ASK,
    SET_BID,
    SET_CHALLENGE,
    SET_TICKETS,
    TRADE,
    break_ties,
    goes_through,
    legal,
    may_challenge,
    rank_by_priority,
)

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

MOST_KEPT = 12
"""A bid leaves less than this of a priority, and rather little than much."""
LEAST = -(1 << 30)


@rule
def redeal(box, s, seat, chance):
    """Fill in at random what the redacted state `s` hides from `seat` (-1: a spectator); `chance` is the generator.

    Exact: holdings at the end; tickets and garnets until the first tickets are handed out, if nobody trades earlier
    than players do. Plausible: bids consistent with the placement; since then tickets, garnets and priorities as if
    everybody had asked, traded and paid for battles won as players do (`history_sampling`).
    The other seats have saved nothing yet in this phase.
    """
    reseed(s.rng, chance)
    forget_submissions(s, seat)
    own_tickets, own_garnets, own_priority, own_gained = 0, 0, 0, 0
    if seat >= 0:
        own_tickets, own_garnets = int(s.tickets[seat]), int(s.garnets[seat])
        own_priority, own_gained = int(s.priority[seat]), int(s.gained[seat])
    for other in range(TEN):
        s.tickets[other] = START_TICKETS
        s.garnets[other] = garnets_at_start(box, seat, other, START_GARNETS)
        s.gained[other] = 0
    claims = max(0, int(s.round_number) - int(s.phase == CLAIM))
    battles = max(0, int(s.round_number) - 1)
    public = priority_is_public(s)
    if public:
        rank_by_priority(s)
    elif s.round_number == 0:
        deal_before_bids(box, s, seat, chance)
    else:
        deal_bids(box, s, seat, chance)
    order = order_of_priority(s) if public else make_differ(s, NOBODY)
    for past in range(claims):
        sample_claims(s, order, not public, chance)
        if not public:
            order = make_differ(s, NOBODY)
            for place in range(TEN):
                s.rank[at_place(order, place)] = place
        if past + 1 >= TRADE_FROM:
            sample_trades(s, 1, 1 if past == battles else 3, chance)
        if past < battles:
            sample_payments(s, past + 1, chance)
    reveal_holdings(box, s, seat, claims)
    if seat >= 0:
        s.tickets[seat], s.garnets[seat] = own_tickets, own_garnets
        s.priority[seat], s.gained[seat] = own_priority, own_gained
    if not public:
        make_differ(s, seat)
    # Priorities change when a claim phase closes; until then the ranks are those of the last battle phase, and before
    # the first one those of the priorities before the bids.
    if claims > 0:
        rank_by_priority(s)
    elif box.rules_version < RANKED_BEFORE_BIDS_SINCE:
        for seat_number in range(TEN):
            s.rank[seat_number] = seat_number


@rule
def deal_before_bids(box, s, seat, chance):
    """Set the priorities before the bids: those set by the table, or the usual ones at random if they are unknown.

    The seat keeps its own priority.
    """
    deal_first_priorities(box, s, seat, LOWEST_PRIORITY, chance)
    for other in range(TEN):
        s.rank[other] = other
    if not first_priorities_unknown(box, seat):
        break_ties(s)
        s.event_count = 0
    rank_by_priority(s)


@rule
def deal_bids(box, s, seat, chance):
    """Set all priorities to those after the bids: deal priorities and bids that explain the placement, and let all pay.

    Priorities before the bids are those set by the table. Without them, or if they are secret, the usual ones are
    dealt. Ranks follow the priorities before the bids.
    """
    for n in range(TEN):
        s.priority[n] = n
    shuffle(chance, s.priority, TEN)
    firsts, bids = 0, 0
    for n in range(TEN):
        first = int(s.priority[n])
        had = first + LOWEST_PRIORITY
        bid = had - min(had, int(below(chance, 1 + below(chance, MOST_KEPT))))
        firsts |= first << 4 * n
        bids |= bid << 5 * n
        s.priority[n] = bid << 4 | first
    # The highest bid was placed first; of equal bids the one with the higher priority.
    order = order_of_priority(s)
    unknown = first_priorities_unknown(box, seat)
    for other in range(TEN):
        n = at_place(order, int(s.placed[other]))
        first, bid = firsts >> 4 * n & 15, bids >> 5 * n & 31
        had = first + LOWEST_PRIORITY if unknown else int(box.priority[other])
        s.priority[other] = had - min(bid, max(0, had))
        s.rank[other] = TEN - 1 - first


@rule
def make_differ(s, seat):
    """Raise priorities, all but that of `seat`, until no two are equal, much as UD 2.2 does.

    Returns the seats by priority before that, packed as in `order_of_priority`.
    """
    order, least = order_of_priority(s), LEAST
    own = int(s.priority[seat]) if seat >= 0 else LEAST
    for place in range(TEN - 1, -1, -1):
        other = at_place(order, place)
        if other != seat:
            raised = max(int(s.priority[other]), least)
            raised += int(raised == own)
            s.gained[other] += raised - int(s.priority[other])
            s.priority[other] = raised
            least = raised + 1
    return order


@rule
def reveal_holdings(box, s, seat, claims):
    """Set what the end reveals: tickets once tokens are given away, garnets once the game is over.

    Before the end, nothing changes. `claims` is the number of claim phases that are over.
    """
    if s.phase != GIVING and s.over == 0:
        return
    for other in range(TEN):
        s.tickets[other] = s.final_tickets[other]
        # The tickets imply this many trades at least.
        trades = max(0, int(s.final_tickets[other]) - START_TICKETS - MOST_CLAIM * claims)
        start = garnets_at_start(box, seat, other, START_GARNETS)
        s.garnets[other] = s.final_garnets[other] if s.over else min(int(s.garnets[other]), max(0, start - trades))


@rule
def habitual_redeal(box, s, seat, chance, habits):
    """Fill in what is hidden as `redeal` does, but mostly give the others what search bots held in a game."""
    redeal(box, s, seat, chance)
    own = int(s.priority[seat]) if seat >= 0 else 0
    game = similar_game(s, seat, HELD_PRIORITY, own, habits.holdings, chance)
    if game < 0:
        return
    held = habits.holdings[game, phase_index(s)]
    copy_holdings(s, seat, held)
    for other in range(TEN):
        if other != seat:
            s.priority[other] = held[int(s.space[other]), HELD_PRIORITY]
    make_differ(s, seat)
    if s.phase == BATTLE or s.round_number > 1:
        rank_by_priority(s)


# Policy

BID_SHARE, BID_WIDTH = 0.8, 0.3
USUAL_PRIORITY, PRIORITY_STEP, PRIORITY_WIDTH = 9.0, 2.5, 4.0
ASKED_BY = 0.2
KEENNESS = 3.0
LATE_SHARE = 0.85
RICH = 14.0


@rule
def policy(box, s, seat, ids, weights):
    """Write a seat's candidate actions to `ids` (ascending) and positive weights to `weights`; return the count.

    The weights are float64.

    A seat saves each part once, in order, then confirms; it never reopens. Numbers come from a wide spread and
    challenges from all legal targets, so knowing the policy does not reveal a submission. A seat that may act but is
    not being waited for gets all its legal actions.
    """
    if s.phase == GIVING or not is_awaited(s, seat):
        return equal_weights(weights, legal(box, s, seat, ids))
    saves = may_save(s, seat)
    if saves and s.phase == PREGAME and s.bid[seat] == 0:
        highest = max(0, int(s.priority[seat]))
        return bell_weights(SET_BID, highest, BID_SHARE * highest, 1.0 + BID_WIDTH * highest, ids, weights)
    if saves and s.phase == CLAIM and s.claim[seat] == 0:
        return weigh_asking(s, seat, ids, weights)
    n = 0
    if saves and s.phase == CLAIM and s.challenge[seat] == 0:
        for other in range(TEN):
            if may_challenge(s, seat, other):
                n = add(SET_CHALLENGE + other, 1.0, ids, weights, n)
        if n > 0:
            return n
    # Save garnets for the last rounds, when everyone else's are spent or forgotten.
    if s.round_number >= TRADE_FROM and s.garnets[seat] > 0:
        n = add(TRADE, 4.0, ids, weights, n)
        if s.phase == BATTLE and s.bid[seat] == 0:
            return n
    elif saves and s.phase == BATTLE and s.bid[seat] == 0:
        middle = share_to_use(box, s, seat) * s.tickets[seat]
        return bell_weights(SET_TICKETS, int(s.tickets[seat]), middle, 1.0 + 0.2 * s.tickets[seat], ids, weights)
    return add(CONFIRM, 1.0, ids, weights, n)


@rule
def weigh_asking(s, seat, ids, weights):
    """Write the requests for 0 to 4 tickets and their weights: what each brings on average; return 5.

    Every other seat is assumed to ask at random.
    """
    usual = USUAL_PRIORITY - PRIORITY_STEP * s.round_number
    ahead = 1.0 / (1.0 + math.exp(max(-30.0, min(30.0, (s.priority[seat] - usual) / PRIORITY_WIDTH))))
    ids[0] = SET_ASK
    weights[0] = 0.05
    for tickets in range(1, MOST_CLAIM + 1):
        ids[tickets] = SET_ASK + tickets
        worth = expected_tickets(tickets, 9.0 * ASKED_BY * ahead)
        weights[tickets] = math.pow(worth, KEENNESS) + 0.05
    return MOST_CLAIM + 1


@rule
def share_to_use(box, s, seat):
    """Return the share of its tickets (0 to 1) that a seat should use in its battle.

    The higher of the two spaces at stake decides.
    """
    layer = LAYER[s.space[seat]] - int(goes_through(s, seat))
    return share_of_tickets(s, seat, layer, box.rounds, LATE_SHARE, RICH)


# Observation

OBSERVATION = observation_space(
    **PYRAMID,
    protected=part("seats that cannot be challenged, from the own one clockwise", TEN),
    void=part("seats whose challenge does not go through, from the own one clockwise", TEN),
)


@rule
def observe(box, s, seat, o):
    """Write what a seat knows to the record `o` of an observation. Seats run clockwise from its own."""
    observe_pyramid(s, seat, box.rounds, o)
    for i in range(TEN):
        other = (seat + i) % TEN
        if s.target[other] > 0:
            o.challenges[i, (int(s.target[other]) - 1 - seat) % TEN] = 1.0
        o.protected[i] = int(s.protected) >> other & 1
        o.void[i] = int(s.void) >> other & 1
