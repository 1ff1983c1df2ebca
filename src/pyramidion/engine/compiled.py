"""A game's compiled entry points: the functions that Python calls.

Numba unboxes an array four times faster than a record. So each entry point takes `boxes` and `states`, structured
arrays of shape (1,), and passes their records to the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from typing import Any

from pyramidion.engine import entries
from pyramidion.engine.layout import Redacted

Observe = Callable[[Any, Redacted, int, Any], None]


class Compiled:
    """A game's entry points: the functions through which Python calls its rules and its mind, compiled on first use.

    `states` and `boxes` are structured arrays of shape (1,); `seat` and `action` are ints; `buffer` is an int32 array
    as long as the action space, and so is `out` where no other form is given.
    """

    def __init__(self, rules: Any, mind: Any, actions: int) -> None:
        self._rules, self._mind, self._listed = rules, mind, entries.list_of(actions)

    @cached_property
    def setup(self) -> Any:
        """`setup(boxes, states)`: set up the initial position in states that are zero but for `seats` and `rng`."""
        return entries.make_one_state(self._rules.setup)

    @cached_property
    def legal(self) -> Any:
        """`legal(boxes, states, seat, out) -> n`: write the ids of the legal actions, ascending, and return how many
        they are; 0 if `seat` may not act.
        """
        return entries.make_legal(self._rules.legal, self._listed)

    @cached_property
    def step(self) -> Any:
        """`step(boxes, states, seat, action, buffer) -> reason`: play an action if it is legal and return 0; if not,
        change nothing and return the reason (`entries.OVER` ...).
        """
        return entries.make_step(self._rules.legal, self._rules.apply, self._listed)

    @cached_property
    def payoff(self) -> Any:
        """`payoff(boxes, states, out)`: write the payoffs of a finished state, float64, one per seat."""
        return entries.make_fill(self._rules.payoff)

    @cached_property
    def points(self) -> Any:
        """`points(boxes, states, out)`: write the points of a finished state, int32, one per seat."""
        return entries.make_fill(self._rules.points)

    @cached_property
    def timeout(self) -> Any:
        """`timeout(boxes, states, seat) -> action`: return the default action of an absent seat."""
        return entries.make_seat(self._rules.timeout)

    @cached_property
    def redeal(self) -> Any:
        """`redeal(boxes, states, seat, chance)`: fill in at random what is hidden in a state redacted for `seat`.

        `chance` is the generator, uint64[4]. It also draws a new generator for the state.
        """
        return entries.make_seat_with(self._mind.redeal)

    @cached_property
    def observe(self) -> Observe:
        """`observe(boxes, states, seat, out)`: write what a seat observes to `out`, float32[size]."""
        return entries.make_observe(self._mind.observe, self._mind.OBSERVATION.dtype)

    @cached_property
    def policy(self) -> Any:
        """`policy(boxes, states, seat, ids, weights) -> n`: write the actions that a bot would consider and the weight
        of each (float64), and return how many they are.
        """
        return entries.make_policy(self._mind.policy)

    @cached_property
    def playouts(self) -> Any:
        """`playouts(boxes, states, raw, seats, chance, games, limit, buffer, tally)`: play uniformly random games to
        their end; see `entries.make_playouts`.
        """
        return entries.make_playouts(self._rules.setup, self._rules.legal, self._rules.apply, self._listed)

    @cached_property
    def observed_range(self) -> Any:
        """Play games and note the lowest and highest value of each number of the observation; see
        `entries.make_observed_range`.
        """
        return entries.make_observed_range(self._rules, self._mind, self._mind.OBSERVATION.dtype)

    @cached_property
    def policy_playouts(self) -> Any:
        """Play games in which some seats follow the policy and the others play at random; see
        `entries.make_policy_playouts`.
        """
        return entries.make_policy_playouts(self._rules, self._mind)


@cache
def policy_entry(policy: Any) -> Any:
    """Return the entry point of a policy that is a rule, with the arguments of `Compiled.policy`."""
    return entries.make_policy(policy)
