"""Shared parts of the reports on reconstructed decks: match setup, shares with intervals, strength."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from pyramidion import Game
from pyramidion.engine.layout import as_bytes
from pyramidion.lab.statistics.intervals import wilson


def table(game: Game, **options: Any) -> tuple[Any, Any, Any]:
    """Return a box, a state and its bytes, as compiled loops over games need them."""
    state = game.layout.new()
    return game.make_box(game.accept_options(options)), state, as_bytes(state)


def buffers(game: Game) -> tuple[Any, Any, Any]:
    """Return buffers for action ids, their weights, and payoffs."""
    return np.zeros(len(game.actions), np.int32), np.zeros(len(game.actions)), np.zeros(game.layout.max_seats)


def with_interval(wins: float, games: int) -> str:
    """Format a share of wins with its interval."""
    low, high = wilson(wins / games, games)
    return f"{wins / games:.1%} ({low:.1%} to {high:.1%})"


def spread(counts: Any, name: str) -> str:
    """Return mean, 5 % and 95 % quantiles and maximum of whole numbers; `counts[n]` is how often n occurred."""
    n = np.arange(len(counts))
    low, high = (int(np.searchsorted(np.cumsum(counts), q * counts.sum())) for q in (0.05, 0.95))
    mean = (counts * n).sum() / counts.sum()
    return f"{name} {mean:.1f} (5 % {low}, 95 % {high}, most {int(n[counts > 0].max())})"


def strength(game: Game, seats: int, games: int = 10_000) -> None:
    """Print how often one policy seat wins among random ones, in each seat in turn."""
    box, state, raw = table(game)
    ids, weights, payoffs = buffers(game)
    won = 0.0
    for seat in range(seats):
        totals = np.zeros((3, seats))
        share = games // seats + (seat < games % seats)
        game.compiled.policy_playouts(
            box,
            state,
            raw,
            seats,
            1 << seat,
            np.array([17 + seat], np.uint64),
            share,
            game.longest(seats),
            ids,
            weights,
            payoffs,
            totals,
        )
        won += totals[0, seat]
    print(f"{seats} seats: one policy player among random ones wins {with_interval(won, games)}")


def main(game: Game, habits: Callable[[int, int], None]) -> None:
    """Print the policy's strength and statistics over the number of games on the command line."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    for seats in game.seats:
        strength(game, seats)
    for seats in game.seats:
        habits(seats, games)
