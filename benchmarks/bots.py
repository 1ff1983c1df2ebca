# pyright: basic
"""Win rate of one policy bot among random bots, with its 95 % interval.

    python benchmarks/bots.py [GAME] [--games 10000] [--seats 4] [--seed 1] [--json]

Every game is played through `Match` and `Bot.move`, so that the bot sees what its seat may see and nothing else. It
sits on each seat equally often. A win shared by several counts as its share.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
from typing import Any

import pyramidion
from pyramidion import bots

WIDTH = 1.96  # standard errors on each side of a 95 % interval


def share_won(asked: tuple[str, int, int, int]) -> tuple[float, float, int]:
    """Play games; return the sum of the policy bot's win shares, the sum of their squares, and the decisions."""
    game_id, seats, seed, games = asked
    game = pyramidion.load(game_id)
    policy, random = bots.load("policy", game, f"policy {seed}"), bots.load("random", game, f"random {seed}")
    won = squares = 0.0
    decisions = 0
    for n in range(games):
        match, own = game.new(seats, f"{seed} {n}"), n % seats
        while not match.over:
            seat = match.acting[0]
            match.play(seat, (policy if seat == own else random).move(match, seat))
        outcome = match.outcome
        assert outcome is not None
        share = 1 / len(outcome.winners) if own in outcome.winners else 0.0
        won, squares, decisions = won + share, squares + share * share, decisions + match.ply
    return won, squares, decisions


def measure(game_id: str, seats: int, games: int, seed: int) -> dict[str, Any]:
    """Return the win share with its interval, JSON-ready."""
    parts = 20
    share_of_games = [games // parts + (n < games % parts) for n in range(parts)]
    with multiprocessing.get_context("spawn").Pool() as pool:
        done = pool.map(
            share_won, [(game_id, seats, seed * parts + n, count) for n, count in enumerate(share_of_games)]
        )
    won, squares = sum(part[0] for part in done), sum(part[1] for part in done)
    mean = won / games
    error = math.sqrt(max(0.0, squares / games - mean * mean) / games)
    return {
        "game": game_id,
        "seats": seats,
        "games": games,
        "policy_share": round(mean, 4),
        "interval": [round(mean - WIDTH * error, 4), round(mean + WIDTH * error, 4)],
        "chance": round(1 / seats, 4),
        "decisions_per_game": round(sum(part[2] for part in done) / games, 1),
    }


def main() -> None:
    """Parse the command line, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="ponzi-scheme")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    figures = measure(asked.game, asked.seats, asked.games, asked.seed)
    if asked.json:
        print(json.dumps(figures))
        return
    low, high = figures["interval"]
    print(
        f"{asked.game}, {asked.seats} seats, {asked.games} games: one policy bot among random ones won "
        f"{figures['policy_share']:.1%} (95 % interval {low:.1%} to {high:.1%}); "
        f"by chance it would be {figures['chance']:.1%}."
    )


if __name__ == "__main__":
    main()
