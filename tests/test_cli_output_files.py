"""Tests of commands that write files: each says where its file is."""

from __future__ import annotations

import inspect
import io
import shlex
from collections.abc import Iterator

import pytest
import typer

from pyramidion.cli import main
from pyramidion.cli.app import app
from pyramidion.cli.options import check_folder

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
                if getattr(option, "callback", None) is check_folder:
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
