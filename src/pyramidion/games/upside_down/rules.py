"""Rules of Upside Down Pyramid Scheme, in the order of rules.md. `UD` numbers refer to rules.md."""

from __future__ import annotations

from pyramidion.engine.events import event, only
from pyramidion.engine.random import below
from pyramidion.engine.rule import rule
from pyramidion.engine.simultaneous import submit
from pyramidion.games.pyramid_of_ten.claims import askers, takers
from pyramidion.games.pyramid_of_ten.end_of_game import finish, payoff, points
from pyramidion.games.pyramid_of_ten.fields import BATTLE, CLAIM, MOST_CLAIM
from pyramidion.games.pyramid_of_ten.opening import deal_holdings, place_by_bid, tell_places
from pyramidion.games.pyramid_of_ten.spaces import BOTTOM, EVERYBODY, LAYER, NOBODY, TEN, TOP_SPACES
from pyramidion.games.pyramid_of_ten.submissions import list_the_rest, may_save, open_phase, reopen, saved
from pyramidion.games.upside_down.layout import (
    ACTIONS,
    AS_WRITTEN,
    EVENTS,
    FIRST_PYRAMID,
    GARNETS_FOR_TOKEN,
    GIVING,
    LOWEST_PRIORITY,
    PREGAME,
    START_GARNETS,
)

__all__ = ["apply", "legal", "payoff", "points", "setup", "timeout"]

SET_BID, SET_ASK, SET_CHALLENGE, SET_TICKETS = ACTIONS.bid, ACTIONS.ask, ACTIONS.challenge, ACTIONS.tickets
GIVE, TRADE, CONFIRM, REOPEN = ACTIONS.give, ACTIONS.trade, ACTIONS.confirm, ACTIONS.reopen

TRADED, RAISED, BID, TOP = EVENTS.traded, EVENTS.raised, EVENTS.bid, EVENTS.top
CLAIM_OPENED, GOT, SCREWED, DRAWN = EVENTS.claim, EVENTS.got, EVENTS.screwed, EVENTS.drawn
CHALLENGED, VOID, IDLE, BATTLE_OPENED = EVENTS.challenged, EVENTS.void, EVENTS.idle, EVENTS.battle
HELD, TOOK, TIED, USED = EVENTS.held, EVENTS.took, EVENTS.tied, EVENTS.used
REVEALED, CANDIDATE, FIRST_CANDIDATE = EVENTS.revealed, EVENTS.candidate, EVENTS.first_candidate
TOKENS, MOST = EVENTS.tokens, EVENTS.most
GAVE, REWARDED, ENDED = EVENTS.gave, EVENTS.rewarded, EVENTS.ended

RANKED_BEFORE_BIDS_SINCE = 3
"""First version of the rules in which priorities before the bids decide the ties of the first round (UD 2.2);
in earlier versions the order of seats did."""


@rule
def setup(box, s):
    """Deal tickets, and garnets and priority as set by the options (UD 1.2); wait for everybody's bid (UD 3.1)."""
    deal_holdings(box, s, START_GARNETS, LOWEST_PRIORITY)
    for seat in range(TEN):
        s.rank[seat] = seat
    break_ties(s)
    if box.rules_version >= RANKED_BEFORE_BIDS_SINCE:
        rank_by_priority(s)
    open_phase(s, PREGAME, EVERYBODY)


@rule
def legal(box, s, seat, out):
    """Write the ids of `seat`'s legal actions to `out` in ascending order; return the count."""
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
    """Carry out a seat's action: save a part of its submission, trade, confirm, reopen, or give a token away.

    The last confirmation closes the phase.
    """
    if action == CONFIRM:
        if submit(s, seat):
            if s.phase == PREGAME:
                close_pregame(s)
            elif s.phase == CLAIM:
                close_claim(box, s)
            else:
                close_battle(box, s)
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
    """Raise equal priorities until all differ, always those at the lowest value that seats share (UD 2.2)."""
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
        # Pack the gains, four bits per seat: no seat gains more than 9 in a tiebreak.
        amount = raised >> 4 * seat & 15
        if amount:
            event(s, RAISED, 2_02, seat, amount, s.priority[seat], audience=only(seat))


@rule
def lowest_tie(s):
    """Return the seats (bitmask) with the lowest priority that two or more seats share, or 0 if all differ."""
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
    """Return which seat of the bitmask `tied` has gained most in tiebreaks, or NOBODY if several have (UD 2.2 a)."""
    most, gainer = -1, NOBODY
    for seat in range(TEN):
        if tied >> seat & 1:
            if s.gained[seat] > most:
                most, gainer = int(s.gained[seat]), seat
            elif s.gained[seat] == most:
                gainer = NOBODY
    return gainer


@rule
def last_in_rank(s, tied):
    """Return which seat of the bitmask `tied` had the lowest priority in the previous round (UD 2.2 b)."""
    last, lowest = -1, NOBODY
    for seat in range(TEN):
        if tied >> seat & 1 and s.rank[seat] > last:
            last, lowest = int(s.rank[seat]), seat
    return lowest


@rule
def rank_by_priority(s):
    """Note the order of the seats by priority, which decides ties in the next round (UD 2.2 b)."""
    for seat in range(TEN):
        s.rank[seat] = 0
        for other in range(TEN):
            s.rank[seat] += int(s.priority[other] > s.priority[seat])


# UD 3: the pregame


@rule
def close_pregame(s):
    """End the pregame: place the seats on A to J by bid and collect the bids (UD 3.2)."""
    place_by_bid(s)
    for seat in range(TEN):
        paid = saved(s.bid[seat], 0)
        s.priority[seat] -= paid
        event(s, BID, 3_02, seat, paid, s.priority[seat], audience=only(seat))
    tell_places(s, TOP, 3_02)
    open_claim(s)


# UD 5: the claim phase


@rule
def open_claim(s):
    """Start a round and its claim phase, in which seats ask for tickets and challenge players (UD 5.1)."""
    s.round_number += 1
    s.void = 0
    for seat in range(TEN):
        s.target[seat] = 0
    break_ties(s)
    event(s, CLAIM_OPENED, 5_01, s.round_number)
    open_phase(s, CLAIM, EVERYBODY)


@rule
def may_challenge(s, seat, other):
    """Return 1 if a seat may challenge another, one layer above and not challenged last round (UD 5.4, 5.5).

    Otherwise 0.
    """
    above = LAYER[s.space[other]] + 1 == LAYER[s.space[seat]]
    return int(above) & (1 - (int(s.protected) >> other & 1))


@rule
def close_claim(box, s):
    """End the claim phase: hand out tickets, settle the challenges, and open the battle phase."""
    draw_challenges(s)
    for tickets in range(1, MOST_CLAIM + 1):
        hand_out(s, tickets)
    settle_challenges(box, s)
    break_ties(s)
    rank_by_priority(s)
    fighting = 0
    for seat in range(TEN):
        if goes_through(s, seat):
            fighting |= 1 << seat | 1 << int(s.target[seat]) - 1
    # There is always a battle. Players who have just climbed are not protected, and at most three of A to D were
    # challenged, so E to G have somebody to challenge. Challenges from the lowest layer always go through.
    event(s, BATTLE_OPENED, 6_01, s.round_number)
    open_phase(s, BATTLE, fighting)


@rule
def draw_challenges(s):
    """Draw a random challenge for each seat that could challenge somebody and has not, in seat order (UD 5.6)."""
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
    """Give `tickets` to the seats that asked for them, as far as they go round (UD 5.2, 5.3).

    Those who get them pay in priority for those who asked for as many and get none (the screwed).
    """
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
def settle_challenges(box, s):
    """Mark as void, from the bottom up, the challenge of each seat that is itself challenged from below (UD 5.7)."""
    for seat in range(TEN):
        s.target[seat] = s.challenge[seat]
    for place in range(BOTTOM, TOP_SPACES - 1, -1):
        seat = int(s.at[place])
        because = blocker(box, s, seat)
        if s.target[seat] == 0:
            event(s, IDLE, 5_05, seat)
        elif because == NOBODY:
            event(s, CHALLENGED, 5_04, seat, s.target[seat] - 1)
        else:
            s.void = int(s.void) | 1 << seat
            event(s, VOID, 5_07, seat, s.target[seat] - 1, because)


@rule
def blocker(box, s, seat):
    """Return the leftmost player whose challenge makes that of `seat` void, or NOBODY (UD 5.7)."""
    challenger = NOBODY
    for place in range(BOTTOM, TOP_SPACES - 1, -1):
        other = int(s.at[place])
        if s.target[other] == seat + 1 and (box.challenges == AS_WRITTEN or goes_through(s, other)):
            challenger = other
    return challenger


@rule
def goes_through(s, seat):
    """Return whether a seat has made a challenge that is not void, and so fights."""
    return s.target[seat] > 0 and int(s.void) >> seat & 1 == 0


# UD 6: the battle phase


@rule
def close_battle(box, s):
    """Settle all battles at once (UD 6.4) and end the round; after the last, end the game (UD 7.1)."""
    challenged, defenders = 0, 0
    for seat in range(TEN):
        challengers = 0
        for other in range(TEN):
            if s.target[other] == seat + 1:
                challenged |= 1 << seat
                challengers |= int(goes_through(s, other)) << other
        if challengers:
            defenders |= 1 << seat
            fight(box, s, seat, challengers)
    s.protected = challenged if box.challenges == AS_WRITTEN else defenders
    if s.round_number < box.rounds:
        open_claim(s)
    else:
        reveal(box, s)


@rule
def fight(box, s, defender, challengers):
    """Settle a battle: whoever used most tickets wins and pays; a challenger who wins swaps places (UD 6.3).

    `challengers` is a bitmask of seats.
    """
    winner = winner_of(box, s, defender, challengers)
    if winner != NOBODY:
        s.tickets[winner] -= saved(s.bid[winner], 0)
        s.won[winner] = int(s.won[winner]) | 1 << int(s.round_number) - 1
    if winner == NOBODY:
        event(s, TIED, 6_02, defender, challengers)
    elif winner == defender:
        event(s, HELD, 6_03, defender, challengers)
    else:
        up, down = int(s.space[defender]), int(s.space[winner])
        s.space[winner], s.space[defender] = up, down
        s.at[up], s.at[down] = winner, defender
        event(s, TOOK, 6_03, winner, defender, up, challengers)
    for seat in range(TEN):
        if (challengers | 1 << defender) >> seat & 1:
            used = saved(s.bid[seat], 0)
            event(s, USED, 6_03, seat, used, used if seat == winner else 0, audience=only(seat))


@rule
def winner_of(box, s, defender, challengers):
    """Return the seat that wins a battle, or NOBODY if tied challengers take nothing (UD 6.2).

    Priority breaks ties. `challengers` is a bitmask of seats.
    """
    best, most, tied = NOBODY, -1, False
    for seat in range(TEN):
        if challengers >> seat & 1:
            used = saved(s.bid[seat], 0)
            tied = used == most or (tied and used < most)
            if used > most or (used == most and s.priority[seat] > s.priority[best]):
                best, most = seat, used
    defence = saved(s.bid[defender], 0)
    if not (tied and box.sole_highest):
        if most > defence or (most == defence and s.priority[best] > s.priority[defender]):
            return best
    return defender if defence >= most else NOBODY


# UD 7: the end


@rule
def reveal(box, s):
    """Reveal board and tickets (UD 7.1), name the elimination candidate (UD 7.2) and award the tokens (UD 7.3)."""
    break_ties(s)
    for place in range(TEN):
        seat = int(s.at[place])
        s.final_tickets[seat] = s.tickets[seat]
        event(s, REVEALED, 7_01, seat, s.tickets[seat])
    s.ec = candidate(box, s)
    event(s, FIRST_CANDIDATE if box.candidate == FIRST_PYRAMID else CANDIDATE, 7_02, s.ec)
    top, highest = 0, -1
    for place in range(TEN):
        seat = int(s.at[place])
        if seat != s.ec:
            highest = max(highest, int(s.tickets[seat]))
            if place < TOP_SPACES:
                s.tol[seat] = 1
                top |= 1 << seat
    event(s, TOKENS, 7_03, top)
    first, second = richest(s, highest, NOBODY), NOBODY
    second = richest(s, highest, first)
    for seat in range(TEN):
        if seat == first or seat == second:
            tokens = 2 if second == NOBODY else 1
            s.tol[seat] += tokens
            event(s, MOST, 7_03, seat, tokens, highest)
    next_giver(s)


@rule
def candidate(box, s):
    """Return who would be elimination candidate at an end now: the seat on J, now or after the bids (UD 7.2)."""
    candidate_seat = int(s.at[BOTTOM])
    if box.candidate == FIRST_PYRAMID and candidate_seat != NOBODY:
        for seat in range(TEN):
            if s.placed[seat] == BOTTOM:
                candidate_seat = seat
    return candidate_seat


@rule
def richest(s, tickets, but):
    """Return the seat with the highest priority of those with this many tickets, or NOBODY.

    The elimination candidate and the seat `but` do not count.
    """
    richest_seat = NOBODY
    for seat in range(TEN):
        if seat != s.ec and seat != but and s.tickets[seat] == tickets:
            if richest_seat == NOBODY or s.priority[seat] > s.priority[richest_seat]:
                richest_seat = seat
    return richest_seat


@rule
def next_giver(s):
    """Ask the next holder of several tokens of life to give one away, or end the game if there is none (UD 7.4).

    Holders on higher spaces are asked first.
    """
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
    """Return 1 if a player may receive a token: it has none and is not the elimination candidate (UD 7.4).

    Otherwise 0.
    """
    return int(s.tol[seat] == 0) & int(seat != s.ec)


@rule
def give(s, seat, other):
    """Give a token of life of one seat to another (UD 7.4), and ask for the next gift."""
    s.tol[seat] -= 1
    s.tol[other] += 1
    event(s, GAVE, 7_04, seat, other)
    next_giver(s)


@rule
def end_game(s):
    """End the game: pay token holders 4 garnets and declare them winners (UD 7.5, 7.6); reveal what all carry on."""
    for seat in range(TEN):
        if s.tol[seat] > 0:
            s.winners = int(s.winners) | 1 << seat
            s.garnets[seat] += GARNETS_FOR_TOKEN
    event(s, REWARDED, 7_05, s.winners)
    event(s, ENDED, 7_06)
    finish(s, 7_06)


@rule
def timeout(box, s, seat):
    """Return the action that is taken for an absent seat.

    It confirms what it has saved, and gives a token to the player on the highest eligible space.
    """
    if s.phase == GIVING:
        for place in range(TEN):
            if may_be_given(s, int(s.at[place])):
                return GIVE + int(s.at[place])
    return CONFIRM
