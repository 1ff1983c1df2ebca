# pyright: basic
"""Mixed strategies of the search in decisions with known solutions: throws and sealed bids.

    python benchmarks/studies/search_equilibrium.py [--write]

*Throws*: Pyramid-Sham-Bo with two seats, every position of a few games of policies in which throws are due. Nothing
but who wins matters there, so each throw is to be played a third of the time. *Off* is how far a single search's
strategy is from a third in its worst throw, on average and in the worst of all; the mean over all searches is given
too, but would be even for a bot that always threw one thing chosen by chance.

*Sealed bids*: three seats with ten coins each bid three times in secret; the highest bid wins a point and is paid,
ties win nothing, the most points share the win (tests/outside/sealed_bid). For each thing that a seat can know at a
decision the search is asked for its strategy, so the whole strategy is known, and what a fourth player in one of the
seats could win against two of the others is computed exactly: a best response that remembers all that was told.
Exploitability is that less a third. Where the toy deals the others any number of coins, here they keep all ten until
they win something.

*Undercut*, a toy of the search's tests: two seats bid 0 to 4 once; the higher bid wins, unless it is higher by just
one, then the lower does. Exploitability is what a best response wins on average (payoffs are -1, 0 and 1), mean of
single searches; *all shares* counts what is left of actions that the search has given up, which is not played.

*Why sealed bids stay where they are* (sealed_bids.py): the same toy with a bid that is a submission at once, so that
the search of a position is its whole strategy; of one, two or three rounds, everybody with ten coins at the start. The
first bids come from a search of so many iterations, later ones from searches of as many, 10,000 at most. *Hidden*: as
above, who has won once may have any number of coins left. *Shown*: the search is told everybody's coins, which is all
that the best response knows. *Solved*: three rounds, the coins are shown, and the search knows what every position
after the first round is worth, which is played on accordingly. Each figure is the mean of four searches.

`--write` writes docs/strength/equilibrium.md and the plot beside it.
"""

from __future__ import annotations

import argparse
import importlib
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

import pyramidion
import sealed_bids
from pyramidion import bots
from pyramidion.bots import SearchBot
from pyramidion.engine.observation import observation_space
from pyramidion.engine.random import below
from pyramidion.engine.rule import rule
from search_arena import digest

ROOT = Path(__file__).parents[2]
STRENGTH = ROOT / "docs" / "strength"
sys.path += [str(ROOT), str(ROOT / "tests" / "outside")]  # to import the tests' toys
COINS, ROUNDS = 10, 3
CONFIRM, NEVER = COINS + 1, 1e-9
BUDGETS = (30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000)
UNDERCUTS, SEARCHES = 20, 4
REASONS, SHORT_BY, LEAST = (100, 1_000, 10_000, 100_000, 1_000_000), 100_000, 0.0003
"""Iterations of the searches in *why*; the maximum for fewer rounds; those also drawn below it."""
WAYS = {
    "1 round": (1, True),
    "2 rounds, shown": (2, True),
    "2 rounds, hidden": (2, False),
    "3 rounds, shown": (3, True),
    "3 rounds, hidden": (3, False),
}
"""Number of rounds, and whether coins are shown; with one round nothing is hidden."""
SOLVED, DRAWN = "3 rounds, solved", ("1 round", "3 rounds, shown", "3 rounds, solved")
EXPLAINED = """\
So three seats can learn
the game: all bid all they have, and who bids less gains nothing by it. The search learns it, too, where few rounds are
left, and where it knows what the later ones are worth. What is hidden is no reason, since it is no better with the
coins shown; nor are the parts of a submission, which are not here, or chance: in the table above it is 0.078 at 1,000
iterations with one search and with the mean of four. With three rounds it is the length: a search of the first has to
learn the later ones in the same tree, and what follows a bid that is hardly made is hardly looked at. Its bids are
right against the first guesses that remain there, while the measure lets later rounds be played by searches of their
own, which have them right. In the plot what is less than 0.0003 is drawn there."""
PLACES = {"undercut": (1, 8, "start"), "1 round": (2, 8, "start"), "3 rounds, solved": (1, 8, "start")}
"""Placement of a line's label if not at its end: the point, the offset, and the text anchor."""
COLOURS = ("#1f5fa8", "#b3541e", "#3a7d34", "#7b4a9e", "#222")
Known = tuple[int, tuple[int, int, int], int]
"""A seat's information: round, points (own first, then clockwise), own coins."""


# Throws


def throw_positions(count: int) -> list[tuple[Any, Any, int]]:
    """Return `count` decisions about a throw, as (box, state, seat), from games of policies with two seats."""
    game, positions, number = pyramidion.load("pyramid-shambo"), list[tuple[Any, Any, int]](), 0
    while len(positions) < count:
        number += 1
        match, policy = game.new(2, f"throws {number}"), bots.load("policy", game, number)
        while not match.over and len(positions) < count:
            seat = match.acting[0]
            if len(match.acting) == 2:
                due = number % 2
                positions.append((match.box, match.redacted_state(due), due))
            match.play(seat, policy.move(match, seat))
    return positions


def throws(iterations: int, positions: Sequence[tuple[Any, Any, int]]) -> tuple[Any, float, float]:
    """Return the mean strategy over all searches, and how far a search is from a third on average and at most."""
    game = pyramidion.load("pyramid-shambo")
    first = game.actions.families["throw"].first
    shares = np.zeros((len(positions), 3))
    for n, (box, state, seat) in enumerate(positions):
        result = SearchBot(game, f"throw {n}").think(box, state, seat, iterations=iterations)
        for choice in result.choices:
            shares[n, choice.action - first] = choice.share
    off = np.abs(shares - 1 / 3).max(axis=1)
    return shares.mean(axis=0), float(off.mean()), float(off.max())


# Sealed bids


@rule
def _redeal(box, s, seat, chance):
    for other in range(s.seats):
        if other != seat:
            s.coins[other] = below(chance, COINS + 1) if s.score[other] else COINS
            s.bid[other] = 0
    for word in range(2):
        s.rng[word] = chance[word]


@cache
def sealed_bid() -> Any:
    """Return the sealed-bid toy, changed so that searches deal ten coins to a seat that has won nothing."""
    game = importlib.import_module("sealed_bid").GAME
    return replace(game, mind=SimpleNamespace(redeal=_redeal, policy=game.mind.policy, OBSERVATION=observation_space()))


def evenly(coins: int) -> Any:
    """Return the probabilities of bids if each from 0 to `coins` is equally likely, float64[COINS + 1]."""
    return np.r_[np.full(coins + 1, 1 / (coins + 1)), np.zeros(COINS - coins)]


def as_played(result: Any, actions: int) -> Any:
    """Return with which probability a search's result is played, by action id, float64[actions].

    Shares below a tenth of the largest are dropped.
    """
    shares = np.zeros(actions)
    for choice in result.choices:
        shares[choice.action] = choice.share if choice.share >= 0.1 * result.choices[0].share else 0.0
    return shares / shares.sum()


def strategy(iterations: int, seeds: int) -> Callable[[Known], Any]:
    """Return a function from what a seat knows to the probabilities of the bid that it finally confirms.

    They are the mean of searches with so many seeds.
    """
    game = sealed_bid()
    match = game.new(3, 1)

    @cache
    def bids(position: Known) -> Any:
        round_number, points, coins = position
        steps, confirmed = np.zeros((coins + 1, coins + 1)), np.zeros(COINS + 1)
        for saved in range(coins + 1):
            state = match.redacted_state(0)
            state["round_number"], state["score"][0, :3], state["coins"][0, 0] = round_number, points, coins
            state["bid"][0, 0] = saved
            for seed in range(seeds):
                result = SearchBot(game, f"{seed} {position} {saved}").think(match.box, state, 0, iterations=iterations)
                shares = as_played(result, CONFIRM + 1) / seeds
                steps[saved] += shares[: coins + 1]
                confirmed[saved] += shares[CONFIRM]
        # Bids are replaced until one is confirmed: the expected number of times each is saved, times its confirmation.
        steps *= 1.0 - NEVER
        confirmed[: coins + 1] += NEVER
        confirmed[: coins + 1] *= np.linalg.solve(np.eye(coins + 1) - steps.T, np.eye(coins + 1)[0])
        return confirmed / confirmed.sum()

    return bids


def after(points: tuple[int, ...], coins: tuple[int, ...], bids: tuple[int, ...]) -> tuple[Any, Any]:
    """Return the points and the coins of all seats after a round with these bids."""
    highest = max(bids)
    if bids.count(highest) > 1:
        return points, coins
    winner = bids.index(highest)
    return (
        tuple(n + (seat == winner) for seat, n in enumerate(points)),
        tuple(n - highest * (seat == winner) for seat, n in enumerate(coins)),
    )


def best_response(bids: Callable[[Known], Any]) -> float:
    """Return the win share of the best reply to two seats that bid by `bids`; a third if it gains nothing.

    All winning bids are public, so with perfect recall it knows everybody's coins.
    """

    @cache
    def value(round_number: int, points: tuple[int, ...], coins: tuple[int, ...]) -> float:
        if round_number == ROUNDS:
            highest = max(points)
            return (points[0] == highest) / points.count(highest)
        first = bids((round_number, (points[1], points[2], points[0]), coins[1]))
        second = bids((round_number, (points[2], points[0], points[1]), coins[2]))
        worth = np.zeros(coins[0] + 1)
        for theirs in product(range(coins[1] + 1), range(coins[2] + 1)):
            chance = first[theirs[0]] * second[theirs[1]]
            if chance > 0.0:
                for own in range(coins[0] + 1):
                    worth[own] += chance * value(round_number + 1, *after(points, coins, (own, *theirs)))
        return float(worth.max())

    return value(0, (0, 0, 0), (COINS, COINS, COINS))


@cache
def toys() -> Any:
    """Return the module `tests.bots.toys`, with the toys of the search's tests."""
    return importlib.import_module("tests.bots.toys")


@cache
def duel_game() -> Any:
    """Return the toy Undercut with bids from 0 to 4."""
    return toys().undercut(5)


def undercut_exploited(iterations: int, seed: int) -> tuple[float, float]:
    """Return what a best reply wins against one search in Undercut: as it plays, and with all its shares."""
    game, bids = duel_game(), 5
    match = game.new(2, 1)
    result = SearchBot(game, seed).think(match.box, match.redacted_state(0), 0, iterations=iterations)
    shares = np.zeros(bids + 1)
    for choice in result.choices:
        shares[choice.action] = choice.share
    played = as_played(result, bids + 1)[:bids]
    return float(toys().exploitability(played)), float(toys().exploitability(shares[:bids] / shares[:bids].sum()))


# Why sealed bids do not improve further


def reasons(longest: int) -> tuple[list[str], dict[str, list[tuple[float, float]]], str]:
    """Measure why sealed bids stop improving, with up to `longest` iterations.

    Returns the lines of a table, the points of each line of a plot, and a sentence about the toy solved without a
    search.
    """
    solved, by_turns = sealed_bids.Solved(200), dict[int, float]()
    for turns in (3, 10, 30):
        by_turns[turns] = sealed_bids.best_response(sealed_bids.Solved(turns).strategy) - 1 / 3
    text = ", ".join(f"{value:.4f} after {turns}" for turns, value in by_turns.items())
    sentence = f"Solved without a search, by regret matching over all bids, exploitability is\n{text} turns."
    table = [f"| iterations | {' | '.join([*WAYS, SOLVED])} |", "| ---: |" + " ---: |" * (len(WAYS) + 1)]
    lines: dict[str, list[tuple[float, float]]] = {name: [] for name in DRAWN}
    for iterations in REASONS:
        if iterations > longest:
            break
        row: dict[str, float] = {}
        for name, (rounds, revealed) in WAYS.items():
            if rounds == ROUNDS or iterations <= SHORT_BY:
                measured = [sealed_bids.exploited(revealed, rounds, iterations, seed) for seed in range(SEARCHES)]
                row[name] = float(np.mean(measured))
        if iterations <= SHORT_BY:
            exploited_alone = sealed_bids.exploited_when_the_rest_is_solved
            row[SOLVED] = float(np.mean([exploited_alone(iterations, seed, solved) for seed in range(SEARCHES)]))
        cells = [f"{row[name]:.4f}" if name in row else "" for name in (*WAYS, SOLVED)]
        table.append(f"| {iterations:,} | {' | '.join(cells)} |")
        print(table[-1], flush=True)
        for name in DRAWN:
            if name in row:
                lines[name].append((iterations, max(LEAST, row[name])))
    return table, lines, sentence


# The plot


def plot(lines: dict[str, Sequence[tuple[float, float]]], across: str, up: str) -> str:
    """Return an SVG of lines with logarithmic axes, called `across` and `up`."""
    width, height, left, bottom = 640, 360, 64, 48
    points = [point for line in lines.values() for point in line]
    low_x, high_x = (f(math.log10(x) for x, _ in points) for f in (min, max))
    low_y, high_y = (
        math.floor(min(math.log10(y) for _, y in points) * 4) / 4,
        math.ceil(max(math.log10(y) for _, y in points) * 4) / 4,
    )

    def place(x: float, y: float) -> tuple[float, float]:
        return (
            left + (math.log10(x) - low_x) / (high_x - low_x) * (width - left - 40),
            16 + (high_y - math.log10(y)) / (high_y - low_y) * (height - bottom - 16),
        )

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="serif" font-size="13">',
        f"<title>{up} by {across}</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for x in sorted({x for x, _ in points}):
        at, base = place(x, 10**low_y)
        parts.append(f'<path d="M{at:.1f} 16V{base:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{at:.1f}" y="{base + 18:.1f}" text-anchor="middle">{x:,.0f}</text>')
    for y in (0.0003, 0.001, 0.003, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0):
        if low_y <= math.log10(y) <= high_y:
            _, at = place(10**low_x, y)
            parts.append(f'<path d="M{left} {at:.1f}H{width - 40}" stroke="#ddd"/>')
            parts.append(f'<text x="{left - 8}" y="{at + 4:.1f}" text-anchor="end">{y:g}</text>')
    for (name, line), colour in zip(lines.items(), COLOURS, strict=False):
        drawn = [place(x, y) for x, y in line]
        joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in drawn)
        parts.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{joined}"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>' for x, y in drawn]
        point, away, anchor = PLACES.get(name, (-1, -2, "end"))
        x, y = drawn[point]
        where = f'x="{x + away:.1f}" y="{y - 8:.1f}" text-anchor="{anchor}"'
        parts.append(f'<text {where} fill="{colour}">{name}</text>')
    parts.append(f'<text x="{(left + width) / 2}" y="{height - 8}" text-anchor="middle">{across}</text>')
    middle = (height - bottom) / 2
    parts.append(f'<text x="14" y="{middle}" text-anchor="middle" transform="rotate(-90 14 {middle})">{up}</text>')
    return "\n".join([*parts, "</svg>", ""])


def main() -> None:
    """Parse the command line, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=100, help="decisions about a throw")
    parser.add_argument("--seeds", type=int, default=3, help="searches for each thing a seat can know")
    parser.add_argument("--most", type=int, default=10_000, help="iterations of the largest budget for sealed bids")
    parser.add_argument("--longest", type=int, default=1_000_000, help="iterations where reasons are looked for")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    made, positions = digest(), throw_positions(asked.positions)
    thrown = [
        "| iterations | searches | rock, paper, scissors on average | off, mean of single searches | off, worst |",
        "| ---: | ---: | --- | ---: | ---: |",
    ]
    for iterations in (200, 2_000, 20_000, 100_000, 200_000):
        mean, off, worst = throws(iterations, positions)
        shares = ", ".join(f"{share:.1%}" for share in mean)
        thrown.append(
            f"| {iterations:,} | {len(positions)} | {shares} | {100 * off:.2f} points | {100 * worst:.2f} points |"
        )
        print(thrown[-1], flush=True)
    under, lines = list[tuple[float, float]](), list[tuple[float, float]]()
    duel = ["| iterations | searches | exploitability | all shares |", "| ---: | ---: | ---: | ---: |"]
    for iterations in BUDGETS:
        measured = [undercut_exploited(iterations, seed) for seed in range(UNDERCUTS)]
        played, shares = np.mean(measured, axis=0)
        under.append((iterations, float(played)))
        duel.append(f"| {iterations:,} | {UNDERCUTS} | {played:.4f} | {shares:.4f} |")
        print(duel[-1], flush=True)
    uniform = best_response(
        lambda position: np.r_[np.full(position[2] + 1, 1 / (position[2] + 1)), np.zeros(COINS - position[2])]
    )
    sealed = ["| iterations | best response wins | exploitability |", "| ---: | ---: | ---: |"]
    sealed.append(f"| bids drawn evenly | {uniform:.4f} | {uniform - 1 / 3:.4f} |")
    for iterations in BUDGETS:
        if iterations <= asked.most:
            wins = best_response(strategy(iterations, asked.seeds))
            lines.append((iterations, wins - 1 / 3))
            sealed.append(f"| {iterations:,} | {wins:.4f} | {wins - 1 / 3:.4f} |")
            print(sealed[-1], flush=True)
    why, further_lines, sentence = reasons(asked.longest)
    if asked.write:
        STRENGTH.mkdir(parents=True, exist_ok=True)
        command = (
            f"python benchmarks/studies/search_equilibrium.py --positions {asked.positions} --seeds {asked.seeds} "
            f"--most {asked.most} --longest {asked.longest}"
        )
        drawn = plot({"sealed bids": lines, "undercut": under, **further_lines}, "iterations", "exploitability")
        (STRENGTH / "equilibrium.svg").write_text(drawn, "utf-8")
        _, throw_text, bid_text, duel_text, why_text, _ = (__doc__ or "").split("\n\n", 1)[1].split("\n\n")
        parts = [
            "# Mixed strategies",
            f"`{command} --write`, with the search {made} (`digest` in search_arena.py).",
            throw_text,
            "\n".join(thrown),
            f"{bid_text} The strategy is the mean of {asked.seeds} searches for each thing that can be known.",
            "\n".join(sealed),
            duel_text,
            "\n".join(duel),
            why_text,
            "\n".join(why),
            f"{sentence} {EXPLAINED}",
            "![Exploitability by iterations](equilibrium.svg)",
        ]
        (STRENGTH / "equilibrium.md").write_text("\n\n".join(parts) + "\n", "utf-8")


if __name__ == "__main__":
    main()
