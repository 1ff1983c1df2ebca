"""Comparison of the search with exhaustive search in open endings; studies/search_endings.py has 500 of each."""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from tests.bots.toys import HIDDEN_COIN, SUBTRACTION, undercut

import pyramidion
from pyramidion.bots import SearchBot

sys.path.append(str(Path(__file__).parents[2] / "benchmarks" / "studies"))

from exhaustive import CHANCE, TOGETHER, TOO_LARGE, Solver
from search_endings import endings

POSITIONS, ITERATIONS = 20, 2_000


@pytest.mark.parametrize("game_id", ["pyramid-scheme", "pyramis"])
def test_expert_finds_the_best_move_of_small_endings(game_id):
    game = pyramidion.load(game_id)
    bot, right = SearchBot(game, 1), 0
    for ending in islice(endings(game), POSITIONS):
        result = bot.think(
            ending.box, game.layout.redact(ending.state, ending.seat), ending.seat, iterations=ITERATIONS
        )
        right += ending.values[result.action] == ending.best
    assert right >= 0.95 * POSITIONS


@pytest.mark.parametrize("heap", range(2, 12))
def test_exhaustive_search_knows_what_a_heap_is_worth(heap):
    state = SUBTRACTION.new(2).redacted_state(0)
    state["heap"] = heap
    values = Solver(SUBTRACTION).values(SUBTRACTION.new(2).box, state, 0, 10_000)
    assert values == {take: float((heap - take - 1) % 4 == 0) for take in range(min(3, heap))}


@pytest.mark.slow
def test_exhaustive_search_says_where_it_knows_nothing():
    coin, both = HIDDEN_COIN.new(2, seed=1), undercut(3).new(2, seed=1)
    assert Solver(HIDDEN_COIN).values(coin.box, coin.state_copy(), 0, 100) == CHANCE
    assert Solver(both.game).value(both.box, both.state_copy(), 0, np.array([100])) == TOGETHER
    heap = SUBTRACTION.new(2, seed=1)
    assert Solver(SUBTRACTION).values(heap.box, heap.state_copy(), 0, 5) == TOO_LARGE
