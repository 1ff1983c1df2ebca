"""Tests of benchmarks/studies/search_decisions.py and search_accuracy.py: what decisions cost, and how values vary."""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from tests.bots.toys import SUBTRACTION, undercut

import pyramidion
from pyramidion.bots import LEVELS, Choice, SearchResult

sys.path.append(str(Path(__file__).parents[2] / "benchmarks" / "studies"))

import search_accuracy as accuracy
import search_decisions as decisions

TAKE_ONE, TAKE_TWO, TAKE_THREE = range(3)


def heap_of(heap):
    """Return a position with a heap, for the player to take from it; the policy takes any amount with equal weight."""
    match = SUBTRACTION.new(2)
    state = match.redacted_state(0)
    state["heap"] = heap
    count = min(3, heap)
    return decisions.Position(match.box, state, 0, np.arange(count, dtype=np.int32), np.full(count, 1 / count))


def test_an_action_costs_what_search_makes_of_it():
    here = decisions.Examined(SUBTRACTION, heap_of(3), 0)
    assert here.best() == TAKE_THREE
    assert here.loss(TAKE_THREE, TAKE_THREE) == (0.0, 0.0)
    # Two are left to the other, who takes both and has won: the search finds that.
    for loss in here.loss(TAKE_THREE, TAKE_ONE):
        assert loss == pytest.approx(1.0, abs=0.1)
    assert here.loss(TAKE_THREE, TAKE_TWO) == (1.0, 1.0), "the last one is left to the other"


def test_every_level_and_the_policy_are_counted_with_all_they_play():
    counted = decisions.examine(SUBTRACTION, heap_of(3), 0)
    assert counted is not None
    assert list(counted) == [decisions.POLICY, *LEVELS]
    close, loss, blunders = counted[decisions.POLICY]
    assert close == pytest.approx(1 / 3)
    assert blunders == pytest.approx(2 / 3)
    assert loss == pytest.approx(2 / 3, abs=0.05)
    # Everything but the win looks far worse than any slack allows.
    assert all(counted[level] == [1.0, 0.0, 0.0] for level in LEVELS)
    lines = decisions.rows_of(SUBTRACTION, 2, [counted, counted])
    assert [line.split(" | ")[3] for line in lines] == ["Rule-based", *(level.label for level in LEVELS.values())]
    assert " | 33 % | " in lines[0]
    assert lines[-1].endswith("| 100 % | 0.00 (0.00 to 0.00) | 0.00 (0.00 to 0.00) | 0.0 % |")


def test_where_a_mixed_strategy_is_right_nothing_is_counted():
    game = undercut(3)
    match = game.new(2)
    given = decisions.Position(match.box, match.redacted_state(0), 0, np.arange(3, dtype=np.int32), np.full(3, 1 / 3))
    assert decisions.examine(game, given, 0) is None


def test_a_stopped_measurement_goes_on(monkeypatch, tmp_path):
    monkeypatch.setattr(decisions, "FOLDER", tmp_path)
    monkeypatch.setattr(decisions, "digest", lambda *_: "0")
    monkeypatch.setattr(decisions, "decisions", lambda *_: iter([heap_of(3)] * 9))
    seen = []
    monkeypatch.setattr(decisions, "examine", lambda game, position, number: seen.append(number) or None)
    decisions.measure(SUBTRACTION, 2, 2)
    assert seen == list(range(9)), "positions of mixed strategies do not count"
    monkeypatch.setattr(decisions, "examine", lambda game, position, number: seen.append(number) or {})
    decisions.measure(SUBTRACTION, 2, 2)
    assert seen == list(range(9))


def test_positions_are_decisions_with_a_choice_and_taken_alone():
    game = pyramidion.load("pyramid-shambo")
    for position in islice(decisions.decisions(game, 3), 10):
        assert len(position.ids) > 1
        assert position.weights.sum() == pytest.approx(1.0)
        assert int(position.state["acting"][0]) == 1 << position.seat


def result(*values):
    """Return a search by seat 0 that gave two actions 100 visits each and these values."""
    choices = tuple(Choice(action, 100, 0.5, (value,)) for action, value in enumerate(values))
    return SearchResult(0, 0, choices, (0.5,), False, 200, 0.0, 1, 1, False)


def test_values_that_vary_more_than_their_errors_say_are_told_apart():
    steady, wild = accuracy.Tally(), accuracy.Tally()
    steady.add([result(0.60, 0.30), result(0.63, 0.29), result(0.57, 0.31)], 0)
    wild.add([result(0.80, 0.30), result(0.78, 0.28), result(0.20, 0.60)], 0)
    assert float(accuracy.ratio(steady.values)) < 1.0 < float(accuracy.ratio(wild.values))
    assert float(accuracy.ratio(steady.differences)) < 1.0 < float(accuracy.ratio(wild.differences))
    assert (steady.pairs, steady.claims, steady.wrong) == (3, 3, 0)
    assert (wild.pairs, wild.claims, wild.wrong) == (3, 3, 1), "the third contradicts the others"
