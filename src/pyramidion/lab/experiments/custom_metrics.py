"""Custom metrics: compiled rules that measure something after every action."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyramidion.engine.rule import require_rule
from pyramidion.lab.experiments.metric_keys import own_module

if TYPE_CHECKING:
    from pyramidion.engine.game import Game

GENERIC = ("wins", "points", "length", "branching", "endings", "events", "actions", "lead")
"""The generic metrics, which every game has."""


@dataclass(frozen=True)
class Metric:
    """A custom metric: what a compiled rule measures in every game, one number or several.

    Attributes:
        name: the metric's name.
        labels: a name for each number that it writes.
        measure: `measure(box, s, seat, action, out)`, a @rule called after each action. `out` (int64, one for each
            label) is zero at the start of a game; its contents at the end are the game's result.

    Raises TypeError for a `measure` that is no rule.
    """

    name: str
    labels: tuple[str, ...]
    measure: Any

    def __post_init__(self) -> None:
        """Refuse a `measure` that is no rule, with a shorter message than the compiler's."""
        require_rule(self.measure, "A measure")


def own_metrics(game: Game) -> dict[str, Metric]:
    """Return the metrics that a game's folder declares in `lab.METRICS`, by name."""
    declared: Mapping[str, tuple[tuple[str, ...], Any]] = getattr(own_module(game), "METRICS", {})
    return {name: Metric(name, labels, measure) for name, (labels, measure) in declared.items()}


def usual_metrics(game: Game) -> tuple[str, ...]:
    """Return the names of the metrics measured by default: the generic ones and the game's own."""
    return (*GENERIC, *own_metrics(game))


def chosen_metrics(game: Game, asked: Sequence[str | Metric]) -> tuple[Metric, ...]:
    """Return the custom metrics among those asked for: `Metric` objects, and the game's own by their names.

    Raises ValueError for an unknown name, and lists the available ones.
    """
    own = own_metrics(game)
    chosen: list[Metric] = []
    for metric in asked:
        if isinstance(metric, Metric):
            chosen.append(metric)
        elif metric in own:
            chosen.append(own[metric])
        elif metric not in GENERIC:
            available = ", ".join((*GENERIC, *own))
            raise ValueError(f"There is no metric {metric!r}; the metrics are: {available}.")
    return tuple(chosen)
