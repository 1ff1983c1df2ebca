"""The `pyramidion play GAME` command."""

from __future__ import annotations

import contextlib
import importlib
import secrets
import sys
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from pyramidion.cli.options import CommandFailed, check_new, load, new_match, read_cards, read_record
from pyramidion.names import BadName, clean, lookalike, shortened
from pyramidion.translation import _, from_one, ngettext, quantity

if TYPE_CHECKING:
    from pyramidion import Action, Match
    from pyramidion.terminal.table import Bot

LONGEST_NAME = 24


def play(
    game_id: str,
    seats: int | None,
    seed: str | None,
    options: Sequence[str] | None,
    people: int,
    names: Sequence[str],
    bots: str,
    cards: Path | None,
    save: Path | None,
    resume: Path | None,
) -> None:
    """Seat players and bots at a table in the terminal, and play until the game ends or somebody leaves."""
    from pyramidion.bots import background_compilation
    from pyramidion.engine.rule import interpret_uncached_rules
    from pyramidion.terminal.game_file import GameFile
    from pyramidion.terminal.table import GameLeft, TerminalTable

    game = load(game_id)
    if save is not None and not (resume is not None and save.exists() and resume.exists() and save.samefile(resume)):
        check_new(save)
    interpret_uncached_rules()
    compiled = background_compilation.start(game)
    if resume is not None:
        if seats is not None or seed is not None or options or cards:
            raise CommandFailed(
                "--resume goes on with the seats, seed, options and cards of the record; leave them out."
            )
        match = _resumed(resume, game_id)
    else:
        # Short, so that people can retype it.
        chosen = seed if seed is not None else str(secrets.randbelow(10**6))
        match = new_match(game, seats, chosen, options, read_cards(game, cards) if cards else None)
    people = max(people, len(names))
    if people > match.seats:
        raise CommandFailed(f"{people} people do not fit at a table of {quantity(match.seats, 'seat')}.")
    file = GameFile(save)
    table = TerminalTable(
        match,
        {seat: _name(names, seat) for seat in range(people)},
        {
            seat: (_("Bot {seat}").format(seat=seat + 1), _bot(bots, match, seat, compiled))
            for seat in range(people, match.seats)
        },
        Console(highlight=False),
        ask_line,
        file,
    )
    file.write(match)
    _edit_lines(people)
    try:
        if resume is None:
            table.introduce()
        table.run()
    except (GameLeft, KeyboardInterrupt):
        left = ngettext(
            "You left the table after {count} action.",
            "You left the table after {count} actions.",
            table.actions_taken,
        ).format(count=table.actions_taken)
        again = f"pyramidion play {game_id} --resume {file.path} --save {file.path}"
        kept = _("Continue with: {command}").format(command=again)
        lost = _("It is not saved: start the next one with --save FILE to continue it later.")
        print(f"\n{left} {kept if file.path else lost}")
    else:
        if file.path:
            print(_("The record is in {file}.").format(file=file.path))


def _name(names: Sequence[str], seat: int) -> str:
    """Return the name of the person at a seat, checked, or `Player 2`. Raises CommandFailed."""
    if seat < len(names):
        try:
            name = clean(names[seat])
        except BadName as error:
            raise CommandFailed(str(error)) from error
        if not name:
            raise CommandFailed("A name must have at least one letter.")
        if lookalike(name, names[:seat]) is not None:
            raise CommandFailed(f"Two people are called {name}, or what looks the same.")
        return shortened(name, LONGEST_NAME)
    # Not "You": the sentences of events have their seats in the third person.
    return _("Player {seat}").format(seat=seat + 1)


def _bot(name: str, match: Match, seat: int, compiled: Future[None]) -> Bot:
    """Return a function that moves as the named bot, once its search is compiled. Raises CommandFailed."""
    from pyramidion import bots

    try:
        # Derive the bot's seed from the match's, so that the same seed and the same play get the same answers.
        move = bots.load(name, match.game, f"{match.seed}/{seat}").move
    except ValueError as error:
        raise CommandFailed(str(error)) from error

    def answer(match: Match, seat: int) -> Action:
        """Wait until the search is compiled, with a message, and return the bot's move."""
        if not compiled.done():
            message = _("Preparing the bots. The first time on a computer, this takes up to a minute.")
            with Console(stderr=True).status(message):
                compiled.result()
        return move(match, seat)

    return answer if name in bots.ALL_LEVELS else move


def _edit_lines(people: int) -> None:
    """Enable line editing in input(), with history for a single player only: others must not see what was typed."""
    with contextlib.suppress(ImportError):
        importlib.import_module("readline").set_auto_history(people == 1)


def ask_line(prompt: str) -> str:
    """Ask for one line, even if standard input is not a terminal. Raises EOFError at its end."""
    if sys.stdin.isatty():
        return input(prompt)
    print(prompt, end="", flush=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    print()
    return line.removeprefix("\ufeff").rstrip("\n")  # PowerShell begins what it pipes with a byte order mark


def _resumed(path: Path, game_id: str) -> Match:
    """Return the match of a saved record. Raises CommandFailed if it cannot be played on, or is of another game."""
    import pyramidion

    try:
        match = pyramidion.Match.from_record(read_record(path))
    except pyramidion.BadRecord as error:
        raise CommandFailed(f"{path} is not a record that can be played on: {from_one(str(error))}") from error
    if match.game.id != game_id:
        raise CommandFailed(f"{path} is a record of {match.game.id}, not of {game_id}.")
    return match
