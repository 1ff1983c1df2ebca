"""Learned values, compiled: a small net that judges positions from a game's facts."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from pyramidion.engine.entries import first_due
from pyramidion.engine.rule import rule


class Net(NamedTuple):
    """The weights of a net with two hidden layers, and one thread's buffers; all float32.

    `last` has an output for each seat and one for nobody, in games that can end without a winner.
    """

    first: Any
    first_bias: Any
    second: Any
    second_bias: Any
    last: Any
    last_bias: Any
    known: Any
    one: Any
    two: Any
    out: Any


NO_NET = np.zeros(0, np.float32)
"""Given to a search that uses no net."""
WEIGHTS = Net._fields[:6]
CALM_LEARNED = 0.3
"""Factor on the search's exploration, since learned values differ less than results of games; that for `prospects` is
`CALM_PROSPECTS` in worker.py."""


@rule
def layer(known, weights, bias, out):
    """Write the sums of one layer to `out`; a number that is 0 costs nothing."""
    for j in range(out.shape[0]):
        out[j] = bias[j]
    for i in range(known.shape[0]):
        number = known[i]
        if number != 0.0:
            for j in range(out.shape[0]):
                out[j] += number * weights[i, j]


@rule
def rectify(out):
    """Replace negative numbers by 0."""
    for j in range(out.shape[0]):
        out[j] = max(out[j], np.float32(0.0))


@rule
def run_net(net, seat, seats, out):
    """Write every seat's expected share of the win to `out`, from the facts in `net.known` as seen from `seat`."""
    layer(net.known, net.first, net.first_bias, net.one)
    rectify(net.one)
    layer(net.one, net.second, net.second_bias, net.two)
    rectify(net.two)
    layer(net.two, net.last, net.last_bias, net.out)
    most, total = net.out[0], 0.0
    for k in range(net.out.shape[0]):
        most = max(most, net.out[k])
    for k in range(net.out.shape[0]):
        share = math.exp(net.out[k] - most)
        total += share
        if k < seats:
            out[(seat + k) % seats] = share
    for k in range(seats):
        out[k] /= total


def make_judge(facts: Any) -> Any:
    """Return a rule that judges every position by the net that it is given."""

    @rule
    def judge(box, s, net, out):
        seat = first_due(s, 0)
        if seat < 0:
            return False
        net.known[:] = 0.0
        facts(box, s, seat, net.known)
        run_net(net, seat, int(s.seats), out)
        return True

    return judge
