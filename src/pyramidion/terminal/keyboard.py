"""The keyboard of a terminal table: lines, pauses, and what is typed at a pause."""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Callable

from rich.console import Console
from rich.text import Text

from pyramidion.terminal.notation import folded
from pyramidion.translation import _

QUIT = ("quit", "q", "exit")


class GameLeft(Exception):
    """A player left the table before the game was over."""


class Keyboard:
    """Reads what players type. `ask` prompts for a line and raises EOFError at the end of input.

    Attributes:
        kept: the lines that were typed at pauses, which answer the next questions.
    """

    def __init__(self, ask: Callable[[str], str], console: Console) -> None:
        self._ask, self._console = ask, console
        self.kept: list[str] = []

    def read(self, prompt: str) -> str:
        """Return a line, without control characters. Raises GameLeft at the end of input.

        A prompt longer than the screen is wide breaks between words.
        """
        if self._console.is_terminal and len(prompt) >= self._console.width:
            *above, last = Text(prompt.rstrip()).wrap(self._console, self._console.width - 1)
            for text in above:
                self._console.print(text)
            prompt = last.plain.rstrip() + " "
        try:
            line = self._ask(prompt)
        except EOFError:
            raise GameLeft from None
        return "".join(c for c in line if c.isprintable())

    def pause(self, prompt: str, leave: Callable[[str], None]) -> None:
        """Wait until the player goes on, and keep a line that is typed instead; call `leave` if it is to quit."""
        if self._console.is_terminal:
            forget_input()
        while line := self.read(prompt + " ").strip():
            if command(line) != QUIT[0]:
                self.kept.append(line)
                return
            leave(line)

    def answer(self, prompt: str) -> str:
        """Return the line that was typed at a pause, or else is typed now.

        A number that was typed before its list was on the screen is not taken; the player is told.
        """
        while self.kept:
            line = self.kept.pop(0)
            if not line.removeprefix("-").isdecimal():
                self._console.print(Text(prompt + line))
                return line
            text = _("You typed {number} before this was on the screen. Type it again to choose it.")
            self._console.print(Text(text.format(number=line), style="yellow"))
        return self.read(prompt)


def forget_input() -> None:
    """Drop what was typed before now: an Enter must not answer what was not on the screen yet. Not on Windows."""
    try:
        termios = importlib.import_module("termios")
    except ImportError:
        return
    # It is no file in tests, and no terminal in a pipe.
    with contextlib.suppress(termios.error, OSError, ValueError):
        termios.tcflush(sys.stdin, termios.TCIFLUSH)


def command(line: str) -> str:
    """Return a line for comparison; the words for leaving are one."""
    typed = folded(line)
    return QUIT[0] if typed in QUIT else typed
