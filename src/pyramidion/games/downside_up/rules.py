"""Rules of Downside Up Pyramid Scheme, in the order of rules.md. `DU` numbers refer to rules.md."""

from __future__ import annotations

from pyramidion.engine.events import event, only
from pyramidion.engine.rule import rule
from pyramidion.engine.simultaneous import submit
from pyramidion.games.downside_up.layout import (
    ACTIONS,
    BID,
    DEFAULT_CLAIM,
    EVENTS,
    LOWEST_PRIORITY,
    NO_PART,
    PRICE,
    ROUNDS,
    START_GARNETS,
)
from pyramidion.games.pyramid_of_ten.claims import askers, is_ahead, takers
from pyramidion.games.pyramid_of_ten.end_of_game import finish, payoff, points
from pyramidion.games.pyramid_of_ten.fields import BATTLE, CLAIM, MOST_CLAIM
from pyramidion.games.pyramid_of_ten.opening import deal_holdings, place_by_bid, tell_places
from pyramidion.games.pyramid_of_ten.spaces import (
    BOTTOM,
    EVERYBODY,
    LEFT_ABOVE,
    NOBODY,
    TEN,
    TOP_SPACES,
)
from pyramidion.games.pyramid_of_ten.submissions import list_the_rest, may_save, open_phase, reopen, saved

__all__ = ["apply", "legal", "payoff", "points", "setup", "timeout"]

SET_BID, SET_CLAIM, SET_CHALLENGE = ACTIONS.bid, ACTIONS.claim, ACTIONS.challenge
SET_ATTACK, SET_DEFENCE = ACTIONS.attack, ACTIONS.defend
TRADE, CONFIRM, REOPEN = ACTIONS.trade, ACTIONS.confirm, ACTIONS.reopen

TRADED, BIDDEN, TOP = EVENTS.traded, EVENTS.bid, EVENTS.top
CLAIM_OPENED, GOT, MISSED, CHALLENGED = EVENTS.claim, EVENTS.got, EVENTS.missed, EVENTS.challenged
BATTLE_OPENED, HELD, TOOK, USED = EVENTS.battle, EVENTS.held, EVENTS.took, EVENTS.used
REVEALED, BANKRUPT, RICH, TOKENS, ENDED = EVENTS.revealed, EVENTS.bankrupt, EVENTS.rich, EVENTS.tokens, EVENTS.ended


@rule
def setup(box, s):
    """Deal tickets, and garnets and priority as set by the options (DU 1.1); wait for everybody's bid (DU 2.1)."""
    deal_holdings(box, s, START_GARNETS, LOWEST_PRIORITY)
    open_phase(s, BID, EVERYBODY)


@rule
def legal(box, s, seat, out):
    """Write the ids of `seat`'s legal actions to `out` in ascending order; return the count."""
    n = 0
    if may_save(s, seat):
        if s.phase == BID:
            for amount in range(int(s.garnets[seat]) + 1):
                out[n] = SET_BID + amount
                n += 1
        elif s.phase == CLAIM:
            for tickets in range(MOST_CLAIM):
                out[n] = SET_CLAIM + tickets
                n += 1
            left = LEFT_ABOVE[s.space[seat]]
            if left >= 0:
                out[n] = SET_CHALLENGE + left
                out[n + 1] = SET_CHALLENGE + left + 1
                n += 2
        else:
            # Everyone asked is an attacker, a defender, or both (DU 4.1).
            if s.target[seat] > 0:
                for tickets in range(int(s.tickets[seat]) + 1):
                    out[n] = SET_ATTACK + tickets
                    n += 1
            if is_challenged(s, s.space[seat]):
                for tickets in range(int(s.tickets[seat]) + 1):
                    out[n] = SET_DEFENCE + tickets
                    n += 1
    return list_the_rest(s, seat, may_trade(s, seat), TRADE, out, n)


@rule
def may_trade(s, seat):
    """Return whether a seat has the two garnets for a ticket besides its saved bid (DU 1.2)."""
    return s.garnets[seat] - saved(s.bid[seat], 0) >= PRICE


@rule
def apply(box, s, seat, action):
    """Carry out a seat's action: save a part of its submission, trade, confirm or reopen.

    The last confirmation closes the phase.
    """
    if action == CONFIRM:
        if submit(s, seat):
            if s.phase == BID:
                close_bid(box, s)
            elif s.phase == CLAIM:
                close_claim(s)
            else:
                close_battle(s)
    elif action == REOPEN:
        reopen(s, seat)
    elif action == TRADE:
        s.garnets[seat] -= PRICE
        s.tickets[seat] += 1
        event(s, TRADED, 1_02, seat, s.garnets[seat], audience=only(seat))
    else:
        s.parts[seat] += 1
        if action < SET_CLAIM:
            s.bid[seat] = action - SET_BID + 1
        elif action < SET_CHALLENGE:
            s.claim[seat] = action - SET_CLAIM + 2
        elif action < SET_ATTACK:
            s.challenge[seat] = action - SET_CHALLENGE + 1
        elif action < SET_DEFENCE:
            s.attack[seat] = action - SET_ATTACK + 1
        else:
            s.defence[seat] = action - SET_DEFENCE + 1


# DU 2: the initial bid


@rule
def close_bid(box, s):
    """End the bidding: place the seats on A to J by bid and collect the bids (DU 2.1).

    A missing bid is 0 (DU 2.2).
    """
    place_by_bid(s)
    for seat in range(TEN):
        amount = saved(s.bid[seat], 0)
        paid = amount if box.all_pay or s.space[seat] < TOP_SPACES else 0
        s.garnets[seat] -= paid
        event(s, BIDDEN, 2_01, seat, amount, paid, audience=only(seat))
    tell_places(s, TOP, 2_02)
    open_claim(s)


# DU 3: the claim phase


@rule
def open_claim(s):
    """Start a round and its claim phase, in which seats claim tickets and challenge spaces (DU 3.1, 3.3)."""
    s.round_number += 1
    for seat in range(TEN):
        s.target[seat] = 0
        s.attack[seat] = 0
        s.defence[seat] = 0
    event(s, CLAIM_OPENED, 3_01, s.round_number)
    open_phase(s, CLAIM, EVERYBODY)


@rule
def is_challenged(s, space):
    """Return whether any seat challenges a space in this round."""
    challenged = False
    for seat in range(TEN):
        challenged |= s.target[seat] == space + 1
    return challenged


@rule
def close_claim(s):
    """End the claim phase: hand out tickets in secret (DU 3.1, 3.5) and reveal all challenges (DU 3.6)."""
    for tickets in range(1, MOST_CLAIM + 1):
        asking = askers(s, tickets, DEFAULT_CLAIM)
        taking = takers(s, tickets, asking, True)
        for seat in range(TEN):
            if taking >> seat & 1:
                s.tickets[seat] += tickets
                event(s, GOT, 3_05, seat, tickets, audience=only(seat))
            elif asking >> seat & 1:
                event(s, MISSED, 3_05, seat, tickets, audience=only(seat))
    fighting = 0
    for place in range(TOP_SPACES, TEN):
        seat = int(s.at[place])
        # The default challenge is the space further right (DU 3.4).
        space = saved(s.challenge[seat], LEFT_ABOVE[place] + 1)
        s.target[seat] = space + 1
        fighting |= 1 << seat | 1 << int(s.at[space])
        event(s, CHALLENGED, 3_06, seat, space, s.at[space])
    event(s, BATTLE_OPENED, 4_01, s.round_number)
    open_phase(s, BATTLE, fighting)


# DU 4: the battle phase


@rule
def close_battle(s):
    """End the battle phase: settle the battles from space A on, top layer down, left to right (DU 4.3, 4.6)."""
    paid_attack, paid_defence, defending = 0, 0, 0
    for space in range(BOTTOM):
        defending |= int(is_challenged(s, space)) << int(s.at[space])
    for space in range(BOTTOM):
        if is_challenged(s, space):
            attacker = fight(s, space)
            if attacker == NOBODY:
                paid_defence |= 1 << int(s.at[space])
            else:
                paid_attack |= 1 << attacker
    for seat in range(TEN):
        if int(s.acting) >> seat & 1:
            attack, defence = saved(s.attack[seat], 0), saved(s.defence[seat], 0)
            paid = attack * (paid_attack >> seat & 1) + defence * (paid_defence >> seat & 1)
            attack = attack if s.target[seat] > 0 else NO_PART
            defence = defence if defending >> seat & 1 else NO_PART
            event(s, USED, 4_04, seat, attack, defence, paid, audience=only(seat))
    if s.round_number < ROUNDS:
        open_claim(s)
    else:
        end_game(s)


@rule
def fight(s, space):
    """Settle the battle for a space: its largest attack against its occupant's defence (DU 4.2, 4.4, 4.5).

    Returns the attacker who won and paid, or NOBODY if the defender won.
    """
    defender, attacker, attackers = int(s.at[space]), NOBODY, 0
    for seat in range(TEN):
        if s.target[seat] == space + 1:
            attackers |= 1 << seat
            if attacker == NOBODY or beats(s, seat, attacker):
                attacker = seat
    attack, defence = saved(s.attack[attacker], 0), saved(s.defence[defender], 0)
    if attack <= defence:
        s.tickets[defender] -= defence
        s.won[defender] = int(s.won[defender]) | 1 << int(s.round_number) - 1
        event(s, HELD, 4_04, defender, space, attackers)
        return NOBODY
    s.tickets[attacker] -= attack
    s.won[attacker] = int(s.won[attacker]) | 1 << int(s.round_number) - 1
    down = int(s.space[attacker])
    s.space[attacker], s.space[defender] = space, down
    s.at[space], s.at[down] = attacker, defender
    event(s, TOOK, 4_04 if attackers & (attackers - 1) == 0 else 4_05, attacker, defender, space, attackers)
    return attacker


@rule
def beats(s, attacker, other):
    """Return whether one attack on a space beats another: more tickets, or as many and more priority (DU 4.5)."""
    mine, theirs = saved(s.attack[attacker], 0), saved(s.attack[other], 0)
    return mine > theirs or (mine == theirs and s.priority[attacker] > s.priority[other])


# DU 5: the end


@rule
def end_game(s):
    """End the game: name the elimination candidate, award tokens of life, pay a garnet per ticket (DU 5.1 to 5.5)."""
    s.ec = s.at[BOTTOM]
    rich = int(s.at[0])
    for place in range(TEN):
        seat = int(s.at[place])
        if place < TOP_SPACES:
            s.tol[seat] = 1
        # Equal tickets: higher layer first, then priority (DU 5.2).
        if place < BOTTOM:
            lead = int(s.tickets[seat]) - int(s.tickets[rich])
            if lead > 0 or (lead == 0 and is_ahead(s, seat, rich, True)):
                rich = seat
        s.garnets[seat] += s.tickets[seat]
        s.final_tickets[seat] = s.tickets[seat]
        event(s, REVEALED, 5_04, seat, s.tickets[seat], s.garnets[seat])
    event(s, BANKRUPT, 5_01, s.ec)
    s.tol[rich] += 2
    event(s, RICH, 5_02, rich, s.tickets[rich])
    top = 0
    for place in range(TOP_SPACES):
        top |= 1 << int(s.at[place])
    event(s, TOKENS, 5_03, top)
    s.winners = top | 1 << rich
    event(s, ENDED, 5_05)
    finish(s, 5_05)


@rule
def timeout(box, s, seat):
    """Return the action that is taken for an absent seat: confirm what it has saved."""
    return CONFIRM
