"""`pyramidion laws GAME`."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from pyramidion.cli.asking import Refused, load


def check(game_id: str, games: int) -> None:
    """Check the laws over random games and say so; Refused with the law that is broken."""
    from pyramidion.engine.testing import check_laws

    game = load(game_id)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(game.name, total=games)
        try:
            check_laws(game, games=games, progress=lambda done: progress.update(task, completed=done))
        except AssertionError as broken:
            raise Refused(f"{game.name} breaks a law: {broken}", code=1) from broken
    print(f"{game.name} keeps the laws over {games} random games.")
