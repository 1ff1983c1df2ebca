"""What a prying bot gets out of a `SeatView`: used by the law that it gets nothing secret."""

from __future__ import annotations

import gc
import inspect
from collections.abc import Callable, Iterator
from types import FunctionType, ModuleType
from typing import Any, cast

import numpy as np

from pyramidion.engine.game import Game
from pyramidion.engine.history import History
from pyramidion.engine.layout import EVERYTHING, SPECTATOR
from pyramidion.engine.match import Match
from pyramidion.engine.seat_view import SeatView


def reachable(start: Any) -> Iterator[Any]:
    """Yield every object that attributes, slots, closures, bound methods, containers and arrays lead to from `start`.

    Modules, classes, the globals of functions and the game itself lead to all of the program, and are left out.
    """
    found: dict[int, Any] = {}
    waiting = [start]
    while waiting:
        thing = waiting.pop()
        if id(thing) in found or isinstance(thing, (ModuleType, type, Game)):
            continue
        found[id(thing)] = thing
        yield thing
        if isinstance(thing, FunctionType):
            waiting += [thing.__closure__, thing.__defaults__, thing.__kwdefaults__]
        elif isinstance(thing, np.ndarray):
            waiting.append(thing.base)
        else:
            waiting += gc.get_referents(thing)


def leaks(match: Match, view: SeatView) -> str | None:
    """Return what is reachable from a seat's view and must not be: the match, its seed or its generator."""
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


def pried(view: SeatView, action: int) -> dict[str, Any]:
    """Return what every attribute and method of a view gives, by name; `action` is passed to those that take one."""
    given = {"action": view.game.actions[action], "seed": 1}
    told: dict[str, Any] = {}
    for name in dir(view):
        if name.startswith("__"):
            continue
        value = getattr(view, name)
        if callable(value):
            asked = inspect.signature(value).parameters
            needed = [p.name for p in asked.values() if p.default is p.empty]
            value = value(*(given.get(parameter, view.seat) for parameter in needed))
        told[name] = _comparable(value)
    return told


def gone(match: Match, view: SeatView) -> Iterator[tuple[str, Callable[[], Any], type[Exception]]]:
    """Yield (description, call, expected exception) of what a seat's view refuses and a match allows."""
    for name in sorted({name for name in dir(match) if not name.startswith("_")} - set(dir(view))):
        yield name, lambda name=name: getattr(view, name), AttributeError
    for name in dir(view):
        method = getattr(view, name)
        if name.startswith("_") or not inspect.ismethod(method):
            continue
        first, *others = inspect.signature(method).parameters or [""]
        if first not in ("viewer", "seat") or name == "require_seat":
            continue
        more = [0 for _ in others if _ == "action"]
        for viewer in (None, SPECTATOR, EVERYTHING, (view.seat + 1) % view.seats):
            yield f"{name}({viewer})", lambda method=method, viewer=viewer, more=more: method(viewer, *more), ValueError


def _comparable(value: Any) -> Any:
    if isinstance(value, Match):
        return value.state_copy().tobytes(), value.options, value.history
    return cast("Any", value).tobytes() if isinstance(value, np.ndarray) else repr(value)
