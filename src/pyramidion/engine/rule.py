"""`@rule`: one Python source for a game's rules, run compiled by Numba or as it stands.

Environment variables, read once at import:

- `PYRAMIDION_INTERPRET=1`  run rules uncompiled (debugger, coverage);
- `PYRAMIDION_CHECK_BOUNDS=1`  compile with index checks, for fuzzing: an index out of range raises IndexError;
- `PYRAMIDION_CACHE_DIR`  where compiled code is kept (default: the user's cache folder).
"""

from __future__ import annotations

import dis
import functools
import hashlib
import os
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, cast

import numba as numba_module
import numpy as np
from numba.core.caching import FunctionCache
from numba.core.dispatcher import Dispatcher
from platformdirs import user_cache_path

# Numba's own annotations cover a part of it only.
numba: Any = numba_module

INTERPRETED = os.environ.get("PYRAMIDION_INTERPRET", "") not in ("", "0")
CHECK_BOUNDS = os.environ.get("PYRAMIDION_CHECK_BOUNDS", "") not in ("", "0")


def cache_folder() -> Path:
    """Return the folder that compiled code is kept in."""
    chosen = os.environ.get("PYRAMIDION_CACHE_DIR")
    return Path(chosen) if chosen else user_cache_path("pyramidion", appauthor=False) / "compiled"


if not INTERPRETED:
    numba.config.CACHE_DIR = str(cache_folder())


def rule(function: Any = None, *, wraps_around: bool = False, within: bool = False) -> Any:
    """Compile `function` on first use, or leave it as it is when rules are interpreted.

    A rule takes records and numbers, allocates nothing, and may call other rules. `wraps_around` says that its unsigned
    arithmetic overflows on purpose, of which only interpreted NumPy would warn. `within` compiles it as a part of each
    rule that calls it, not by itself as well: for steps that are called from one place, it saves the time.
    """
    if function is None:
        return functools.partial(rule, wraps_around=wraps_around, within=within)
    if INTERPRETED:
        return _silenced(function) if wraps_around else function
    compiled: Any = numba.njit(
        nogil=True,
        no_cfunc_wrapper=True,
        boundscheck=CHECK_BOUNDS,
        error_model="python" if CHECK_BOUNDS else "numpy",
        inline="always" if within else "never",
    )(function)
    compiled._cache = _ContentCache(function)
    plain_template = compiled.get_call_template

    def widened_template(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        return plain_template(tuple(map(_widened, args)), {name: _widened(kind) for name, kind in kws.items()})

    compiled.get_call_template = widened_template
    return compiled


def _widened(kind: Any) -> Any:
    """Return the type that an argument is compiled for when one rule calls another.

    Numba would compile a rule anew for every constant and every width of whole number that it is called with; one
    version for 64-bit numbers serves them all.
    """
    kind = numba.types.unliteral(kind)
    if isinstance(kind, numba.types.Integer) and kind.bitwidth < 64:
        return numba.types.int64
    return kind


def _silenced(function: Any) -> Any:
    @functools.wraps(function)
    def call(*args: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*args)

    return call


class _ContentCache(FunctionCache):
    """Numba's cache on disk, keyed by everything the compiled code is made from.

    Numba's own key notices neither a change in a function called from another file nor that a closure over the same
    rules is the same closure in the next process. This one hashes the code of the function and of all rules it reaches,
    with the constants they use; a stale entry is therefore never found.
    """

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        fingerprint = hashlib.sha256(repr(_content(cast("Any", self)._py_func, {})).encode()).hexdigest()
        return (sig, codegen.magic_tuple(), numba.__version__, np.__version__, CHECK_BOUNDS, fingerprint)


def _content(function: FunctionType, seen: dict[int, bool]) -> tuple[Any, ...]:
    """Describe what `function` compiles to: its code, and the values its global and enclosed names stand for.

    `seen` maps functions met so far to whether their description is still open. Raises TypeError for rules that call
    each other in a circle: Numba compiles them, but code it brings back from its cache for them crashes.
    """
    if id(function) in seen:
        if seen[id(function)]:
            raise TypeError(
                f"The rule {function.__qualname__} reaches itself; rules must not call each other in a circle."
            )
        return ("again", function.__qualname__)
    seen[id(function)] = True
    parts: list[Any] = [function.__qualname__, _code(function.__code__), repr(function.__defaults__)]
    for name in _global_names(function.__code__):
        if name in function.__globals__:
            parts.append((name, _value(function.__globals__[name], name, seen)))
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        parts.append((name, _value(cell.cell_contents, name, seen)))
    seen[id(function)] = False
    return tuple(parts)


def _code(code: CodeType) -> tuple[Any, ...]:
    constants = tuple(_code(c) if isinstance(c, CodeType) else repr(c) for c in code.co_consts)
    return (code.co_code.hex(), constants, code.co_names, code.co_varnames, code.co_freevars)


def _global_names(code: CodeType) -> list[str]:
    """Return the names that `code` reads as globals; attributes of records may well be called the same as a rule."""
    names = [step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"]
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names += _global_names(constant)
    return list(dict.fromkeys(names))


def _value(value: Any, name: str, seen: dict[int, bool]) -> Any:
    if isinstance(value, Dispatcher):
        return _content(cast("Any", value).py_func, seen)
    if isinstance(value, np.ndarray):
        array = cast("np.ndarray[Any, Any]", value)
        return (array.dtype.str, array.shape, array.tobytes().hex())
    if isinstance(value, ModuleType):
        if value.__name__.split(".")[0] in ("numpy", "math"):
            return value.__name__
        raise TypeError(
            f"A rule uses the module {name}; import the rules it calls by name, so that changes are noticed."
        )
    return repr(value)
