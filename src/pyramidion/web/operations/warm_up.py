"""Compiling every game while the server starts, so that nobody waits at its first table."""

from __future__ import annotations

import gc
import logging
import threading

from pyramidion.bots.thread_pool import compile_search
from pyramidion.engine import registry
from pyramidion.web.pages.renderer import ENVIRONMENT

SURVIVORS = 20_000
"""Number of surviving new objects after which the garbage collector runs."""
log = logging.getLogger(__name__)


class WarmUp:
    """Loads or compiles every game, its search and its board, in a thread."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None

    @property
    def running(self) -> bool:
        """Whether rules are still being compiled."""
        return self._thread is not None and self._thread.is_alive()

    def start(self) -> None:
        """Start to compile."""
        self._thread = threading.Thread(target=_compile_all, name="pyramidion-warm", daemon=True)
        self._thread.start()


def _compile_all() -> None:
    # In the order of the home page: what a newcomer starts first is ready first.
    """Compile all games, and read the templates of their boards."""
    for game in registry.games_for_newcomers():
        try:
            # One game at a time, to leave a core to the players; a game that a table needs is compiled at once.
            compile_search(game)
            ENVIRONMENT.get_template(f"{game.id}/board.html")
        except Exception:
            log.exception("%s could not be compiled", game.id)
    collect_garbage_rarely()


def collect_garbage_rarely() -> None:
    """Make garbage collections faster and less frequent."""
    # Everything loaded so far stays forever; scanning it in each collection would block the server for 0.1 s.
    gc.freeze()
    # Reference counting frees nearly everything an action allocates, so frequent collections would find little.
    gc.set_threshold(SURVIVORS, 20, 20)
