"""What both minds need: chance for a redealt world, numbers nobody can predict, and what a seat sees (compiled)."""

from __future__ import annotations

import math

import numpy as np

from pyramidion.engine.random import below
from pyramidion.engine.rule import rule
from pyramidion.games.pyramid_of_ten.fields import MOST_CLAIM, START_TICKETS
from pyramidion.games.pyramid_of_ten.spaces import TEN

_32 = np.uint64(32)

PYRAMID = [
    ("phase", 5, "phase as the rules number it, 0: over"),
    ("round", 1, "round, of the rounds there are"),
    ("asked", 1, "whether the own submission is asked for and not confirmed"),
    ("tickets", 1, "own tickets, of 20"),
    ("garnets", 1, "own garnets, of 10"),
    ("priority", 1, "own priority, of 20"),
    ("saved", 3, "1 where the own bid, claim and challenge are saved"),
    ("space", TEN * TEN, "space of each seat, from the own one clockwise"),
    ("target", TEN * TEN, "what each seat challenges, from the own one clockwise: a seat, counted the same way"),
    ("tokens", TEN, "tokens of life of each seat, of 3, from the own one clockwise"),
    ("final", TEN, "tickets laid open at the end, of 20, from the own seat clockwise"),
]
"""The part of both games' observations."""
PYRAMID_SIZE = sum(size for _, size, _ in PYRAMID)


@rule
def forget_submissions(s, seat):
    """In a redealt world the others have saved nothing yet."""
    for other in range(TEN):
        if other != seat:
            s.bid[other] = 0
            s.claim[other] = 0
            s.challenge[other] = 0
            s.parts[other] = 0


@rule
def some_tickets(s, traded, claims, battles, chance):
    """Tickets that a player can well have after so many trades, claims and battles."""
    tickets = START_TICKETS + traded
    for n in range(max(claims, battles)):
        if n < claims:
            tickets += below(chance, MOST_CLAIM)
        if n < battles and below(chance, 3) == 0:
            tickets -= below(chance, tickets + 1)
    return tickets


@rule
def spread_out(first, most, middle, width, ids, weights):
    """Write the actions of the numbers 0 to `most`, weighted by a bell around `middle`; return how many they are."""
    for number in range(most + 1):
        ids[number] = first + number
        off = (number - middle) / width
        weights[number] = math.exp(-min(off * off, 12.0))
    return most + 1


@rule
def add(action, weight, ids, weights, n):
    """Add one candidate; return how many there are."""
    ids[n] = action
    weights[n] = weight
    return n + 1


@rule
def see_pyramid(s, seat, rounds, out):
    """Write the part of the observation that PYRAMID describes to `out` (float32); all else in `out` becomes 0."""
    for i in range(out.shape[0]):
        out[i] = 0.0
    out[int(s.phase)] = 1.0
    out[5] = s.round_number / rounds
    out[6] = (int(s.acting) & ~int(s.submitted)) >> seat & 1
    out[7] = s.tickets[seat] / 20.0
    out[8] = s.garnets[seat] / 10.0
    out[9] = s.priority[seat] / 20.0
    out[10] = int(s.bid[seat] > 0)
    out[11] = int(s.claim[seat] > 0)
    out[12] = int(s.challenge[seat] > 0)
    for i in range(TEN):
        other = (seat + i) % TEN
        if s.space[other] >= 0:
            out[13 + TEN * i + s.space[other]] = 1.0
        out[13 + 2 * TEN * TEN + i] = s.tol[other] / 3.0
        out[13 + 2 * TEN * TEN + TEN + i] = s.final_tickets[other] / 20.0
