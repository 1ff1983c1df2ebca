"""The `pyramidion describe GAME` command."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from pyramidion.cli.options import CommandFailed, accept_options, load_all, print_json, read_options
from pyramidion.cli.tables import print_table
from pyramidion.translation import quantity

if TYPE_CHECKING:
    from pyramidion.lab.description import Description


def describe(
    games: Sequence[str] | None,
    seats: int | None,
    count: int,
    seed: str,
    options: Sequence[str] | None,
    as_json: bool,
) -> None:
    """Measure games and print them in figures, as tables or as a list in JSON."""
    from pyramidion.lab.description import describe as measure
    from pyramidion.lab.description import rows

    described: list[Description] = []
    for game in load_all(games):
        agreed = accept_options(game, options)
        given = {name: agreed[name] for name in read_options(options)}
        try:
            description = measure(game, seats, count, seed, given)
        except ValueError as error:
            raise CommandFailed(str(error)) from error
        described.append(description)
        if not as_json:
            console = Console()
            console.print(
                f"{game.name}, {quantity(description.seats, 'seat')}, version {game.rules_version} of its rules: "
                f"{quantity(count, 'game')} between policy players, seed {seed}",
                highlight=False,
            )
            table = Table(box=SIMPLE_HEAD, pad_edge=False, show_header=False)
            for title, value in rows(description).items():
                table.add_row(title, value)
            print_table(table, console)
    if as_json:
        print_json([asdict(description) for description in described])
