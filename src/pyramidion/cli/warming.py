"""`pyramidion warm`."""

from __future__ import annotations

import time
from collections.abc import Sequence

from rich.console import Console

from pyramidion import bots
from pyramidion.cli.asking import load_all


def warm(names: Sequence[str] | None) -> None:
    """Compile what is not in the cache, telling what is being done while it takes time."""
    console = Console(highlight=False)
    for game in load_all(names):
        began = time.perf_counter()
        with console.status(game.name) as status:
            game.warm(progress=lambda part, game=game: status.update(f"{game.name}: {part}"))
            status.update(f"{game.name}: search")
            bots.warm(game)
        console.print(f"{game.name} is ready ({time.perf_counter() - began:.1f} s).")
