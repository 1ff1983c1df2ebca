"""Games whose payoffs are sums, such as chips: bots maximize them, and everything reports them as they are."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pyspiel
import pytest

import pyramidion
from pyramidion import lab
from pyramidion.bots.search import SearchBot
from pyramidion.cli import main
from pyramidion.engine.game import Game
from pyramidion.engine.payoffs import payoffs_of, win_share
from pyramidion.engine.random_games import LawBroken
from pyramidion.engine.testing import check_law
from pyramidion.env import batch, pettingzoo
from pyramidion.env.gymnasium import SeatEnv
from pyramidion.env.open_spiel import make
from pyramidion.lab import arena
from pyramidion.lab.training.contest import contest

EXPECTED_OF_GAMBLING = (12 - 2 * 3) / 3
"""Twice as much as the chip for certain, which wins more games."""


@pytest.fixture
def game(outside: Path) -> Game:
    return pyramidion.load("gamble")


def test_bounds_follow_from_the_options(game):
    assert payoffs_of(game, 2).high == 60
    match = game.new(2, stakes=2)
    assert (payoffs_of(game, 2, match.box).low, payoffs_of(game, 2, match.box).high) == (-24, 24)
    assert payoffs_of(game, 2).total is None
    assert payoffs_of(dataclasses.replace(game, zero_sum=True), 2).total == 0


def test_the_law_refuses_payoffs_beyond_the_bound_and_sums_that_are_not_zero(game):
    with pytest.raises(LawBroken, match="is no sum from -1 to 1"):
        check_law(dataclasses.replace(game, payoff_bound=lambda seats, stakes=1: 1), "payoffs_have_their_form", games=3)
    with pytest.raises(LawBroken, match="is no sum from"):
        check_law(dataclasses.replace(game, zero_sum=True), "payoffs_have_their_form", games=3)


def test_the_search_maximizes_chips_rather_than_wins(game):
    match = game.new(2, seed=1)
    result = SearchBot(game, 1).think(match.box, match.redacted_state(0), 0, iterations=4000)
    assert str(game.actions[result.action]) == "gamble"
    gamble = next(choice for choice in result.choices if choice.action == result.action)
    payoffs = payoffs_of(game, 2, match.box)
    assert gamble.values[0] == pytest.approx(payoffs.shift + payoffs.factor * EXPECTED_OF_GAMBLING, abs=0.02)
    assert all(0 <= value <= 1 for value in result.values)


def played(game: Game, *actions: str, seed: int = 1, **options: int) -> pyramidion.Match:
    match = game.new(len(actions), seed=seed, **options)
    for seat, action in enumerate(actions):
        match.play(seat, action)
    return match


def test_a_match_pays_chips_and_whoever_has_most_wins(game):
    match = played(game, "take", "take", "gamble", seed=2, stakes=5)
    assert match.outcome is not None
    assert match.outcome.payoffs in ((5, 5, -15), (5, 5, 60))
    best = match.outcome.winners
    assert best == ((0, 1) if match.outcome.payoffs[2] < 0 else (2,))
    assert [win_share("sum", match.outcome, seat) for seat in best] == [1 / len(best)] * len(best)


def test_environments_return_chips(game):
    env = SeatEnv(game, 0, ["random"], stakes=3)
    env.reset(seed=1)
    assert env.step(game.actions.take)[1:3] == (3.0, True)

    turns = pettingzoo.aec("gamble", seats=2)
    turns.reset(seed=1)
    for _agent in list(turns.agents):
        turns.step(game.actions.take)
    assert list(turns.rewards.values()) == [1, 1]

    many = batch(game, 4, seats=2)
    many.reset(seed=1)
    many.step(np.full(4, game.actions.take))
    assert many.step(np.full(4, game.actions.take)).rewards.tolist() == [[1, 1]] * 4


def test_an_illegal_action_loses_the_most_that_can_be_lost(game, monkeypatch):
    env = SeatEnv(game, 0, ["random"], stakes=3)
    env.reset(seed=1)
    monkeypatch.setattr(type(env.playing), "play", _refuse)
    assert env.step(game.actions.take)[1] == -36


def _refuse(self, seat, action):
    raise pyramidion.IllegalAction("GA 1.1", "Not now.")


def test_openspiel_knows_the_range_and_the_sum_of_chips(game):
    whole = make("gamble", stakes=2)
    assert (whole.min_utility(), whole.max_utility(), whole.utility_sum()) == (-24, 24, None)
    assert whole.get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM
    state = whole.new_initial_state()
    state.apply_action(0)
    state.apply_action(game.actions.take)
    state.apply_action(game.actions.take)
    assert state.returns() == [2, 2]


def test_the_lab_reports_the_mean_payoff(game, capsys):
    result = lab.experiment(game.id, games=3000, players=["random", "random"])
    mean = result.figure("payoff", "place 1")
    # Half the seats take one chip, half gamble.
    assert mean.low < (1 + EXPECTED_OF_GAMBLING) / 2 < mean.high
    wins = [result.figure("wins", f"seat {seat}").mean for seat in range(2)]
    assert sum(wins) == pytest.approx(1)
    assert main(["lab", "gamble", "--games", "200"]) == 0
    assert "payoff: first to act" in capsys.readouterr().out
    assert main(["lab", "gamble", "--games", "200", "--json"]) == 0
    assert {row["item"] for row in json.loads(capsys.readouterr().out)["tables"]["payoff"]} >= {"place 1", "seat 1"}
    with pytest.raises(ValueError, match="Nothing called 'payoff' was measured"):
        lab.experiment("high-card", games=20).frame("payoff")


def test_standings_share_wins_by_the_winners_and_average_chips(game, tmp_path):
    asked = arena.Contest("gamble", arena.read_entrants(["policy", "random"], game), 2, 40)
    with arena.run(asked, tmp_path / "a.db") as results:
        table = arena.standings(["policy", "random"], 2, results.games())
        payoffs = [payoff for played in results.games() for payoff in played.payoffs]
    assert sum(standing.wins.share for standing in table) == pytest.approx(1)
    assert sum(standing.payoff for standing in table) / 2 == pytest.approx(np.mean(payoffs))


def test_a_contest_counts_wins_of_the_most_chips(game):
    score = next(contest(game, 2, None, None, 0.001, 1))
    assert (score.games, score.even) == (2, 0.5)
    assert 0 <= score.wins <= 2
