# pyright: basic
"""Strength of a game's policy: alone among random players, and statistics of games between policies.

    python benchmarks/studies/strength.py [GAME] [--games 10000] [--own 1000] [--seed 1]

Prints Markdown tables. One policy seat among random ones is played compiled, in every seat equally often; a shared win
counts as a fraction. In games in which each seat wins or loses for itself, a win is a payoff above 0, and the share by
chance is measured among random players. Intervals are Wilson's 95 % intervals. Games between policies are played
through `Match`.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter
from typing import Any

import numpy as np

import pyramidion
from pyramidion import Game, bots
from pyramidion.engine.layout import as_bytes
from pyramidion.lab.statistics.intervals import wilson


def among_random(
    game: Game, seats: int, games: int, seed: int, options: dict[str, Any]
) -> tuple[float, int, float, int]:
    """Play one seat by policy among random ones.

    Returns the win share of that seat, the games, the decisions per game, and the decisions per second.
    """
    box, state = game.make_box(game.accept_options(options)), game.layout.new()
    ids, weights, payoffs = np.zeros(len(game.actions), np.int32), np.zeros(len(game.actions)), np.zeros(seats)
    chance, limit, each = np.array([seed], np.uint64), game.longest(seats), -(-games // seats)
    won, decisions, seconds = 0.0, 0.0, 0.0
    game.compiled.policy_playouts(
        box, state, as_bytes(state), seats, 1, chance, 1, limit, ids, weights, payoffs, np.zeros((3, seats))
    )
    for seat in range(seats):
        totals = np.zeros((3, seats))
        began = time.thread_time()
        game.compiled.policy_playouts(
            box, state, as_bytes(state), seats, 1 << seat, chance, each, limit, ids, weights, payoffs, totals
        )
        seconds += time.thread_time() - began
        if totals[2, 1] != each:
            raise RuntimeError(f"{each - int(totals[2, 1])} games had not ended after {limit} decisions.")
        won += wins(game, totals, seat)
        decisions += totals[2, 0]
    return won / (each * seats), each * seats, decisions / (each * seats), round(decisions / seconds)


def wins(game: Game, totals: Any, seat: int) -> float:
    """Return how many games a seat has won, from the sums of its payoffs and of their squares.

    Payoffs of +1, 0 and -1 add up to wins less losses, and their squares to wins plus losses.
    """
    return totals[0, seat] if game.payoff_form == "share" else (totals[0, seat] + totals[1, seat]) / 2


def by_chance(game: Game, seats: int, games: int, seed: int, options: dict[str, Any]) -> float:
    """Return the win share of one random player among others."""
    if game.payoff_form == "share":
        return 1 / seats
    box, state = game.make_box(game.accept_options(options)), game.layout.new()
    ids, weights, payoffs = np.zeros(len(game.actions), np.int32), np.zeros(len(game.actions)), np.zeros(seats)
    chance, totals, limit = np.array([seed], np.uint64), np.zeros((3, seats)), game.longest(seats)
    game.compiled.policy_playouts(
        box, state, as_bytes(state), seats, 0, chance, games, limit, ids, weights, payoffs, totals
    )
    return sum(wins(game, totals, seat) for seat in range(seats)) / seats / games


def speed(game: Game, seats: int, games: int, seed: int, options: dict[str, Any]) -> float:
    """Return how many decisions per second one core makes when every seat plays by policy."""
    box, state = game.make_box(game.accept_options(options)), game.layout.new()
    ids, weights, payoffs = np.zeros(len(game.actions), np.int32), np.zeros(len(game.actions)), np.zeros(seats)
    chance, totals = np.array([seed], np.uint64), np.zeros((3, seats))
    began = time.thread_time()
    game.compiled.policy_playouts(
        box,
        state,
        as_bytes(state),
        seats,
        (1 << seats) - 1,
        chance,
        games,
        game.longest(seats),
        ids,
        weights,
        payoffs,
        totals,
    )
    return totals[2, 0] / (time.thread_time() - began)


def among_policies(game: Game, seats: int, games: int, seed: int, options: dict[str, Any]) -> dict[str, Any]:
    """Return statistics of games between policies: length, endings and wins."""
    bot = bots.load("policy", game, seed)
    decisions: list[int] = []
    points: list[int] = []
    endings: Counter[str] = Counter()
    won = [0.0] * seats
    for number in range(games):
        match = game.new(seats, f"{seed} {number}", **options)
        while not match.over:
            match.play(match.acting[0], bot.move(match, match.acting[0]))
        assert match.outcome is not None
        decisions.append(match.ply)
        points += [match.outcome.points[seat] for seat in match.outcome.winners]
        endings[match.outcome.rule] += 1
        for seat in match.outcome.winners:
            won[seat] += 1 / len(match.outcome.winners) if game.payoff_form == "share" else 1
    tenths = statistics.quantiles(decisions, n=10)
    return {
        "decisions": f"{statistics.mean(decisions):.0f} ({tenths[0]:.0f} to {tenths[-1]:.0f})",
        "points": statistics.mean(points) if points else 0,
        "endings": ", ".join(f"{rule} {count / games:.1%}" for rule, count in endings.most_common()),
        "won": " / ".join(f"{share / games:.0%}" for share in won),
    }


def option_text(options: dict[str, Any]) -> str:
    """Return option values in words: `advanced`, `all_pay off`."""
    return ", ".join(name if value else f"{name} off" for name, value in options.items()) or "none"


def main() -> None:
    """Parse the command line, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="ponzi-scheme")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--own", type=int, default=1000, help="games among policies")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    game = pyramidion.load(asked.game)
    # This option only affects what people are shown.
    flags = {name: o for name, o in game.options.items() if o.kind == "flag" and name != "confirmations"}
    tables: list[dict[str, Any]] = [{}, *({name: not option.default} for name, option in flags.items())]

    print("| seats | options | games | wins of the one policy | 95 % interval | by chance | decisions per game |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for options in tables:
        for seats in game.seats:
            share, games, length, _ = among_random(game, seats, asked.games, asked.seed, options)
            low, high = wilson(share, games)
            chance = by_chance(game, seats, asked.games, asked.seed, options)
            print(
                f"| {seats} | {option_text(options)} | {games} | {share:.1%} | {low:.1%} to {high:.1%} "
                f"| {chance:.1%} | {length:.0f} |"
            )
    print()
    print(
        "| seats | options | decisions (a tenth of games are shorter, a tenth longer) | winner's points | ends by "
        "| won by seat 0, 1, 2 ... | policy decisions/s |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for options in tables:
        for seats in game.seats:
            figures = among_policies(game, seats, asked.own, asked.seed, options)
            rate = speed(game, seats, asked.own, asked.seed, options)
            print(
                f"| {seats} | {option_text(options)} | {figures['decisions']} "
                f"| {figures['points']:.1f} | {figures['endings']} | {figures['won']} | {rate / 1e6:.1f} million |"
            )


if __name__ == "__main__":
    main()
