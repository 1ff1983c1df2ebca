"""Background compilation: a child process fills the cache while this process already serves games.

Numba holds the GIL while it compiles, so a thread would block every table on the server. Until the child is done, the
rules run interpreted (`engine.rule.interpret_uncached_rules`), which is fast enough for people.
"""

from __future__ import annotations

import atexit
import logging
import os
import subprocess
import sys
import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING

from pyramidion.bots import search
from pyramidion.bots.priority import lower_priority
from pyramidion.engine.rule import CacheMissPolicy, NotCached, cache_miss_policy, retry_cache_lookups

if TYPE_CHECKING:
    from pyramidion.engine.game import Game

log = logging.getLogger(__name__)
_STARTED: dict[Game, Future[None]] = {}
_STARTING = threading.Lock()
_ENDING = threading.Event()


def start(game: Game) -> Future[None]:
    """Load a game's rules and search from the cache, or start compiling them in a child process.

    Blocks only for loading (about 0.2 s). The future is done once everything is loaded in this process; if a rule
    cannot be compiled, it holds the exception.
    """
    with _STARTING:
        future = _STARTED.get(game)
        if future is not None:
            return future
        future = _STARTED[game] = Future()
    try:
        _load(game, CacheMissPolicy.FAIL)
    except NotCached:
        threading.Thread(target=_compile, args=(game, future), name="pyramidion-compile", daemon=True).start()
    except Exception as error:
        future.set_exception(error)
    else:
        future.set_result(None)
    return future


def under_way(game: Game) -> bool:
    """Return whether a game is still being compiled, so that its search cannot be used yet."""
    future = _STARTED.get(game)
    return future is not None and not future.done()


def _load(game: Game, policy: CacheMissPolicy) -> None:
    """Load a game's rules and search; `policy` says what happens where the cache lacks one."""
    with cache_miss_policy(policy):
        game.warm()
        search.warm(game)


def _compile(game: Game, future: Future[None]) -> None:
    """Let a child process fill the cache, load the game from it, and resolve `future` with None or the error."""
    try:
        _fill_cache(game)
        if _ENDING.is_set():
            return
        # Compile here whatever the child process could not.
        _load(game, CacheMissPolicy.COMPILE)
        retry_cache_lookups()
    except Exception as error:
        log.exception("%s could not be compiled", game.id)
        future.set_exception(error)
    else:
        future.set_result(None)


def _fill_cache(game: Game) -> None:
    """Have a child process of low priority compile a game, so that its rules are in the cache."""
    child = subprocess.Popen(
        [sys.executable, "-m", "pyramidion", "warm", game.id, "--until-eof"],
        # The child ends when this pipe closes, which it also does if this process is killed.
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        # Not in the terminal's group: a Ctrl+C would end it first, and this process would complain and compile instead.
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )

    def end() -> None:
        """Kill the child, since this process ends."""
        _ENDING.set()
        child.kill()

    atexit.register(end)
    lower_priority(child.pid)
    assert child.stdin is not None
    assert child.stderr is not None
    with child.stdin, child.stderr:
        # Not `communicate`, which would close the child's input at once.
        errors = child.stderr.read()
        child.wait()
    atexit.unregister(end)
    if _ENDING.is_set():
        return
    if child.returncode:
        log.warning("%s could not be compiled in a second process: %s", game.id, errors[-2000:].strip())
