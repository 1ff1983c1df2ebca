"""Tests of the command line: its output and its refusals."""

from __future__ import annotations

import io
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import typer

import pyramidion
from pyramidion.cli import main
from pyramidion.cli.app import app
from pyramidion.cli.new_game import prefix_of
from pyramidion.cli.options import game_id, game_ids
from pyramidion.extras import install_command


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return the single line on stderr of a command that must exit with status 2."""
    assert main(arguments) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("pyramidion: ")
    assert output.err.count("\n") == 1
    return output.err


def test_without_a_command_it_says_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    output = capsys.readouterr().out
    for command in ("serve", "migrate", "backup", "export", "play", "games", "rules", "laws", "bench", "warm"):
        assert command in output


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"pyramidion {pyramidion.__version__}\n"


def test_the_package_is_a_command_too() -> None:
    done = subprocess.run([sys.executable, "-m", "pyramidion", "plya"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "Did you mean 'play'?" in done.stderr
    assert "Traceback" not in done.stderr


def test_help_does_not_load_the_compiler() -> None:
    code = "import sys; from pyramidion.cli import main; main(['--help']); print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False"


def test_games_lists_every_game_with_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    output = capsys.readouterr().out
    for game in pyramidion.all_games().values():
        assert game.id in output
        assert game.name in output
        for name in game.options:
            assert f"--option {name}=" in output


def test_rules_of_every_game_are_found_by_their_number(capsys: pytest.CaptureFixture[str]) -> None:
    for game in pyramidion.all_games().values():
        for number in game.rule_numbers:
            assert main(["rules", game.id, number]) == 0
            output = capsys.readouterr().out
            assert number in output
            assert len(output.split()) > 3


def test_the_cards_of_every_game_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    for game in pyramidion.all_games().values():
        if (game.folder / "cards.toml").exists():
            assert main(["cards", game.id]) == 0
            game.check_cards(capsys.readouterr().out)
        else:
            assert f"{game.name} has no card file." in refused(capsys, "cards", game.id)


@pytest.mark.parametrize(
    "arguments",
    [
        ("lab", "pyramis", "--out"),
        ("lab", "pyramis", "--report"),
        ("lab", "sweep", "pyramis", "--vary", "seats=2,3", "--report"),
        ("lab", "tune", "pyramis", "--out"),
        ("arena", "pyramis", "policy", "random", "--out"),
        ("arena", "pyramis", "policy", "random", "--report"),
        ("play", "pyramis", "--save"),
        ("puzzles", "pyramis", "--out"),
        ("train", "pyramis", "--out"),
        ("export", "--out"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_the_work(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    folder = tmp_path / "missing"
    output = refused(capsys, *arguments, str(folder / "file"))
    assert output == f"pyramidion: There is no folder {folder} for file; create it, or name another one.\n"
    assert not folder.exists()


def test_rules_of_a_section(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "ponzi-scheme", "PZ 4"]) == 0
    output = capsys.readouterr().out
    assert "4.1" in output
    assert "4.6" in output
    assert "5.1" not in output


def test_rules_are_read_in_other_languages(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "pyramis", "2.3", "--language", "fr"]) == 0
    assert "cartes Étoile" in capsys.readouterr().out
    assert main(["rules", "pyramis", "--language", "zh-Hant"]) == 0
    assert "艦隊" in capsys.readouterr().out
    assert "There is no language 'xx'" in refused(capsys, "rules", "pyramis", "--language", "xx")


def test_a_rule_that_is_not_there_names_those_that_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert "section 4 has the rules 4.1 to 4.6" in refused(capsys, "rules", "ponzi-scheme", "4.77")
    assert "the sections are 1, 2" in refused(capsys, "rules", "ponzi-scheme", "elephant")


@pytest.mark.parametrize("command", ["play", "rules", "laws", "bench", "warm"])
def test_an_unknown_game_names_those_there_are(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    output = refused(capsys, command, "ponzi-schema")
    assert "ponzi-scheme" in output
    assert "Did you mean" in output


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Pyramis", "pyramis"),
        ("ponzi", "ponzi-scheme"),
        ("Pyramid-Sham-Bo", "pyramid-shambo"),
        ("upside down pyramid scheme", "upside-down"),
        ("PYRAMID_SCHEME", "pyramid-scheme"),
        ("pyramis-mini", "pyramis-mini"),
        ("do", "downside-up"),
    ],
)
def test_a_game_is_known_by_its_name_and_its_beginning(typed: str, meant: str) -> None:
    assert game_id(typed) == meant
    assert game_ids([typed, "pyramis"]) == [meant, "pyramis"]


def test_every_command_knows_a_game_in_the_same_way() -> None:
    """Also those that are added later: whatever is called GAME is resolved in one place."""

    def parameters(command: Any) -> Iterator[Any]:
        for other in getattr(command, "commands", {}).values():
            yield from parameters(other)
        yield from (param for param in command.params if param.param_type_name == "argument")

    games = [param for param in parameters(typer.main.get_command(app)) if param.name in ("game", "games")]
    assert len(games) > 12
    for param in games:
        assert param.callback is not None, param.name


def test_the_command_that_resumes_a_game_needs_no_name_of_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    file = tmp_path / "game.json"
    assert main(["play", "Ponzi Scheme", "--save", str(file)]) == 0
    assert f"pyramidion play --resume {file}" in capsys.readouterr().out.replace("\n", " ")


PYRAMIS_CARDS = pyramidion.load("pyramis").card_file


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["plya"], "The commands are: serve, play, learn, games"),
        (["--verbose"], "See pyramidion --help."),
        (["play"], "Missing argument 'GAME'. The games are: downside-up, ponzi-scheme,"),
        (["learn"], "Missing argument 'GAME'. The games are: downside-up, ponzi-scheme,"),
        (["play", "Pyramid"], "'Pyramid' is the beginning of several games: pyramid-scheme, pyramid-shambo. Name one"),
        (["play", "!"], "There is no game '!'; there are downside-up, ponzi-scheme,"),
        (["play", "ponzi-scheme", "--seats", "six"], "--seats must be a whole number, not 'six'."),
        (["play", "ponzi-scheme", "--seats", "6"], "Ponzi Scheme has 3 to 5 seats, not 6."),
        (["play", "ponzi-scheme", "--option", "rounds=3"], "the options are: advanced, round_limit"),
        (["play", "ponzi-scheme", "--option", "round_limit=0"], "a whole number from 1 to 200"),
        (["play", "ponzi-scheme", "--option", "advanced"], "not of the form NAME=VALUE"),
        (["play", "ponzi-scheme", "-o", "advanced=true", "-o", "advanced=no"], "given twice"),
        (["play", "ponzi-scheme", "--option", "seed=3"], "use --seed"),
        (["play", "ponzi-scheme", "--bots", "genius"], "policy"),
        (["play", "ponzi-scheme", "--people", "5", "--seats", "4"], "do not fit at a table of 4 seats"),
        (["play", "ponzi-scheme", "--people", "6"], "3 to 5 seats"),
        (["play", "ponzi-scheme", "--bots", "Hrd"], "normal, hard and expert. Did you mean 'hard'?"),
        (["play", "ponzi-scheme", "--bot", "hard"], "No such option: --bot. Did you mean --bots or --option? See"),
        (["play", "ponzi-scheme", "--cards", str(PYRAMIS_CARDS)], "is a card file of pyramis, not of ponzi-scheme."),
        (["play", "ponzi-scheme", "--name", " \t"], "at least one letter"),
        (["bench", "ponzi-scheme", "--seats", "2"], "3 to 5 seats"),
        (["bench", "ponzi-scheme", "--games", "0"], "--games must be a whole number of at least 1, not '0'."),
        (["laws", "ponzi-scheme", "--games", "-1"], "--games must be a whole number of at least 1, not '-1'."),
        (["serve", "--port", "70000"], "from 0 to 65535, not 70000"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert says in refused(capsys, *arguments)


def numeric_options(command: Any = None, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the words of each command with each of its parameters that takes a number."""
    command = typer.main.get_command(app) if command is None else command
    for name, subcommand in getattr(command, "commands", {}).items():
        yield from numeric_options(subcommand, (*path, name))
    for param in command.params:
        if param.bare_type() in ("int", "float"):
            yield path, param


def test_a_bad_number_is_named_with_its_option_and_limit(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(list(numeric_options())) > 30
    for path, param in numeric_options():
        low, high = param.min, param.max
        bad = ["banana", *([] if low is None else [str(low - 1), "nan"]), *([] if high is None else [str(high + 1)])]
        for value in bad:
            typed = [param.opts[0], value] if param.param_type_name == "option" else ["--", value]
            output = refused(capsys, *path, *typed)
            assert f"{param.opts[0].removeprefix('--')} must be a" in output.lower()
            assert f"not {value!r}." in output
            assert low is None or f"of at least {low:,}" in output
            assert high is None or f"at most {high:,}" in output
            assert f"See pyramidion {' '.join(path)} --help." in output


def test_an_unforeseen_error_is_one_line_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("pyramidion.cli.info.show_games", fail)
    assert main(["games"]) == 1
    output = capsys.readouterr().err
    assert output == "pyramidion: Internal error, please report it: ZeroDivisionError: oh\n"
    monkeypatch.setenv("PYRAMIDION_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        main(["games"])


def test_a_reader_who_has_had_enough_is_no_error() -> None:
    done = subprocess.run(
        f"{sys.executable} -m pyramidion rules ponzi-scheme | head -n 1",
        shell=True,
        executable="/bin/bash",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""


def test_a_port_in_use_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 1
    assert f"Port {port} is in use already; choose another one with --port." in capsys.readouterr().err


def test_an_address_of_another_machine_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--host", "192.0.2.1", "--port", "0"]) == 1
    error = capsys.readouterr().err
    assert "192.0.2.1 is not an address of this machine; use --host 127.0.0.1" in error
    assert "--port" not in error


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("arguments", "paged"), [(["rules", "pyramis"], True), (["rules", "pyramis", "4.1"], False)])
def test_long_rules_are_paged_in_a_terminal(arguments: list[str], paged: bool, tmp_path: Path) -> None:
    import pty  # not on Windows

    seen = tmp_path / "paged"
    environment = {
        **os.environ,
        "PAGER": f"cat > {seen}",
        "MANPAGER": "",
        "LINES": "24",
        "COLUMNS": "80",
        "TERM": "xterm",
    }
    master, terminal = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "pyramidion", *arguments], stdin=terminal, stdout=terminal, env=environment
    ) as run:
        os.close(terminal)
        written = b""
        with suppress(OSError):  # the end of a pseudo-terminal
            while some := os.read(master, 4096):
                written += some
    os.close(master)
    assert run.returncode == 0
    assert seen.exists() == paged
    assert (b"PY 4.1" in written or b"4.1" in written) != paged


def test_laws_says_that_they_hold(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["laws", "ponzi-scheme", "--games", "2"]) == 0
    assert "keeps the laws over 2 random games" in capsys.readouterr().out


def test_a_broken_law_is_named(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def check_laws(*_: object, **__: object) -> None:
        raise AssertionError("A tile is missing after ply 3.")

    monkeypatch.setattr("pyramidion.engine.testing.check_laws", check_laws)
    assert main(["laws", "ponzi-scheme", "--games", "2"]) == 1
    assert "Ponzi Scheme breaks a law: A tile is missing after ply 3." in capsys.readouterr().err


@pytest.mark.slow
def test_warm_makes_every_game_ready(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["warm"]) == 0
    output = capsys.readouterr().out
    for game in pyramidion.all_games().values():
        assert f"{game.name} is ready" in output


@pytest.mark.parametrize(
    ("arguments", "missing", "extra"),
    [
        (["lab", "arena"], "optuna", "lab"),
        (["play", "arena"], "rich", "terminal"),
        (["arena", "pyramis"], "openskill", "arena"),
        (["arena", "pyramis"], "polars", "lab"),
        (["lab", "pyramis"], "ray", "cluster"),
        (["serve"], "uvicorn", "server"),
    ],
)
def test_a_missing_package_is_named_with_the_extra_that_brings_it(
    arguments: list[str], missing: str, extra: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(_arguments: object) -> int:
        raise ModuleNotFoundError(f"No module named {missing!r}", name=missing)

    monkeypatch.setattr("pyramidion.cli.app.main", run)
    assert main(arguments) == 1
    output = capsys.readouterr().err
    assert f"the package {missing} is missing" in output
    assert output.endswith(f"{install_command(extra)}\n")


@pytest.mark.parametrize(
    ("name", "prefix"), [("kuhn-poker", "KP"), ("uno-2", "UN"), ("ponzi-zoo", "PO"), ("uno", "UN"), ("x1", "XX")]
)
def test_a_new_game_has_a_prefix_of_two_letters_that_no_game_has(name: str, prefix: str) -> None:
    assert prefix_of(name) == prefix
