"""Tests of `pyramidion learn GAME`: the coach in the terminal."""

import io
import sys

import pytest
from rich.console import Console

from pyramidion.bots import load
from pyramidion.cli.app import main
from pyramidion.engine import registry
from pyramidion.engine.lesson import lesson_of
from pyramidion.terminal.lesson import LessonTable
from pyramidion.terminal.table import GameLeft

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


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_what_the_coach_says_fits_on_a_small_screen_with_the_table(game):
    lesson, out = lesson_of(game), io.StringIO()
    taught, screens, printed = sum(bool(step.do) for step in lesson.steps), [], 0

    def ask(prompt):
        nonlocal printed
        screens.append(out.getvalue()[printed:])
        printed = len(out.getvalue())
        if prompt.startswith("Your move") and table.actions_taken == taught:
            raise EOFError
        return "" if prompt.startswith("Press Enter") else "show"

    others = [seat for seat in range(lesson.seats) if seat != lesson.learner]
    bots = {seat: (f"Bot {seat}", load("policy", game, seat).move) for seat in others}
    console = Console(file=out, width=80, height=24, force_terminal=True, color_system=None)
    table = LessonTable(lesson, lesson.begin(game), bots, console, ask)
    with pytest.raises(GameLeft):
        table.run()
    for screen in screens:
        # The first line says what has just been played.
        assert len(screen.splitlines()) <= 24, screen
    for step in lesson.steps:
        assert " ".join(step.say.split()) in " ".join(out.getvalue().split())


def test_another_action_is_answered_and_the_coach_can_be_sent_away(monkeypatch, capsys):
    output = learn(monkeypatch, capsys, "ponzi-scheme", ["pass", "alone", "pass"])
    assert "If you pass, you get neither money nor a tile." in output
    assert "The coach has left." in output
    assert "You passed." in output
