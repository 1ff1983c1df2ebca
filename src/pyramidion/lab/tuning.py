"""Tuning: a search with Optuna for parameter values that meet an objective."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import optuna
import polars as pl

import pyramidion
from pyramidion.engine.game import Game
from pyramidion.lab.experiments import experiment
from pyramidion.lab.parameters import varied
from pyramidion.lab.result import Result

CONFIRM = 4
"""The values found are measured again with this many times the games."""


@dataclass(frozen=True)
class Found:
    """Values of the parameters that no others dominate.

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
class Tuned:
    """The outcome of a search.

    Attributes:
        trials: a frame with the values and goals of every trial.
        front: the best trial, or with several goals the Pareto front.
    """

    trials: pl.DataFrame
    front: tuple[Found, ...]


def tune(
    game: Game | str,
    parameters: Mapping[str, Sequence[Any]],
    objective: Callable[[Result], float | tuple[float, ...]],
    *,
    budget: int = 50,
    method: str = "tpe",
    seed: int = 0,
    games: int = 10_000,
    progress: Callable[[int, int], None] = lambda done, count: None,
    **asked: Any,
) -> Tuned:
    """Search for values of `parameters` that minimize `objective`; return the best ones with every trial.

    Args:
        game: a game, or its id.
        parameters: for each path (see `parameters`), a range of whole numbers or a list of values.
        objective: takes a result and returns a number to minimize, or several for a Pareto front.
        budget: number of experiments. The first one tries the first value of each parameter.
        method: `tpe`, `cmaes` (whole numbers only, one goal) or `nsga2` (several goals).
        seed: seed of the search and of the games; every trial plays the same openings.
        games: games per experiment; the values found are played again with other openings and four times the games.
        progress: called with the number of experiments done, and `budget`.
        asked: other arguments of `experiment`.

    Raises ValueError for an unknown method, or a wrong path or value.
    """
    game = pyramidion.load(game) if isinstance(game, str) else game
    samplers: dict[str, Callable[[], optuna.samplers.BaseSampler]] = {
        "tpe": lambda: optuna.samplers.TPESampler(seed=seed),
        "cmaes": lambda: optuna.samplers.CmaEsSampler(seed=seed),
        "nsga2": lambda: optuna.samplers.NSGAIISampler(seed=seed, population_size=max(4, min(50, budget // 5))),
    }
    if method not in samplers:
        raise ValueError(f"There is no method {method!r}; there are {', '.join(samplers)}.")
    if budget < 1 or not parameters:
        raise ValueError("A search needs at least one parameter and one experiment.")
    distributions = _distributions(parameters)

    def measure(values: Mapping[str, Any], count: int, openings: int | str) -> tuple[tuple[float, ...], Result]:
        result = experiment(game, games=count, seed=openings, **varied(game, asked, values))
        goals = objective(result)
        return (goals if isinstance(goals, tuple) else (goals,)), result

    quiet = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    try:
        sampler, study, rows = samplers[method](), None, list[dict[str, Any]]()
        for n in range(budget):
            if study is None:
                # The number of objectives is known only after an experiment.
                values = {path: choices[0] for path, choices in parameters.items()}
                goals, _ = measure(values, games, seed)
                study = optuna.create_study(
                    directions=[optuna.study.StudyDirection.MINIMIZE] * len(goals), sampler=sampler
                )
                study.add_trial(
                    optuna.trial.create_trial(params=values, distributions=distributions, values=list(goals))
                )
            else:
                trial = study.ask(distributions)
                values = dict(trial.params)
                goals, _ = measure(values, games, seed)
                study.tell(trial, list(goals))
            rows.append({**values, **{f"goal {g + 1}": goal for g, goal in enumerate(goals)}})
            progress(n + 1, budget)
        assert study is not None
        front: list[Found] = []
        for best in study.best_trials:
            values = dict(best.params)
            if all(found.values != values for found in front):
                confirmed, result = measure(values, CONFIRM * games, f"{seed} again")
                front.append(Found(values, tuple(best.values), confirmed, result))
    finally:
        optuna.logging.set_verbosity(quiet)
    return Tuned(pl.DataFrame(rows), tuple(front))


def _distributions(parameters: Mapping[str, Sequence[Any]]) -> dict[str, optuna.distributions.BaseDistribution]:
    found: dict[str, optuna.distributions.BaseDistribution] = {}
    for path, values in parameters.items():
        if not values:
            raise ValueError(f"There are no values to try for {path}.")
        if isinstance(values, range):
            found[path] = optuna.distributions.IntDistribution(values[0], values[-1], step=values.step)
        else:
            found[path] = optuna.distributions.CategoricalDistribution(tuple(values))
    return found
