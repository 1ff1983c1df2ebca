# pyright: basic
"""What the decisions of each level cost, in every game: one table, by which the levels are defined.

    python benchmarks/studies/search_decisions.py [--game pyramis] [--seats 3] [--positions 30] [--write]

Positions are decisions with a choice in games between policies, at most six per game; decisions for which a mixed
strategy is right are left out. *The best* is the choice of a deep search. What another action costs is the difference
between the two, each searched anew over the same deals of the hidden information, with as many iterations. The deep
search, these searches and those of the levels have seeds of their own. So the errors of the comparison favour nobody,
and no maximum is taken over noisy values: a cost can come out below 0, and its mean is unbiased.

Results are stored in build/decisions; the same command continues. With --write, the page docs/strength/decisions.md is
written from everything stored.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np

import pyramidion
from pyramidion import bots
from pyramidion.bots import SearchBot, levels_of
from pyramidion.bots.comparison import Comparison, difference, values_after
from pyramidion.bots.interpretation import SIGNIFICANT_ERRORS
from pyramidion.bots.level_policy import choose_action
from pyramidion.bots.levels import Level
from pyramidion.bots.search_loop import MAX_MIXING
from pyramidion.bots.search_result import SearchResult
from pyramidion.engine import registry
from search_arena import ROOT, STRENGTH, digest, seats_of

FOLDER = ROOT / "build" / "decisions"
OF_A_GAME, TRIALS, DRAWS = 6, 2, 50
DEEP = 20_000
"""Iterations of the search that finds the best action."""
ROUGH, FINE = 1_500, 6_000
"""Iterations for each action of a comparison: the first, and the second if the first leaves open if a point is lost."""
COUNTED = {"expert": 20_000, "master": 20_000}
"""Iterations of the levels with a clock, about what they reach in two seconds: other programs have no effect."""
POLICY = "policy"
CLOSE, BLUNDER = 0.01, 0.15
PAGE = """\
# What a decision of each level costs

`python benchmarks/studies/search_decisions.py --write`, with the search {search} (`digest` in search_arena.py).

This table defines the levels. It shows for every game and level how many of its decisions lose no more than one
percentage point of the chance to win (*within a point*), what a decision loses on average (*mean loss*, in points, with
a 95 % interval over positions), and how many lose more than 15 points (*blunders*).
*Less than the level above* is the difference of the mean losses of this level and the one above it in the table, in the
same positions.

Luck hides in single games how well somebody plays; here decisions are judged one by one. Positions are decisions with
a choice in games between policies. *The best* is the choice of a search of {deep:,} iterations. Another action's loss
is found by searching on after both, over the same 48 deals of what the seat cannot see, with {rough:,} iterations for
each; if that leaves open whether a point is lost, a second comparison with {fine:,} decides that. The best is not
chosen by these comparisons, and every search has a seed of its own. So the noise of the comparison adds nothing to
the mean loss, but it blurs *within a point*: of two equally good actions one often seems to be a point better. The
best action itself is always within a point. A level may also find a better action than the deep search did; then it
loses less than nothing.

Levels that err are counted with all they may play, by its probability, on average of {trials} searches. Expert and
Master have 20,000 iterations here, about what they make in two seconds. *Rule-based* is the policy. The judge
is Expert's search, with games played out by the policy, also for Master. Decisions for which a mixed strategy is
right are left out, such as throws and secret offers.

| game | seats | positions | level | within a point | mean loss | less than the level above | blunders |
| --- | ---: | ---: | --- | ---: | --- | --- | ---: |"""


@dataclass(frozen=True, slots=True)
class Position:
    """A decision to examine: box and state as its seat sees it, and the policy's actions with weights (sum 1)."""

    box: Any
    state: Any
    seat: int
    ids: Any
    weights: Any


def decisions(game: Any, seats: int) -> Iterator[Position]:
    """Yield decisions with several candidates from games between policies.

    Those at which two or three seats decide at once are left out.
    """
    chance, played = Random("decisions"), 0
    ids, weights = np.zeros(len(game.actions), np.int32), np.zeros(len(game.actions))
    while True:
        match, here = game.new(seats, seed=f"decisions {played}"), list[Position]()
        played += 1
        policy = bots.load("policy", game, seed=played)
        while not match.over:
            seat = match.acting[0]
            state = match.redacted_state(seat)
            count = int(game.compiled.policy(match.box, state, seat, ids, weights))
            if count > 1 and not 2 <= int(state["acting"][0]).bit_count() <= MAX_MIXING:
                given = weights[:count] / weights[:count].sum()
                here.append(Position(match.box.copy(), state.copy(), seat, ids[:count].copy(), given))
            match.play(seat, policy.move(match, seat))
        yield from chance.sample(here, min(OF_A_GAME, len(here)))


def counted(game: Any) -> dict[str, Level]:
    """Return a game's levels by name, with a number of iterations in place of a time limit."""
    return {
        name: replace(level, seconds=None, iterations=COUNTED[name]) if name in COUNTED else level
        for name, level in levels_of(game).items()
    }


class Examined:
    """Examines one position: what each level plays there, and what its actions cost. Keeps its searches."""

    def __init__(self, game: Any, position: Position, number: int) -> None:
        self._game, self._at, self._number = game, position, number
        self._results = dict[tuple[Any, ...], SearchResult]()
        self._values = dict[tuple[int, int], Any]()

    def _think(self, level: Level, *seed: Any) -> SearchResult:
        """Search the position as a level does, with seeds of this position.

        Levels that differ only in how they choose share their searches.
        """
        key = (level.iterations, level.learned, *seed)
        if key not in self._results:
            at, bot = self._at, SearchBot(self._game, f"{self._number} {key}", level)
            self._results[key] = bot.think(at.box, at.state, at.seat)
        return self._results[key]

    def best(self) -> int | None:
        """Return the action that a deep search chooses, or None if a mixed strategy is right."""
        result = self._think(replace(counted(self._game)["expert"], iterations=DEEP), "deep")
        return None if result.mixed else result.action

    def shares(self, level: Level) -> dict[int, float]:
        """Return with which probability a level plays each action, by action id."""
        chance, drawn = Random(f"{self._number} {level.name}"), Counter[int]()
        for trial in range(TRIALS if level.temperature else 1):
            result = self._think(level, trial)
            drawn.update(choose_action(result, level, chance) for _ in range(DRAWS if level.temperature else 1))
        return {action: times / drawn.total() for action, times in drawn.items()}

    def policy_shares(self) -> dict[int, float]:
        """Return with which probability the policy plays each action, without those that it hardly ever plays."""
        likely = {int(a): float(w) for a, w in zip(self._at.ids, self._at.weights, strict=True) if w > 1 / DRAWS}
        return {action: weight / sum(likely.values()) for action, weight in likely.items()}

    def loss(self, best: int, action: int) -> tuple[float, float]:
        """Return two estimates of what an action costs against the best one, in shares of the win: unbiased, precise.

        The precise one is not unbiased, since it depends on the first whether there is a second comparison.
        """
        if action == best:
            return 0.0, 0.0
        compared = self._compared(best, action, ROUGH)
        loss = compared.first - compared.second
        if abs(loss - CLOSE) >= SIGNIFICANT_ERRORS * compared.error:
            return loss, loss
        compared = self._compared(best, action, FINE)
        return loss, compared.first - compared.second

    def _compared(self, best: int, action: int, iterations: int) -> Comparison:
        """Compare the values of two actions, each searched over the same deals."""
        best_values, values = (self._value(which, iterations) for which in (best, action))
        return difference(best_values, values, iterations)

    def _value(self, action: int, iterations: int) -> Any:
        """Return the share of the win to expect after an action, for each deal of what is hidden, float64[WORLDS]."""
        key = action, iterations
        if key not in self._values:
            at, seed = self._at, f"{self._number} {iterations}"
            bot = SearchBot(self._game, f"{seed} {action}", counted(self._game)["expert"])
            self._values[key] = values_after(bot, at.box, at.state, at.seat, action, iterations=iterations, seed=seed)
        return self._values[key]


def examine(game: Any, position: Position, number: int) -> dict[str, list[float]] | None:
    """Return [share within a point, mean loss, share of blunders] of each level in a position, by name.

    Returns None if a mixed strategy is right there.
    """
    here = Examined(game, position, number)
    best = here.best()
    if best is None:
        return None
    played = {POLICY: here.policy_shares()} | {name: here.shares(level) for name, level in counted(game).items()}
    losses = {action: here.loss(best, action) for action in set().union(*played.values())}
    return {
        name: [
            sum(share * (losses[action][1] <= CLOSE) for action, share in shares.items()),
            sum(share * losses[action][0] for action, share in shares.items()),
            sum(share * (losses[action][1] > BLUNDER) for action, share in shares.items()),
        ]
        for name, shares in played.items()
    }


def measure(game: Any, seats: int, wanted: int) -> None:
    """Examine positions of a game until `wanted` count, from where an earlier run stopped, and store the results."""
    path = FOLDER / digest(game.id) / f"{game.id}_{seats}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    rows: list[Any] = json.loads(path.read_text()) if path.exists() else []
    began = time.process_time()
    for number, position in enumerate(decisions(game, seats)):
        if sum(row is not None for row in rows) >= wanted:
            break
        if number >= len(rows):
            rows.append(examine(game, position, number))
            path.write_text(json.dumps(rows))
            print(f"\r{game.id} {seats}: {number + 1}, {time.process_time() - began:.0f} s", end="", flush=True)
    print()


def in_points(numbers: Any) -> str:
    """Format the mean of some numbers and its 95 % interval."""
    mean, off = float(np.mean(numbers)), 1.96 * float(np.std(numbers, ddof=1)) / math.sqrt(len(numbers))
    return f"{mean:.2f} ({mean - off:.2f} to {mean + off:.2f})"


def rows_of(game: Any, seats: int, positions: list[dict[str, list[float]]]) -> list[str]:
    """Return the rows of the table for one game and number of seats, one for each level."""
    lines, above = list[str](), None
    for name in (POLICY, *levels_of(game)):
        close, loss, blunders = 100 * np.array([row[name] for row in positions]).T
        label = "Rule-based" if name == POLICY else levels_of(game)[name].label
        less = "" if above is None else in_points(above - loss)
        lines.append(
            f"| {game.name} | {seats} | {len(positions)} | {label} | {np.mean(close):.0f} % "
            f"| {in_points(loss)} | {less} | {np.mean(blunders):.1f} % |"
        )
        above = None if name == POLICY else loss
    return lines


def write() -> None:
    """Write docs/strength/decisions.md from the results that the current search has stored."""
    lines = [PAGE.format(search=digest(), deep=DEEP, rough=ROUGH, fine=FINE, trials=TRIALS)]
    for game_id in registry.ids():
        game, folder = pyramidion.load(game_id), FOLDER / digest(game_id)
        for seats in seats_of(game_id):
            path = folder / f"{game_id}_{seats}.json"
            if path.exists():
                lines += rows_of(game, seats, [row for row in json.loads(path.read_text()) if row is not None])
    (STRENGTH / "decisions.md").write_text("\n".join([*lines, ""]), "utf-8")


def main() -> None:
    """Parse the command line, measure and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=registry.ids(), action="append", help="this game alone")
    parser.add_argument("--seats", type=int, action="append", help="this number of seats alone; else the usual one")
    parser.add_argument("--positions", type=int, default=30)
    parser.add_argument("--write", action="store_true", help="write the page from what has been measured")
    asked = parser.parse_args()
    for game_id in asked.game or registry.ids():
        game = pyramidion.load(game_id)
        for seats in asked.seats or [game.usual_seats]:
            if seats in game.seats:
                measure(game, seats, asked.positions)
    if asked.write:
        write()


if __name__ == "__main__":
    main()
