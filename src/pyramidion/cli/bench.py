"""The `pyramidion bench [GAME]` command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from pyramidion.cli.options import CommandFailed, accept_options, load_all, print_json
from pyramidion.cli.tables import print_table
from pyramidion.translation import quantity

if TYPE_CHECKING:
    from pyramidion import Game


def measure(
    names: Sequence[str] | None,
    as_json: bool,
    seats: int | None,
    games: int | None,
    options: Sequence[str] | None,
    quick: bool,
) -> None:
    """Benchmark the games and print a table, or with `as_json` one line of JSON per game."""
    from pyramidion.lab.bench import BenchFailed, bench

    chosen = load_all(names)
    agreed = [(game, _seats(game, seats), accept_options(game, options)) for game in chosen]
    figures: list[dict[str, Any]] = []
    with Console(stderr=True).status("") as status:
        for game, places, given in agreed:
            try:
                figures.append(
                    bench(
                        game,
                        places,
                        games,
                        given,
                        fresh_processes=not quick,
                        progress=lambda what, game=game: status.update(f"{game.name}: {what}"),
                    )
                )
            except BenchFailed as failed:
                raise CommandFailed(str(failed), code=1) from failed
    if as_json:
        for game_figures in figures:
            print_json(game_figures)
    else:
        _show(figures)


def _seats(game: Game, seats: int | None) -> int:
    """Return the accepted number of seats, by default the usual one. Raises CommandFailed."""
    try:
        return game.accept_seats(seats if seats is not None else game.usual_seats)
    except ValueError as error:
        raise CommandFailed(str(error)) from error


def _show(figures: Sequence[dict[str, Any]]) -> None:
    """Print the figures as a table with a column for each game."""
    table = Table()
    table.add_column("uniformly random play")
    for game in figures:
        options = ", ".join(f"{name}={str(value).lower()}" for name, value in game["options"].items())
        table.add_column(f"{game['game']}, {quantity(game['seats'], 'seat')}\n{options}", justify="right")
    threads = figures[0]["threads"]["threads"]
    rows = {
        "decisions/s, one core": "decisions_per_second",
        "games/s, one core": "games_per_second",
        "decisions in a game": "decisions_per_game",
        f"decisions/s, {quantity(threads, 'thread')}": ("threads", "decisions_per_second"),
        f"{quantity(threads, 'thread')} against one": ("threads", "scaling"),
        "match.legal and match.play, plies/s": "python_plies_per_second",
        "search iterations/s, random rollout": "search_iterations_per_second",
        "search iterations/s, policy rollout": "search_policy_iterations_per_second",
        "decisions/s, interpreted": "interpreted_decisions_per_second",
        "first use (compiling), s": "first_use_seconds",
        "start from the cache, s": "cached_start_seconds",
        "import, s": "import_seconds",
        "state, bytes": "state_bytes",
        "box, bytes": "box_bytes",
    }
    for title, key in rows.items():
        values = [game.get(key) if isinstance(key, str) else game[key[0]][key[1]] for game in figures]
        if any(value is not None for value in values):
            table.add_row(title, *("" if value is None else f"{value:,}" for value in values))
    print_table(table)
