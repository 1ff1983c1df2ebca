"""Experiments: play many games of one variant, or of two with the same openings, and measure everything."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

import pyramidion
from pyramidion import bots
from pyramidion.engine.cards import BadCards
from pyramidion.engine.game import Game
from pyramidion.lab.experiments.aggregates import CHANGE
from pyramidion.lab.experiments.clusters import opened, play_spread
from pyramidion.lab.experiments.custom_metrics import Metric, chosen_metrics, own_metrics, usual_metrics
from pyramidion.lab.experiments.game_rows import frame_of
from pyramidion.lab.experiments.players import Given, accept_players
from pyramidion.lab.experiments.result import OtherExperiment, Result, different
from pyramidion.lab.experiments.runner import ThreadRunner, play_range, taken_rows
from pyramidion.lab.experiments.spec import ExperimentSpec, Side
from pyramidion.text_files import NotText, read_text
from pyramidion.translation import quantity

Player = str | bots.Bot | Callable[..., Any]
"""A player: the name of a bot, `module:Class`, a bot, or a policy that is a rule."""
ROUND, GROWTH = 2000, 1.5
"""Number of games after which an experiment first checks whether it can stop, and growth factor to the next check."""


@dataclass(frozen=True)
class Variant:
    """A variant of a game to compare with: a card file, options, or both.

    `cards` is a path, or the text of a card file.
    """

    cards: str | os.PathLike[str] | None = None
    options: Mapping[str, Any] | None = None
    name: str = ""


def experiment(
    game: Game | str,
    *,
    players: Player | Sequence[Player] | None = None,
    seats: int | None = None,
    games: int | range = 10_000,
    cards: str | os.PathLike[str] | None = None,
    options: Mapping[str, Any] | None = None,
    against: Variant | str | os.PathLike[str] | Mapping[str, Any] | None = None,
    until: float | None = None,
    seed: int | str = 0,
    threads: int = 1,
    cluster: str | None = None,
    metrics: str | Metric | Sequence[str | Metric] | None = None,
    per_game: str | os.PathLike[str] | None = None,
    resume: Result | None = None,
    stop: threading.Event | None = None,
    progress: Callable[[int, int], None] = lambda done, games: None,
    keep: Callable[[Result], None] = lambda result: None,
) -> Result:
    """Play games and return what was measured; the result depends on the seed, not on the number of threads.

    Args:
        game: a game, or its id.
        players: one for each seat, or one for all: the name of a bot (`random`, `policy`, or a level of the search); a
            class `module:Class`, as in the arena; a bot, which is copied for each game, with a random generator of its
            own; or a policy that is a rule, as for `playouts.run`, or its path `module:rule`. Names are fastest.
        seats: number of seats, if `players` does not say; by default the usual number.
        games: the number of games, or a range of game numbers, so that parts can be played separately and merged.
        cards: a card file to use instead of the game's own: a path, or its text.
        options: options of the game.
        against: a second variant, played with the same openings: a card file, options, or a `Variant`. Whatever it does
            not set is as on the first side.
        until: stop as soon as all win shares (or, of two variants, their differences) are known to within this many
            percentage points; `games` is then the maximum.
        seed: seed of the games.
        threads: number of threads.
        cluster: play in other processes instead: `processes:4`, `ray`, or `ray://HOST:PORT`. Custom metrics must be
            the game's own, and players names or paths. The result is the same.
        metrics: what to measure: names of generic metrics, of the game's own, or `Metric` objects; by default all that
            the game has.
        per_game: a Parquet file for a table of one row for each game, which `result.frame("games")` returns, too. With
            `resume`, the games that it has are kept.
        resume: an earlier result of the same experiment, to continue.
        stop: an event that ends the run early.
        progress: called with the number of games played so far and the maximum.
        keep: called with the result so far at every check.

    Raises ValueError with a sentence about the invalid argument; `Unfinished` if a game does not end.
    """
    game = pyramidion.load(game) if isinstance(game, str) else game
    if metrics is None:
        metrics = usual_metrics(game)
    elif isinstance(metrics, (str, Metric)):
        metrics = (metrics,)
    own = chosen_metrics(game, metrics)
    names, given = accept_players(game, players if players is not None else "policy")
    spec = make_spec(game, names, seats, cards, options, against, seed, metrics, own)
    if threads < 1:
        raise ValueError("An experiment needs at least one thread.")
    if until is not None and until <= 0:
        raise ValueError("The width of an interval must be positive.")
    if not isinstance(games, range) and not hasattr(games, "__index__"):
        raise ValueError(f"The games are a number or a range, not {games!r:.40}.")
    asked = games if isinstance(games, range) else range(games)
    first, last = asked.start, asked.stop
    if last <= first or first < 0:
        raise ValueError("An experiment needs at least one game.")
    kept = None if per_game is None else Path(per_game)
    rows = None if kept is None else frame_of(game, spec, own, ())
    result = Result.of(spec, first, first, ThreadRunner(game, spec, own, given).finish(), rows)
    at = first
    if resume is not None:
        if resume.spec.as_json() != spec.as_json():
            raise OtherExperiment(f"The results are of different experiments: {different(resume.spec, spec)}.")
        if [begin for begin, _ in resume.ranges] not in ([], [first]):
            raise OtherExperiment(f"The result to continue does not begin with game {first}.")
        result = resume if kept is None else _with_rows(resume, kept)
        at = resume.ranges[-1][1] if resume.ranges else first
    stop = stop or threading.Event()
    done = at - first

    def count(games_played: int) -> None:
        """Report the progress after some more games."""
        nonlocal done
        done += games_played
        progress(done, last - first)

    progress(done, last - first)
    with _playing(game, spec, own, given, threads, cluster, kept is not None) as play:
        while at < last and not stop.is_set() and not (until and precise(result, until)):
            part = play(at, min(last, _next_check(at, first)), stop, count)
            if not part.games:
                break
            result, at = Result.merge([result, part]), part.ranges[-1][1]
            if kept is not None:
                _write(result.frame("games"), kept)
            keep(result)
    return result


def _write(rows: pl.DataFrame, path: Path) -> None:
    """Write a table to a Parquet file, atomically replacing an existing one."""
    beside = path.with_name(f"{path.name}.part")
    rows.write_parquet(beside)
    beside.replace(path)


def _with_rows(result: Result, path: Path) -> Result:
    """Return a result to continue with the table of its games. Raises OtherExperiment if the file has other games."""
    rows = result.rows
    if rows is None and result.games:
        rows = pl.read_parquet(path) if path.exists() else None
        numbers = 0 if rows is None else len(rows)
        if rows is None or numbers != result.games * len(result.sides):
            raise OtherExperiment(
                f"{path} has {numbers} of the games of the result to continue, not {result.games * len(result.sides)}; "
                "begin anew, or leave out per_game."
            )
    return result if rows is None else replace(result, rows=rows)


@contextmanager
def _playing(
    game: Game,
    spec: ExperimentSpec,
    own: tuple[Metric, ...],
    given: Given,
    threads: int,
    cluster: str | None,
    per_game: bool,
) -> Generator[Callable[[int, int, threading.Event, Callable[[int], None]], Result]]:
    """Context manager: provide a function that plays a range of games, on threads of this process or on a cluster."""
    if cluster is not None:
        if set(own) - set(chosen_metrics(game, tuple(own_metrics(game)))):
            raise ValueError("A cluster measures only the metrics that the game's own package declares.")
        if given:
            raise ValueError(f"A cluster knows players by name or path (module:Class); {min(given)} is an object.")
        with opened(cluster) as workers:
            yield lambda first, last, stop, count: play_spread(workers, spec, first, last, stop, count, per_game)
        return
    runners = [ThreadRunner(game, spec, own, given, per_game) for _ in range(threads)]

    def play(first: int, last: int, stop: threading.Event, count: Callable[[int], None]) -> Result:
        reached, sums = play_range(runners, first, last, stop, count)
        return Result.of(spec, first, reached, sums, taken_rows(game, spec, own, runners) if per_game else None)

    yield play


def make_spec(
    game: Game,
    players: Sequence[str],
    seats: int | None,
    cards: str | os.PathLike[str] | None,
    options: Mapping[str, Any] | None,
    against: Variant | str | os.PathLike[str] | Mapping[str, Any] | None,
    seed: int | str,
    metrics: Sequence[str | Metric],
    own: Sequence[Metric],
) -> ExperimentSpec:
    """Build an experiment's specification from the names of its players and the arguments of `experiment`.

    Raises ValueError with a sentence about the invalid argument.
    """
    named = list(players)
    count = game.accept_seats(seats if seats is not None else len(named) if len(named) > 1 else game.usual_seats)
    named = named * count if len(named) == 1 else named
    if len(named) != count:
        raise ValueError(
            f"A table with {quantity(count, 'seat')} needs {quantity(count, 'player')}, or one for all seats, "
            f"not {len(named)}."
        )
    first = _side(game, Variant(cards, options), None)
    sides = {"A": first}
    if against is not None:
        if isinstance(against, Mapping):
            against = Variant(options=against)
        elif not isinstance(against, Variant):
            against = Variant(cards=against)
        sides["B"] = _side(game, against, first)
    names = tuple(m if isinstance(m, str) else m.name for m in metrics)
    return ExperimentSpec(
        game=game.id,
        rules_version=game.rules_version,
        players=tuple(named),
        sides=sides,
        seed=seed,
        lead="lead" in names,
        metrics=names,
        own={metric.name: metric.labels for metric in own},
    )


def _side(game: Game, variant: Variant, other: Side | None) -> Side:
    """Build a side from a variant; what the variant does not set is as on the `other` side, if there is one.

    Raises ValueError for invalid options, and BadCards for an invalid card file.
    """
    cards = None
    name = variant.name
    if variant.cards is not None:
        is_text = isinstance(variant.cards, str) and "\n" in variant.cards
        if is_text:
            cards = str(variant.cards)
        else:
            cards = _read(game, Path(variant.cards))
            name = name or Path(variant.cards).name
    elif other is not None and variant.options is not None:
        cards = other.cards
    given = {**(other.options if other else {}), **(variant.options or {})}
    accepted = game.accept_options(given)
    game.make_box(accepted, cards)
    chosen = {key: accepted[key] for key in given}
    changed = ", ".join(f"{key}={str(value).lower()}" for key, value in (variant.options or {}).items())
    return Side(name or changed or ("other cards" if cards else "as printed"), chosen, cards)


def _read(game: Game, path: Path) -> str:
    """Read and check a card file. Raises BadCards with a sentence that names the file, or FileNotFoundError."""
    try:
        text = read_text(path)
    except NotText as error:
        raise BadCards(str(error)) from error
    except FileNotFoundError as error:
        raise FileNotFoundError(f"There is no card file {path}.") from error
    game.check_cards(text, path.name)
    return text


def precise(result: Result, until: float) -> bool:
    """Return whether all win shares in a result (of two sides, their differences) are known to within `until` points.

    Points are percentage points.
    """
    side = CHANGE if "B" in result.sides else "A"
    figures = [result.figure("wins", item, side) for item in result.items("wins", side) if result.is_listed(item)]
    return bool(figures) and all(100 * figure.reach <= until for figure in figures)


def _next_check(next_game: int, first: int) -> int:
    """Return the number of the game before which an experiment next checks whether it can stop.

    It begins with game `first` and has played the games before `next_game`. The checks do not depend on where a run was
    resumed.
    """
    look = ROUND
    while first + look <= next_game:
        look = int(look * GROWTH) // 1000 * 1000
    return first + look
