"""Tests of descriptions: what they measure agrees with games that are known, and with matches."""

from __future__ import annotations

import json
import math

import pytest

import pyramidion
from pyramidion.cli import main
from pyramidion.lab.description import DEALS, describe, information_set_size

pytestmark = pytest.mark.usefixtures("outside")


def test_a_game_that_is_known_is_described():
    """In High Card every seat draws or stays, twice, and sees only its own card."""
    described = describe(pyramidion.load("high-card"), games=20)
    assert (described.branching.mean, described.forced, described.hidden) == (2.0, 0.0, 1.0)
    assert described.length.mean == described.length.greatest == 2 * described.seats
    assert described.tree == pytest.approx(2 * described.seats * math.log10(2))
    assert 0 < described.chance < 1
    assert described.simultaneous == 0
    assert describe(pyramidion.load("high-card"), games=20) == described
    assert describe(pyramidion.load("sealed-bid"), games=5).simultaneous > 0


def test_the_size_of_an_information_set_follows_from_equal_deals(monkeypatch):
    match = pyramidion.load("high-card").new(seed=1)
    monkeypatch.setattr("pyramidion.lab.description._without_chance", lambda state: b"")
    assert information_set_size(match, match.acting[0], 1) == (0, False)
    four = iter(range(DEALS))
    monkeypatch.setattr("pyramidion.lab.description._without_chance", lambda state: next(four) % 4)
    assert information_set_size(match, match.acting[0], 1)[0] == pytest.approx(math.log10(4), abs=0.01)
    unlike = iter(range(DEALS))
    monkeypatch.setattr("pyramidion.lab.description._without_chance", lambda state: next(unlike))
    assert information_set_size(match, match.acting[0], 1) == (math.log10(DEALS * (DEALS - 1) // 2), True)


def test_the_command_prints_tables_or_json(capsys):
    assert main(["describe", "high-card", "--games", "3"]) == 0
    assert "legal actions" in capsys.readouterr().out
    assert main(["describe", "high-card", "sealed-bid", "--games", "3", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [row["game"] for row in told] == ["high-card", "sealed-bid"]
    assert main(["describe", "high-card", "--seats", "99"]) == 2
    assert "seats, not 99" in capsys.readouterr().err
