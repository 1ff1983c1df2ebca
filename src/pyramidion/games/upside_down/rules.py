"""The rules of Upside Down Pyramid Scheme, in the order of rules.md; `UD` numbers are its."""

from __future__ import annotations

from pyramidion.engine.events import event, only
from pyramidion.engine.options import NOT_GIVEN
from pyramidion.engine.random import below, shuffle
from pyramidion.engine.rule import rule
from pyramidion.engine.simultaneous import submit
from pyramidion.games.pyramid_of_ten.claims import askers, place_by_bid, takers
from pyramidion.games.pyramid_of_ten.fields import BATTLE, CLAIM, MOST_CLAIM, START_TICKETS
from pyramidion.games.pyramid_of_ten.spaces import BOTTOM, EVERYBODY, LAYER, NOBODY, NOWHERE, TEN, TOP_SPACES
from pyramidion.games.pyramid_of_ten.submissions import list_the_rest, may_save, open_phase, reopen, saved
from pyramidion.games.upside_down.layout import (
    ACTIONS,
    EVENTS,
    GARNETS_FOR_TOKEN,
    GIVING,
    LOWEST_PRIORITY,
    PREGAME,
    ROUNDS,
    START_GARNETS,
)

SET_BID, SET_ASK, SET_CHALLENGE, SET_TICKETS = ACTIONS.bid, ACTIONS.ask, ACTIONS.challenge, ACTIONS.tickets
GIVE, TRADE, CONFIRM, REOPEN = ACTIONS.give, ACTIONS.trade, ACTIONS.confirm, ACTIONS.reopen

TRADED, RAISED, BID = EVENTS.traded, EVENTS.raised, EVENTS.bid
TOP, SECOND, THIRD, LOWEST = EVENTS.top, EVENTS.second, EVENTS.third, EVENTS.bottom
CLAIM_OPENED, GOT, SCREWED, DRAWN = EVENTS.claim, EVENTS.got, EVENTS.screwed, EVENTS.drawn
CHALLENGED, VOID, IDLE, BATTLE_OPENED = EVENTS.challenged, EVENTS.void, EVENTS.idle, EVENTS.battle
HELD, TOOK, USED = EVENTS.held, EVENTS.took, EVENTS.used
REVEALED, CANDIDATE, TOKENS, MOST = EVENTS.revealed, EVENTS.candidate, EVENTS.tokens, EVENTS.most
GAVE, REWARDED, ENDED = EVENTS.gave, EVENTS.rewarded, EVENTS.ended


@rule
def setup(box, s):
    """Everybody has 5 tickets, and garnets and priority from the season (UD 1.2); the pregame opens (UD 3.1)."""
    for seat in range(TEN):
        s.tickets[seat] = START_TICKETS
        s.garnets[seat] = START_GARNETS if box.garnets[seat] == NOT_GIVEN else box.garnets[seat]
        s.priority[seat] = LOWEST_PRIORITY + seat if box.priority[seat] == NOT_GIVEN else box.priority[seat]
        s.space[seat] = NOWHERE
        s.at[seat] = NOBODY
        s.rank[seat] = seat
    if box.priority[0] == NOT_GIVEN:
        shuffle(s.rng, s.priority, TEN)
    s.ec = NOBODY
    s.submitted_shown = box.confirmations
    break_ties(s)
    open_phase(s, PREGAME, EVERYBODY)


@rule
def legal(box, s, seat, out):
    """Write the ids of the actions that `seat` may take to `out`, ascending; return how many."""
    n = 0
    if s.phase == GIVING:
        for other in range(TEN):
            out[n] = GIVE + other
            n += may_be_given(s, other)
        return n
    if may_save(s, seat):
        if s.phase == PREGAME:
            for amount in range(max(0, int(s.priority[seat])) + 1):
                out[n] = SET_BID + amount
                n += 1
        elif s.phase == CLAIM:
            for tickets in range(MOST_CLAIM + 1):
                out[n] = SET_ASK + tickets
                n += 1
            for other in range(TEN):
                out[n] = SET_CHALLENGE + other
                n += may_challenge(s, seat, other)
        else:
            for tickets in range(int(s.tickets[seat]) + 1):
                out[n] = SET_TICKETS + tickets
                n += 1
    return list_the_rest(s, seat, s.garnets[seat] > 0, TRADE, out, n)


@rule
def apply(box, s, seat, action):
    """Save a part of a submission, trade, confirm or reopen; with the last confirmation the phase closes."""
    if action == CONFIRM:
        if submit(s, seat):
            if s.phase == PREGAME:
                close_pregame(s)
            elif s.phase == CLAIM:
                close_claim(s)
            else:
                close_battle(s)
    elif action == REOPEN:
        reopen(s, seat)
    elif action == TRADE:
        s.garnets[seat] -= 1
        s.tickets[seat] += 1
        event(s, TRADED, 1_04, seat, s.garnets[seat], audience=only(seat))
    elif s.phase == GIVING:
        give(s, seat, action - GIVE)
    else:
        s.parts[seat] += 1
        if s.phase == PREGAME:
            s.bid[seat] = action - SET_BID + 1
        elif s.phase == BATTLE:
            s.bid[seat] = action - SET_TICKETS + 1
        elif action < SET_CHALLENGE:
            s.claim[seat] = action - SET_ASK + 1
        else:
            s.challenge[seat] = action - SET_CHALLENGE + 1


# UD 2: priority


@rule
def break_ties(s):
    """Make equal priorities different, always at the lowest value that two or more share (UD 2.2)."""
    raised = 0
    tied = lowest_tie(s)
    while tied:
        kept = most_gained(s, tied)
        if kept == NOBODY:
            kept = last_in_rank(s, tied)
        for seat in range(TEN):
            if tied >> seat & 1 and seat != kept:
                s.priority[seat] += 1
                s.gained[seat] += 1
                raised += 1 << 4 * seat
        tied = lowest_tie(s)
    for seat in range(TEN):
        # Four bits for each seat: within a tiebreak nobody gains more than 9.
        amount = raised >> 4 * seat & 15
        if amount:
            event(s, RAISED, 2_02, seat, amount, s.priority[seat], audience=only(seat))


@rule
def lowest_tie(s):
    """The seats (bitmask) that share the lowest priority which is shared, or none."""
    tied, value = 0, 0
    for seat in range(TEN):
        same = 0
        for other in range(TEN):
            same |= int(s.priority[other] == s.priority[seat]) << other
        if same & (same - 1) and (tied == 0 or s.priority[seat] < value):
            tied, value = same, int(s.priority[seat])
    return tied


@rule
def most_gained(s, tied):
    """The one seat among the tied that has gained most in tiebreaks, or NOBODY if several have (UD 2.2 a)."""
    most, found = -1, NOBODY
    for seat in range(TEN):
        if tied >> seat & 1:
            if s.gained[seat] > most:
                most, found = int(s.gained[seat]), seat
            elif s.gained[seat] == most:
                found = NOBODY
    return found


@rule
def last_in_rank(s, tied):
    """The seat among the tied that had the lowest priority in the previous round (UD 2.2 b)."""
    last, found = -1, NOBODY
    for seat in range(TEN):
        if tied >> seat & 1 and s.rank[seat] > last:
            last, found = int(s.rank[seat]), seat
    return found


# UD 3: the pregame


@rule
def close_pregame(s):
    """Bids place everybody on A to J, and everybody pays (UD 3.2)."""
    place_by_bid(s)
    for seat in range(TEN):
        paid = saved(s.bid[seat], 0)
        s.priority[seat] -= paid
        event(s, BID, 3_02, seat, paid, s.priority[seat], audience=only(seat))
    event(s, TOP, 3_02, s.at[0], s.at[1], s.at[2], s.at[3])
    event(s, SECOND, 3_02, s.at[4], s.at[5], s.at[6])
    event(s, THIRD, 3_02, s.at[7], s.at[8])
    event(s, LOWEST, 3_02, s.at[9])
    open_claim(s)


# UD 5: the claim phase


@rule
def open_claim(s):
    """A round begins: everybody asks for tickets, and whoever is below the top layer challenges somebody (UD 5.1)."""
    s.round_number += 1
    s.void = 0
    for seat in range(TEN):
        s.target[seat] = 0
    break_ties(s)
    event(s, CLAIM_OPENED, 5_01, s.round_number)
    open_phase(s, CLAIM, EVERYBODY)


@rule
def may_challenge(s, seat, other):
    """Whether (1 or 0) a player may be challenged: one layer above, and not challenged last round (UD 5.4, 5.5)."""
    above = LAYER[s.space[other]] + 1 == LAYER[s.space[seat]]
    return int(above) & (1 - (int(s.protected) >> other & 1))


@rule
def close_claim(s):
    """Tickets are handed out, and the challenges that go through are fought out in the battle phase."""
    draw_challenges(s)
    for tickets in range(1, MOST_CLAIM + 1):
        hand_out(s, tickets)
    settle_challenges(s)
    break_ties(s)
    for seat in range(TEN):
        s.rank[seat] = 0
        for other in range(TEN):
            s.rank[seat] += int(s.priority[other] > s.priority[seat])
    fighting = 0
    for seat in range(TEN):
        if goes_through(s, seat):
            fighting |= 1 << seat | 1 << int(s.target[seat]) - 1
    # There always is a battle: only four players can be protected, so one on E to I may be challenged from below.
    event(s, BATTLE_OPENED, 6_01, s.round_number)
    open_phase(s, BATTLE, fighting)


@rule
def draw_challenges(s):
    """Whoever has to challenge somebody and has not is given somebody at random, in seat order (UD 5.6)."""
    for seat in range(TEN):
        choices = 0
        for other in range(TEN):
            choices += may_challenge(s, seat, other)
        if s.challenge[seat] == 0 and choices > 0:
            left = below(s.rng, choices)
            for other in range(TEN):
                if may_challenge(s, seat, other):
                    if left == 0:
                        s.challenge[seat] = other + 1
                    left -= 1
            event(s, DRAWN, 5_06, seat, s.challenge[seat] - 1, audience=only(seat))


@rule
def hand_out(s, tickets):
    """Whoever gets so many tickets pays in priority for those who are screwed (UD 5.2, 5.3)."""
    asking = askers(s, tickets, 0)
    taking = takers(s, tickets, asking, False)
    lost = 0
    for seat in range(TEN):
        if (asking & ~taking) >> seat & 1:
            lost += abs(int(s.priority[seat]))
            event(s, SCREWED, 5_02, seat, tickets, audience=only(seat))
    for seat in range(TEN):
        if taking >> seat & 1:
            s.tickets[seat] += tickets
            s.priority[seat] -= lost
            event(s, GOT, 5_03 if lost else 5_02, seat, tickets, lost, s.priority[seat], audience=only(seat))


@rule
def settle_challenges(s):
    """From the bottom up: a challenge is void if its maker is challenged from below, and that goes through (UD 5.7)."""
    for seat in range(TEN):
        s.target[seat] = s.challenge[seat]
    for place in range(BOTTOM, TOP_SPACES - 1, -1):
        seat = int(s.at[place])
        because = NOBODY
        for below_place in range(BOTTOM, place, -1):
            other = int(s.at[below_place])
            if s.target[other] == seat + 1 and goes_through(s, other):
                because = other
        if s.target[seat] == 0:
            event(s, IDLE, 5_05, seat)
        elif because == NOBODY:
            event(s, CHALLENGED, 5_04, seat, s.target[seat] - 1)
        else:
            s.void = int(s.void) | 1 << seat
            event(s, VOID, 5_07, seat, s.target[seat] - 1, because)


@rule
def goes_through(s, seat):
    """Whether a seat has challenged somebody, and to effect."""
    return s.target[seat] > 0 and int(s.void) >> seat & 1 == 0


# UD 6: the battle phase


@rule
def close_battle(s):
    """All battles are settled at once (UD 6.4); a round ends, and after the fifth the game (UD 7.1)."""
    defenders = 0
    for seat in range(TEN):
        challengers = 0
        for other in range(TEN):
            challengers |= int(s.target[other] == seat + 1 and goes_through(s, other)) << other
        if challengers:
            defenders |= 1 << seat
            fight(s, seat, challengers)
    s.protected = defenders
    if s.round_number < ROUNDS:
        open_claim(s)
    else:
        reveal(s)


@rule
def fight(s, defender, challengers):
    """The highest submission wins, equal ones by priority, and its maker pays; a challenger changes places (UD 6.3)."""
    fighting = challengers | 1 << defender
    winner = defender
    for seat in range(TEN):
        if fighting >> seat & 1:
            mine, best = saved(s.bid[seat], 0), saved(s.bid[winner], 0)
            if mine > best or (mine == best and s.priority[seat] > s.priority[winner]):
                winner = seat
    s.tickets[winner] -= saved(s.bid[winner], 0)
    if winner == defender:
        event(s, HELD, 6_03, defender, challengers)
    else:
        up, down = int(s.space[defender]), int(s.space[winner])
        s.space[winner], s.space[defender] = up, down
        s.at[up], s.at[down] = winner, defender
        event(s, TOOK, 6_03, winner, defender, up, challengers)
    for seat in range(TEN):
        if fighting >> seat & 1:
            used = saved(s.bid[seat], 0)
            event(s, USED, 6_03, seat, used, used if seat == winner else 0, audience=only(seat))


# UD 7: the end


@rule
def reveal(s):
    """Board and tickets are laid open (UD 7.1); whoever is on J wins nothing, and six tokens are won (UD 7.2, 7.3)."""
    break_ties(s)
    for place in range(TEN):
        seat = int(s.at[place])
        s.final_tickets[seat] = s.tickets[seat]
        event(s, REVEALED, 7_01, seat, s.tickets[seat])
    s.ec = s.at[BOTTOM]
    event(s, CANDIDATE, 7_02, s.ec)
    top, most = 0, -1
    for place in range(BOTTOM):
        seat = int(s.at[place])
        most = max(most, int(s.tickets[seat]))
        if place < TOP_SPACES:
            s.tol[seat] = 1
            top |= 1 << seat
    event(s, TOKENS, 7_03, top)
    first, second = richest(s, most, NOBODY), NOBODY
    second = richest(s, most, first)
    for seat in range(TEN):
        if seat == first or seat == second:
            tokens = 2 if second == NOBODY else 1
            s.tol[seat] += tokens
            event(s, MOST, 7_03, seat, tokens, most)
    next_giver(s)


@rule
def richest(s, most, but):
    """The seat with the highest priority among those with `most` tickets, EC and the seat `but` left out."""
    found = NOBODY
    for seat in range(TEN):
        if seat != s.ec and seat != but and s.tickets[seat] == most:
            if found == NOBODY or s.priority[seat] > s.priority[found]:
                found = seat
    return found


@rule
def next_giver(s):
    """Whoever has more than one token gives the others away, the higher space first (UD 7.4); then it is over."""
    s.phase = GIVING
    s.acting = 0
    s.free = 0
    for place in range(TEN):
        if s.tol[s.at[place]] > 1 and s.acting == 0:
            s.acting = 1 << int(s.at[place])
    if s.acting == 0:
        end_game(s)


@rule
def may_be_given(s, seat):
    """Whether (1 or 0) a player may be given a token: neither EC nor a holder of one (UD 7.4)."""
    return int(s.tol[seat] == 0) & int(seat != s.ec)


@rule
def give(s, seat, other):
    """Give a token away (UD 7.4)."""
    s.tol[seat] -= 1
    s.tol[other] += 1
    event(s, GAVE, 7_04, seat, other)
    next_giver(s)


@rule
def end_game(s):
    """Token holders receive 4 garnets and have won (UD 7.5, 7.6); all that is carried on is laid open."""
    for seat in range(TEN):
        if s.tol[seat] > 0:
            s.winners = int(s.winners) | 1 << seat
            s.garnets[seat] += GARNETS_FOR_TOKEN
        s.final_garnets[seat] = s.garnets[seat]
        s.final_priority[seat] = s.priority[seat]
    event(s, REWARDED, 7_05, s.winners)
    event(s, ENDED, 7_06)
    s.over = 1
    s.ending = 7_06
    s.phase = 0


@rule
def points(box, s, out):
    """Write the garnets that every seat carries on to `out` (int32[seats])."""
    for seat in range(TEN):
        out[seat] = s.final_garnets[seat]


@rule
def payoff(box, s, out):
    """Write +1 for every holder of a token, -1 for EC, 0 for the rest to `out` (float64[seats]) (UD 7.6)."""
    for seat in range(TEN):
        out[seat] = (int(s.winners) >> seat & 1) - int(seat == s.ec)


@rule
def timeout(box, s, seat):
    """What an absent seat does: what it has saved counts, and a token goes to the highest space that may have it."""
    if s.phase == GIVING:
        for place in range(TEN):
            if may_be_given(s, int(s.at[place])):
                return GIVE + int(s.at[place])
    return CONFIRM
