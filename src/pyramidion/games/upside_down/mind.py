"""Redeal, policy and observation for Upside Down."""

from __future__ import annotations

import math

from pyramidion.engine.observation import observation_space, part
from pyramidion.engine.random import below, reseed
from pyramidion.engine.rule import rule
from pyramidion.games.pyramid_of_ten.fields import BATTLE, CLAIM, MOST_CLAIM, START_TICKETS
from pyramidion.games.pyramid_of_ten.habits import HELD_PRIORITY, hold_as_in, like_game, moment, note_holdings
from pyramidion.games.pyramid_of_ten.mind import (
    PYRAMID,
    add,
    all_alike,
    deal_first_priorities,
    expected_tickets,
    first_priorities_unknown,
    forget_submissions,
    garnets_at_start,
    priority_is_public,
    see_pyramid,
    share_of_tickets,
    some_tickets,
    spread_out,
)
from pyramidion.games.pyramid_of_ten.spaces import LAYER, TEN
from pyramidion.games.pyramid_of_ten.submissions import is_awaited, may_save
from pyramidion.games.upside_down.habits import HABITS, HELD, Habits, note, searchers
from pyramidion.games.upside_down.layout import (
    GIVING,
    LOWEST_PRIORITY,
    PREGAME,
    ROUNDS,
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
    "HABITS",
    "HELD",
    "OBSERVATION",
    "Habits",
    "deal_searchers",
    "moment",
    "note",
    "note_holdings",
    "observe",
    "policy",
    "redeal",
    "searchers",
]


# Redeal


@rule
def redeal(box, s, seat, chance):
    """Sample what is hidden from `seat` (-1: a spectator) in the redacted state `s`.

    Exact: the other seats' holdings at the end, and those before the first bid unless the table set them in secret; the
    order of priorities. Plausible: all other tickets, garnets and priorities, within what the rules allow; priorities
    are all different. The other seats have saved nothing yet in this phase.
    """
    reseed(s.rng, chance)
    forget_submissions(s, seat)
    opened = s.over or s.phase == GIVING
    claims = max(0, int(s.round_number) - int(s.phase == CLAIM))
    battles = max(0, int(s.round_number) - 1)
    for other in range(TEN):
        if other == seat:
            continue
        # The final tickets imply this many trades at least.
        trades = max(0, int(s.final_tickets[other]) - START_TICKETS - MOST_CLAIM * claims) if opened else 0
        start = max(trades, garnets_at_start(box, seat, other, START_GARNETS))
        s.garnets[other] = s.final_garnets[other] if s.over else below(chance, start - trades + 1)
        s.tickets[other] = some_tickets(s, start - int(s.garnets[other]), claims, battles, chance)
        if opened:
            s.tickets[other] = s.final_tickets[other]
        s.gained[other] = 0
    public = priority_is_public(s)
    if not public:
        deal_priorities(box, s, seat, chance)
    # Priorities change when a claim phase closes; until then the ranks are those of the last battle phase, and before
    # the first one those of the priorities before the bids.
    if public or claims > 0 or battles > 0:
        rank_by_priority(s)
    if claims == 0 and battles == 0 and box.rules_version < RANKED_BEFORE_BIDS_SINCE:
        for one in range(TEN):
            s.rank[one] = one


@rule
def deal_priorities(box, s, seat, chance):
    """Deal the others' priorities: the opening values, less a plausible cost of bids and claims since.

    If the table set priorities in secret, they are dealt as if it had set none.
    """
    own = int(s.priority[seat]) if seat >= 0 else 0
    own_gained = int(s.gained[seat]) if seat >= 0 else 0
    deal_first_priorities(box, s, seat, LOWEST_PRIORITY, chance)
    if s.round_number == 0 and not first_priorities_unknown(box, seat):
        for other in range(TEN):
            s.gained[other] = 0
            s.rank[other] = other
        break_ties(s)
        s.event_count = 0
    rank_by_priority(s)
    if s.round_number > 0:
        for other in range(TEN):
            value = int(s.priority[other])
            # Players on higher spaces have bid more.
            if value > 0:
                value -= min(value, below(chance, value + 1) * (TEN - int(s.space[other])) // TEN)
            for _ in range(int(s.round_number) - 1):
                if below(chance, 3) == 0:
                    value -= below(chance, 16)
            s.priority[other] = value
    if seat >= 0:
        s.priority[seat] = own
        s.gained[seat] = own_gained
    for other in range(TEN):
        if other != seat:
            while shared(s, other):
                s.priority[other] += 1


@rule
def deal_searchers(box, s, seat, chance, habits):
    """Sample what is hidden as `redeal` does, but let the others mostly hold what players who search have held."""
    redeal(box, s, seat, chance)
    own = int(s.priority[seat]) if seat >= 0 else 0
    game = like_game(s, seat, HELD_PRIORITY, own, habits.holdings, chance)
    if game < 0:
        return
    held = habits.holdings[game, moment(s)]
    hold_as_in(s, seat, held)
    for other in range(TEN):
        if other != seat:
            s.priority[other] = held[int(s.space[other]), HELD_PRIORITY]
    for other in range(TEN):
        if other != seat:
            while shared(s, other):
                s.priority[other] += 1
    if s.phase == BATTLE or s.round_number > 1:
        rank_by_priority(s)


@rule
def shared(s, seat):
    """Return whether another seat has the same priority."""
    found = False
    for other in range(TEN):
        found |= other != seat and s.priority[other] == s.priority[seat]
    return found


# Policy

BID_SHARE, BID_WIDTH = 0.8, 0.3
USUAL_PRIORITY, PRIORITY_STEP, PRIORITY_WIDTH = 9.0, 2.5, 4.0
ASKED_BY = 0.2
KEENNESS = 3.0
LATE_SHARE = 0.85
RICH = 14.0
TRADE_FROM = 3


@rule
def policy(box, s, seat, ids, weights):
    """Write candidate actions to `ids` (ascending) and positive weights (float64) to `weights`; return the count.

    A seat saves each part once, in order, then confirms; it never reopens. Numbers come from a wide spread and
    challenges from all legal targets, so knowing the policy does not reveal a submission. A seat that may act but is
    not being waited for gets all its legal actions.
    """
    if s.phase == GIVING or not is_awaited(s, seat):
        return all_alike(weights, legal(box, s, seat, ids))
    saves = may_save(s, seat)
    if saves and s.phase == PREGAME and s.bid[seat] == 0:
        most = max(0, int(s.priority[seat]))
        return spread_out(SET_BID, most, BID_SHARE * most, 1.0 + BID_WIDTH * most, ids, weights)
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
        middle = share_to_use(s, seat) * s.tickets[seat]
        return spread_out(SET_TICKETS, int(s.tickets[seat]), middle, 1.0 + 0.2 * s.tickets[seat], ids, weights)
    return add(CONFIRM, 1.0, ids, weights, n)


@rule
def weigh_asking(s, seat, ids, weights):
    """Weigh each number of tickets by what it brings on average if every other seat asks for it at random."""
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
def share_to_use(s, seat):
    """Return the share of the seat's tickets that a battle is worth, by the higher of the two spaces at stake."""
    layer = LAYER[s.space[seat]] - int(goes_through(s, seat))
    return share_of_tickets(s, seat, layer, ROUNDS, LATE_SHARE, RICH)


# Observation

OBSERVATION = observation_space(
    **PYRAMID,
    protected=part("seats that cannot be challenged, from the own one clockwise", TEN),
    void=part("seats whose challenge does not go through, from the own one clockwise", TEN),
)


@rule
def observe(box, s, seat, o):
    """Write a seat's observation to the record `o`. Seats run clockwise from its own."""
    see_pyramid(s, seat, ROUNDS, o)
    for i in range(TEN):
        other = (seat + i) % TEN
        if s.target[other] > 0:
            o.challenges[i, (int(s.target[other]) - 1 - seat) % TEN] = 1.0
        o.protected[i] = int(s.protected) >> other & 1
        o.void[i] = int(s.void) >> other & 1
