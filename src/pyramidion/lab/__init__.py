"""Benchmarks, random playouts, bot tournaments and experiments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyramidion.lab.evaluation.evaluate import evaluate
    from pyramidion.lab.evaluation.result import Evaluation
    from pyramidion.lab.experiments.custom_metrics import GENERIC, Metric
    from pyramidion.lab.experiments.experiment import Variant, experiment
    from pyramidion.lab.experiments.result import Result
    from pyramidion.lab.search.sweeps import Sweep, sweep
    from pyramidion.lab.search.tuning import TuningResult, tune

__all__ = [
    "GENERIC",
    "Evaluation",
    "Metric",
    "Result",
    "Sweep",
    "TuningResult",
    "Variant",
    "evaluate",
    "experiment",
    "sweep",
    "tune",
]

_HOMES = {
    "Evaluation": "evaluation.result",
    "GENERIC": "experiments.custom_metrics",
    "Metric": "experiments.custom_metrics",
    "Result": "experiments.result",
    "Sweep": "search.sweeps",
    "TuningResult": "search.tuning",
    "Variant": "experiments.experiment",
    "evaluate": "evaluation.evaluate",
    "experiment": "experiments.experiment",
    "sweep": "search.sweeps",
    "tune": "search.tuning",
}


def __getattr__(name: str) -> Any:
    # Import lazily: the arena and the benchmarks do not need polars, an optional dependency.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    from pyramidion.extras import missing

    try:
        module = import_module(f"{__name__}.{_HOMES[name]}")
    except ModuleNotFoundError as error:
        raise missing(error, "lab") from error
    return getattr(module, name)
