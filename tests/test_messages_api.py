"""Tests of the sentences with which the Python API refuses what it cannot use."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import pyramidion
from pyramidion import bots, lab
from pyramidion.bots import RandomBot
from pyramidion.cli import main
from pyramidion.env import batch
from pyramidion.env.gymnasium import SeatEnv
from pyramidion.extras import install_command
from pyramidion.lab import arena

pytestmark = pytest.mark.usefixtures("outside")
GAME = "high-card"


def test_a_game_may_be_given_by_its_id():
    game = pyramidion.load(GAME)
    assert pyramidion.load(game) is game
    assert RandomBot(GAME).game is bots.load("policy", GAME).game is game
    assert bots.names(GAME) == bots.names(game)
    assert arena.read_entrants(["policy"], GAME) == arena.read_entrants(["policy"], game)
    with pytest.raises(TypeError, match="A match is of a game, which"):
        pyramidion.Match(GAME, 2, 1, {})
    with pytest.raises(TypeError, match="A match is of a game"):
        pyramidion.Match.from_state(GAME, game.new().state_copy())


@pytest.mark.parametrize(
    ("ask", "error", "sentence"),
    [
        (lambda match: match.play("a", 1), ValueError, "A seat is a whole number, not 'a'."),
        (lambda match: match.legal(1.5), ValueError, "A seat is a whole number, not 1.5."),
        (lambda match: match.view("x"), ValueError, "A seat is a whole number, not 'x'."),
        (lambda match: match.game.actions.mask_of(["draw"]), ValueError, "The ids of actions are whole numbers"),
        (lambda match: match.game.observation["cash"], KeyError, "There is no part 'cash'; there are "),
        (lambda match: batch(GAME, "8"), ValueError, "whole numbers, not '8' and 1."),
        (lambda match: batch(GAME, 8.0), ValueError, "whole numbers, not 8.0 and 1."),
        (lambda match: SeatEnv(GAME, seat="a"), ValueError, "There is no seat 'a'; the seats are 0 to 1."),
        (lambda match: lab.experiment(GAME, games="5"), ValueError, "The games are a number or a range, not '5'."),
        (lambda match: lab.experiment(GAME, cards="none.toml"), FileNotFoundError, "There is no card file none.toml."),
        (
            lambda match: lab.experiment(GAME, metrics="speed"),
            ValueError,
            "There is no metric 'speed'; the metrics are",
        ),
    ],
)
def test_what_cannot_be_used_is_said_in_a_sentence(ask, error, sentence):
    with pytest.raises(error) as raised:
        ask(pyramidion.load(GAME).new(seed=1))
    assert sentence in str(raised.value)


def test_numbers_of_numpy_are_seats_and_games():
    match = pyramidion.load(GAME).new(seed=1)
    match.play(np.int64(match.acting[0]), 0)
    assert match.ply == 1


def test_a_table_without_rows_says_what_there_is(capsys):
    command = ["lab", GAME, "--games", "20", "--metrics", "wins,actions", "--table", "families:nothing"]
    assert main(command) == 2
    assert "No item of the table families begins with 'nothing'; it has 2, such as" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("pyramidion.env.pettingzoo", "pettingzoo", "env"),
        ("pyramidion.env.gymnasium", "gymnasium", "env"),
        ("pyramidion.env.open_spiel", "pyspiel", "env"),
        ("pyramidion.env.open_spiel_search", "open_spiel", "env"),
        ("pyramidion.lab.experiments.experiment", "polars", "lab"),
        ("pyramidion.lab.arena.decisions", "polars", "lab"),
        ("pyramidion.lab.datasets", "polars", "lab"),
        ("pyramidion.client", "httpx", "client"),
    ],
)
def test_a_missing_extra_is_named(module, package, extra):
    ask = "from pyramidion.lab import experiment" if module.endswith("experiment") else f"import {module}"
    program = f"import sys; sys.modules[{package!r}] = None\n{ask}"
    done = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, text=True)
    last = done.stderr.strip().splitlines()[-1]
    assert f"{package} is not installed; install it with: {install_command(extra)}" in last
