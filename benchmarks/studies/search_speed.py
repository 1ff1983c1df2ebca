# pyright: basic
"""Search iterations per second on one core, compared with OpenSpiel's on games of similar length, in one run.

    python benchmarks/studies/search_speed.py [--iterations 20000] [--rounds 5] [--write]

From the opening, every game at the fewest seats and at those that people usually play it at, with uniformly random
rollouts, with rollouts by the policy, and without any; beside it OpenSpiel's information-set search in C++ (`ISMCTSBot`
with `RandomRolloutEvaluator`, one rollout each) on those of its own C++ games that it can resample. The median of the
rounds, which take turns; time is the thread's processor time, so that other work on the machine costs less. *Length*
is the mean of uniformly random games, decisions of players. `--write` puts the table into docs/strength/speed.md.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pyspiel

import pyramidion
from pyramidion import bots
from pyramidion.engine import registry
from pyramidion.engine.rule import rule
from pyramidion.lab import playouts

PAGE = Path(__file__).parents[2] / "docs" / "strength" / "speed.md"
SPIELS = ("hearts", "gin_rummy", "oh_hell", "euchre")
OPENINGS = 5
"""Number of openings searched in turn."""


@rule
def make_up(box, s, got):
    """Fill in made-up payoffs instead of playing a game out, so that only the search itself is measured.

    They differ, so that the tree grows as unevenly as usual.
    """
    for seat in range(s.seats):
        got[seat] = ((int(s.ply) * 7919 + seat * 104729) % 101) / 100.0
    return True


def ours(game_id: str, seats: int, iterations: int, rollout: str) -> Callable[[int], float]:
    """Return a function that searches one of our games for a round and returns iterations per second.

    With the rollout "none", results are made up where the tree ends, so that only the deal and the tree take time.
    """
    game = pyramidion.load(game_id)
    if rollout == "none":
        game = replace(game, mind=SimpleNamespace(**(vars(game.mind) | {"prospects": make_up})))
        rollout = "policy"
    expert: Any = bots.load("expert", game, 1)

    def measure(number: int) -> float:
        match = game.new(seats, f"speed {number % OPENINGS}")
        seat = match.acting[0]
        state = match.redacted_state(seat)
        began = time.thread_time()
        expert.think(match.box, state, seat, iterations=iterations, rollout=rollout)
        return iterations / (time.thread_time() - began)

    measure(0)
    return measure


def opening(game: Any, chance: Random) -> Any:
    """Return the first state of an OpenSpiel game in which several actions are legal.

    The search needs no iterations for a forced one.
    """
    while True:
        state = game.new_initial_state()
        while state.is_chance_node():
            deal(state, chance)
        if len(state.legal_actions()) > 1:
            return state


def deal(state: Any, chance: Random) -> None:
    """Play one chance node of OpenSpiel."""
    actions, shares = zip(*state.chance_outcomes(), strict=True)
    state.apply_action(chance.choices(actions, shares)[0])


def theirs(name: str, iterations: int) -> Callable[[int], float]:
    """Return a function that searches a game of OpenSpiel for a round and returns iterations per second."""
    game = pyspiel.load_game(name)
    as_observed = not game.get_type().provides_information_state_string

    def measure(number: int) -> float:
        state = opening(game, Random(number % OPENINGS))
        evaluator = pyspiel.RandomRolloutEvaluator(1, number)
        best = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        bot = pyspiel.ISMCTSBot(number, evaluator, 1.0, iterations, -1, best, as_observed, False)
        began = time.thread_time()
        bot.step(state)
        return iterations / (time.thread_time() - began)

    return measure


def length_of_theirs(name: str, games: int = 300) -> float:
    """Return how many decisions a random game of OpenSpiel has on average, from the first one with a choice."""
    game, chance, decisions = pyspiel.load_game(name), Random(1), 0
    for _ in range(games):
        state = opening(game, chance)
        while not state.is_terminal():
            if state.is_chance_node():
                deal(state, chance)
            else:
                decisions += 1
                state.apply_action(chance.choice(state.legal_actions()))
    return decisions / games


def main() -> None:
    """Parse the command line, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--iterations", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    rows: list[tuple[str, str, int, float, str, Callable[[int], float]]] = []
    for game_id in registry.ids():
        game = pyramidion.load(game_id)
        for seats in sorted({game.seats[0], game.usual_seats}):
            run = playouts.run(game, seats, 2000)
            for rollout in ("random", "policy", "none"):
                measure = ours(game_id, seats, asked.iterations, rollout)
                rows.append(("Pyramidion", game.name, seats, run.decisions / run.games, rollout, measure))
    for name in SPIELS:
        seats = pyspiel.load_game(name).num_players()
        # Its games are slower; a tenth of the iterations takes as long.
        measure = theirs(name, max(1, asked.iterations // 10))
        rows.append(("OpenSpiel", name, seats, length_of_theirs(name), "random", measure))
    rates: list[list[float]] = [[] for _ in rows]
    for number in range(asked.rounds):
        for row, measured in zip(rows, rates, strict=True):
            measured.append(row[-1](number))
    lines = [
        "| search | game | seats | length | rollout | iterations/s | slowest to fastest | x length, millions |",
        "| --- | --- | ---: | ---: | --- | ---: | --- | ---: |",
    ]
    for (search, name, seats, length, rollout, _), measured in zip(rows, rates, strict=True):
        middle = statistics.median(measured)
        whole = "" if rollout == "none" else f"{middle * length / 1e6:.1f}"
        lines.append(
            f"| {search} | {name} | {seats} | {length:.0f} | {rollout} | {middle:,.0f} | {min(measured):,.0f} to "
            f"{max(measured):,.0f} | {whole} |"
        )
    print("\n".join(lines))
    if asked.write:
        limits = f"--iterations {asked.iterations} --rounds {asked.rounds}"
        command = f"python benchmarks/studies/search_speed.py {limits} --write"
        about = (
            "From the opening, one core, processor time of the thread, the median of rounds that take turns. "
            "*Length*: decisions\n"
            "of a uniformly random game. *Rollout* random: uniformly, without any policy, as OpenSpiel's evaluator "
            "does it; the\n"
            "levels use the policy. None: the result is made up where the tree ends, so that only the deal and the "
            "tree take\n"
            "time. OpenSpiel's search is its C++ `ISMCTSBot`, on those of its own C++ games that it can resample. The "
            "last column\n"
            "is an upper bound for the decisions a second: not every iteration begins at the start, and by policy "
            "Pyramid-Sham-Bo\nends where the game says its prospects.\n"
        )
        where = (
            f"Python {platform.python_version()}, {platform.machine()}; "
            "whatever else the machine did is in the figures."
        )
        PAGE.parent.mkdir(parents=True, exist_ok=True)
        PAGE.write_text(
            f"# How fast the search is\n\n`{command}`\n\n{about}\n" + "\n".join(lines) + f"\n\n{where}\n", "utf-8"
        )


if __name__ == "__main__":
    main()
