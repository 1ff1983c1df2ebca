"""Rules of Pyramid-Sham-Bo, in the order of the rulebook. `SB` numbers refer to rules.md."""

from __future__ import annotations

import numpy as np

from pyramidion.engine.events import event
from pyramidion.engine.random import below, random_word
from pyramidion.engine.rule import rule
from pyramidion.engine.simultaneous import open_step, submit
from pyramidion.engine.softmax import share_the_win
from pyramidion.engine.turns import seat_after
from pyramidion.games.pyramid_shambo.layout import (
    ACTIONS,
    ALL,
    CHALLENGE,
    CHANGE,
    EVENTS,
    EXACT,
    GONE,
    N_SIZES,
    NO_WAY,
    NOBODY,
    PAY,
    PIECES,
    RETURN,
    THROW,
    TRADE,
    WITH_CHANGE,
    WITH_TRADE,
)
from pyramidion.games.pyramid_shambo.payment import way_to_pay
from pyramidion.games.pyramid_shambo.piece_selection import (
    choose,
    chosen_of,
    chosen_pips,
    enough,
    exchange,
    family,
    may_choose,
    move,
    open_sizes,
)

DARE, SHOW = ACTIONS.challenge, ACTIONS.throw

STARTS, CHALLENGED, TIED, CALLED_OFF, WON = EVENTS.starts, EVENTS.challenged, EVENTS.tied, EVENTS.called_off, EVENTS.won
RAISED, TRADED, PAID, BONUS = EVENTS.raised, EVENTS.traded, EVENTS.paid, EVENTS.bonus
CHANGED, OUT, ENDED = EVENTS.changed, EVENTS.out, EVENTS.ended


@rule
def setup(box, s):
    """Give each seat the trio of its colour, or its larger pieces (SB 1.1), and draw the start player (SB 2.1)."""
    smallest = N_SIZES - box.pyramids
    for piece in range(PIECES):
        seat = piece // N_SIZES
        s.holder[piece] = seat if seat < s.seats and piece % N_SIZES >= smallest else GONE
    for seat in range(s.seats):
        for size in range(smallest, N_SIZES):
            s.count[seat, size] = 1
    s.payer = NOBODY
    s.active = below(s.rng, s.seats)
    event(s, STARTS, 2_01, s.active)
    ask(s, CHALLENGE, s.active)


@rule
def ask(s, phase, seat):
    """Wait for one seat to make the decision of a phase."""
    s.phase = phase
    s.acting = 1 << int(seat)


@rule
def legal(box, s, seat, out):
    """Write the ids of `seat`'s legal actions to `out` in ascending order; return the count."""
    n = 0
    if s.phase == CHALLENGE:
        for other in range(s.seats):
            out[n] = DARE + other
            n += int(other != seat) & int(s.out_at[other] == 0)
        return n
    if s.phase == THROW:
        for throw in range(3):
            out[throw] = SHOW + throw
        return 3
    first, sizes = family(s), open_sizes(box, s)
    for piece in range(N_SIZES * s.seats):
        out[n] = first + piece
        n += may_choose(s, piece, sizes)
    return n


@rule
def apply(box, s, seat, action):
    """Apply a legal action and advance to the next decision."""
    if s.phase == CHALLENGE:
        challenge(s, seat, action - DARE)
    elif s.phase == THROW:
        s.throw[seat] = action - SHOW + 1
        if submit(s, seat):
            reveal(box, s)
    else:
        choose(s, action - family(s))
        if enough(box, s):
            finish_choice(box, s)


# SB 2: turns


@rule
def players_left(s):
    """Return how many players are still in the game."""
    left = 0
    for seat in range(s.seats):
        left += int(s.out_at[seat] == 0)
    return left


@rule
def challenge(s, seat, other):
    """Start the challenge of one player by another (SB 2.1), and ask both for a throw (SB 2.2)."""
    s.opponent = other
    s.challenges += 1
    s.ties = 0
    event(s, CHALLENGED, 2_01, seat, other)
    s.phase = THROW
    open_step(s, 1 << int(seat) | 1 << int(other))


@rule
def challenge_fee(s):
    """Return the loser's fee for this challenge: 1 plus 1 per tie, doubled if only two players are left (SB 2.3)."""
    fee = 1 + int(s.ties)
    return 2 * fee if players_left(s) == 2 else fee


@rule
def reveal(box, s):
    """Reveal both throws: after a tie both throw again at a higher fee, otherwise one has won (SB 2.2, 2.3)."""
    seat, other = int(s.active), int(s.opponent)
    thrown, against = int(s.throw[seat]) - 1, int(s.throw[other]) - 1
    s.throw[seat], s.throw[other] = 0, 0
    s.reveal_seat[0], s.reveal_seat[1] = seat, other
    s.reveal_throw[0], s.reveal_throw[1] = thrown + 1, against + 1
    s.thrown[seat, thrown] += 1
    s.thrown[other, against] += 1
    if thrown == against:
        s.ties += 1
        goes_on = s.ties < box.tie_limit
        event(s, TIED, 2_03, seat, other, thrown, challenge_fee(s) if goes_on else 0)
        if goes_on:
            open_step(s, s.acting)
        else:
            event(s, CALLED_OFF, 2_02, seat, other, s.ties)
            end_turn(box, s)
        return
    # Each throw beats the one before it: paper beats rock, scissors beat paper, rock beats scissors.
    if (thrown - against) % 3 == 1:
        decide(box, s, seat, other, thrown)
    else:
        decide(box, s, other, seat, against)


@rule
def decide(box, s, winner, loser, throw):
    """Start the loser's payment of the fee; the active player makes all decisions in it (SB 2.4, 3.1).

    `throw` is the winning throw.
    """
    s.winner, s.loser = winner, loser
    s.bonus = 0
    s.payer = loser
    s.fee = challenge_fee(s)
    s.decider = s.active
    event(s, WON, 2_04, winner, loser, throw, s.fee)
    collect(box, s)


# SB 3: payments


@rule
def collect(box, s):
    """Carry out payments until one needs a decision, and end the turn when none is left."""
    while s.payer != NOBODY:
        if begin_payment(box, s):
            return
        pay_all(s)
        finish_payment(box, s)
    end_turn(box, s)


@rule
def begin_payment(box, s):
    """Find a way to pay the fee, raising it until there is one; return whether to ask for pieces (SB 3.2 to 3.6)."""
    asked = int(s.fee)
    way = way_to_pay(box, s, s.payer, s.winner, int(s.fee))
    while way == NO_WAY:
        s.fee += 1
        way = way_to_pay(box, s, s.payer, s.winner, int(s.fee))
    if s.fee > asked:
        event(s, RAISED, 3_06, s.payer, s.fee)
    s.way = way
    if way == ALL:
        return False
    if way == WITH_TRADE:
        ask_for(s, TRADE, s.payer, 0)
    else:
        ask_for(s, PAY, s.payer, s.fee)
    return True


@rule
def ask_for(s, phase, giver, pips):
    """Ask the deciding player to select pieces of the giver worth this many pips.

    With NOBODY as the giver they may be those of any uninvolved player.
    """
    ask(s, phase, s.decider)
    s.giver = giver
    s.need = pips
    for size in range(N_SIZES):
        s.chosen_count[size] = 0


@rule
def finish_choice(box, s):
    """Go on from a complete selection: ask for the change or the other side of the trade, or exchange the pieces."""
    pips = chosen_pips(s)
    if s.phase == TRADE:
        ask_for(s, RETURN, NOBODY, pips)
    elif s.phase == RETURN:
        finish_trade(s)
    elif s.phase == PAY and s.way == WITH_CHANGE:
        ask_for(s, CHANGE, s.winner, pips - int(s.need))
    else:
        paid, change = chosen_of(s, s.payer), chosen_of(s, s.winner)
        exchange(s, s.payer, s.winner)
        tell_paid(s, 3_03 if change == 0 else 3_04, paid)
        if change:
            event(s, CHANGED, 3_04, s.winner, s.payer, change)
        finish_payment(box, s)
        collect(box, s)


@rule
def finish_trade(s):
    """Trade pieces with an uninvolved player; the payer can then pay exactly (SB 3.5, 3.3)."""
    event(s, TRADED, 3_05, s.payer, s.giver, chosen_of(s, s.payer), chosen_of(s, s.giver))
    exchange(s, s.payer, s.giver)
    s.way = EXACT
    ask_for(s, PAY, s.payer, s.fee)


@rule
def pay_all(s):
    """Hand all of the payer's pieces to the winner, since they are worth no more than the fee (SB 3.2)."""
    pieces = 0
    for piece in range(N_SIZES * s.seats):
        if s.holder[piece] == s.payer:
            pieces |= 1 << piece
            move(s, piece, s.winner)
    tell_paid(s, 3_02, pieces)


@rule
def tell_paid(s, rule_number, pieces):
    """Send the event for a payment, of the challenge fee or of a bonus (SB 4.2)."""
    if s.bonus:
        event(s, BONUS, 4_02, s.payer, s.winner, pieces, s.fee)
    else:
        event(s, PAID, rule_number, s.payer, s.winner, pieces, s.fee)


# SB 4: knock-outs


@rule
def holds_none(s, seat):
    """Return whether a seat holds no pieces."""
    return s.count[seat, 0] + s.count[seat, 1] + s.count[seat, 2] == 0


@rule
def finish_payment(box, s):
    """Knock players out as a payment demands it, then begin the next payment, if any (SB 4)."""
    loser_out = s.bonus == 0 and holds_none(s, s.loser)
    if loser_out:
        knock_out(s, s.loser, 4_01)
    s.payer = NOBODY
    if loser_out or s.bonus > 0:
        cascade = knock_out_the_empty(s)
        if not (cascade and box.cascade_ends_bonuses):
            next_bonus(box, s)


@rule
def knock_out(s, seat, rule_number):
    """Knock out a player; pieces of their colour leave the game, whoever holds them (SB 4.1)."""
    s.out_at[seat] = s.challenges
    event(s, OUT, rule_number, seat)
    for piece in range(N_SIZES * seat, N_SIZES * seat + N_SIZES):
        # Without a whole trio at the start, some pieces have never been in the game.
        if s.holder[piece] != GONE:
            s.count[s.holder[piece], piece % N_SIZES] -= 1
        s.holder[piece] = GONE


@rule
def knock_out_the_empty(s):
    """Knock out players who have no pieces left, until all have some; return whether any went out (SB 4.3)."""
    before = players_left(s)
    left = before + 1
    while left > players_left(s):
        left = players_left(s)
        for seat in range(s.seats):
            if s.out_at[seat] == 0 and holds_none(s, seat):
                knock_out(s, seat, 4_03)
    return left < before


@rule
def bonus_fee(box, s):
    """Return the pips of a knock-out bonus: 1, or by option 2 if only two players are left (SB 4.2)."""
    return 2 if box.double_bonus and players_left(s) == 2 else 1


@rule
def next_bonus(box, s):
    """Begin the bonus payment of the next player to the winner's left, unless the winner is out (SB 4.2)."""
    s.decider = s.winner
    s.fee = bonus_fee(box, s)
    while s.out_at[s.winner] == 0 and s.bonus < s.seats - 1:
        s.bonus += 1
        seat = seat_after(s, s.winner, s.bonus)
        if s.out_at[seat] == 0:
            s.payer = seat
            return


# SB 5: the end


@rule
def end_turn(box, s):
    """Pass the turn to the next player clockwise (SB 2.4), or end the game if it is over (SB 5.1, 5.2)."""
    s.payer = NOBODY
    if players_left(s) == 1:
        end_game(s, 5_01)
    elif s.challenges >= box.turn_limit:
        end_game(s, 5_02)
    else:
        seat = seat_after(s, s.active, 1)
        while s.out_at[seat] > 0:
            seat = seat_after(s, seat, 1)
        s.active = seat
        ask(s, CHALLENGE, seat)


@rule
def pips(s, seat):
    """Return how many pips a seat's pieces have together."""
    return int(s.count[seat, 0]) + 2 * int(s.count[seat, 1]) + 3 * int(s.count[seat, 2])


@rule
def end_game(s, rule_number):
    """End the game: the last player in the game wins (SB 5.1), or the most pips do, with ties shared (SB 5.2)."""
    s.over = 1
    s.ending = rule_number
    s.phase = 0
    s.acting = 0
    event(s, ENDED, rule_number, rule_number)
    best = 0
    for seat in range(s.seats):
        s.score[seat] = pips(s, seat)
        best = max(best, pips(s, seat))
    for seat in range(s.seats):
        s.winners |= int(s.score[seat] == best) << seat


@rule
def points(box, s, out):
    """Write every seat's pips at the end to `out` (int32[seats])."""
    for seat in range(s.seats):
        out[seat] = s.score[seat]


@rule
def payoff(box, s, out):
    """Write every seat's share of the win to `out` (float64[seats]); the shares add up to 1 (SB 5.1, 5.2)."""
    share_the_win(s, out)


_AWAY_FROM_DRAWS = np.uint64(1 << 40)
"""Start of a range of generator counters that play never reaches."""
_THREE = np.uint64(3)


@rule
def timeout(box, s, seat):
    """Return the action that is taken for an absent seat.

    It challenges the next player, throws at random, and selects the first legal piece. The throw is derived from the
    seed and the round, so that no opponent can predict it.
    """
    if s.phase == CHALLENGE:
        other = seat_after(s, seat, 1)
        while s.out_at[other] > 0:
            other = seat_after(s, other, 1)
        return DARE + other
    if s.phase == THROW:
        round_number = (int(s.challenges) * 256 + int(s.ties)) * 16 + seat
        return SHOW + np.int64(random_word(s.rng, _AWAY_FROM_DRAWS + np.uint64(round_number)) % _THREE)
    first, sizes = family(s), open_sizes(box, s)
    for piece in range(PIECES):
        if may_choose(s, piece, sizes):
            return first + piece
    return first
