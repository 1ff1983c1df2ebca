"""What Python calls: a game's rules closed into entry points over arrays of one box and one state.

Numba hands an array from Python to compiled code four times faster than a record, so each entry point takes `boxes` and
`states`, structured arrays of shape (1,), and passes the records on.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from pyramidion.engine.rule import rule

OVER, NOT_DUE, ILLEGAL = 1, 2, 3
"""Why `step` changed nothing; 0 says that it did."""


class Compiled:
    """A game's entry points, each compiled when it is first asked for.

    `states`, `boxes`: structured arrays of shape (1,); `seat`, `action`: whole numbers; `buffer`, `out`: int32 arrays as
    long as the action space.
    """

    def __init__(self, rules: Any, mind: Any) -> None:
        self._rules, self._mind = rules, mind

    @cached_property
    def setup(self) -> Any:
        """`setup(boxes, states)`: bring zeroed states with `seats` and `rng` set to the opening."""
        return _one_state(self._rules.setup)

    @cached_property
    def legal(self) -> Any:
        """`legal(boxes, states, seat, out) -> n`: fill the legal action ids, ascending; 0 for a seat that may not act."""
        return _legal(self._rules.legal)

    @cached_property
    def step(self) -> Any:
        """`step(boxes, states, seat, action, buffer) -> reason`: play an action if it is legal, else change nothing."""
        return _step(self._rules.legal, self._rules.apply)

    @cached_property
    def payoff(self) -> Any:
        """`payoff(boxes, states, out)`: fill float64 payoffs of a finished state, one per seat."""
        return _fill(self._rules.payoff)

    @cached_property
    def points(self) -> Any:
        """`points(boxes, states, out)`: fill int32 points of a finished state, one per seat."""
        return _fill(self._rules.points)

    @cached_property
    def timeout(self) -> Any:
        """`timeout(boxes, states, seat) -> action`: what an absent seat does."""
        return _seat(self._rules.timeout)

    @cached_property
    def redeal(self) -> Any:
        """`redeal(boxes, states, seat, chance)`: refill what `seat` cannot see in a redacted state, and reseed it."""
        return _seat_with(self._mind.redeal)

    @cached_property
    def observe(self) -> Any:
        """`observe(boxes, states, seat, out)`: fill the float32 observation of a seat from a redacted state."""
        return _seat_with(self._mind.observe)

    @cached_property
    def policy(self) -> Any:
        """`policy(boxes, states, seat, ids, weights) -> n`: fill candidate actions and how much each is worth trying."""
        return _policy(self._mind.policy)

    @cached_property
    def playouts(self) -> Any:
        """`playouts(boxes, states, raw, seats, chance, games, limit, buffer, tally)`: play uniformly random games."""
        return _playouts(self._rules.setup, self._rules.legal, self._rules.apply)

    @cached_property
    def policy_playouts(self) -> Any:
        """`policy_playouts(...)`: play games with a mix of policy and random seats; see `_policy_playouts`."""
        return _policy_playouts(self._rules, self._mind)


def _one_state(body: Any) -> Any:
    @rule
    def entry(boxes, states):
        body(boxes[0], states[0])

    return entry


def _fill(body: Any) -> Any:
    @rule
    def entry(boxes, states, out):
        body(boxes[0], states[0], out)

    return entry


def _seat(body: Any) -> Any:
    @rule
    def entry(boxes, states, seat):
        return body(boxes[0], states[0], seat)

    return entry


def _seat_with(body: Any) -> Any:
    @rule
    def entry(boxes, states, seat, extra):
        body(boxes[0], states[0], seat, extra)

    return entry


def _policy(policy: Any) -> Any:
    @rule
    def entry(boxes, states, seat, ids, weights):
        return policy(boxes[0], states[0], seat, ids, weights)

    return entry


@rule
def may_act(s, seat):
    """Whether a seat's decision is due and not yet submitted, or the seat is free to act."""
    return s.over == 0 and (((int(s.acting) & ~int(s.submitted)) | int(s.free)) >> seat) & 1 == 1


def _legal(legal: Any) -> Any:
    @rule
    def entry(boxes, states, seat, out):
        s = states[0]
        return legal(boxes[0], s, seat, out) if may_act(s, seat) else 0

    return entry


def _step(legal: Any, apply: Any) -> Any:
    @rule
    def entry(boxes, states, seat, action, buffer):
        box, s = boxes[0], states[0]
        if s.over:
            return OVER
        if not may_act(s, seat):
            return NOT_DUE
        count = legal(box, s, seat, buffer)
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
    """A whole number from 0 to `bound` - 1 for the random mover: splitmix64 (Steele, Lea, Flood 2014), uint64[1].

    Fast rather than exactly uniform: off by less than `bound` / 2**32. Rules themselves draw with `engine.random`.
    """
    chance[0] += _GAMMA
    z = chance[0]
    z = (z ^ (z >> _S30)) * _MIX1
    z = (z ^ (z >> _S27)) * _MIX2
    z ^= z >> _S31
    return np.int64(((z >> _S32) * np.uint64(bound)) >> _S32)


@rule
def due_seat(s, chance):
    """A seat whose decision is due: the only one, or one of several at random."""
    mask = int(s.acting) & ~int(s.submitted)
    if mask & (mask - 1):
        nth = 0
        for seat in range(s.seats):
            nth += (mask >> seat) & 1
        nth = quick_below(chance, nth)
        for seat in range(s.seats):
            if (mask >> seat) & 1:
                if nth == 0:
                    return seat
                nth -= 1
    # The place of the only bit, without a branch to guess: the masks pick the numbers whose 1, 2, 4 and 8 are set.
    return (
        int(mask & 0xAAAA != 0) + 2 * int(mask & 0xCCCC != 0) + 4 * int(mask & 0xF0F0 != 0) + 8 * int(mask & 0xFF00 != 0)
    )


@rule
def open_game(s, raw, seats, chance):
    """Zero a state through its bytes `raw`, and give it its seats and a fresh generator."""
    raw[:] = 0
    s.seats = seats
    for word in range(2):
        # The mover's generator only seeds; play itself draws from the state's own.
        high = quick_below(chance, 1 << 31)
        s.rng[word] = np.uint64((high << 32) | quick_below(chance, 1 << 31))


def _playouts(setup: Any, legal: Any, apply: Any) -> Any:
    @rule
    def entry(boxes, states, raw, seats, chance, games, limit, buffer, tally):
        """Play `games` random games to the end; `raw` is the memory of `states` (uint8), `chance` uint64[1].

        Adds decisions to tally[0] and games that ended within `limit` decisions to tally[1] (int64[2]).
        """
        box, s = boxes[0], states[0]
        for _ in range(games):
            open_game(s, raw, seats, chance)
            setup(box, s)
            decisions = 0
            while s.over == 0 and decisions < limit:
                seat = due_seat(s, chance)
                count = legal(box, s, seat, buffer)
                s.ply += 1
                s.event_count = 0
                apply(box, s, seat, buffer[quick_below(chance, count)])
                decisions += 1
            tally[0] += decisions
            tally[1] += s.over

    return entry


@rule
def weighted(weights, count, chance):
    """An index below `count` drawn in proportion to `weights` (not negative, not all 0)."""
    total = 0.0
    for i in range(count):
        total += weights[i]
    left = total * quick_below(chance, 1 << 30) / (1 << 30)
    for i in range(count):
        left -= weights[i]
        if left < 0.0:
            return i
    return count - 1


def _policy_playouts(rules: Any, mind: Any) -> Any:
    setup, legal, apply, payoff, policy = rules.setup, rules.legal, rules.apply, rules.payoff, mind.policy

    @rule
    def entry(boxes, states, raw, seats, policy_seats, chance, games, limit, buffer, weights, payoffs, totals):
        """Play `games` games in which the seats in the bitmask `policy_seats` draw from the policy, the others at random.

        Every seat's payoff is added to totals[0] and its square to totals[1] (float64[2, seats]); totals[2, 0] counts
        decisions, totals[2, 1] finished games. The policy reads no secret of others: a game's own tests prove it.
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
