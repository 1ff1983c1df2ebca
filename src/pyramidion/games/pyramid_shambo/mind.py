"""Redeal, policy and observation for Pyramid-Sham-Bo. Only throws in progress are hidden."""

from __future__ import annotations

import math

from pyramidion.engine.observation import observation_space, part
from pyramidion.engine.random import reseed
from pyramidion.engine.rule import rule
from pyramidion.engine.softmax import soften
from pyramidion.games.pyramid_shambo.layout import (
    CHALLENGE,
    GONE,
    MAX_SEATS,
    MOST_TIES,
    N_SIZES,
    NOBODY,
    THROW,
    THROWS,
)
from pyramidion.games.pyramid_shambo.piece_selection import chosen_pips, family
from pyramidion.games.pyramid_shambo.rules import DARE, challenge_fee, legal, pips, players_left

# Tuned in games against random seats and by self-play; tests/games/pyramid_shambo/test_mind.py measures the strength.
COLDNESS = 16.0
KNOCK_OUT = 2.0
RISK_POWER = 0.5
OWN_LOSS = 1.0
# Probability that a colour leaves the game before it ends, as seen by another seat: LEAVES, divided by the pips of that
# colour's seat to the power LEAVES_POWER.
LEAVES, LEAVES_POWER = 0.8, 2.0 / 3.0


@rule(wraps_around=True)
def redeal(box, s, seat, chance):
    """Reseed the redacted state `s` of `seat` (-1: a spectator), which hides nothing that could be dealt again.

    The only hidden information is another seat's throw, and whether it has been made. The redeal assumes it has not.
    """
    reseed(s.rng, chance)


@rule
def policy(box, s, seat, ids, weights):
    """Write a seat's candidate actions to `ids` (ascending) and positive weights to `weights`; return the count.

    The weights are float64.

    Throws are uniformly random regardless of history: any other habit can be exploited.
    """
    n = legal(box, s, seat, ids)
    for i in range(n):
        if s.phase == THROW:
            weights[i] = 0.0
        elif s.phase == CHALLENGE:
            weights[i] = worth_of_challenge(s, seat, ids[i] - DARE)
        else:
            weights[i] = worth_of_piece(s, seat, ids[i] - family(s))
    soften(weights, n, COLDNESS, -12.0)
    return n


@rule
def worth_of_challenge(s, seat, other):
    """Return the value of challenging a player: the pips that a win brings on average, and what a knock-out adds.

    The cost of losing is the same against everyone and left out. The fee starts at 1 pip and rises by 1 with
    probability 1/3 each time, up to everything the opponent holds. Paying everything knocks the opponent out: that
    earns a bonus from everyone else (SB 4.2) and removes a colour from the game (SB 4.1).
    """
    step = 2.0 if players_left(s) == 2 else 1.0
    won, chance, fee = 0.0, 1.0, step
    held = pips(s, other)
    while fee < held:
        won += chance * 2.0 / 3.0 * fee
        chance /= 3.0
        fee += step
    lost = 0.0
    for size in range(N_SIZES):
        lost += (size + 1) * int(s.holder[N_SIZES * other + size] == seat)
    return won + chance * (held + KNOCK_OUT * (players_left(s) - 2.0) - OWN_LOSS * lost)


@rule
def risk(s, seat, colour):
    """Return the estimated risk (0 to 1) that a colour leaves the game while `seat` is still in it."""
    return 0.0 if colour == seat else math.pow(max(1, pips(s, colour)), -RISK_POWER)


@rule
def worth_of_piece(s, seat, piece):
    """Return the value for `seat` of selecting a piece in a payment: it keeps the colours that are likely to stay."""
    doubt = (piece % N_SIZES + 1) * risk(s, seat, piece // N_SIZES)
    holder = int(s.holder[piece])
    if holder == seat:
        return doubt
    # Pieces of the payer and the winner go to each other; pieces of a third player go to the payer.
    gets = (s.payer if holder == s.winner else s.winner) if holder in (s.payer, s.winner) else s.payer
    return -doubt if gets == seat else 0.0


@rule
def prospects(box, s, out):
    """Write every seat's estimated share of the win to `out` (float64[seats]) if a turn is about to begin.

    Returns whether it has. Throws are even and payments are zero-sum, so a seat's chance of winning is about its share
    of all pips. Pips of foreign colours are discounted, because they may leave the game
    (benchmarks/studies/shambo_prospects.py estimates by how much).
    """
    if s.phase != CHALLENGE:
        return False
    total = 0.0
    for seat in range(s.seats):
        out[seat] = 0.0
    for colour in range(s.seats):
        stays = 1.0 - LEAVES * math.pow(max(1, pips(s, colour)), -LEAVES_POWER)
        for size in range(N_SIZES):
            holder = int(s.holder[N_SIZES * colour + size])
            if holder != GONE:
                worth = (size + 1) * (1.0 if holder == colour else stays)
                out[holder] += worth
                total += worth
    for seat in range(s.seats):
        out[seat] /= total
    return True


MOST_FEE, MOST_PIPS = 2.0 * (1 + MOST_TIES), 6 * MAX_SEATS
OBSERVATION = observation_space(
    phase=part("one of challenge, throw, pay, change, trade, return", 6),
    role=part("whether the seat is active, challenged, deciding, paying, winning", 5),
    ties=part("ties in a row, of 10", high=MOST_TIES / 10),
    fee=part("what the round or the payment is worth, of 10 pips", high=MOST_FEE / 10),
    need=part("pips still to be put forward, of 10", high=MOST_FEE / 10),
    progress=part("challenges, of the turn limit"),
    in_game=part("seats in the game, from the own one clockwise", MAX_SEATS),
    active=part("the active seat, from the own one clockwise", MAX_SEATS),
    opponent=part("the challenged seat, from the own one clockwise", MAX_SEATS),
    payer=part("the seat that pays, from the own one clockwise", MAX_SEATS),
    winner=part("the seat that is paid, from the own one clockwise", MAX_SEATS),
    pips=part("pips held, of 20, from the own seat clockwise", MAX_SEATS, high=MOST_PIPS / 20),
    throws=part(
        "share of rock, paper, scissors among each seat's throws, from the own one clockwise", MAX_SEATS, len(THROWS)
    ),
    holder=part("holder of each piece, both from the own seat and colour clockwise", MAX_SEATS, N_SIZES, MAX_SEATS),
    chosen=part("pieces put forward, from the own colour clockwise", MAX_SEATS, N_SIZES),
)


@rule
def observe(box, s, seat, o):
    """Write what a seat knows to the record `o` of an observation. Seats run clockwise from its own."""
    n = int(s.seats)
    paying = s.phase > THROW
    if s.phase > 0:
        o.phase[int(s.phase) - 1] = 1.0
    o.role[0] = int(s.active == seat)
    o.role[1] = int(s.phase == THROW and s.opponent == seat)
    o.role[2] = int(paying and s.decider == seat)
    o.role[3] = int(paying and s.payer == seat)
    o.role[4] = int(paying and s.winner == seat)
    o.ties = s.ties / 10.0
    o.fee = (s.fee if paying else challenge_fee(s)) / 10.0
    if paying:
        # What is put forward exceeds it while the change or a trade is still open.
        o.need = max(0, int(s.need) - chosen_pips(s)) / 10.0
    o.progress = s.challenges / box.turn_limit
    mark(s, seat, s.active, o.active)
    if s.phase == THROW:
        mark(s, seat, s.opponent, o.opponent)
    if paying:
        mark(s, seat, s.payer, o.payer)
        mark(s, seat, s.winner, o.winner)
    for i in range(n):
        other = (seat + i) % n
        o.in_game[i] = int(s.out_at[other] == 0)
        o.pips[i] = pips(s, other) / 20.0
        thrown = int(s.thrown[other, 0]) + int(s.thrown[other, 1]) + int(s.thrown[other, 2])
        for throw in range(3):
            o.throws[i, throw] = s.thrown[other, throw] / max(1, thrown)
        for size in range(N_SIZES):
            piece = N_SIZES * other + size
            if s.holder[piece] != NOBODY:
                o.holder[i, size, (int(s.holder[piece]) - seat) % n] = 1.0
            o.chosen[i, size] = s.chosen[piece]


@rule
def mark(s, seat, other, marks):
    """Write 1 to `marks` at the position of the seat `other`, counted clockwise from `seat`."""
    marks[(int(other) - seat) % int(s.seats)] = 1.0
