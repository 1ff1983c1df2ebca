"""Tests of studies/search_takeover.py: old contests count for the current search only if it plays identically."""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

import pytest

from pyramidion.lab import arena

sys.path.append(str(Path(__file__).parents[2] / "benchmarks" / "studies"))

import search_arena as contests
import search_takeover

GAME, SEATS, OLD = "pyramis", 2, "0ld0ld0"
PLAN = contests.Plan("policy", "policy", "random", 4)


@pytest.fixture
def played(tmp_path):
    """Return the file of a contest of an older search, and the file it may become."""
    file = contests.file_of(tmp_path, OLD, GAME, SEATS, PLAN)
    file.parent.mkdir()
    arena.run(contests.contest_of(GAME, SEATS, PLAN, 4), file).close()
    return file, contests.file_of(tmp_path, contests.digest(GAME), GAME, SEATS, PLAN)


def take_over(tmp_path):
    return search_takeover.take_over(tmp_path, OLD, GAME, SEATS, PLAN, 3)


def test_a_contest_that_is_played_the_same_is_taken_over(tmp_path, played):
    old, new = played
    assert take_over(tmp_path) is True
    with arena.Results(old) as old_results, arena.Results(new) as new_results:
        assert (
            old_results.places()
            == new_results.places()
            == {(0, block, turn) for block in range(2) for turn in range(2)}
        )
    assert take_over(tmp_path) is None


def test_a_contest_that_is_played_otherwise_stays_behind(tmp_path, played):
    old, new = played
    with sqlite3.connect(old) as file:
        # The first two games change places, so that another player has the seat.
        records = dict(file.execute("select turn, record from games where block = 0"))
        for turn in records:
            file.execute("update games set record = ? where block = 0 and turn = ?", (records[1 - turn], turn))
    file.close()
    assert take_over(tmp_path) is False
    assert not new.exists()


def test_contests_that_cost_little_are_longer_where_luck_decides():
    level = contests.Plan("levels", "hard", "normal", 200)
    assert contests.wanted("pyramis", level) == 200
    assert contests.wanted("pyramid-shambo", level) == 3000
    for first, games in (("expert-5k", 1500), ("expert-20k", 100), ("expert", 100)):
        assert contests.wanted("pyramid-shambo", contests.Plan("levels", first, "hard", 100)) == games
