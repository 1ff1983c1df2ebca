"""Tests of saving and resuming at a terminal table, and of lines that break between words."""

import io
import json
import random
import re
import sys

import pytest
from rich.console import Console

import pyramidion
from pyramidion.cli import app, main
from pyramidion.terminal.game_file import KEY, GameFile, Seating
from pyramidion.terminal.keyboard import Keyboard
from pyramidion.terminal.table import TerminalTable


def run(monkeypatch, capsys, lines, *arguments):
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines) + "\n"))
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def command_of(output):
    """Return the arguments of the command with which a table says that it can be continued."""
    command = re.search(r"Continue with: pyramidion (.*)", output)
    assert command is not None, output
    return command[1].split()


def test_a_lesson_that_is_saved_goes_on_as_a_lesson_with_its_names(monkeypatch, capsys, tmp_path):
    file = tmp_path / "lesson.json"
    output = run(monkeypatch, capsys, ["show", f"save {file}", "quit"], "learn", "pyramis")
    names = json.loads(file.read_text())[KEY]["bots"]
    plies = len(json.loads(file.read_text())["actions"])
    resumed = run(monkeypatch, capsys, ["show", "board", "quit"], *command_of(output))
    assert "Type 'show' to let the coach make this move" in resumed
    assert all(name in resumed for name in names)
    assert "Bot 2" not in resumed
    assert len(json.loads(file.read_text())["actions"]) > plies, "it is saved in the same file again"
    alone = run(monkeypatch, capsys, ["alone", "quit"], *command_of(resumed))
    assert "The coach has left." in alone
    after = run(monkeypatch, capsys, ["board", "quit"], *command_of(alone))
    assert "the coach" not in after
    assert all(name in after for name in names)


def test_a_game_goes_on_with_its_people_and_bots_and_shows_the_position_at_once(monkeypatch, capsys, tmp_path):
    file = tmp_path / "my game.json"
    started = ["play", "ponzi-scheme", "--seed", "7", "--bots", "random", "--name", "Ann", "--save", str(file)]
    output = run(monkeypatch, capsys, ["pass"] * 6 + ["quit"], *started)
    assert f"pyramidion play --resume '{file}'" in output
    resumed = run(monkeypatch, capsys, ["quit"], "play", "--resume", str(file))
    assert json.loads(file.read_text())[KEY]["level"] == "random"
    assert "Ann (you)" in resumed
    assert "Ponzi Scheme goes on after" in resumed
    assert "is the start player" not in resumed
    assert "is the start player" in run(monkeypatch, capsys, ["log", "quit"], "play", "--resume", str(file))
    other = run(monkeypatch, capsys, ["quit"], "play", "--resume", str(file), "--name", "Zoe", "--bots", "policy")
    assert "Zoe (you)" in other


@pytest.mark.parametrize("seating", [None, 1, {}, {"people": [], "bots": []}, {"people": ["A"], "bots": 1}])
def test_a_record_from_elsewhere_is_played_on_by_one_person(monkeypatch, capsys, tmp_path, seating):
    file = tmp_path / "game.json"
    file.write_text(json.dumps(pyramidion.load("pyramis").new(2, 7).record() | {KEY: seating}))
    assert "Player 1 (you)" in run(monkeypatch, capsys, ["quit"], "play", "--resume", str(file))


def test_who_sits_where_survives_the_file(tmp_path):
    match = pyramidion.load("pyramis").new(4, 7)
    seating = Seating(["Ann", "Bob"], ["Cy", "Di"], [1, 3], "easy", lesson=True)
    GameFile(tmp_path / "game.json", seating).write(match)
    again = Seating.of_record(json.loads((tmp_path / "game.json").read_text()), 4)
    assert again == seating
    assert again.names() == {1: "Ann", 3: "Bob"}
    assert again.bot_names() == {0: "Cy", 2: "Di"}
    assert Seating.of_record(json.loads((tmp_path / "game.json").read_text()), 3) is None


def test_a_game_or_a_saved_one_must_be_named(capsys):
    assert main(["play"]) == 2


SENTENCE = "Somebody whose name is rather long must confirm that nobody else looks at this screen just now."


def test_a_long_prompt_breaks_between_words():
    out, prompts = io.StringIO(), []
    console = Console(file=out, width=40, height=24, force_terminal=True, color_system=None)
    keyboard = Keyboard(lambda prompt: prompts.append(prompt) or "", console)
    keyboard.read(SENTENCE + " ")
    (prompt,) = prompts
    lines = [*out.getvalue().splitlines(), prompt]
    assert all(len(line) <= 40 for line in lines)
    assert " ".join(" ".join(lines).split()) == SENTENCE


def test_errors_in_a_terminal_break_between_words(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "40")
    assert app._complain(SENTENCE, 2) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) > 1
    assert all(len(line) <= 40 for line in lines)
    assert " ".join(lines) == f"pyramidion: {SENTENCE}"


@pytest.mark.parametrize("game_id", ["pyramid-scheme", "upside-down", "ponzi-scheme", "pyramid-shambo", "pyramis"])
def test_nothing_at_a_table_is_wider_than_the_screen(game_id):
    game, chance = pyramidion.load(game_id), random.Random(3)
    match, out = game.new(max(game.seats), 3), io.StringIO()
    console = Console(file=out, width=80, height=24, force_terminal=True, color_system=None)
    answers = ["?", "list", "zzz", "? zzz", "as zzz", "terms", "save /none/none", "99999"]

    def ask(prompt):
        assert len(prompt) <= 80
        out.write("\n")
        if prompt.startswith("Press Enter"):
            return ""
        if not answers:
            raise EOFError
        return answers.pop(0)

    for _ in range(30):
        match.play(match.acting[0], chance.choice(match.legal(match.acting[0])))
    bots = {seat: (f"Bot {seat + 1}", lambda match, seat: match.legal(seat)[0]) for seat in range(1, match.seats)}
    with pytest.raises(pyramidion.terminal.keyboard.GameLeft):
        TerminalTable(match, {0: "A player with a long name"}, bots, console, ask).run()
    assert all(len(line) <= 80 for line in out.getvalue().splitlines())
