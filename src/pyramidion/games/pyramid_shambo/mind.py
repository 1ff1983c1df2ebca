"""What a player of Pyramid-Sham-Bo needs who cannot see a throw in progress: redeal, policy and observation."""

from __future__ import annotations

import math

from pyramidion.engine.mixing import soften
from pyramidion.engine.random import reseed
from pyramidion.engine.rule import rule
from pyramidion.games.pyramid_shambo.choosing import family
from pyramidion.games.pyramid_shambo.layout import CHALLENGE, GONE, MAX_SEATS, N_SIZES, NOBODY, PIECES, THROW
from pyramidion.games.pyramid_shambo.rules import DARE, challenge_fee, legal, pips, players_left

# Tuned in play among random seats and against itself: tests/games/pyramid_shambo/test_mind.py measures the outcome.
COLDNESS = 16.0
KNOCK_OUT = 2.0
RISK_POWER = 0.5
OWN_LOSS = 1.0
# How likely a colour is to leave the game before it ends, seen by another seat: so much, divided by a power of the pips
# that the seat of that colour holds.
LEAVES, LEAVES_POWER = 0.8, 2.0 / 3.0


@rule(wraps_around=True)
def redeal(box, s, seat, chance):
    """Reseed the redacted state `s`, which `seat` (or a spectator, -1) sees.

    The only thing hidden is another seat's throw, and whether it has been made: in this world it has not.
    """
    reseed(s.rng, chance)


@rule
def policy(box, s, seat, ids, weights):
    """Write candidate actions to `ids`, ascending, and their weights (float64, above 0) to `weights`; return how many.

    Throws are uniform whatever has been thrown before: any other habit loses to somebody who counts.
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
    """What winning against a player brings, in pips; what losing costs is the same against everybody.

    The fee is 1 pip, and 1 more with a chance of 1 in 3 each time, up to all that the other holds. All of it knocks the
    other out: that brings a bonus from everybody else (SB 4.2), and takes a colour out of the game (SB 4.1).
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
    """How likely, from 0 to 1, the pieces of a colour are to leave the game while `seat` is in it."""
    return 0.0 if colour == seat else math.pow(max(1, pips(s, colour)), -RISK_POWER)


@rule
def worth_of_piece(s, seat, piece):
    """How good it is for the deciding seat to put a piece forward: one keeps the colours that are likely to stay."""
    doubt = (piece % N_SIZES + 1) * risk(s, seat, piece // N_SIZES)
    holder = int(s.holder[piece])
    if holder == seat:
        return doubt
    # What the payer and the winner give goes to the other of them; what a third gives goes to the payer.
    gets = (s.payer if holder == s.winner else s.winner) if holder in (s.payer, s.winner) else s.payer
    return -doubt if gets == seat else 0.0


@rule
def prospects(box, s, out):
    """Between turns, write the share of the win that every seat may expect to `out` (float64[seats]) and return True.

    Throws are even and what one loses another wins, so a seat wins about as often as it holds a part of all pips, those
    of foreign colours discounted because they may leave the game (by how much: benchmarks/shambo_prospects.py).
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


OBSERVATION = [
    ("phase", 6, "one of challenge, throw, pay, change, trade, return"),
    ("role", 5, "whether the seat is active, challenged, deciding, paying, winning"),
    ("ties", 1, "ties in a row, of 10"),
    ("fee", 1, "what the round or the payment is worth, of 10 pips"),
    ("need", 1, "pips still to be put forward, of 10"),
    ("progress", 1, "challenges, of the turn limit"),
    ("in_game", MAX_SEATS, "seats in the game, from the own one clockwise"),
    ("active", MAX_SEATS, "the active seat, from the own one clockwise"),
    ("opponent", MAX_SEATS, "the challenged seat, from the own one clockwise"),
    ("payer", MAX_SEATS, "the seat that pays, from the own one clockwise"),
    ("winner", MAX_SEATS, "the seat that is paid, from the own one clockwise"),
    ("pips", MAX_SEATS, "pips held, of 20, from the own seat clockwise"),
    ("throws", 3 * MAX_SEATS, "share of rock, paper, scissors among each seat's throws, from the own one clockwise"),
    ("holder", PIECES * MAX_SEATS, "holder of each piece, both from the own seat and colour clockwise"),
    ("chosen", PIECES, "pieces put forward, from the own colour clockwise"),
]


@rule
def observe(box, s, seat, out):
    """Write what a seat sees to `out` (float32), as OBSERVATION says; seats are counted clockwise from the own one."""
    n = int(s.seats)
    paying = s.phase > THROW
    for i in range(out.shape[0]):
        out[i] = 0.0
    if s.phase > 0:
        out[int(s.phase) - 1] = 1.0
    out[6] = int(s.active == seat)
    out[7] = int(s.phase == THROW and s.opponent == seat)
    out[8] = int(paying and s.decider == seat)
    out[9] = int(paying and s.payer == seat)
    out[10] = int(paying and s.winner == seat)
    out[11] = s.ties / 10.0
    out[12] = (s.fee if paying else challenge_fee(s)) / 10.0
    if paying:
        out[13] = (s.need - s.chosen_count[0] - 2.0 * s.chosen_count[1] - 3.0 * s.chosen_count[2]) / 10.0
    out[14] = s.challenges / box.turn_limit
    at = 15
    mark(s, seat, s.active, out, at + MAX_SEATS)
    if s.phase == THROW:
        mark(s, seat, s.opponent, out, at + 2 * MAX_SEATS)
    if paying:
        mark(s, seat, s.payer, out, at + 3 * MAX_SEATS)
        mark(s, seat, s.winner, out, at + 4 * MAX_SEATS)
    for i in range(n):
        other = (seat + i) % n
        out[at + i] = int(s.out_at[other] == 0)
        out[at + 5 * MAX_SEATS + i] = pips(s, other) / 20.0
        thrown = int(s.thrown[other, 0]) + int(s.thrown[other, 1]) + int(s.thrown[other, 2])
        for throw in range(3):
            out[at + 6 * MAX_SEATS + 3 * i + throw] = s.thrown[other, throw] / max(1, thrown)
        for size in range(N_SIZES):
            piece = N_SIZES * other + size
            place = at + 9 * MAX_SEATS + (N_SIZES * i + size) * MAX_SEATS
            if s.holder[piece] != NOBODY:
                out[place + (int(s.holder[piece]) - seat) % n] = 1.0
            out[at + 9 * MAX_SEATS + PIECES * MAX_SEATS + N_SIZES * i + size] = s.chosen[piece]


@rule
def mark(s, seat, other, out, place):
    """Mark a seat, counted clockwise from `seat`."""
    out[place + (int(other) - seat) % int(s.seats)] = 1.0
