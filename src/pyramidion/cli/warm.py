"""The `pyramidion warm` command."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed

from rich.console import Console

from pyramidion.cli.options import load_all
from pyramidion.lab.bench import cores


def warm(names: Sequence[str] | None) -> None:
    """Compile games that are not in the cache, one process per core, and print how long each took."""
    console = Console(highlight=False)
    games = load_all(names)
    jobs = min(cores(), len(games))
    with console.status(", ".join(game.name for game in games)):
        if jobs == 1:
            for game in games:
                console.print(f"{game.name} is ready ({warm_game(game.id):.1f} s).")
            return
        # Processes, not threads: the compiler holds the GIL.
        with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
            waiting = {pool.submit(warm_game, game.id): game for game in games}
            for future in as_completed(waiting):
                console.print(f"{waiting[future].name} is ready ({future.result():.1f} s).")


def end_at_eof() -> None:
    """End this process as soon as its standard input closes, as when the server that started it was killed."""

    def watch() -> None:
        """Read standard input until it closes, then exit."""
        # Not `sys.stdin`, whose lock would be held while the interpreter shuts down.
        while os.read(0, 1):
            pass
        os._exit(1)

    threading.Thread(target=watch, name="pyramidion-eof", daemon=True).start()


def warm_game(game_id: str) -> float:
    """Compile a game's rules and search, or load them from the cache; return the time taken in seconds."""
    import pyramidion
    from pyramidion import bots

    began = time.perf_counter()
    game = pyramidion.load(game_id)
    game.warm()
    bots.warm(game)
    return time.perf_counter() - began
