"""Tables in a terminal at which the lines that people type are given."""

import io
import random

import pytest
from rich.console import Console
from tests.every_game import limits

from pyramidion.terminal.table import GameLeft, TerminalTable


def table_of(match, lines, people=1, file=None, height=24, pauses=()):
    """Return a table in whose first seats people type these lines, with others at pauses, and its output."""
    out, left, waiting = io.StringIO(), list(lines), list(pauses)

    def ask(prompt):
        out.write(prompt)
        if prompt.startswith(("Press Enter to go on.", "Press Enter for more, or q to skip to the end.")):
            return waiting.pop(0) if waiting else ""
        if not left:
            raise EOFError
        return left.pop(0)

    bots = {seat: (f"Bot {seat + 1}", lambda match, seat: match.legal(seat)[0]) for seat in range(people, match.seats)}
    console = Console(file=out, width=80, height=height, force_terminal=True, color_system=None)
    persons = {seat: ("Ann", "Bob", "Cleo")[seat] for seat in range(people)}
    return TerminalTable(match, persons, bots, console, ask, file=file), out


def typed(match, lines, **how):
    """Return what a table prints until the input ends."""
    table, out = table_of(match, lines, **how)
    with pytest.raises(GameLeft):
        table.run()
    return " ".join(out.getvalue().split())


def position_with(game, family, seats=None):
    """Return a decision of seat 0 in which an action of a family is legal."""
    for seed in range(40):
        match, chance = game.new(seats or max(game.seats), seed, **limits(game, 12)), random.Random(seed)
        while not match.over:
            seat = match.acting[0]
            if seat == 0 and any(action.family == family for action in match.legal(0)):
                return match
            match.play(seat, chance.choice(match.legal(seat)))
    raise AssertionError(f"No {family}.")
