# pyright: basic
"""The search against OpenSpiel's information-set tree search, with equal time per decision.

    python benchmarks/studies/search_outsider.py [--games 40] [--minutes 60] [--folder build/outsider]
    python benchmarks/studies/search_outsider.py --minutes 0    # write docs/strength/outsider.md from what is there

Ponzi Scheme with three seats and Pyramis with two, contests of the arena. OpenSpiel's search (its Python one, since
games that are not its own are Python to it) comes in two forms: as it is, playing its uniformly random games out
through Python, and with those played out by this package's compiled rules, in which case only its tree is Python.
Ours is the search of the level Expert with that much time and no other limit. Contests take turns, a block of games
each, so that all have as many when time is up; the same command goes on from there, and writes
docs/strength/outsider.md. Games of another search (a digest of its sources says so) are kept apart, and the page is
written from those that were played last.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import pyramidion
from pyramidion import bots
from pyramidion.bots import LEVELS, SearchBot
from pyramidion.bots.levels import Level
from pyramidion.engine.entries import due_seat, quick_below
from pyramidion.engine.game import Game
from pyramidion.engine.rule import rule
from pyramidion.env.open_spiel_search import InformationSetSearch
from pyramidion.lab import arena
from search_arena import ROOT, STRENGTH, digest, down, up, whole_blocks

SECONDS = 0.2
PAGE = STRENGTH / "outsider.md"
OURS, THEIRS, COMPILED = "Ours", "Theirs", "TheirsCompiled"
LABELS = {OURS: "ours", THEIRS: "OpenSpiel", COMPILED: "OpenSpiel, compiled rollouts"}
COUNTED = "iterations.txt"


@dataclass(frozen=True, slots=True)
class Plan:
    """A contest to play: one `bot` among others called `among`."""

    game_id: str
    seats: int
    bot: str
    among: str


PLANS = tuple(
    Plan(*contest)
    for other in (THEIRS, COMPILED)
    for contest in (("ponzi-scheme", 3, OURS, other), ("pyramis", 2, OURS, other), ("ponzi-scheme", 3, other, OURS))
)


class Ours(SearchBot):
    """Our search as an entrant: Expert with `SECONDS` per decision and no other limit."""

    def __init__(self, game: Game, seed: int | str | None = None) -> None:
        super().__init__(game, seed, Level("ours", "Ours", 10**9, SECONDS, 0.0, rollout=LEVELS["expert"].rollout))

    def choose(self, box: Any, state: Any, seat: int) -> int:
        """Return the id of the action to play, without thinking if only one is legal."""
        only = only_action(self.game, box, state, seat)
        return super().choose(box, state, seat) if only is None else only


class Theirs(InformationSetSearch):
    """OpenSpiel's search as an entrant, with `SECONDS` per decision."""

    seconds = SECONDS

    def choose(self, box: Any, state: Any, seat: int) -> int:
        """Return the id of the action to play, without thinking if only one is legal."""
        only = only_action(self._game, box, state, seat)
        return super().choose(box, state, seat) if only is None else only


class TheirsCompiled(Theirs):
    """OpenSpiel's search as an entrant, with games played out by our compiled rules."""

    def evaluator(self) -> Any:
        """Return OpenSpiel's evaluator of positions, which plays one random game by compiled rules."""
        return _Rollout(self._random)


class _Rollout:
    """Evaluates positions for OpenSpiel's search by one random game, played by compiled rules."""

    def __init__(self, random: Any) -> None:
        self._chance = np.array([random.randint(2**31)], np.uint64)

    def evaluate(self, state: Any) -> Any:
        """Play one random game on from a state of OpenSpiel; return each seat's payoff."""
        rules = state.rules
        got, ids = np.zeros(rules.seats), np.empty(len(rules.game.actions), np.int32)
        limit = rules.game.longest(rules.seats)
        rollout_of(rules.game)(rules.box, state.state.copy(), self._chance, limit, ids, got)
        return got

    def prior(self, state: Any) -> list[tuple[int, float]]:
        """Return all legal actions with equal probability."""
        actions = state.legal_actions()
        return [(action, 1.0 / len(actions)) for action in actions]


@cache
def rollout_of(game: Game) -> Any:
    """Return a game's compiled random playout, which writes the payoffs to its last argument."""
    legal, apply, payoff = game.rules.legal, game.rules.apply, game.rules.payoff

    @rule
    def entry(boxes, states, chance, limit, ids, got):
        box, s, plies = boxes[0], states[0], 0
        while s.over == 0 and plies < limit:
            seat = due_seat(s, chance)
            count = legal(box, s, seat, ids)
            s.event_count = 0
            apply(box, s, seat, ids[quick_below(chance, count)])
            plies += 1
        if s.over:
            payoff(box, s, got)

    return entry


def only_action(game: Game, box: Any, state: Any, seat: int) -> int | None:
    """Return the id of the only legal action of a seat, or None if there are several."""
    ids = np.empty(len(game.actions), np.int32)
    return int(ids[0]) if game.compiled.legal(box, state, seat, ids) == 1 else None


class _Enough(Exception):
    """The signal that a contest has had its turn."""


def file_of(folder: Path, plan: Plan) -> Path:
    """Return the path of the games of a contest."""
    return folder / f"{plan.game_id}_{plan.seats}_{plan.bot}_{plan.among}.db"


def play(folder: Path, plan: Plan, games: int) -> bool:
    """Play one more block of games of a contest; return whether it has all its games."""
    game = pyramidion.load(plan.game_id)
    entrants = arena.read_entrants([f"{name}=search_outsider:{name}" for name in (plan.bot, plan.among)], game)
    contest = arena.Contest(plan.game_id, entrants, plan.seats, games, "outsider")
    began = -1

    def watch(done: int, total: int) -> None:
        nonlocal began
        began = done if began < 0 else began
        if began < done < total and done % plan.seats == 0:
            raise _Enough

    try:
        arena.run(contest, file_of(folder, plan), progress=watch).close()
    except _Enough:
        return False
    return True


def line_of(folder: Path, plan: Plan) -> str | None:
    """Return a contest's row of the table, or None if it has no games yet."""
    path = file_of(folder, plan)
    if not path.exists():
        return None
    with arena.Results(path) as results:
        played = whole_blocks(list(results.games()), plan.seats)
    if not played:
        return None
    names = [plan.bot, plan.among] + [plan.among] * (plan.seats - 2)
    mine = {s.name: s for s in arena.standings(names, plan.seats, played)}[plan.bot]
    return (
        f"| {pyramidion.load(plan.game_id).name} | {plan.seats} | {LABELS[plan.bot]} | {LABELS[plan.among]} "
        f"| {len(played)} | {down(mine.wins.share)} | {down(mine.wins.low)} to {up(mine.wins.high)} "
        f"| {down(1 / plan.seats)} |"
    )


def simulations() -> list[str]:
    """Return how many iterations each search makes in its time at the opening, as rows of a table."""
    lines: list[str] = []
    for game_id, seats in dict.fromkeys((plan.game_id, plan.seats) for plan in PLANS):
        game = pyramidion.load(game_id)
        match = game.new(seats, "outsider")
        seat = match.acting[0]
        state = match.redacted_state(seat)
        counts: list[int] = []
        for player in (Theirs(game, "1"), TheirsCompiled(game, "1")):
            player.choose(match.box, state, seat)  # compiles
            player.simulations = 0
            player.choose(match.box, state, seat)
            counts.append(player.simulations)
        expert: Any = bots.load("expert", game, 1)
        expert.think(match.box, state, seat, iterations=10)
        counts.append(expert.think(match.box, state, seat, seconds=SECONDS).iterations)
        lines.append(f"| {game.name} | {seats} | {counts[2]:,} | {counts[0]:,} | {counts[1]:,} |")
    return lines


def main() -> None:
    """Parse the command line, play and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "outsider")
    asked = parser.parse_args()
    if asked.minutes > 0:
        (asked.folder / digest()).mkdir(parents=True, exist_ok=True)
        (asked.folder / digest() / COUNTED).write_text("\n".join(simulations()), "utf-8")
    folder = max(asked.folder.iterdir(), key=lambda path: path.stat().st_mtime)
    ends, left = time.monotonic() + 60 * asked.minutes, list(PLANS)
    while left and time.monotonic() < ends:
        for plan in tuple(left):
            if time.monotonic() < ends and play(folder, plan, asked.games):
                left.remove(plan)
            print(time.strftime("%H:%M:%S"), line_of(folder, plan), flush=True)
    lines = [line for plan in PLANS if (line := line_of(folder, plan))]
    counted, made = (folder / COUNTED).read_text("utf-8"), folder.name
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(
        "# Against somebody else's search\n\n"
        f"`python benchmarks/studies/search_outsider.py --games {asked.games}`\n\n"
        f"OpenSpiel's information-set tree search and ours, {SECONDS} s of wall-clock time each for every decision "
        "that has more than\n"
        "one action, one core each, in games of this package exposed to OpenSpiel (`pyramidion.env.open_spiel`). It "
        "is not a\n"
        "fair race of algorithms: OpenSpiel's search of such games is written in Python and knows nothing of a game "
        "but its rules,\n"
        "ours is compiled and has the game's policy for priors and rollouts. *OpenSpiel* plays its random games out "
        "through\n"
        "Python as well; *compiled rollouts* lets the compiled rules do that, so that only its tree is Python. One "
        "of the first\n"
        "among others of the second, seated in every place equally often; 95 % intervals; shares and lower ends are "
        "rounded down,\n"
        "upper ends up.\n\n"
        "| game | seats | one | among | games | wins | 95 % interval | by chance |\n| --- | ---: | --- | --- | ---: "
        "| ---: | --- | ---: |\n" + "\n".join(lines) + f"\n\nIterations in {SECONDS} s at the opening, "
        "once, on the machine as loaded as it was then:\n\n"
        "| game | seats | ours (policy rollouts) | OpenSpiel | OpenSpiel, compiled rollouts |\n| --- | ---: | ---: | "
        "---: | ---: |\n" + counted + f"\n\nThe search is {made} (`digest` in search_arena.py); "
        "whatever else the machine did is in the figures.\n",
        "utf-8",
    )


if __name__ == "__main__":
    main()
