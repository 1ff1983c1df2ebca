"""Tests of legality stated once: `legal` and `refusal` are made of one rule and cannot differ."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from pyramidion.engine.actions import action_space, whole
from pyramidion.engine.legality import legal_from, refusal_from
from pyramidion.engine.rule import rule

ACTIONS = action_space(pass_=(), bid=whole(1, 9))
BID = ACTIONS.bid


@rule
def forbidden(box, s, seat, action):
    if action < BID:
        return 2_01 if s.must_bid[seat] else 0
    return 2_02 if action - BID < s.bid else 0


legal = legal_from(forbidden, len(ACTIONS))
refusal = refusal_from(forbidden, {2_01: "You must bid.", 2_02: "Bid more."}, "KP")


@pytest.mark.parametrize(("bid", "must_bid"), [(0, 0), (3, 0), (8, 1)])
def test_the_legal_actions_are_those_that_are_not_refused(bid: int, must_bid: int) -> None:
    state = np.zeros(1, [("bid", np.int8), ("must_bid", np.int8, 2)]).view(np.recarray)
    state["bid"], state["must_bid"][0, 1] = bid, must_bid
    out = np.zeros(len(ACTIONS), np.int32)
    ids = out[: legal(state[0], state[0], 1, out)].tolist()
    assert ids == ([] if must_bid else [0]) + list(range(BID + bid, BID + 9))
    assert ids == [action.id for action in ACTIONS if refusal(None, state[0], 1, action) is None]


def test_a_refusal_has_the_rule_and_its_sentence() -> None:
    s = SimpleNamespace(bid=4, must_bid=[1, 0])
    assert refusal(None, s, 0, ACTIONS.parse("pass")) == ("KP 2.1", "You must bid.")
    assert refusal(None, s, 1, ACTIONS.parse("pass")) is None
    assert refusal(None, s, 1, ACTIONS.parse("bid 4")) == ("KP 2.2", "Bid more.")
