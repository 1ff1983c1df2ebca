"""Tuning: a search for parameter values that meet an objective, with NTBEA or with Optuna's methods."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import optuna
import polars as pl

import pyramidion
from pyramidion.engine.game import Game
from pyramidion.lab.experiments.experiment import experiment
from pyramidion.lab.experiments.result import OtherExperiment, Result
from pyramidion.lab.search.ntbea import Ntbea
from pyramidion.lab.search.parameters import varied

CONFIRM = 4
"""The values found are measured again with this many times the games."""


@dataclass(frozen=True)
class TunedValues:
    """One of the best solutions of a search: values of the parameters that no other values beat in every goal.

    Attributes:
        values: the values by path.
        goals: the objective during the search.
        confirmed: the objective in new games; this is the unbiased figure, since a search favours values that were
            lucky.
        result: the result of the new games.
    """

    values: dict[str, Any]
    goals: tuple[float, ...]
    confirmed: tuple[float, ...]
    result: Result


@dataclass(frozen=True)
class TuningResult:
    """The outcome of `tune`: all trials, and the best of them.

    Attributes:
        trials: a frame with the values and goals of every trial.
        front: the best trial, or with several goals the Pareto front; empty if the search was stopped.
    """

    trials: pl.DataFrame
    front: tuple[TunedValues, ...]


Goals = tuple[float, ...]
Trial = tuple[dict[str, Any], Goals]
"""The values of an experiment, and its goals."""


class Search(Protocol):
    """A search method: it proposes values of the parameters (`ask`) and learns from the goals they reach (`tell`).

    The first proposal has the first value of each parameter.
    """

    def ask(self) -> dict[str, Any]:
        """Return the values to try next, by path."""
        ...

    def tell(self, goals: Goals) -> None:
        """Record the goals that the values returned by `ask` reached."""
        ...

    def front(self) -> list[Trial]:
        """Return the best values so far with their goals; with several goals, the Pareto front."""
        ...


METHODS = ("ntbea", "tpe", "cmaes", "nsga2")


def tune(
    game: Game | str,
    parameters: Mapping[str, Sequence[Any]],
    objective: Callable[[Result], float | tuple[float, ...]],
    *,
    budget: int = 50,
    method: str = "tpe",
    seed: int = 0,
    games: int = 10_000,
    earlier: Sequence[Trial] = (),
    stop: threading.Event | None = None,
    keep: Callable[[dict[str, Any], Goals], None] = lambda values, goals: None,
    progress: Callable[[int, int], None] = lambda done, count: None,
    **asked: Any,
) -> TuningResult:
    """Search for values of `parameters` that minimize `objective`; return the best ones with every trial.

    Args:
        game: a game, or its id.
        parameters: for each path (see `parameters`), a range of whole numbers or a list of values.
        objective: takes a result and returns a number to minimize, or several for a Pareto front.
        budget: number of experiments. The first one tries the first value of each parameter.
        method: `ntbea` (one goal; few games each), `tpe`, `cmaes` (whole numbers only, one goal) or `nsga2` (several).
        seed: seed of the search and of the games. Every trial plays the same openings, except with `ntbea`, which
            measures a point again to know it better.
        games: games per experiment; the values found are played again with other openings and four times the games.
        earlier: the first trials of the same search, to continue it; they are not played again.
        stop: an event that ends the search early.
        keep: called with the values and goals of every new trial.
        progress: called with the number of experiments done, and `budget`.
        asked: other arguments of `experiment`.

    Raises ValueError for an unknown method, or a wrong path or value; OtherExperiment if `earlier` belongs to another
    search.
    """
    game = pyramidion.load(game) if isinstance(game, str) else game
    if method not in METHODS:
        raise ValueError(f"There is no method {method!r}; there are {', '.join(METHODS)}.")
    if budget < 1 or not parameters:
        raise ValueError("A search needs at least one parameter and one experiment.")
    for path, choices in parameters.items():
        if not choices:
            raise ValueError(f"There are no values to try for {path}.")
    stop = stop or threading.Event()

    def measure(values: Mapping[str, Any], count: int, openings: int | str) -> tuple[Goals, Result]:
        """Run the experiment with these values; return the goals that they reach, and its result."""
        result = experiment(game, games=count, seed=openings, stop=stop, **varied(game, asked, values))
        goals = objective(result)
        return (goals if isinstance(goals, tuple) else (goals,)), result

    quiet = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    try:
        search = _Ntbea(parameters, seed) if method == "ntbea" else _Optuna(parameters, method, seed, budget)
        rows, front = list[dict[str, Any]](), list[TunedValues]()
        for n in range(budget):
            values = search.ask()
            if n < len(earlier):
                if earlier[n][0] != values:
                    raise OtherExperiment("The trials to continue belong to another search.")
                goals = earlier[n][1]
            else:
                goals, _ = measure(values, games, f"{seed} {n}" if method == "ntbea" else seed)
                if stop.is_set():
                    break
                keep(values, goals)
            search.tell(goals)
            rows.append({**values, **{f"goal {g + 1}": goal for g, goal in enumerate(goals)}})
            progress(n + 1, budget)
        for values, goals in search.front() if not stop.is_set() else ():
            confirmed, result = measure(values, CONFIRM * games, f"{seed} again")
            front.append(TunedValues(values, goals, confirmed, result))
    finally:
        optuna.logging.set_verbosity(quiet)
    return TuningResult(pl.DataFrame(rows), tuple(front) if not stop.is_set() else ())


class _Ntbea:
    """The search method `ntbea`, which minimizes one goal."""

    def __init__(self, parameters: Mapping[str, Sequence[Any]], seed: int) -> None:
        self._parameters = parameters
        self._search = Ntbea([len(choices) for choices in parameters.values()], seed)
        self._goals: dict[tuple[int, ...], list[float]] = {}

    def ask(self) -> dict[str, Any]:
        """Return the values to try next."""
        return self._values(self._search.ask())

    def tell(self, goals: Goals) -> None:
        """Record the goal that the values returned by `ask` reached. Raises ValueError for several goals."""
        if len(goals) != 1:
            raise ValueError("ntbea searches for one goal; use nsga2 or tpe for several.")
        self._goals.setdefault(self._search.ask(), []).append(goals[0])
        self._search.tell(-goals[0])

    def front(self) -> list[Trial]:
        """Return the best values, with the mean of the goals that they reached, as the only trial."""
        best = self._search.best()
        return [(self._values(best), (sum(self._goals[best]) / len(self._goals[best]),))]

    def _values(self, point: Sequence[int]) -> dict[str, Any]:
        """Return the values of the parameters at a point of the grid, by path."""
        return {path: choices[n] for (path, choices), n in zip(self._parameters.items(), point, strict=True)}


class _Optuna:
    """A search method that uses one of Optuna's samplers."""

    def __init__(self, parameters: Mapping[str, Sequence[Any]], method: str, seed: int, budget: int) -> None:
        samplers: dict[str, Callable[[], optuna.samplers.BaseSampler]] = {
            "tpe": lambda: optuna.samplers.TPESampler(seed=seed),
            "cmaes": lambda: optuna.samplers.CmaEsSampler(seed=seed),
            "nsga2": lambda: optuna.samplers.NSGAIISampler(seed=seed, population_size=max(4, min(50, budget // 5))),
        }
        self._sampler, self._distributions = samplers[method](), _distributions(parameters)
        self._first = {path: choices[0] for path, choices in parameters.items()}
        self._study: optuna.Study | None = None
        self._trial: optuna.Trial | None = None

    def ask(self) -> dict[str, Any]:
        """Return the values to try next, by path."""
        if self._study is None:
            return dict(self._first)
        self._trial = self._study.ask(self._distributions)
        return dict(self._trial.params)

    def tell(self, goals: Goals) -> None:
        """Record the goals that the values returned by `ask` reached."""
        if self._trial is not None and self._study is not None:
            self._study.tell(self._trial, list(goals))
            return
        # The number of objectives is known only after an experiment.
        minimize = [optuna.study.StudyDirection.MINIMIZE] * len(goals)
        self._study = optuna.create_study(directions=minimize, sampler=self._sampler)
        params, distributions = self._first, self._distributions
        self._study.add_trial(optuna.trial.create_trial(params=params, distributions=distributions, values=list(goals)))

    def front(self) -> list[Trial]:
        """Return the trials that no other surpasses in every goal, each set of values once."""
        trials: list[Trial] = []
        for best in self._study.best_trials if self._study else ():
            if all(values != best.params for values, _ in trials):
                trials.append((dict(best.params), tuple(best.values)))
        return trials


def _distributions(parameters: Mapping[str, Sequence[Any]]) -> dict[str, optuna.distributions.BaseDistribution]:
    """Return Optuna's distribution of each parameter: a range of whole numbers, or a list of values."""
    distributions: dict[str, optuna.distributions.BaseDistribution] = {}
    for path, values in parameters.items():
        if isinstance(values, range):
            distributions[path] = optuna.distributions.IntDistribution(values[0], values[-1], step=values.step)
        else:
            distributions[path] = optuna.distributions.CategoricalDistribution(tuple(values))
    return distributions
