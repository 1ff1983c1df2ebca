"""Habits: frequencies of decisions in games between search bots, as a model of such opponents (docs/bots.md).

A game that has habits declares in its mind `Habits`, a named tuple of tables, the last of which is `holdings`;
`HABIT_SHAPES`, the shape of each of the others, and `HOLDINGS_SHAPE`, that of what is held in one game; and the rules

- `habitual_policy(box, s, seat, ids, weights, habits)`, a policy by these tables, otherwise like `policy`;
- `habitual_redeal(box, s, seat, chance, habits)`, like `redeal`;
- `count_decision(box, s, seat, action, habits)`, which counts a decision in the tables;
- `phase_index(s)`, the place of the open phase on the first axis of the holdings, or -1;
- `write_holdings(s, held)`, which writes what is held now to the holdings of one phase.

The last axis of a table holds the alternatives, the others the circumstances. Counts are data, `habits.npz` in the
game's folder, made by `benchmarks/habits.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pyramidion.bots.learned import BadFile, is_usual, read_accepted, read_arrays, write_arrays

if TYPE_CHECKING:
    from pyramidion.engine.game import Game

NO_HABITS = np.zeros(0)
"""Given to a search that expects none."""
SMOOTHING = 8.0
"""Weight of the wider circumstance, as a number of decisions."""


@dataclass(frozen=True, eq=False)
class Habits:
    """Frequencies of decisions between search bots in one game, by which a search predicts the other seats.

    Attributes:
        tables: the game's `Habits`, with frequencies.
        about: where they come from: `game`, `rules_version`, and how they were counted and accepted.
    """

    tables: Any
    about: dict[str, Any]


def smoothed(counts: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return smoothed frequencies of the counted decisions, float64 of the same shape; all are positive.

    The last axis of `counts` holds the alternatives, and its frequencies add up to 1.

    The axes before it are circumstances, the weightiest first. Each distribution is smoothed with that of the wider
    circumstance without the last of these axes, and the widest with a uniform one: hierarchical Dirichlet smoothing
    (MacKay and Peto 1995).
    """
    alternatives = counts.shape[-1]
    wider = np.full(alternatives, 1 / alternatives) if counts.ndim == 1 else smoothed(counts.sum(-2))[..., None, :]
    return (counts + SMOOTHING * wider) / (counts.sum(-1, keepdims=True) + SMOOTHING)


def empty_counts(game: Game, games: int) -> Any:
    """Return the game's tables `Habits` with all counts 0, and room for the holdings in `games` games.

    Raises ValueError with a sentence if the game declares no habits.
    """
    shapes = getattr(game.mind, "HABIT_SHAPES", None)
    if shapes is None:
        raise ValueError(f"{game.id} has no habits: its mind.py declares none.")
    tables = {name: np.zeros(shape) for name, shape in shapes.items()}
    return game.mind.Habits(**tables, holdings=np.zeros((games, *game.mind.HOLDINGS_SHAPE), np.int16))


def habits_from(game: Game, counts: Any, about: dict[str, Any]) -> Habits:
    """Turn counts of decisions, in the game's tables `Habits`, into the habits that a search uses.

    `about` says where the counts come from.
    """
    tables = {name: smoothed(getattr(counts, name)) for name in game.mind.HABIT_SHAPES}
    return Habits(game.mind.Habits(**tables, holdings=np.ascontiguousarray(counts.holdings)), about)


def write_habits(path: Path, game: Game, counts: Any, about: dict[str, Any]) -> None:
    """Write counts of decisions, in the game's tables `Habits`, to a file, with where they come from (`about`)."""
    arrays = {name: getattr(counts, name).astype(np.uint16) for name in game.mind.HABIT_SHAPES}
    write_arrays(path, about, {**arrays, "holdings": counts.holdings})


def read_habits(path: Path, game: Game) -> Habits:
    """Read a game's habits from a file. Raises BadFile with a sentence if they are of another game or other rules."""
    shapes = getattr(game.mind, "HABIT_SHAPES", {})
    again = f"Count again with `python benchmarks/habits.py {game.id}`."

    def tables(file: Any) -> dict[str, Any]:
        """Return the arrays of habits in an open `.npz` file, by name."""
        return {name: file[name] for name in (*shapes, "holdings")}

    about, arrays = read_arrays(path, game, tables, what="habits", made="counted", again=again)
    fits = all(arrays[name].shape == shape for name, shape in shapes.items())
    if not fits or arrays["holdings"].shape[1:] != game.mind.HOLDINGS_SHAPE:
        raise BadFile(f"{path} was counted in other circumstances than the game distinguishes now. {again}")
    return habits_from(game, game.mind.Habits(**arrays), about)


@cache
def habits_of(game: Game) -> Habits | None:
    """Return the habits in a game's folder; None if there are none that a contest has accepted.

    See `learned.read_accepted`.
    """
    return read_accepted(game.folder / "habits.npz", game, read_habits)


def habits_at(game: Game, box: Any = None) -> Habits | None:
    """Return a game's accepted habits if a table has the usual cards and options, for which they hold; else None.

    `box` is the table's; None stands for the usual one.
    """
    return habits_of(game) if is_usual(game, box) else None
