"""Probes of a `SeatView`: all that a bot can reach from it or call on it, for the law that nothing of it is secret."""

from __future__ import annotations

import gc
import inspect
from collections.abc import Callable, Iterator
from functools import partial
from types import FunctionType, ModuleType
from typing import Any, cast

import numpy as np

from pyramidion.engine.game import Game
from pyramidion.engine.history import History
from pyramidion.engine.layout import EVERYTHING, SPECTATOR
from pyramidion.engine.match import Match
from pyramidion.engine.seat_view import SeatView


def reachable(start: Any) -> Iterator[Any]:
    """Yield every object to which attributes, slots, closures, bound methods, containers and arrays lead from `start`.

    Modules, classes, the globals of functions and the game itself lead to all of the program, and are left out.
    """
    visited: dict[int, Any] = {}
    waiting = [start]
    while waiting:
        thing = waiting.pop()
        if id(thing) in visited or isinstance(thing, (ModuleType, type, Game)):
            continue
        visited[id(thing)] = thing
        yield thing
        if isinstance(thing, FunctionType):
            waiting += [thing.__closure__, thing.__defaults__, thing.__kwdefaults__]
        elif isinstance(thing, np.ndarray):
            waiting.append(thing.base)
        else:
            waiting += gc.get_referents(thing)


def secret_in(match: Match, view: SeatView) -> str | None:
    """Return what secret (match, seed or generator) can be reached from a seat's view, in words, or None."""
    state = match.state_copy()
    whole, key = state.tobytes(), state["rng"][0][:2].tobytes()
    for thing in reachable(view):
        if isinstance(thing, (Match, History)):
            return f"a {type(thing).__name__}"
        if type(thing) is type(match.seed) and thing == match.seed:
            return "the seed"
        if isinstance(thing, (bytes, bytearray, np.ndarray)):
            data = np.asarray(thing).tobytes()
            if key in data or (whole != view.redacted() and whole in data):
                return "a secret, in an array or bytes"
    return None


def probe(view: SeatView, action: int) -> dict[str, Any]:
    """Read every attribute of a seat's view, call every method, and return the results by name.

    Methods that take an action are given the one with the id `action`.
    """
    given = {"action": view.game.actions[action], "seed": 1}
    results: dict[str, Any] = {}
    for name in dir(view):
        if name.startswith("__"):
            continue
        value = getattr(view, name)
        if callable(value):
            parameters = inspect.signature(value).parameters
            needed = [p.name for p in parameters.values() if p.default is p.empty]
            value = value(*(given.get(parameter, view.seat) for parameter in needed))
        results[name] = _comparable(value)
    return results


def refused_calls(match: Match, view: SeatView) -> Iterator[tuple[str, Callable[[], Any], type[Exception]]]:
    """Yield each call that a match allows and a seat's view must refuse: (description, call, expected exception)."""
    for name in sorted({name for name in dir(match) if not name.startswith("_")} - set(dir(view))):
        yield name, partial(getattr, view, name), AttributeError
    for name in dir(view):
        # Python 3.11.2 lists a slot `__weakref__` that cannot be read.
        if name.startswith("_") or not inspect.ismethod(method := getattr(view, name)):
            continue
        first, *others = inspect.signature(method).parameters or [""]
        if first not in ("viewer", "seat") or name == "require_seat":
            continue
        further = [0 for parameter in others if parameter == "action"]
        for viewer in (None, SPECTATOR, EVERYTHING, (view.seat + 1) % view.seats):
            yield f"{name}({viewer})", partial(method, viewer, *further), ValueError


def _comparable(value: Any) -> Any:
    """Return a value in a form in which two of them can be compared."""
    if isinstance(value, Match):
        return value.state_copy().tobytes(), value.options, value.history
    return cast("Any", value).tobytes() if isinstance(value, np.ndarray) else repr(value)
