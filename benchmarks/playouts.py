# pyright: basic
"""Random playouts of every game compared with those of OpenSpiel's hearts and spades, in one run.

    python benchmarks/playouts.py [GAME ...] [--rounds 15]

Uniformly random games from the setup to the end on one core, compiled, and those that OpenSpiel's
`RandomRolloutEvaluator` plays of its C++ games from a dealt position, called by its search with two simulations of many
games each. Dealing is left out, since there it is a chance node for every card. The games take turns in every round.
Times are the thread's processor time, and each figure is the best of the rounds, since other programs can only slow a
round down.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pyspiel

import pyramidion
from pyramidion.engine.layout import as_bytes

SPIELS = ("hearts", "spades")
OUR_GAMES, THEIR_GAMES = 2000, 200
"""Games in each round."""

Round = Callable[[int], float]


def ours(game_id: str) -> Round:
    """Return a function that plays a round of one of our games and returns decisions a second."""
    game = pyramidion.load(game_id)
    seats, state, ids = game.usual_seats, game.layout.new(), np.zeros(len(game.actions), np.int32)
    box, limit = game.make_box(game.accept_options({})), game.longest(seats)

    def play(number: int) -> float:
        chance, tally = np.array([number], np.uint64), np.zeros(2, np.int64)
        began = time.thread_time()
        game.compiled.playouts(box, state, as_bytes(state), seats, chance, OUR_GAMES, limit, ids, tally)
        return float(tally[0]) / (time.thread_time() - began)

    play(0)
    return play


def deal(state: Any, chance: Random) -> None:
    """Play OpenSpiel's chance nodes until a player decides or the game is over."""
    while state.is_chance_node():
        actions, shares = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(chance.choices(actions, shares)[0])


def length_of_theirs(name: str, games: int = 300) -> float:
    """Return how many decisions a random game of OpenSpiel has on average."""
    game, chance, decisions = pyspiel.load_game(name), Random(1), 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                deal(state, chance)
            else:
                decisions += 1
                state.apply_action(chance.choice(state.legal_actions()))
    return decisions / games


def theirs(name: str) -> Round:
    """Return a function that plays a round of a game of OpenSpiel and returns decisions a second."""
    game, length = pyspiel.load_game(name), length_of_theirs(name)

    def play(number: int) -> float:
        state = game.new_initial_state()
        deal(state, Random(number))
        evaluator = pyspiel.RandomRolloutEvaluator(THEIR_GAMES, number)
        # The first simulation evaluates the position, the second one a position after one action.
        bot = pyspiel.MCTSBot(game, evaluator, 1.0, 2, -1, False, number, False)
        began = time.thread_time()
        bot.mcts_search(state)
        return THEIR_GAMES * (2 * length - 1) / (time.thread_time() - began)

    return play


def main() -> None:
    """Print a table: millions of decisions a second of our games, and the ratio to OpenSpiel's games."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("games", nargs="*", default=sorted(pyramidion.all_games()))
    parser.add_argument("--rounds", type=int, default=15)
    asked = parser.parse_args()
    rows: dict[str, Round] = {pyramidion.load(game_id).name: ours(game_id) for game_id in asked.games}
    rows |= {f"OpenSpiel, {name}": theirs(name) for name in SPIELS}
    best = dict.fromkeys(rows, 0.0)
    for number in range(asked.rounds):
        for name, play in rows.items():
            best[name] = max(best[name], play(number))
    print("| game | millions a second | " + " | ".join(f"times {name}" for name in SPIELS) + " |")
    print("| --- | ---: |" + " ---: |" * len(SPIELS))
    for name, rate in best.items():
        ratios = " | ".join(f"{rate / best[f'OpenSpiel, {other}']:.1f}" for other in SPIELS)
        print(f"| {name} | {rate / 1e6:.2f} | {ratios} |")


if __name__ == "__main__":
    main()
