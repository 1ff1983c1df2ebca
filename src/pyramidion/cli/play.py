"""The `pyramidion play GAME` command."""

from __future__ import annotations

import contextlib
import importlib
import secrets
import shlex
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from pyramidion.cli.options import CommandFailed, check_new, load, new_match, read_cards, read_record
from pyramidion.names import BadName, clean, lookalike, shortened
from pyramidion.translation import _, from_one, ngettext, quantity

if TYPE_CHECKING:
    from pyramidion import Action, Match
    from pyramidion.engine.lesson import Lesson
    from pyramidion.terminal.game_file import GameFile, Seating
    from pyramidion.terminal.lesson import LessonTable
    from pyramidion.terminal.table import Bot, TerminalTable

LONGEST_NAME = 24


def play(
    game_id: str | None,
    seats: int | None,
    seed: str | None,
    options: Sequence[str] | None,
    people: int | None,
    names: Sequence[str],
    bots: str | None,
    cards: Path | None,
    save: Path | None,
    resume: Path | None,
) -> None:
    """Seat players and bots at a table in the terminal, and play until the game ends or somebody leaves."""
    import pyramidion
    from pyramidion.bots import background_compilation
    from pyramidion.engine.lesson import lesson_of
    from pyramidion.engine.rule import interpret_uncached_rules
    from pyramidion.terminal.game_file import GameFile

    if save is not None and not (resume is not None and save.exists() and resume.exists() and save.samefile(resume)):
        check_new(save)
    interpret_uncached_rules()
    if resume is not None:
        if seats is not None or seed is not None or options or cards:
            raise CommandFailed(
                "--resume goes on with the seats, seed, options and cards of the record; leave them out."
            )
        match, saved = _resumed(resume, game_id)
    elif game_id is None:
        games = ", ".join(pyramidion.all_games())
        raise CommandFailed(f"Missing argument 'GAME'. The games are: {games}. --resume goes on with a saved one.")
    else:
        game = load(game_id)
        # Short, so that people can retype it.
        chosen = seed if seed is not None else str(secrets.randbelow(10**6))
        count = max(people or 1, len(names))
        if seats is None and count > game.usual_seats:
            seats = count
        match = new_match(game, seats, chosen, options, read_cards(game, cards) if cards else None)
        saved = None
    compiled = background_compilation.start(match.game)
    seating = _seating(match, saved, people, names, bots)
    file = GameFile(save or resume, seating)
    lesson = lesson_of(match.game)
    if seating.lesson and lesson is not None and lesson.fits(match):
        table = lesson_table(lesson, match, file)
    else:
        seating.lesson = False
        table = _table(match, file, seating, compiled)
    file.write(match)
    _edit_lines(len(seating.people))
    sit_at(table, file, table.introduce if resume is None else table.resume)


def sit_at(table: TerminalTable, file: GameFile, begin: Callable[[], None] = lambda: None) -> None:
    """Play at a table, after it has begun, until the game ends or somebody leaves; then say where the game is kept."""
    from pyramidion.terminal.table import GameLeft

    console = Console(highlight=False)
    try:
        begin()
        table.run()
    except (GameLeft, KeyboardInterrupt):
        left = ngettext(
            "You left the table after {count} action.",
            "You left the table after {count} actions.",
            table.actions_taken,
        ).format(count=table.actions_taken)
        kept = _("Continue with: {command}").format(command=f"pyramidion play --resume {shlex.quote(str(file.path))}")
        lost = _("It is not saved: start the next one with --save FILE to continue it later.")
        _tell(console, f"\n{left}\n{kept if file.path else lost}")
    else:
        if file.path:
            _tell(console, _("The record is in {file}.").format(file=file.path))


def lesson_table(lesson: Lesson, match: Match, file: GameFile) -> LessonTable:
    """Return a table at which a coach leads through a lesson, with the seating of the file."""
    from pyramidion import bots
    from pyramidion.terminal.lesson import LessonTable

    others = [seat for seat in range(lesson.seats) if seat != lesson.learner]
    moves = {
        seat: (name, bots.load("policy", match.game, f"{lesson.seed}/{seat}").move)
        for seat, name in zip(others, lesson.names, strict=True)
    }
    return LessonTable(lesson, match, moves, Console(highlight=False), ask_line, file)


def _tell(console: Console, text: str) -> None:
    """Print a text, in a terminal in lines that break between words."""
    console.print(Text(text), soft_wrap=not console.is_terminal)


def _seating(
    match: Match, saved: Seating | None, people: int | None, names: Sequence[str], bots: str | None
) -> Seating:
    """Return who sits where: as the command says, or else as at the saved table. Raises CommandFailed."""
    from pyramidion.terminal.game_file import Seating

    if saved is not None and people is None and not names:
        saved.level, saved.lesson = bots or saved.level, saved.lesson and bots is None
        return saved
    count = max(people or 1, len(names))
    if count > match.seats:
        raise CommandFailed(f"{count} people do not fit at a table of {quantity(match.seats, 'seat')}.")
    return Seating(
        [_name(names, seat) for seat in range(count)],
        [_("Bot {seat}").format(seat=seat + 1) for seat in range(count, match.seats)],
        list(range(count)),
        bots or (saved.level if saved else "normal"),
    )


def _table(match: Match, file: GameFile, seating: Seating, compiled: Future[None]) -> TerminalTable:
    """Return a table with this seating. Raises CommandFailed if there are no such bots."""
    from pyramidion.terminal.table import TerminalTable

    moves = {seat: (name, _bot(seating.level, match, seat, compiled)) for seat, name in seating.bot_names().items()}
    return TerminalTable(match, seating.names(), moves, Console(highlight=False), ask_line, file)


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
    from pyramidion.terminal.hints import wait_for_search

    try:
        # Derive the bot's seed from the match's, so that the same seed and the same play get the same answers.
        move = bots.load(name, match.game, f"{match.seed}/{seat}").move
    except ValueError as error:
        raise CommandFailed(str(error)) from error

    def answer(match: Match, seat: int) -> Action:
        """Wait until the search is compiled, with a message, and return the bot's move."""
        wait_for_search(compiled, Console(stderr=True))
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


def _resumed(path: Path, game_id: str | None) -> tuple[Match, Seating | None]:
    """Return the match of a saved record, and who sat at its table, if the record says it.

    Raises CommandFailed if it cannot be played on, or is of another game than the given one.
    """
    import pyramidion
    from pyramidion.terminal.game_file import Seating

    record = read_record(path)
    try:
        match = pyramidion.Match.from_record(record)
    except pyramidion.BadRecord as error:
        raise CommandFailed(f"{path} is not a record that can be played on: {from_one(str(error))}") from error
    if game_id is not None and match.game.id != load(game_id).id:
        raise CommandFailed(f"{path} is a record of {match.game.id}, not of {game_id}.")
    return match, Seating.of_record(record, match.seats)
