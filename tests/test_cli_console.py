"""Every command under consoles and pipes whose encoding lacks characters that it prints."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from pyramidion.cli.app import commands, subcommands
from pyramidion.cli.console import transliterate

ENCODINGS = {
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "strict ascii": {"PYTHONIOENCODING": "ascii:strict"},
    "cp1252": {"PYTHONIOENCODING": "cp1252"},
    "cp950": {"PYTHONIOENCODING": "cp950:strict"},
    "C locale": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
}
READ = [
    "rules GAME",
    "rules GAME --language fr",
    "rules GAME --language zh-Hant",
    "games",
    "games --json",
    "cards GAME",
]
REFUSED = [
    "rules 金字塔",
    "rules pyramis 9.9.9",
    "play pyramis --name Zoë --name Zoë",
    "verify é.json",
    "cards pyramis",
]
CALLING = """
import sys
from pyramidion.cli import main
for line in sys.argv[1:]:
    code = main(line.split())
    assert code in (0, 1, 2), line
"""


def lines() -> list[str]:
    """Return the help of every command, and commands that read and refuse."""
    help_pages = [f"{command} --help" for command in (*commands(), *subcommands())]
    games = ("ponzi-scheme", "pyramid-scheme", "upside-down")
    return [*help_pages, *(line.replace("GAME", game) for line in READ for game in games), *REFUSED]


def run(environment: dict[str, str], **streams: int) -> subprocess.CompletedProcess[bytes]:
    """Run all commands in one process, with an environment."""
    command = [sys.executable, "-c", CALLING, *lines()]
    without = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHONIO"))}
    # Nobody turns the pages of long rules.
    environment = {**without, "MANPAGER": "cat", **environment}
    return subprocess.run(command, env=environment, check=False, **(streams or {"capture_output": True}))


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_command_in_a_pipe(encoding: str) -> None:
    done = run(ENCODINGS[encoding])
    assert done.returncode == 0, done.stderr[-2000:]
    assert b"Internal error" not in done.stderr
    assert b"Traceback" not in done.stderr
    assert len(done.stdout) > 10_000


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals.")
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_command_at_a_terminal(encoding: str) -> None:
    import pty
    import threading

    ours, theirs = pty.openpty()
    pieces: list[bytes] = []

    def read() -> None:
        try:
            while piece := os.read(ours, 65536):
                pieces.append(piece)
        except OSError:
            return

    reader = threading.Thread(target=read)
    reader.start()
    done = run(ENCODINGS[encoding], stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    reader.join(60)
    os.close(ours)
    text = b"".join(pieces)
    assert done.returncode == 0, text[-2000:]
    assert b"Internal error" not in text
    assert b"Traceback" not in text


@pytest.mark.parametrize("encoding", ["ascii", "cp950:strict", "utf-8"])
@pytest.mark.parametrize("command", ["play pyramis --bots random --seed 1", "learn pyramis"])
def test_what_is_typed_in_another_encoding_is_no_action(command: str, encoding: str) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    typed = b"\xef\xbb\xbf?\n\xe9\n\xff\xfe\n\xa4\nquit\n"
    line = [sys.executable, "-m", "pyramidion", *command.split()]
    done = subprocess.run(line, input=typed, capture_output=True, env=environment, check=False)
    assert b"Internal error" not in done.stderr
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("text", "encoding", "written"),
    [("Zoë → “a”…", "ascii", b'Zoe -> "a"...'), ("é金", "cp950", b"e\xaa\xf7"), ("🐸", "cp950", b"?")],
)  # fmt: skip
def test_characters_that_are_lacking_are_spelled(text: str, encoding: str, written: bytes) -> None:
    import codecs

    codecs.register_error("spelled-here", transliterate)
    assert text.encode(encoding, "spelled-here") == written


def test_a_program_that_has_read_its_input_can_call_the_command() -> None:
    program = "import sys; sys.stdin.readline(); from pyramidion.cli import main; sys.exit(main(['games']))"
    done = subprocess.run([sys.executable, "-c", program], input=b"a line\n", capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert b"pyramis" in done.stdout
