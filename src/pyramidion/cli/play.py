"""`pyramidion play GAME`."""

from __future__ import annotations

import contextlib
import importlib
import json
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from pyramidion.cli.asking import Refused, load, new_match
from pyramidion.words import _, ngettext

if TYPE_CHECKING:
    from pyramidion import Match
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
    """Seat people and bots, and play to the end or until somebody leaves."""
    from pyramidion.terminal.table import Left, TerminalTable

    game = load(game_id)
    if resume is not None:
        if seats is not None or seed is not None or options or cards:
            raise Refused("--resume goes on with the seats, seed, options and cards of the record; leave them out.")
        match = _resumed(resume, game_id)
    else:
        # A seed that can be typed again.
        chosen = seed if seed is not None else str(secrets.randbelow(10**6))
        match = new_match(game, seats, chosen, options, cards.read_text("utf-8") if cards else None)
    people = max(people, len(names))
    if people > match.seats:
        raise Refused(f"{people} people do not fit at a table of {match.seats} seats.")
    table = TerminalTable(
        match,
        {seat: _name(names, seat, people) for seat in range(people)},
        {seat: (_("Bot {seat}").format(seat=seat), _bot(bots, match, seat)) for seat in range(people, match.seats)},
        Console(highlight=False),
        _ask,
        (lambda match: _write(save, match)) if save else (lambda match: None),
    )
    if save:
        _write(save, match)
    _prepare(match, bots, people)
    _edit_lines(people)
    try:
        table.run()
    except (Left, KeyboardInterrupt):
        left = ngettext(
            "You left the table after {count} actions.", "You left the table after {count} actions.", match.ply
        ).format(count=match.ply)
        again = f"pyramidion play {game_id} --resume {save} --save {save}"
        kept = " " + _("Go on with: {command}").format(command=again) if save else ""
        print(f"\n{left}{kept}")


def _name(names: Sequence[str], seat: int, people: int) -> str:
    if seat < len(names):
        name = " ".join("".join(c for c in names[seat] if c.isprintable()).split())[:LONGEST_NAME]
        if not name:
            raise Refused("A name must have at least one letter.")
        return name
    return _("You") if people == 1 else _("Player {seat}").format(seat=seat)


def _bot(name: str, match: Match, seat: int) -> Bot:
    from pyramidion import bots

    try:
        # The same seed deals the same game, and the same answers to the same play.
        return bots.load(name, match.game, f"{match.seed}/{seat}").move
    except ValueError as error:
        raise Refused(str(error)) from error


def _prepare(match: Match, name: str, people: int) -> None:
    """Compile the search where bots will need it; the first time ever that takes seconds, and is said."""
    from pyramidion import bots

    if name in bots.LEVELS and people < match.seats:
        with Console(stderr=True).status(f"{match.game.name}: getting the bots ready"):
            bots.warm(match.game)


def _edit_lines(people: int) -> None:
    """Let input() edit its line and, for one person, bring back earlier ones; others must not find what was typed."""
    with contextlib.suppress(ImportError):
        importlib.import_module("readline").set_auto_history(people == 1)


def _ask(prompt: str) -> str:
    if sys.stdin.isatty():
        return input(prompt)
    print(prompt, end="", flush=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    print()
    return line.rstrip("\n")


def _resumed(path: Path, game_id: str) -> Match:
    import pyramidion

    try:
        match = pyramidion.Match.from_record(json.loads(path.read_text("utf-8")))
    except (pyramidion.BadRecord, json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused(f"{path} is not a record that can be played on: {error}") from error
    if match.game.id != game_id:
        raise Refused(f"{path} is a record of {match.game.id}, not of {game_id}.")
    return match


def _write(path: Path | None, match: Match) -> None:
    """Write the record beside the old one and put it in its place, so that a half-written one is never left."""
    if path is None:
        return
    draft = path.with_name(path.name + ".part")
    draft.write_text(json.dumps(match.record()) + "\n", "utf-8")
    draft.replace(path)
