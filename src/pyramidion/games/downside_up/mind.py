"""What a player of Downside Up needs who cannot see everything: redeal, policy and observation."""

from __future__ import annotations

import math

from pyramidion.engine.options import NOT_GIVEN
from pyramidion.engine.random import below, reseed
from pyramidion.engine.rule import rule
from pyramidion.games.downside_up.layout import BID, PRICE, ROUNDS, START_GARNETS
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
from pyramidion.games.pyramid_of_ten.mind import (
    PYRAMID,
    PYRAMID_SIZE,
    add,
    forget_submissions,
    see_pyramid,
    some_tickets,
    spread_out,
)
from pyramidion.games.pyramid_of_ten.spaces import LAYER, LEFT_ABOVE, TEN, TOP_SPACES
from pyramidion.games.pyramid_of_ten.submissions import may_save

# Redealt worlds


@rule
def redeal(box, s, seat, chance):
    """Fill the redacted state `s`, which `seat` (or a spectator, -1) sees, with a world that it can be.

    Exact: what the others hold at the end. Plausible: bids in the order of the places, tickets and garnets within what
    rules allow. The others have saved nothing yet.
    """
    reseed(s.rng, chance)
    forget_submissions(s, seat)
    claims = max(0, int(s.round_number) - int(s.phase == CLAIM))
    battles = max(0, int(s.round_number) - 1)
    for other in range(TEN):
        if other == seat:
            continue
        s.attack[other] = 0
        s.defence[other] = 0
        if s.over:
            s.tickets[other] = s.final_tickets[other]
            s.garnets[other] = s.final_garnets[other]
            continue
        left = START_GARNETS if box.garnets[other] == NOT_GIVEN else int(box.garnets[other])
        if s.round_number > 0 and (box.all_pay or s.space[other] < TOP_SPACES):
            # Who stands higher has bid more.
            left -= below(chance, left + 1) * (TEN - int(s.space[other])) // TEN
        traded = below(chance, left // PRICE + 1)
        s.garnets[other] = left - PRICE * traded
        s.tickets[other] = some_tickets(s, traded, claims, battles, chance)


# The policy

BID_SHARE, BID_WIDTH = 0.7, 0.3
ASKED_BY = 0.22
KEENNESS = 4.0
EARLY_SHARE = 0.5
LATE_SHARE = 0.9
RICH = 16.0
TRADE_FROM = 3


@rule
def policy(box, s, seat, ids, weights):
    """Write candidate actions to `ids`, ascending, and their weights (float64, above 0) to `weights`; return how many.

    Parts are saved once, in order, then confirmed; nothing is taken back. Every number is drawn from a wide spread, and
    the space to challenge from both: whoever knows this policy cannot tell what it has saved. A seat that is free to
    act and not waited for may do anything legal.
    """
    if (int(s.acting) & ~int(s.submitted)) >> seat & 1 == 0:
        n = legal(box, s, seat, ids)
        for i in range(n):
            weights[i] = 1.0
        return n
    saves = may_save(s, seat)
    if saves and s.phase == BID and s.bid[seat] == 0:
        most = int(s.garnets[seat])
        return spread_out(SET_BID, most, BID_SHARE * most, 1.0 + BID_WIDTH * most, ids, weights)
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
            return spread_out(SET_ATTACK, held, middle, 1.0 + 0.2 * held, ids, weights)
        if is_challenged(s, s.space[seat]) and s.defence[seat] == 0:
            middle = worth(s, seat, int(s.space[seat])) * held
            return spread_out(SET_DEFENCE, held, middle, 1.0 + 0.2 * held, ids, weights)
    return add(CONFIRM, 1.0, ids, weights, n)


@rule
def weigh_claims(s, seat, ids, weights):
    """Each number of tickets by how many it brings on the average, when each of those ahead claims it by chance."""
    ahead = 0.0
    for other in range(TEN):
        ahead += int(is_ahead(s, other, seat, True))
    for tickets in range(1, MOST_CLAIM + 1):
        # Poisson: fewer than 5 - N of those ahead may claim the same number.
        mean = ASKED_BY * ahead
        term, chance = math.exp(-mean), 0.0
        for others in range(MOST_CLAIM + 1 - tickets):
            chance += term
            term *= mean / (others + 1)
        ids[tickets - 1] = SET_CLAIM + tickets - 1
        weights[tickets - 1] = math.pow(tickets * chance, KEENNESS) + 0.05
    return MOST_CLAIM


@rule
def worth(s, seat, space):
    """The part of the own tickets that a space is worth: what it brings, and how many rounds there are left.

    In the last round only the top layer and the way out of the bottom count, and so do many tickets kept.
    """
    layer = LAYER[space]
    if s.round_number < ROUNDS:
        return EARLY_SHARE if layer == 0 else 0.7 * EARLY_SHARE
    if layer == 2:
        return LATE_SHARE
    return LATE_SHARE if layer == 0 and s.tickets[seat] < RICH else 0.1


# What a seat sees

OBSERVATION = [
    *PYRAMID,
    ("priorities", TEN, "priority of each seat, of 10, from the own one clockwise"),
    ("numbers", 2, "own attack and defence that are saved, each + 1 and of 10; 0: nothing is saved"),
]


@rule
def observe(box, s, seat, out):
    """Write what a seat sees to `out` (float32), as OBSERVATION says; seats are counted clockwise from the own one."""
    see_pyramid(s, seat, ROUNDS, out)
    for i in range(TEN):
        other = (seat + i) % TEN
        if s.target[other] > 0:
            out[13 + TEN * TEN + TEN * i + (int(s.at[s.target[other] - 1]) - seat) % TEN] = 1.0
        out[PYRAMID_SIZE + i] = s.priority[other] / 10.0
    out[PYRAMID_SIZE + TEN] = s.attack[seat] / 10.0
    out[PYRAMID_SIZE + TEN + 1] = s.defence[seat] / 10.0
