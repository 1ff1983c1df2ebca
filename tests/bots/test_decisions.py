"""Tests of benchmarks/search_decisions.py: the value of decisions."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from tests.bots.toys import SUBTRACTION

import pyramidion

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

import search_decisions as decisions


def heap_of(heap):
    """Return a position with a heap, for the player to take from it; the policy takes any amount with equal weight."""
    match = SUBTRACTION.new(2)
    state = match.redacted_state(0)
    state["heap"] = heap
    count = min(3, heap)
    return decisions.Position(match.box, state, 0, np.arange(count, dtype=np.int32), np.full(count, 1 / count))


@pytest.mark.parametrize(
    ("heap", "action", "value"),
    # Two are left to the other, who takes one or both: half of the games are lost at once, the others won.
    [(1, 0, 1.0), (3, 2, 1.0), (2, 0, 0.0), (3, 0, 0.5), (4, 1, 0.5)],
)
def test_an_action_is_worth_what_policies_make_of_it(heap, action, value):
    found = decisions.worth(SUBTRACTION, heap_of(heap), action, 4_000, "a")
    assert found == pytest.approx(value, abs=0.0 if value in (0.0, 1.0) else 0.04)
    assert found == decisions.worth(SUBTRACTION, heap_of(heap), action, 4_000, "a")


def test_a_level_gains_what_its_action_is_worth_above_the_policys(monkeypatch, tmp_path):
    monkeypatch.setattr(decisions, "FOLDER", tmp_path)
    monkeypatch.setattr(decisions, "find", lambda *_: [heap_of(3)])
    monkeypatch.setattr(decisions, "digest", lambda *_: "0")
    truth = decisions.Truth(SUBTRACTION, 2, 1, 4_000)
    gains = truth.gains(0)
    # Taking one, two or three is worth a half, nothing and everything: a half on average, so a half can be gained.
    assert gains["hard"] == gains["expert-20k"] == gains[decisions.BEST] == pytest.approx(0.5, abs=0.02)
    assert -0.5 <= gains["easy"] <= gains["hard"]
    truth.save()
    again = decisions.Truth(SUBTRACTION, 2, 1, 4_000)
    assert (again.values, again.played) == (truth.values, truth.played)
    lines = decisions.rows_of(SUBTRACTION, 2, 4_000, [gains, gains])
    assert [line.split(" | ")[3] for line in lines] == ["easy", "normal", "hard", "expert-20k", decisions.BEST]


def test_positions_are_decisions_with_a_choice():
    game = pyramidion.load("pyramid-shambo")
    for position in decisions.find(game, 3, 10):
        assert len(position.ids) > 1
        assert position.weights.sum() == pytest.approx(1.0)
        assert int(position.state["acting"][0]) == 1 << position.seat
