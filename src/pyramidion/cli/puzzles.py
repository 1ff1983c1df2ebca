"""The `pyramidion puzzles GAME --out FILE` command."""

from __future__ import annotations

import math
import time
from pathlib import Path

from pyramidion.cli.options import CommandFailed, load
from pyramidion.translation import quantity


def puzzles(
    game_id: str, out: Path, seats: int | None, count: int | None, hours: float | None, iterations: int
) -> None:
    """Look for puzzles in one game between bots after another, and add each to the file when it is found."""
    from pyramidion.bots.puzzle_search import PuzzleSearch
    from pyramidion.engine.puzzle import read_puzzles

    game = load(game_id)
    if count is None and hours is None:
        raise CommandFailed("Say when to stop: with --count, --hours or both.")
    try:
        existing = read_puzzles(out)
        search = PuzzleSearch(game, game.accept_seats(seats) if seats else None, iterations)
    except (ValueError, TypeError, KeyError) as error:
        raise CommandFailed(f"{out} cannot be used: {error}") from error
    ends = time.monotonic() + 3600 * hours if hours is not None else math.inf
    # The games are numbered, so the same command goes on after the last game with a puzzle.
    count_found, number = len(existing), max((puzzle.seed for puzzle in existing), default=0)
    with out.open("a", encoding="utf-8") as file:
        while (count is None or count_found < count) and time.monotonic() < ends:
            number += 1
            for puzzle in search.in_game(number, ends):
                file.write(puzzle.line() + "\n")
                file.flush()
                count_found += 1
                gain = 100 * (puzzle.answer.chance - puzzle.second.chance)
                better = f"{quantity(round(gain), 'point')} better"
                print(f"{count_found}: game {number}, {puzzle.answer.action}, {better}, {puzzle.grade}", flush=True)
                if count_found == count:
                    break
    stages = [f"{stage}: {count:,}" for stage, count in search.tally.items()]
    print(f"{out} holds {quantity(count_found, 'puzzle')}." + (f" Examined: {', '.join(stages)}." if stages else ""))
