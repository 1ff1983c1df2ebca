"""Helpers for the habits of players who search, in both games. Compiled."""

from __future__ import annotations

from pyramidion.engine.random import below
from pyramidion.engine.rule import rule
from pyramidion.games.pyramid_of_ten.fields import BATTLE, CLAIM
from pyramidion.games.pyramid_of_ten.spaces import TEN

SHARES = 10
"""Alternatives of a number up to what is held: none, eight equal parts in between, and all."""
TICKET_STEPS = 4


@rule
def share_of(number, highest):
    """Return which share of what is held (`highest`) a number is, from 0 for nothing to SHARES - 1 for all."""
    if number <= 0:
        return 0
    if number >= highest:
        return SHARES - 1
    return 1 + (number - 1) * (SHARES - 2) // (highest - 1)


@rule
def habit_weights(row, first, highest, ids, weights):
    """Write the actions for the numbers 0 to `highest` and weigh them by habit; return their number.

    `first` is the id of the action for 0. `row` says how often each share is chosen (`share_of`).
    """
    each = (SHARES - 2) / max(SHARES - 2, highest - 1)
    for number in range(highest + 1):
        ids[number] = first + number
        share = share_of(number, highest)
        weights[number] = row[share] * (each if 0 < share < SHARES - 1 else 1.0)
    return highest + 1


@rule
def ticket_step(tickets):
    """Return which range a number of tickets lies in: 0 up to 5, 1 up to 8, 2 up to 12, or 3."""
    return int(tickets > 5) + int(tickets > 8) + int(tickets > 12)


HELD_TICKETS, HELD_GARNETS, HELD_PRIORITY = range(3)
"""The last axis of `Habits.holdings`, which has an axis for games, one for moments, and one for spaces before it."""
DOUBT, COMPARED = 8, 4
"""One world in DOUBT is dealt without habits; the others take the likeliest of COMPARED games."""
MOST_HELD = 30_000
"""Bound on a priority that is noted."""


@rule
def phase_index(s):
    """Return the index of the open phase among the claim and battle phases of all rounds, or -1 if none is open.

    It is an index of the first axis of HOLDINGS_SHAPE.
    """
    return 2 * (int(s.round_number) - 1) + int(s.phase == BATTLE) if s.phase == CLAIM or s.phase == BATTLE else -1


@rule
def write_holdings(s, held):
    """Write the tickets, garnets and priority on each space to `held` (int16[10, 3]), the holdings in one phase."""
    for space in range(TEN):
        seat = s.at[space]
        held[space, HELD_TICKETS] = s.tickets[seat]
        held[space, HELD_GARNETS] = s.garnets[seat]
        held[space, HELD_PRIORITY] = max(-MOST_HELD, min(MOST_HELD, int(s.priority[seat])))


@rule
def similar_game(s, seat, what, own, holdings, chance):
    """Return the index of a recorded game in which a player on the seat's space held about as much, or -1.

    Of COMPARED random games it is the one that is nearest. -1 means none: by chance (DOUBT), without games, or outside
    the phases of a round. `own` is what the seat holds, and `what` the kind of holding (HELD_GARNETS or HELD_PRIORITY).
    `holdings` has the recorded games, phases, spaces and kinds.
    """
    when = phase_index(s)
    if when < 0 or holdings.shape[0] == 0 or below(chance, DOUBT) == 0:
        return -1
    chosen, least = -1, 0
    for _ in range(COMPARED):
        game = below(chance, holdings.shape[0])
        off = abs(int(holdings[game, when, int(s.space[seat]), what]) - own) if seat >= 0 else 0
        if chosen < 0 or off < least:
            chosen, least = game, off
    return chosen


@rule
def copy_holdings(s, seat, held):
    """Give every seat but `seat` the tickets and garnets that were held on its space in a recorded game.

    `held` (int16[10, 3]) has the holdings in one phase of that game.
    """
    for other in range(TEN):
        if other != seat:
            s.tickets[other] = held[int(s.space[other]), HELD_TICKETS]
            s.garnets[other] = held[int(s.space[other]), HELD_GARNETS]
