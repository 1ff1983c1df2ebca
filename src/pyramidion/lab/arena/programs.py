"""Programs of somebody else's that play by the JSON API: their processes, and what they are told to begin with."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from pyramidion.lab.arena.entrants import NoEntrant

LEAVE_SECONDS = 2.0
"""How long a program may take to end when there are no more tables for it."""
WORDS_READ, MOST_WORDS = 4096, 200
"""Bytes of what a program has said that are looked at where it has failed, and characters that are told."""


def command_of(what: str) -> list[str]:
    """Return the words of `program:COMMAND`. Raises NoEntrant where there is nothing that could be started."""
    try:
        words = shlex.split(what.removeprefix("program:"))
    except ValueError as error:
        raise NoEntrant(f"{what} cannot be read as a command: {error}.") from None
    if not words:
        raise NoEntrant("A program is written program:COMMAND, such as 'program:python3 my_bot.py'.")
    if shutil.which(words[0]) is None:
        raise NoEntrant(f"There is no program {words[0]!r} here that could be started.")
    return words


class Program:
    """A running program. It is handed one table after another, a line of JSON each on its standard input.

    What it writes is kept in `said`, a file, for the sentence in which it fails.
    """

    def __init__(self, name: str, command: list[str], said: Path) -> None:
        self.name, self._command, self._said = name, command, said
        self._line = ""
        self._again = False
        self._start()

    def _start(self) -> None:
        with self._said.open("wb") as said:
            try:
                # A session of its own: Ctrl+C is for the arena, which ends it with all that it has started.
                self._process = subprocess.Popen(
                    self._command,
                    stdin=subprocess.PIPE,
                    stdout=said,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            except OSError as error:
                raise NoEntrant(f"{self.name} cannot be started: {error.strerror or error}.") from None
        self._tables = 0

    def hand(self, table: dict[str, Any]) -> None:
        """Hand it the next table."""
        # A file of one game's words, however much it says.
        os.truncate(self._said, 0)
        self._line = json.dumps(table) + "\n"
        # One that plays a single table has ended, or is just about to; `check` starts it again.
        self._again = self._tables > 0
        self._write()

    def _write(self) -> None:
        self._tables += 1
        assert self._process.stdin is not None
        with suppress(OSError):  # it has ended, as `check` will find
            self._process.stdin.write(self._line.encode())
            self._process.stdin.flush()

    def check(self, acted: bool, ply: int) -> None:
        """Raise NoEntrant with a sentence where it has ended before the game.

        One that has ended well after an earlier table, and not acted in this one, is started again instead.
        """
        status = self._process.poll()
        if status is None:
            return
        self._close_pipe()
        self._end_all()
        if status == 0 and self._again and not acted:
            self._again = False
            self._start()
            self._write()
            return
        raise NoEntrant(f"{self.name} ended with status {status} at ply {ply}, before the game was over.{self.words()}")

    def words(self) -> str:
        """Return what it said last, as a sentence to add, or nothing."""
        with self._said.open("rb") as said:
            said.seek(0, os.SEEK_END)
            said.seek(max(0, said.tell() - WORDS_READ))
            lines = said.read().decode("utf-8", "replace").split("\n")
        last = next((line for line in reversed(lines) if line.strip()), "")
        readable = "".join(c if c.isprintable() else " " for c in last.strip())
        return f" It said last: {readable[:MOST_WORDS]}" if last else ""

    def close(self, *, at_once: bool) -> None:
        """Let it end, or end it, and all that it has started."""
        if self._process.returncode is None:
            self._close_pipe()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(0 if at_once else LEAVE_SECONDS)
            self._end_all()

    def _close_pipe(self) -> None:
        assert self._process.stdin is not None
        with suppress(OSError):  # what was still to be written, nobody reads
            self._process.stdin.close()

    def _end_all(self) -> None:
        """End what is left of it: whatever it has started is in its session, and may be there when it is not."""
        if sys.platform == "win32":
            self._process.kill()
        else:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
