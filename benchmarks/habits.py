# pyright: basic
"""Habits of players who search: count them, and test them in a contest against Experts at equal processor time.

    python benchmarks/habits.py upside-down --out habits.npz [--games 30] [--iterations 1000] [--seed 0]
    python benchmarks/habits.py upside-down --out habits.npz --contest [--seconds 0.2] [--most 200]

The first plays games between Experts, which have the seeds from `--seed` on, and counts how they decide. It writes the
file after every game, so a run that was stopped goes on. The second plays one bot with these habits among Experts until
it is decided whether it is stronger, and marks the file as accepted if it is; `--after GAMES WINS EVEN` goes on from
there. A file in the game's folder offers the level Master if it is accepted.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

import pyramidion
from pyramidion import __version__
from pyramidion.bots.habits import empty_counts, habits_from, read_habits, write_habits
from pyramidion.engine import registry
from pyramidion.engine.game import Game
from pyramidion.lab.training.contest import Score, contest
from pyramidion.lab.training.habit_counts import count_habits, game_between_experts


def counted(path: Path, game: Game) -> tuple[Any, dict[str, Any]]:
    """Return the counts of habits in a file, and the description of how they were counted."""
    about = read_habits(path, game).about
    with np.load(path, allow_pickle=False) as file:
        return game.mind.Habits(**{name: file[name] for name in game.mind.Habits._fields}), about


def count(game: Game, games: int, iterations: int, seed: int, path: Path) -> None:
    """Play games between Experts and count how they decide, continuing the counts in the file `path`."""
    counts, about = empty_counts(game, games), {}
    done = 0
    if path.exists():
        before, about = counted(path, game)
        if (about["seed"], about["iterations"]) != (seed, iterations):
            raise SystemExit(f"{path} was counted with another seed or limit. Delete it, or choose another file.")
        done = min(games, about["games"])
        if about["games"] > games:
            raise SystemExit(f"{path} holds more games than that already.")
        for name in game.mind.HABIT_SHAPES:
            getattr(counts, name)[:] = getattr(before, name)
        counts.holdings[:done] = before.holdings
    for number in range(done, games):
        count_habits(game_between_experts(game, iterations, f"searchers {seed + number}"), counts, number)
        about = {
            "game": game.id,
            "rules_version": game.rules_version,
            "games": number + 1,
            "iterations": iterations,
            "seed": seed,
            "pyramidion": __version__,
        }
        write_habits(path, game, counts._replace(holdings=counts.holdings[: number + 1]), about)
        print(f"{number + 1} of {games} games", flush=True)


def main() -> None:
    """Parse the command line; count, or play the contest."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=registry.ids())
    parser.add_argument("--out", type=Path, default=Path("habits.npz"))
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--iterations", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--contest", action="store_true")
    parser.add_argument("--seconds", type=float, default=0.2)
    parser.add_argument("--most", type=int, default=200)
    parser.add_argument("--after", type=float, nargs=3, metavar=("GAMES", "WINS", "EVEN"))
    asked = parser.parse_args()
    game = pyramidion.load(asked.game)
    if not asked.contest:
        count(game, asked.games, asked.iterations, asked.seed, asked.out)
        return
    counts, about = counted(asked.out, game)
    habits = habits_from(game, counts, about)
    before = Score(int(asked.after[0]), asked.after[1], asked.after[2]) if asked.after else None
    for score in contest(game, game.usual_seats, habits, None, asked.seconds, asked.seed, before):
        low, high = score.interval
        line = f"{score.wins:.0f} of {score.games} games, {score.share:.1%} ({low:.1%} to {high:.1%})"
        print(
            f"{line}, even {score.even:.1%}, evidence {score.log_likelihood_ratio:+.2f}, accepted: {score.accepted}",
            flush=True,
        )
        if score.accepted:
            about["accepted"] = {
                "games": score.games,
                "wins": score.wins,
                "even": round(score.even, 3),
                "interval": [round(end, 3) for end in score.interval],
                "seconds": asked.seconds,
                "against": "Expert",
            }
            write_habits(asked.out, game, counts, about)
        if score.accepted is not None or score.games >= asked.most:
            return


if __name__ == "__main__":
    main()
