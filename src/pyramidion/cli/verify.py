"""The `pyramidion laws GAME` and `pyramidion verify RECORD` commands."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from pyramidion.cli.options import CommandFailed, load, read_record
from pyramidion.translation import from_one, quantity


def check(game_id: str, games: int) -> None:
    """Check the laws on random games and print the result. Raises CommandFailed naming the first law broken."""
    from pyramidion.engine.testing import check_laws

    game = load(game_id)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(game.name, total=games)
        try:
            check_laws(game, games=games, progress=lambda done: progress.update(task, completed=done))
        except AssertionError as broken:
            raise CommandFailed(f"{game.name} breaks a law: {broken}", code=1) from broken
    print(f"{game.name} keeps the laws over {quantity(games, 'random game')}.")


SEPARATE_KEYS = ("seals", "origin")
"""Record fields that are checked separately, after the actions."""


def verify(path: Path) -> None:
    """Verify a record and print a line per check. Raises CommandFailed describing the first that fails."""
    from pyramidion.engine.errors import BadRecord
    from pyramidion.engine.match import Match
    from pyramidion.engine.seals import check_seals
    from pyramidion.engine.seeds import check_origin
    from pyramidion.engine.takeback_records import check_taken_back

    data = read_record(path)
    try:
        record = cast("dict[str, Any]", data) if isinstance(data, dict) else {}
        match = Match.from_record({key: record[key] for key in record if key not in SEPARATE_KEYS} if record else data)
        print(
            f"Record: {match.game.name}, {quantity(match.seats, 'seat')}, version {match.rules_version} of the rules."
        )
        print(f"Actions: {match.ply:,}, all legal; the game is {'over' if match.over else 'not over'}.")
        if "seals" in record:
            count, by_clock = check_seals(match, record)
            print(f"Seals: {count:,}, all valid; the clock made {by_clock} of the actions.")
        else:
            print("Seals: the record has none.")
        if "origin" in record:
            origin = check_origin(record, game=match.game.id, seats=match.seats, seed=match.seed)
            print(f"Seed: it follows from the server's secret and {_given(len(origin.contributions))}.")
            print(f"      The secret's hash, shown before the first action: {origin.secret_hash}")
        else:
            print("Seed: the record does not say where it comes from.")
        if "host_commands" in record or "acts" in record:
            commands, gone, sealed = check_taken_back(match, record)
            print(
                f"Host commands: {commands:,}. They took back {quantity(gone, 'action')}, legal when played, "
                f"with {quantity(sealed, 'valid seal')}."
            )
    except BadRecord as error:
        raise CommandFailed(f"{path} does not hold: {from_one(str(error))}", code=1) from error


def _given(count: int) -> str:
    """Return the number of contributions to a seed in words."""
    return quantity(count, "contribution") if count else "no contribution"
