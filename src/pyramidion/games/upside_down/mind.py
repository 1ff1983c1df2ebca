"""What a player of Upside Down needs who cannot see everything: redeal, policy and observation."""

from __future__ import annotations

import math

from pyramidion.engine.options import NOT_GIVEN
from pyramidion.engine.random import below, reseed, shuffle
from pyramidion.engine.rule import rule
from pyramidion.games.pyramid_of_ten.fields import BATTLE, CLAIM, MOST_CLAIM, START_TICKETS
from pyramidion.games.pyramid_of_ten.mind import (
    PYRAMID,
    PYRAMID_SIZE,
    add,
    forget_submissions,
    see_pyramid,
    some_tickets,
    spread_out,
)
from pyramidion.games.pyramid_of_ten.spaces import LAYER, TEN
from pyramidion.games.pyramid_of_ten.submissions import may_save
from pyramidion.games.upside_down.layout import (
    GIVING,
    LOWEST_PRIORITY,
    PREGAME,
    ROUNDS,
    START_GARNETS,
)
from pyramidion.games.upside_down.rules import (
    CONFIRM,
    SET_ASK,
    SET_BID,
    SET_CHALLENGE,
    SET_TICKETS,
    TRADE,
    break_ties,
    goes_through,
    legal,
    may_challenge,
)

# Redealt worlds


@rule
def redeal(box, s, seat, chance):
    """Fill the redacted state `s`, which `seat` (or a spectator, -1) sees, with a world that it can be.

    Exact: what the others hold before the first bid and at the end, and the order of priorities. Plausible: tickets,
    garnets and priority in between, within what rules allow; priorities all differ. The others have saved nothing yet.
    """
    reseed(s.rng, chance)
    forget_submissions(s, seat)
    opened = s.over or s.phase == GIVING
    claims = max(0, int(s.round_number) - int(s.phase == CLAIM))
    battles = max(0, int(s.round_number) - 1)
    for other in range(TEN):
        if other == seat:
            continue
        start = START_GARNETS if box.garnets[other] == NOT_GIVEN else int(box.garnets[other])
        most = start
        if opened:
            # So many tickets take so many trades.
            most -= max(0, int(s.final_tickets[other]) - START_TICKETS - MOST_CLAIM * claims)
        s.garnets[other] = s.final_garnets[other] if s.over else below(chance, most + 1)
        s.tickets[other] = some_tickets(s, start - int(s.garnets[other]), claims, battles, chance)
        if opened:
            s.tickets[other] = s.final_tickets[other]
        s.gained[other] = 0
    deal_priorities(box, s, seat, chance)
    for one in range(TEN):
        # Priorities change when a claim phase closes; until then their order is that of the last battle phase.
        s.rank[one] = one
        if claims > 0 or battles > 0:
            s.rank[one] = 0
            for other in range(TEN):
                s.rank[one] += int(s.priority[other] > s.priority[one])


@rule
def deal_priorities(box, s, seat, chance):
    """Deal the others' priorities: known when the table gave them, less what bids and claims may have cost since."""
    own = int(s.priority[seat]) if seat >= 0 else 0
    own_gained = int(s.gained[seat]) if seat >= 0 else 0
    for other in range(TEN):
        s.priority[other] = LOWEST_PRIORITY + other if box.priority[other] == NOT_GIVEN else box.priority[other]
    if box.priority[0] == NOT_GIVEN:
        shuffle(chance, s.priority, TEN)
        if seat >= 0 and s.round_number == 0:
            for other in range(TEN):
                if s.priority[other] == own:
                    s.priority[other] = s.priority[seat]
    elif s.round_number == 0:
        for other in range(TEN):
            s.gained[other] = 0
            s.rank[other] = other
        break_ties(s)
        s.event_count = 0
    if s.round_number > 0:
        for other in range(TEN):
            value = int(s.priority[other])
            # Who stands higher has bid more.
            if value > 0:
                value -= min(value, below(chance, value + 1) * (TEN - int(s.space[other])) // TEN)
            for _ in range(int(s.round_number) - 1):
                if below(chance, 3) == 0:
                    value -= below(chance, 16)
            s.priority[other] = s.final_priority[other] if s.over else value
    if seat >= 0:
        s.priority[seat] = own
        s.gained[seat] = own_gained
    for other in range(TEN):
        if other != seat:
            while shared(s, other):
                s.priority[other] += 1


@rule
def shared(s, seat):
    """Whether somebody else has the same priority."""
    found = False
    for other in range(TEN):
        found |= other != seat and s.priority[other] == s.priority[seat]
    return found


# The policy

BID_SHARE, BID_WIDTH = 0.8, 0.3
USUAL_PRIORITY, PRIORITY_STEP, PRIORITY_WIDTH = 9.0, 2.5, 4.0
ASKED_BY = 0.2
KEENNESS = 3.0
EARLY_SHARE = 0.5
LATE_SHARE = 0.85
RICH = 14.0
TRADE_FROM = 3


@rule
def policy(box, s, seat, ids, weights):
    """Write candidate actions to `ids`, ascending, and their weights (float64, above 0) to `weights`; return how many.

    Parts are saved once, in order, then confirmed; nothing is taken back. Every number is drawn from a wide spread, and
    whom to challenge from all who can be: whoever knows this policy cannot tell what it has saved. A seat that is
    free to act and not waited for may do anything legal.
    """
    if s.phase == GIVING or (int(s.acting) & ~int(s.submitted)) >> seat & 1 == 0:
        n = legal(box, s, seat, ids)
        for i in range(n):
            weights[i] = 1.0
        return n
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
    # Garnets are for the last rounds, when everybody else's are spent or forgotten.
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
    """Each number of tickets by how many it brings on the average, when each of the others asks for it by chance."""
    usual = USUAL_PRIORITY - PRIORITY_STEP * s.round_number
    ahead = 1.0 / (1.0 + math.exp(max(-30.0, min(30.0, (s.priority[seat] - usual) / PRIORITY_WIDTH))))
    ids[0] = SET_ASK
    weights[0] = 0.05
    for tickets in range(1, MOST_CLAIM + 1):
        # Poisson: fewer than 5 - N of those ahead may ask for the same number.
        mean = 9.0 * ASKED_BY * ahead
        term, chance = math.exp(-mean), 0.0
        for others in range(MOST_CLAIM + 1 - tickets):
            chance += term
            term *= mean / (others + 1)
        ids[tickets] = SET_ASK + tickets
        weights[tickets] = math.pow(tickets * chance, KEENNESS) + 0.05
    return MOST_CLAIM + 1


@rule
def share_to_use(s, seat):
    """The part of the own tickets that a battle is worth: what is at stake in it, and how many rounds there are left.

    In the last round only the top layer and the bottom count, and so do many tickets kept.
    """
    layer = LAYER[s.space[seat]]
    if goes_through(s, seat):
        layer -= 1
    if s.round_number < ROUNDS:
        return EARLY_SHARE if layer == 0 else 0.7 * EARLY_SHARE
    if layer == 2:
        return LATE_SHARE
    return LATE_SHARE if layer == 0 and s.tickets[seat] < RICH else 0.1


# What a seat sees

OBSERVATION = [
    *PYRAMID,
    ("protected", TEN, "seats that cannot be challenged, from the own one clockwise"),
    ("void", TEN, "seats whose challenge does not go through, from the own one clockwise"),
]


@rule
def observe(box, s, seat, out):
    """Write what a seat sees to `out` (float32), as OBSERVATION says; seats are counted clockwise from the own one."""
    see_pyramid(s, seat, ROUNDS, out)
    for i in range(TEN):
        other = (seat + i) % TEN
        if s.target[other] > 0:
            out[13 + TEN * TEN + TEN * i + (int(s.target[other]) - 1 - seat) % TEN] = 1.0
        out[PYRAMID_SIZE + i] = int(s.protected) >> other & 1
        out[PYRAMID_SIZE + TEN + i] = int(s.void) >> other & 1
