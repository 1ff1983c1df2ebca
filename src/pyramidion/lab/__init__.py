"""Benchmarks, random playouts, bot tournaments and experiments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyramidion.lab.experiments import Variant, experiment
    from pyramidion.lab.metrics import GENERIC, Metric
    from pyramidion.lab.result import Result
    from pyramidion.lab.sweeps import Sweep, sweep
    from pyramidion.lab.tuning import Tuned, tune

__all__ = ["GENERIC", "Metric", "Result", "Sweep", "Tuned", "Variant", "experiment", "sweep", "tune"]

_HOMES = {
    "GENERIC": "metrics",
    "Metric": "metrics",
    "Result": "result",
    "Sweep": "sweeps",
    "Tuned": "tuning",
    "Variant": "experiments",
    "experiment": "experiments",
    "sweep": "sweeps",
    "tune": "tuning",
}


def __getattr__(name: str) -> Any:
    # Import lazily: the arena and the benchmarks do not need polars, an optional dependency.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
