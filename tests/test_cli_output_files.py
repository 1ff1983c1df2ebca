"""Tests of commands that write files: each says where its file is, and overwrites no other one."""

from __future__ import annotations

import inspect
import io
import shlex
from collections.abc import Iterator

import pytest
import typer

from pyramidion.cli import main
from pyramidion.cli.app import app
from pyramidion.cli.options import check_folder, check_new

SMALL = "--seats 2 --seed 1"
COMMANDS = {
    "play --save": "play ponzi-scheme --seats 3 --seed 11 --bots random -o round_limit=6 --save {}",
    "cards --out": "cards ponzi-scheme --out {}",
    "arena --out": f"arena pyramis random random {SMALL} --games 2 --jobs 1 --out {{}}",
    "arena --report": f"arena pyramis random random {SMALL} --games 2 --jobs 1 --report {{}}",
    "arena --decisions": f"arena pyramis random random {SMALL} --games 2 --jobs 1 --decisions {{}}",
    "dataset --out": "dataset pyramis --games 2 --players random --out {}",
    "evaluate --json": "evaluate pyramis --agent random --opponent random --games 2 --decisions 0 --json {}",
    "evaluate --html": "evaluate pyramis --agent random --opponent random --games 2 --decisions 0 --html {}",
    "puzzles --out": "puzzles pyramis --hours 0 --out {}",
    "lab --out": "lab pyramis --games 20 --out {}",
    "lab --report": "lab pyramis --games 20 --report {}",
    "lab sweep --out": "lab sweep pyramis --vary seats=2,3 --games 20 --out {}",
    "lab sweep --report": "lab sweep pyramis --vary seats=2,3 --games 20 --report {}",
    "lab tune --out": "lab tune pyramis --param seats=2,3 --objective 'length:turns<=9' --budget 1 --games 9 --out {}",
}
"""A small run of each command with an output file; `train` and `export` have tests of their own."""


WITH_OWN_TESTS = {"train --out", "export --out"}


def output_options(commands: typer.Typer, *path: str) -> Iterator[str]:
    """Yield each command's options for output files: `cards --out`."""
    for command in commands.registered_commands:
        assert command.callback is not None
        names = (*path, command.name or command.callback.__name__)
        for name, parameter in inspect.signature(command.callback, eval_str=True).parameters.items():
            for option in getattr(parameter.annotation, "__metadata__", ()):
                if getattr(option, "callback", None) in (check_folder, check_new):
                    yield f"{' '.join(names)} --{name}"
    for group in commands.registered_groups:
        assert group.typer_instance is not None
        yield from output_options(group.typer_instance, *path, group.name or str(group.typer_instance.info.name))


def test_every_output_file_is_tried():
    assert {option.replace("lab run", "lab") for option in output_options(app)} == COMMANDS.keys() | WITH_OWN_TESTS


@pytest.mark.parametrize("option", COMMANDS)
def test_a_command_says_where_its_file_is(option, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 5000))
    file = tmp_path / "written"
    assert main([word.format(file) for word in shlex.split(COMMANDS[option])]) == 0
    assert file.exists()
    assert str(file) in "".join(capsys.readouterr().out.split("\n"))


OTHERS = {"train --out": "train pyramis --games 1 --out {}", "export --out": "export --out {}"}


@pytest.mark.parametrize("option", [*COMMANDS, *OTHERS])
def test_a_file_of_somebody_else_is_named_and_stays_as_it_is(option, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 5000))
    file = tmp_path / "mine.toml"
    file.write_text("edited = true\n", "utf-8")
    assert main([word.format(file) for word in shlex.split((COMMANDS | OTHERS)[option])]) in (1, 2)
    assert file.read_text("utf-8") == "edited = true\n"
    assert [path.name for path in tmp_path.iterdir()] == ["mine.toml"]
    [line] = [line for line in capsys.readouterr().err.splitlines() if line.startswith("pyramidion: ")]
    assert str(file) in line
    assert "Internal error" not in line


def test_a_policy_with_its_usual_name_is_not_overwritten(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "learned-3.npz").write_text("mine", "utf-8")
    assert main(["train", "pyramid-scheme", "--seats", "3", "--games", "1"]) == 1
    assert "learned-3.npz is there already" in capsys.readouterr().err


def test_a_game_is_resumed_in_its_own_file_and_in_no_other(tmp_path, capsys, monkeypatch):
    game, other = tmp_path / "game.json", tmp_path / "other.json"
    for name in (game, other):
        monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
        assert main(shlex.split(f"play pyramis --seats 2 --seed 1 --save {name}")) == 0
    assert main(shlex.split(f"play pyramis --resume {game} --save {other}")) == 1
    assert "is there already" in capsys.readouterr().err
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert main(shlex.split(f"play pyramis --resume {game} --save {game}")) == 0
