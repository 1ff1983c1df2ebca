"""Tests of `pyramidion learn GAME`: the coach in the terminal."""

import io
import sys

import pytest

from pyramidion.cli.app import main
from pyramidion.engine import registry
from pyramidion.engine.lesson import lesson_of

GAMES = [game for game in registry.all_games().values() if lesson_of(game) is not None]


def learn(monkeypatch, capsys, game, lines):
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines) + "\n"))
    assert main(["learn", game]) == 0
    return " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_lesson_is_heard_to_its_end(monkeypatch, capsys, game):
    lesson = lesson_of(game)
    output = learn(monkeypatch, capsys, game.id, ["show"] * sum(bool(step.do) for step in lesson.steps))
    for step in lesson.steps:
        assert " ".join(step.say.split()) in output


def test_another_action_is_answered_and_the_coach_can_be_sent_away(monkeypatch, capsys):
    output = learn(monkeypatch, capsys, "ponzi-scheme", ["pass", "alone", "pass"])
    assert "If you pass, you get neither money nor a tile." in output
    assert "The coach has left." in output
    assert "Player 1 passed." in output
