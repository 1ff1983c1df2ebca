"""Processes of external programs that play through the JSON API."""

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

from pyramidion.lab.arena.errors import EntrantError

EXIT_SECONDS = 2.0
"""Time a program gets to exit when there are no more tables for it."""
OUTPUT_BYTES_READ, MAX_QUOTED = 4096, 200
"""When a program fails: bytes read from the end of its output, and characters quoted in the error."""


def command_of(what: str) -> list[str]:
    """Split an entrant's specification `program:COMMAND` into the arguments of the command.

    Raises EntrantError if the command is malformed or its program is not installed.
    """
    try:
        words = shlex.split(what.removeprefix("program:"))
    except ValueError as error:
        raise EntrantError(f"{what} cannot be read as a command: {error}.") from None
    if not words:
        raise EntrantError("A program is written program:COMMAND, such as 'program:python3 my_bot.py'.")
    if shutil.which(words[0]) is None:
        raise EntrantError(f"There is no program {words[0]!r} here that could be started.")
    return words


class Program:
    """A running external program of an entrant, which is invited to one table after another.

    It receives each table as a line of JSON on its standard input. Its output goes to the file `output`, which error
    messages quote.
    """

    def __init__(self, name: str, command: list[str], output: Path) -> None:
        self.name, self._command, self._output = name, command, output
        self._line = ""
        self._again = False
        self._start()

    def _start(self) -> None:
        """Start the program, its output redirected to the file. Raises EntrantError if it cannot be started."""
        with self._output.open("wb") as output:
            try:
                # Start a new session: only the arena handles Ctrl+C, and it can kill the whole process group.
                self._process = subprocess.Popen(
                    self._command,
                    stdin=subprocess.PIPE,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            except OSError as error:
                raise EntrantError(f"{self.name} cannot be started: {error.strerror or error}.") from None
        self._tables = 0

    def send_table(self, table: dict[str, Any]) -> None:
        """Invite the program to its next table; `table` is what the line of JSON holds."""
        # Keep only the current game's output, so that the file cannot grow without limit.
        os.truncate(self._output, 0)
        self._line = json.dumps(table) + "\n"
        # A program that plays a single table has exited, or is about to; `check` restarts it.
        self._again = self._tables > 0
        self._write()

    def _write(self) -> None:
        """Write the line that invites the program to its current table."""
        self._tables += 1
        assert self._process.stdin is not None
        with suppress(OSError):  # it has exited; `check` will notice
            self._process.stdin.write(self._line.encode())
            self._process.stdin.flush()

    def check(self, acted: bool, ply: int) -> None:
        """Raise EntrantError if the program exited before the game was over.

        If it exited cleanly after an earlier game and has not `acted` in this one, restart it instead. The error names
        `ply`.
        """
        status = self._process.poll()
        if status is None:
            return
        self._close_pipe()
        self._kill_group()
        if status == 0 and self._again and not acted:
            self._again = False
            self._start()
            self._write()
            return
        raise EntrantError(
            f"{self.name} ended with status {status} at ply {ply}, before the game was over.{self.last_output()}"
        )

    def last_output(self) -> str:
        """Return the program's last line of output as a sentence to append to an error; empty if there is none."""
        with self._output.open("rb") as output:
            output.seek(0, os.SEEK_END)
            output.seek(max(0, output.tell() - OUTPUT_BYTES_READ))
            lines = output.read().decode("utf-8", "replace").split("\n")
        last = next((line for line in reversed(lines) if line.strip()), "")
        readable = "".join(c if c.isprintable() else " " for c in last.strip())
        return f" It said last: {readable[:MAX_QUOTED]}" if last else ""

    def close(self, *, at_once: bool) -> None:
        """Stop the program and everything it started; unless `at_once`, first wait EXIT_SECONDS for it to exit."""
        if self._process.returncode is None:
            self._close_pipe()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(0 if at_once else EXIT_SECONDS)
            self._kill_group()

    def _close_pipe(self) -> None:
        """Close the program's standard input, which tells it that there are no more tables."""
        assert self._process.stdin is not None
        with suppress(OSError):  # unwritten input no longer matters
            self._process.stdin.close()

    def _kill_group(self) -> None:
        """Kill the process group: child processes may outlive the program."""
        if sys.platform == "win32":
            self._process.kill()
        else:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
