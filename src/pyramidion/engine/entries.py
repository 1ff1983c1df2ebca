"""Factories for a game's entry points (`engine.compiled`): compiled closures over its rules."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyramidion.engine.rule import rule

OVER, NOT_DUE, ILLEGAL = 1, 2, 3
"""Reasons why `step` changed nothing; it returns 0 after playing an action."""


def make_one_state(body: Any) -> Any:
    """Return an entry point for the rule `body(box, s)`: it takes arrays of shape (1,) and passes on their records."""

    @rule
    def entry(boxes, states):
        body(boxes[0], states[0])

    return entry


def make_fill(body: Any) -> Any:
    """Return an entry point for the rule `body(box, s, out)`, as `make_one_state` does."""

    @rule
    def entry(boxes, states, out):
        body(boxes[0], states[0], out)

    return entry


def make_seat(body: Any) -> Any:
    """Return an entry point for the rule `body(box, s, seat)`, as `make_one_state` does."""

    @rule
    def entry(boxes, states, seat):
        return body(boxes[0], states[0], seat)

    return entry


def make_seat_with(body: Any) -> Any:
    """Return an entry point for the rule `body(box, s, seat, extra)`, as `make_one_state` does."""

    @rule
    def entry(boxes, states, seat, extra):
        body(boxes[0], states[0], seat, extra)

    return entry


def make_observe(observe: Any, dtype: Any) -> Any:
    """Return an entry point for `observe(box, s, seat, o)`: the record `o`, of `dtype`, views a float32 vector."""

    @rule
    def entry(boxes, states, seat, out):
        out[:] = 0.0
        observe(boxes[0], states[0], seat, out.view(dtype)[0])

    return entry


def list_of(actions: int) -> np.dtype[Any]:
    """Return the record dtype as which loops view a buffer of `actions` action ids (int32).

    Numba counts references to an array that is passed on, twice for every decision, but not to a record's.
    """
    return np.dtype((np.record, np.dtype([("ids", np.int32, (actions,))])))


def make_policy(policy: Any) -> Any:
    """Return an entry point for the rule `policy(box, s, seat, ids, weights)`, as `make_one_state` does."""

    @rule
    def entry(boxes, states, seat, ids, weights):
        return policy(boxes[0], states[0], seat, ids, weights)

    return entry


@rule
def may_act(s, seat):
    """Return whether a seat's decision is due and not yet submitted, or the seat is free to act."""
    return s.over == 0 and (((int(s.acting) & ~int(s.submitted)) | int(s.free)) >> seat) & 1 == 1


def make_legal(legal: Any, listed: Any) -> Any:
    """Return an entry point for the rule `legal(box, s, seat, out)` that returns 0 for a seat that may not act.

    `listed` is the dtype of `list_of`.
    """

    @rule
    def entry(boxes, states, seat, out):
        s = states[0]
        return legal(boxes[0], s, seat, out.view(listed)[0].ids) if may_act(s, seat) else 0

    return entry


def make_step(legal: Any, apply: Any, listed: Any) -> Any:
    """Return an entry point that plays one action if it is legal; it takes arrays of shape (1,)."""

    @rule
    def entry(boxes, states, seat, action, buffer):
        """Apply `action` if it is legal and return 0; otherwise return OVER, NOT_DUE or ILLEGAL and change nothing."""
        box, s = boxes[0], states[0]
        if s.over:
            return OVER
        if not may_act(s, seat):
            return NOT_DUE
        count = legal(box, s, seat, buffer.view(listed)[0].ids)
        place = np.searchsorted(buffer[:count], action)
        if place == count or buffer[place] != action:
            return ILLEGAL
        s.ply += 1
        s.event_count = 0
        apply(box, s, seat, action)
        return 0

    return entry


_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


@rule(wraps_around=True)
def quick_below(chance, bound):
    """Draw a number from 0 to `bound` - 1 for the random player; `chance` (uint64[1]) is a generator, splitmix64.

    Fast (Steele, Lea, Flood 2014), but slightly biased: by less than `bound` / 2**32. Rules draw with `engine.random`
    instead.
    """
    chance[0] += _GAMMA
    z = chance[0]
    z = (z ^ (z >> _S30)) * _MIX1
    z = (z ^ (z >> _S27)) * _MIX2
    z ^= z >> _S31
    return np.int64(((z >> _S32) * np.uint64(bound)) >> _S32)


@rule
def bits_of(mask):
    """Return how many of the bits 0 to 15 are set, by adding pairs, fours, eights and halves."""
    pairs = mask - ((mask >> 1) & 0x5555)
    fours = (pairs & 0x3333) + ((pairs >> 2) & 0x3333)
    eights = (fours + (fours >> 4)) & 0x0F0F
    return (eights + (eights >> 8)) & 31


@rule
def due_seat(s, chance):
    """Return the seat whose decision is due; if there are several, one of them drawn with `chance`."""
    mask = np.int64(int(s.acting) & ~int(s.submitted))
    if mask & (mask - 1):
        for _ in range(quick_below(chance, bits_of(mask))):
            mask &= mask - 1
        mask &= -mask
    # Branch-free index of the only set bit: each mask selects the positions with one bit of the index set.
    return (
        int(mask & 0xAAAA != 0)
        + 2 * int(mask & 0xCCCC != 0)
        + 4 * int(mask & 0xF0F0 != 0)
        + 8 * int(mask & 0xFF00 != 0)
    )


@rule
def first_due(s, first):
    """Return the first seat whose decision is due, counted clockwise from the seat `first`, or -1."""
    due = int(s.acting) & ~int(s.submitted)
    if due == 0:
        return -1
    seat = first
    while (due >> seat) & 1 == 0:
        seat = (seat + 1) % int(s.seats)
    return seat


@rule
def open_game(s, raw, seats, chance):
    """Zero the state `s` through its bytes `raw`, then set its number of seats and a generator drawn from `chance`."""
    raw[:] = 0
    s.seats = seats
    for word in range(2):
        # The mover's generator only seeds the state's own, from which the rules draw.
        high = quick_below(chance, 1 << 31)
        s.rng[word] = np.uint64((high << 32) | quick_below(chance, 1 << 31))


def make_playouts(setup: Any, legal: Any, apply: Any, listed: Any) -> Any:
    """Return an entry point that plays uniformly random games, and counts the games and their decisions."""

    @rule
    def entry(boxes, states, raw, seats, chance, games, limit, buffer, tally):
        """Play `games` random games to the end; `raw` is the memory of `states` (uint8), `chance` uint64[1].

        Adds decisions to tally[0] and games that ended within `limit` decisions to tally[1] (int64[2]).
        """
        box, s, listed_ids = boxes[0], states[0], buffer.view(listed)[0]
        for _ in range(games):
            open_game(s, raw, seats, chance)
            setup(box, s)
            decisions = 0
            while s.over == 0 and decisions < limit:
                seat = due_seat(s, chance)
                count = legal(box, s, seat, listed_ids.ids)
                s.ply += 1
                s.event_count = 0
                apply(box, s, seat, listed_ids.ids[quick_below(chance, count)])
                decisions += 1
            tally[0] += decisions
            tally[1] += s.over

    return entry


@rule
def weighted(weights, count, chance):
    """Draw an index below `count` with probability proportional to `weights` (not negative, not all 0).

    `chance` is a generator as for `quick_below`.
    """
    total = 0.0
    for i in range(count):
        total += weights[i]
    left = total * quick_below(chance, 1 << 30) / (1 << 30)
    for i in range(count):
        left -= weights[i]
        if left < 0.0:
            return i
    return count - 1


def make_observed_range(rules: Any, mind: Any, dtype: Any) -> Any:
    """Return an entry point that plays games and notes the bounds of each number that is observed."""
    setup, legal, apply, policy, observe = rules.setup, rules.legal, rules.apply, mind.policy, mind.observe

    @rule
    def entry(boxes, states, raw, seats, chance, games, limit, by_policy, ids, weights, vector, low, high):
        """Play `games` games, by the policy if `by_policy` is 1 or at random; return the number of observations.

        At every position a seat at random observes. `vector`, `low` and `high` are float32[size]; a number that is none
        is noted, too. The rest is as in `make_playouts`. Observations need no redacted state: they ignore secrets.
        """
        box, s, o, count = boxes[0], states[0], vector.view(dtype)[0], 0
        for _ in range(games):
            open_game(s, raw, seats, chance)
            setup(box, s)
            for _ in range(limit + 1):
                vector[:] = 0.0
                observe(box, s, quick_below(chance, seats), o)
                count += 1
                for i in range(vector.shape[0]):
                    if not low[i] <= vector[i]:
                        low[i] = vector[i]
                    if not high[i] >= vector[i]:
                        high[i] = vector[i]
                if s.over:
                    break
                seat = due_seat(s, chance)
                if by_policy:
                    action = ids[weighted(weights, policy(box, s, seat, ids, weights), chance)]
                else:
                    action = ids[quick_below(chance, legal(box, s, seat, ids))]
                s.ply += 1
                s.event_count = 0
                apply(box, s, seat, action)
        return count

    return entry


def make_policy_playouts(rules: Any, mind: Any) -> Any:
    """Return an entry point that plays games in which some seats follow the policy and the others play at random."""
    setup, legal, apply, payoff, policy = rules.setup, rules.legal, rules.apply, rules.payoff, mind.policy

    @rule
    def entry(boxes, states, raw, seats, policy_seats, chance, games, limit, buffer, weights, payoffs, totals):
        """Play `games` games; seats in the mask `policy_seats` draw from the policy, the others play at random.

        `totals` is float64[3, seats]: totals[0] sums each seat's payoffs, totals[1] their squares; totals[2, 0] counts
        decisions, totals[2, 1] finished games. The state is not redacted: tests show that policies ignore secrets.
        """
        box, s = boxes[0], states[0]
        for _ in range(games):
            open_game(s, raw, seats, chance)
            setup(box, s)
            decisions = 0
            while s.over == 0 and decisions < limit:
                seat = due_seat(s, chance)
                if (policy_seats >> seat) & 1:
                    count = policy(box, s, seat, buffer, weights)
                    action = buffer[weighted(weights, count, chance)]
                else:
                    count = legal(box, s, seat, buffer)
                    action = buffer[quick_below(chance, count)]
                s.ply += 1
                s.event_count = 0
                apply(box, s, seat, action)
                decisions += 1
            payoff(box, s, payoffs)
            totals[2, 0] += decisions
            totals[2, 1] += s.over
            for seat in range(seats):
                totals[0, seat] += payoffs[seat]
                totals[1, seat] += payoffs[seat] * payoffs[seat]

    return entry


@rule
def note(where, much, i, k, feature, value):
    """Write a feature of candidate `i` as its entry `k`: its number to `where`, its value to `much`; return `k` + 1.

    `bots.learned_policy` makes the arrays and reads them: a row for each candidate, a column for each entry.
    """
    where[i, k] = feature
    much[i, k] = value
    return k + 1
