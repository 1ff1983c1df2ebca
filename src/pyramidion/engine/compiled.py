"""What Python calls: a game's rules closed into entry points over arrays of one box and one state.

Numba hands an array from Python to compiled code four times faster than a record, so each entry point takes `boxes` and
`states`, structured arrays of shape (1,), and passes the records on.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from pyramidion.engine import entries


class Compiled:
    """A game's entry points, each compiled when it is first asked for.

    `states`, `boxes`: structured arrays of shape (1,); `seat`, `action`: whole numbers; `buffer`, `out`: int32
    arrays as
    long as the action space.
    """

    def __init__(self, rules: Any, mind: Any) -> None:
        self._rules, self._mind = rules, mind

    @cached_property
    def setup(self) -> Any:
        """`setup(boxes, states)`: bring zeroed states with `seats` and `rng` set to the opening."""
        return entries.make_one_state(self._rules.setup)

    @cached_property
    def legal(self) -> Any:
        """`legal(boxes, states, seat, out) -> n`: fill the legal action ids, ascending; 0 for a seat that may not
        act.
        """
        return entries.make_legal(self._rules.legal)

    @cached_property
    def step(self) -> Any:
        """`step(boxes, states, seat, action, buffer) -> reason`: play an action if it is legal, else change nothing."""
        return entries.make_step(self._rules.legal, self._rules.apply)

    @cached_property
    def payoff(self) -> Any:
        """`payoff(boxes, states, out)`: fill float64 payoffs of a finished state, one per seat."""
        return entries.make_fill(self._rules.payoff)

    @cached_property
    def points(self) -> Any:
        """`points(boxes, states, out)`: fill int32 points of a finished state, one per seat."""
        return entries.make_fill(self._rules.points)

    @cached_property
    def timeout(self) -> Any:
        """`timeout(boxes, states, seat) -> action`: what an absent seat does."""
        return entries.make_seat(self._rules.timeout)

    @cached_property
    def redeal(self) -> Any:
        """`redeal(boxes, states, seat, chance)`: refill what `seat` cannot see in a redacted state, and reseed it."""
        return entries.make_seat_with(self._mind.redeal)

    @cached_property
    def observe(self) -> Any:
        """`observe(boxes, states, seat, out)`: fill the float32 observation of a seat from a redacted state."""
        return entries.make_seat_with(self._mind.observe)

    @cached_property
    def policy(self) -> Any:
        """`policy(boxes, states, seat, ids, weights) -> n`: fill candidate actions and how much each is worth
        trying.
        """
        return entries.make_policy(self._mind.policy)

    @cached_property
    def playouts(self) -> Any:
        """`playouts(boxes, states, raw, seats, chance, games, limit, buffer, tally)`: play uniformly random games."""
        return entries.make_playouts(self._rules.setup, self._rules.legal, self._rules.apply)

    @cached_property
    def policy_playouts(self) -> Any:
        """`policy_playouts(...)`: play games with a mix of policy and random seats; see
        `entries.make_policy_playouts`.
        """
        return entries.make_policy_playouts(self._rules, self._mind)
