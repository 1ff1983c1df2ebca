"""The `@rule` decorator: game rules compiled by Numba or run as plain Python.

Three environment variables (`environment_variables`) are read once at import: PYRAMIDION_INTERPRET runs rules
uncompiled (debugger, coverage), PYRAMIDION_CHECK_BOUNDS compiles them with bounds checks (an index out of range raises
IndexError), and PYRAMIDION_CACHE_DIR is the folder for compiled code.

Calling a rule that is not in the cache compiles it, which takes seconds. A process that must respond immediately calls
`interpret_uncached_rules()`: uncached rules then run interpreted while another process fills the cache.
"""

from __future__ import annotations

import dis
import functools
import hashlib
import logging
import pickle
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any, cast

import numba as numba_module
import numpy as np
from numba.core.caching import FunctionCache
from numba.core.dispatcher import Dispatcher

from pyramidion import environment_variables

# Numba is only partially annotated.
numba: Any = numba_module

INTERPRETED = environment_variables.flag(environment_variables.INTERPRET)
CHECK_BOUNDS = environment_variables.flag(environment_variables.CHECK_BOUNDS)

if not INTERPRETED:
    numba.config.CACHE_DIR = str(environment_variables.cache_folder())
log = logging.getLogger(__name__)


class CacheMissPolicy(Enum):
    """What happens when a rule is called that is neither compiled nor cached."""

    COMPILE = "compile it"
    INTERPRET = "run it interpreted"
    FAIL = "raise NotCached"


class NotCached(Exception):
    """The rule is not cached, and this process must not compile it."""


class _Process:
    """State of the process: default `policy`, number of cache `refills`, whether it has `warned` of compiling."""

    policy = CacheMissPolicy.COMPILE
    refills = 0
    warned = False


_thread_policy: ContextVar[CacheMissPolicy | None] = ContextVar("policy", default=None)


def _policy() -> CacheMissPolicy:
    """Return the policy of this thread or, where it has none, of the process."""
    return _thread_policy.get() or _Process.policy


def interpret_uncached_rules() -> None:
    """Run uncached rules interpreted from now on, in all threads."""
    _Process.policy = CacheMissPolicy.INTERPRET


def interprets_uncached_rules() -> bool:
    """Return whether this process runs uncached rules interpreted."""
    return _Process.policy is CacheMissPolicy.INTERPRET


@contextmanager
def cache_miss_policy(policy: CacheMissPolicy) -> Generator[None]:
    """Context manager: set what happens in this thread when an uncached rule is called."""
    before = _thread_policy.set(policy)
    try:
        yield
    finally:
        _thread_policy.reset(before)


def retry_cache_lookups() -> None:
    """Let rules that were missing in the cache be looked up again, after another process has filled it."""
    _Process.refills += 1


def rule(function: Any = None, *, wraps_around: bool = False, within: bool = False) -> Any:
    """Compile `function` on first use, or leave it unchanged in interpreted mode.

    A rule takes records and numbers, allocates nothing, and may call other rules. `wraps_around` declares that unsigned
    overflow is intended, which silences NumPy's warning in interpreted mode. `within` inlines the rule into its callers
    instead of compiling it separately, which saves compile time for rules with a single call site.
    """
    if function is None:
        return functools.partial(rule, wraps_around=wraps_around, within=within)
    if INTERPRETED:
        return _without_warnings(function) if wraps_around else function
    compiled: Any = numba.njit(
        nogil=True,
        no_cfunc_wrapper=True,
        boundscheck=CHECK_BOUNDS,
        error_model="python" if CHECK_BOUNDS else "numpy",
        inline="always" if within else "never",
    )(function)
    try:
        compiled._cache = _ContentCache(function)
    except RuntimeError as error:  # neither the user's cache folder nor the one beside the rule can be written
        raise environment_variables.WrongVariable(
            f"Compiled rules cannot be kept in {numba.config.CACHE_DIR}. Name a folder that can be made, read and "
            f"written in {environment_variables.CACHE_DIR}."
        ) from error
    compiled.wraps_around = wraps_around
    compiled._compile_for_args = functools.partial(_callable_for, compiled)
    plain_template = compiled.get_call_template

    def widened_template(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        return plain_template(tuple(map(widened, args)), {name: widened(kind) for name, kind in kws.items()})

    compiled.get_call_template = widened_template
    return compiled


def require_rule(function: Any, what: str) -> None:
    """Raise TypeError with a sentence that begins with `what`, such as "A policy", unless `function` is a rule."""
    if not (callable(function) if INTERPRETED else isinstance(function, Dispatcher)):
        raise TypeError(f"{what} is a function with the decorator pyramidion.engine.rule.rule, not {function!r:.80}.")


def widened(kind: Any) -> Any:
    """Return the type to compile an argument for when one rule calls another.

    Numba would specialize a rule for every literal and every integer width; one 64-bit version serves them all.
    """
    kind = numba.types.unliteral(kind)
    if isinstance(kind, numba.types.Integer) and kind.bitwidth < 64:
        return numba.types.int64
    return kind


_compile_or_load: Any = cast("Any", Dispatcher)._compile_for_args


def _callable_for(compiled: Any, *args: Any) -> Any:
    """Return the code to run for argument types without a compiled version; Numba calls this hook."""
    if _policy() is not CacheMissPolicy.INTERPRET:
        return _compile_or_load(compiled, *args)
    # A cache lookup takes milliseconds, so look up a missing rule only once per refill.
    if getattr(compiled, "_absent_since", None) != _Process.refills:
        try:
            return _compile_or_load(compiled, *args)
        except NotCached:
            compiled._absent_since = _Process.refills
    return interpreted(compiled)


@functools.cache
def interpreted(compiled: Any) -> Any:
    """Return an interpreted version of a compiled rule with the same signature, about 3,000 times slower."""
    body = _plain(compiled)

    @functools.wraps(compiled.py_func)
    def call(*args: Any) -> Any:
        return body(*map(_with_attributes, args))

    return call


@functools.cache
def _plain(compiled: Any) -> Any:
    """Return a rule's Python function, with all rules it calls replaced by their Python functions."""
    function = compiled.py_func

    def plain(value: Any) -> Any:
        return _plain(cast("Any", value)) if isinstance(value, Dispatcher) else value

    names = {**function.__globals__}
    names.update((name, plain(names[name])) for name in _global_names(function.__code__) if name in names)
    cells = tuple(CellType(plain(cell.cell_contents)) for cell in function.__closure__ or ())
    made = FunctionType(function.__code__, names, function.__name__, function.__defaults__, cells)
    return _without_warnings(made) if compiled.wraps_around else made


def _with_attributes(value: Any) -> Any:
    """View structured arrays as recarrays, whose elements have attributes; return other arguments unchanged."""
    kind = cast("Any", type(value))
    if hasattr(kind, "_fields"):
        return kind(*map(_with_attributes, value))
    return value.view(np.recarray) if kind is np.ndarray and value.dtype.names is not None else value


def _without_warnings(function: Any) -> Any:
    """Return an interpreted rule that wraps around, like compiled code, without a warning by NumPy."""

    @functools.wraps(function)
    def call(*args: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*args)

    return call


class _ContentCache(FunctionCache):
    """A Numba disk cache keyed by the content of the compiled code.

    Numba's default key misses changes in functions imported from other files, and does not recognize an equal closure
    in another process. This key hashes the bytecode and constants of the function and of all rules it reaches, so
    stale entries are never loaded.
    """

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the cached overload, or None to compile it. Raises NotCached if compiling is not allowed."""
        try:
            overload: Any = cast("Any", super()).load_overload(sig, target_context)
        except (ImportError, AttributeError, pickle.UnpicklingError, EOFError):
            # The index names a class that no longer exists, or is cut off. Start it anew, or saving would fail as well.
            cast("Any", super()).flush()
            overload = None
        if overload is None:
            if _policy() is not CacheMissPolicy.COMPILE:
                raise NotCached(cast("Any", self)._py_func.__qualname__)
            if not _Process.warned:
                _Process.warned = True
                log.warning("Compiling rules, which takes up to a minute the first time on a machine.")
        return overload

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        """Return the key of compiled code: argument types, processor, versions, and a hash of the rule's content."""
        fingerprint = hashlib.sha256(repr(_content(cast("Any", self)._py_func, {})).encode()).hexdigest()
        return (sig, codegen.magic_tuple(), numba.__version__, np.__version__, CHECK_BOUNDS, fingerprint)


def _content(function: FunctionType, seen: dict[int, bool]) -> tuple[Any, ...]:
    """Return all that `function` compiles to: its code and the values of its globals and closure variables.

    `seen` maps each visited function to whether its description is still in progress. Raises TypeError for mutually
    recursive rules: Numba compiles them, but the code crashes when loaded from the cache.
    """
    if id(function) in seen:
        if seen[id(function)]:
            raise TypeError(
                f"The rule {function.__qualname__} reaches itself; rules must not call each other in a circle."
            )
        return ("again", function.__qualname__)
    seen[id(function)] = True
    # Include the module: cached code is re-imported from it, and two games may start as copies of the same template.
    parts: list[Any] = [
        function.__module__,
        function.__qualname__,
        _code(function.__code__),
        repr(function.__defaults__),
    ]
    for name in _global_names(function.__code__):
        if name in function.__globals__:
            parts.append((name, _value(function.__globals__[name], name, seen)))
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        parts.append((name, _value(cell.cell_contents, name, seen)))
    seen[id(function)] = False
    return tuple(parts)


def _code(code: CodeType) -> tuple[Any, ...]:
    """Return what a code object does, without its place in the file."""
    constants = tuple(_code(c) if isinstance(c, CodeType) else repr(c) for c in code.co_consts)
    return (code.co_code.hex(), constants, code.co_names, code.co_varnames, code.co_freevars)


def _global_names(code: CodeType) -> list[str]:
    """Return the globals that `code` loads. `co_names` would not do: it includes attributes, which may shadow rules."""
    names = [step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"]
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names += _global_names(constant)
    return list(dict.fromkeys(names))


def _value(value: Any, name: str, seen: dict[int, bool]) -> Any:
    """Return a description of a global or closure variable of a rule: a rule by its content, others by value."""
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
