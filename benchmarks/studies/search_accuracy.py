# pyright: basic
"""Accuracy of the search's values: how far they vary from seed to seed, and how far their standard errors say so.

    python benchmarks/studies/search_accuracy.py [--game pyramis] [--positions 10] [--seeds 8]
        [--iterations 1000] [--write]

The strongest level searches each position with several seeds. If the iterations of one search were independent, the
values of an action would vary between the seeds by its standard error; since they share a tree, they vary more. The
same is measured for differences between the best action and each other one, which decide what is too close to call.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import pyramidion
from pyramidion.bots import ALL_LEVELS, SearchBot, levels_of
from pyramidion.bots.interpretation import RELIABLE_VISITS, SIGNIFICANT_ERRORS
from pyramidion.bots.search_result import SearchResult
from pyramidion.bots.standard_errors import error_of
from pyramidion.engine import registry
from search_arena import STRENGTH, digest
from search_decisions import decisions

PAGE = """\
# How accurate the search's values are

`python benchmarks/studies/search_accuracy.py --write`, with the search {search} (`digest` in search_arena.py).

Hints compare the values of actions, and call them too close if they differ by less than {sure:g} standard errors. Such
an error counts the results of one search as independent, and they are not quite, since they share a tree. Here several
searches of {iterations:,} iterations, each with its own seed, look at the same positions. *Values*: the standard
deviation of an action's value between seeds, as a multiple of its standard error; *differences*: the same for the
difference between the best action and another. *Claims*: how often a search says that one of the two is better;
*against the others*: how many of these claims the average of the other seeds contradicts.

| game | seats | level | positions x seeds | values | differences | claims | against the others |
| --- | ---: | --- | --- | ---: | ---: | ---: | ---: |"""


@dataclass(slots=True)
class Tally:
    """Collects from positions how far values vary between seeds, what their standard errors say, and what is claimed.

    Attributes:
        values: for each action, the variance between seeds and the mean squared standard error.
        differences: the same for the difference between the best action and another.
        pairs, claims, wrong: how many differences there are, how many are claimed to be clear, and how many of these
            claims the other seeds contradict.
    """

    values: list[tuple[float, float]] = field(default_factory=list)
    differences: list[tuple[float, float]] = field(default_factory=list)
    pairs: int = 0
    claims: int = 0
    wrong: int = 0

    def add(self, results: list[SearchResult], seat: int) -> None:
        """Count the results of one position for its seat, one for each seed."""
        often = [{c.action: c for c in t.choices if c.visits >= RELIABLE_VISITS} for t in results]
        best = Counter(t.best.action for t in results).most_common(1)[0][0]
        shared = set.intersection(*(set(values_by_action) for values_by_action in often))
        if best not in shared:
            return
        values_by_action = {action: np.array([choices[action].values[seat] for choices in often]) for action in shared}
        errors = {
            action: np.array([error_of(choices[action], t) for choices, t in zip(often, results, strict=True)])
            for action in shared
        }
        for action, numbers in values_by_action.items():
            self.values.append((float(np.var(numbers, ddof=1)), float(np.mean(errors[action] ** 2))))
        for other in shared - {best}:
            gaps, off = values_by_action[best] - values_by_action[other], np.hypot(errors[best], errors[other])
            self.differences.append((float(np.var(gaps, ddof=1)), float(np.mean(off**2))))
            for n, gap in enumerate(gaps):
                self.pairs += 1
                if abs(gap) >= SIGNIFICANT_ERRORS * off[n]:
                    self.claims += 1
                    self.wrong += int(gap * np.mean(np.delete(gaps, n)) < 0)


def ratio(parts: list[tuple[float, float]]) -> str:
    """Format how many standard errors a value varies by, from pairs as in `Tally.values`; empty if there are none."""
    if not parts:
        return ""
    spread, claimed = np.sum(parts, axis=0)
    return f"{math.sqrt(spread / claimed):.2f}"


def row(game: Any, seats: int, level: str, wanted: int, seeds: int, iterations: int) -> str:
    """Measure one level in one game; return its row of the table."""
    tally, counted = Tally(), 0
    for n, at in enumerate(decisions(game, seats)):
        thoughts = [
            SearchBot(game, f"accuracy {n} {seed}", ALL_LEVELS[level]).think(
                at.box, at.state, at.seat, iterations=iterations
            )
            for seed in range(seeds)
        ]
        if any(t.mixed for t in thoughts):
            continue
        tally.add(thoughts, at.seat)
        counted += 1
        if counted == wanted:
            break
    claims = f"{100 * tally.claims / tally.pairs:.0f} % of {tally.pairs}" if tally.pairs else ""
    numbers = f"{ratio(tally.values)} | {ratio(tally.differences)} | {claims} | {tally.wrong} of {tally.claims}"
    return f"| {game.name} | {seats} | {ALL_LEVELS[level].label} | {counted} x {seeds} | {numbers} |"


def main() -> None:
    """Parse the command line, measure and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=registry.ids(), action="append", help="this game alone")
    parser.add_argument("--positions", type=int, default=10)
    parser.add_argument("--seeds", type=int, default=8)
    parser.add_argument("--iterations", type=int, default=1_000)
    parser.add_argument("--write", action="store_true", help="write the page docs/strength/accuracy.md")
    asked = parser.parse_args()
    rows = list[str]()
    for game_id in asked.game or registry.ids():
        game = pyramidion.load(game_id)
        for level in list(levels_of(game))[list(levels_of(game)).index("expert") :]:
            rows.append(row(game, game.usual_seats, level, asked.positions, asked.seeds, asked.iterations))
            print(rows[-1], flush=True)
    if asked.write:
        page = PAGE.format(search=digest(), sure=SIGNIFICANT_ERRORS, iterations=asked.iterations)
        (STRENGTH / "accuracy.md").write_text("\n".join([page, *rows, ""]), "utf-8")


if __name__ == "__main__":
    main()
