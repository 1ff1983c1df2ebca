# pyright: basic
"""Strength of the search levels: arena contests within a time budget, and the tables made from them.

    python benchmarks/studies/search_arena.py [--minutes 30] [--only policy] [--game pyramis] [--folder build/arena]
    python benchmarks/studies/search_arena.py --minutes 0      # write docs/strength/ from the stored games

Contests take turns, a few blocks each, so that all have some games when time is up; the same command continues them.
Games of another search or other rules, identified by a digest of the sources, are kept apart, and a table says so if
its games are older. Shares and lower bounds are rounded down, upper bounds up.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pyramidion
from pyramidion.bots import LEVELS, SearchBot
from pyramidion.bots.levels import Level
from pyramidion.engine import registry
from pyramidion.lab import arena
from pyramidion.lab.arena.report import report
from pyramidion.lab.arena.results import FinishedGame

ROOT = Path(__file__).parents[2]
STRENGTH = ROOT / "docs" / "strength"
SEED = "strength"
SHOWING = ("view.py", "terminal.py", "texts.py", "refusals.py", "preview.py")
ADVISING = ("analysis.py", "comparison.py", "labels.py", "puzzle_search.py", "interpretation.py")
"""Files of the games and bots that do not affect play, and so are not part of the digest."""


class Counted(SearchBot):
    """Expert with 5,000 iterations instead of two seconds, so that the load of the machine cannot affect its games."""

    def __init__(self, game: Any, seed: int | str | None = None) -> None:
        expert = LEVELS["expert"]
        super().__init__(game, seed, Level("counted", "Counted", 5_000, None, expert.temperature))


class CountedLong(SearchBot):
    """Expert with 20,000 iterations, about what it reaches in two seconds on a slow core."""

    def __init__(self, game: Any, seed: int | str | None = None) -> None:
        super().__init__(game, seed, Level("counted", "Counted", 20_000, None, LEVELS["expert"].temperature))


WHAT = {"expert-5k": "search_arena:Counted", "expert-20k": "search_arena:CountedLong"}


@dataclass(frozen=True, slots=True)
class Plan:
    """A contest to play: one entrant called `first` among entrants called `second`; `games` is the target."""

    kind: str
    first: str
    second: str
    games: int


PLANS = (
    Plan("policy", "hard", "policy", 100),
    Plan("policy", "expert-5k", "policy", 60),
    Plan("policy", "normal", "policy", 100),
    Plan("policy", "easy", "policy", 100),
    Plan("policy", "beginner", "policy", 100),
    Plan("levels", "easy", "beginner", 200),
    Plan("levels", "normal", "easy", 200),
    Plan("levels", "hard", "normal", 200),
    Plan("levels", "expert-5k", "hard", 100),
    Plan("levels", "expert-20k", "hard", 200),
    Plan("random", "hard", "random", 20),
    Plan("random", "expert-5k", "random", 20),
    Plan("expert", "expert", "policy", 40),
    Plan("expert", "expert", "hard", 40),
    Plan("expert", "expert", "random", 40),
)
LUCK = {"pyramid-shambo": 15}
"""Factor on the number of games of cheap contests in games that luck decides almost entirely."""
STRONGER, ENOUGH = ("beginner", "easy", "normal", "hard", "expert-5k", "expert-20k", "expert"), 10
ABOUT = """\
One bot of the first name among bots of the second, seated in every place equally often; a win that several share
counts as its share; intervals are for 95 %, of games in blocks ([the arena](../arena.md)). *By chance* is what it
would win if it played like the others; where half of the table wins, that is about a half. Shares and lower ends are
rounded down, upper ends up.

Levels up to Hard are bound by their iterations, and so are *expert-5k* and *expert-20k*, which are Expert with
5,000 and 20,000 iterations and no clock: other work on the machine cannot change their games. *expert* is the level
itself, bound by its 2 seconds of wall-clock time. Seconds are wall-clock time, on a machine that had other work.
*Search* names the sources that play (`digest` in search_arena.py). Contests of an older search are taken
over if the first games of each, played again, are the same (search_takeover.py)."""
KINDS = tuple(dict.fromkeys(plan.kind for plan in PLANS))


class Enough(Exception):
    """The signal that a contest has used up its turn."""


@cache
def digest(game_id: str = "") -> str:
    """Return a digest of the sources that decide what the search plays: bots, and the rules and policy of a game.

    Comments and what docstrings say do not matter.
    """
    bots = ROOT / "src" / "pyramidion" / "bots"
    sources = [path for path in bots.glob("*.py") if path.name not in ADVISING]
    if game_id:
        game = pyramidion.load(game_id)
        folders = [folder for folder in (game.folder, game.shared) if folder is not None]
        sources += [path for folder in folders for path in folder.glob("*.py") if path.name not in SHOWING]
    total = hashlib.sha256()
    for path in sorted(sources):
        tree = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                node.value.value = ""
        total.update(ast.dump(tree).encode())
    return total.hexdigest()[:7]


def contest_of(game_id: str, seats: int, plan: Plan, games: int) -> arena.Contest:
    """Return the contest of the arena for a plan."""
    game = pyramidion.load(game_id)
    names = [f"{name}={WHAT[name]}" if name in WHAT else name for name in (plan.first, plan.second)]
    return arena.Contest(game_id, arena.read_entrants(names, game), seats, games, SEED)


def file_of(root: Path, made: str, game_id: str, seats: int, plan: Plan) -> Path:
    """Return the path of the games of a contest, played by the search with the digest `made`."""
    return root / made / f"{game_id}_{seats}_{plan.first}_{plan.second}.db"


def wanted(game_id: str, plan: Plan) -> int:
    """Return how many games a contest is to have in a game, more where luck decides."""
    return plan.games * (
        LUCK.get(game_id, 1) if plan.first in ("beginner", "easy", "normal", "hard", "expert-5k") else 1
    )


def play_some(root: Path, game_id: str, seats: int, plan: Plan, seconds: float) -> bool:
    """Continue a contest for about so many seconds; return whether it has all its games."""
    ends = time.monotonic() + seconds

    def watch(done: int, total: int) -> None:
        if time.monotonic() > ends and done < total:
            raise Enough

    path = file_of(root, digest(game_id), game_id, seats, plan)
    path.parent.mkdir(parents=True, exist_ok=True)
    contest = contest_of(game_id, seats, plan, wanted(game_id, plan))
    try:
        arena.run(contest, path, progress=watch).close()
    except Enough:
        return False
    return True


def whole_blocks(games: list[FinishedGame], seats: int) -> list[FinishedGame]:
    """Drop games of incomplete blocks, so that every entrant sits everywhere equally often."""
    counts: dict[int, int] = {}
    for game in games:
        counts[game.block] = counts.get(game.block, 0) + 1
    return [game for game in games if counts[game.block] == seats]


def down(share: float) -> str:
    """Format a share in percent, rounded down."""
    return f"{math.floor(1000 * share + 1e-9) / 10:.1f}%"


def up(share: float) -> str:
    """Format a share in percent, rounded up."""
    return f"{math.ceil(1000 * share - 1e-9) / 10:.1f}%"


def rows_of(root: Path, game_id: str, now: str) -> Iterator[tuple[Plan, int, str, Path]]:
    """Yield a game's stored contests as (plan, seats, digest of the search, file).

    Of several searches, `now` comes first, then the latest.
    """
    folders = sorted(
        (path for path in root.iterdir() if path.is_dir()), key=lambda p: (p.name != now, -p.stat().st_mtime)
    )
    for seats in seats_of(game_id):
        for plan in PLANS:
            for folder in folders:
                path = file_of(root, folder.name, game_id, seats, plan)
                if path.exists():
                    yield plan, seats, folder.name, path
                    break


def seats_of(game_id: str) -> list[int]:
    """Return the numbers of seats that a game can have, the usual one first."""
    game = pyramidion.load(game_id)
    return sorted(game.seats, key=lambda seats: (seats != game.usual_seats, seats))


def write(root: Path, game_id: str) -> None:
    """Write the page with a game's table of contests, and a report of the contest of its strongest level."""
    game, now = pyramidion.load(game_id), digest(game_id)
    lines = [
        f"# {game.name}: how strong the levels are",
        "",
        ABOUT,
        "",
        "| seats | one | among | games | wins | 95 % interval | by chance | s a game of the one, of another | search |",
        "| ---: | --- | --- | ---: | ---: | --- | ---: | --- | --- |",
    ]
    page, best_rank = "", -1
    for plan, seats, made, path in rows_of(root, game_id, now):
        with arena.Results(path) as results:
            games = whole_blocks(list(results.games()), seats)
            terms = results.terms
        if not games:
            continue
        table = arena.standings([plan.first, plan.second] + [plan.second] * (seats - 2), seats, games)
        by_name = {clock_state.name: clock_state for clock_state in table}
        first_entrant, second_entrant = by_name[plan.first], by_name[plan.second]
        lines.append(
            f"| {seats} | {plan.first} | {plan.second} | {len(games)} | {down(first_entrant.wins.share)} "
            f"| {down(first_entrant.wins.low)} to {up(first_entrant.wins.high)} | {down(first_entrant.chance)} "
            f"| {first_entrant.seconds:.1f}, {second_entrant.seconds:.1f} | {made}{'' if made == now else ' (older)'} |"
        )
        # Show the strongest level that has games.
        rank = STRONGER.index(plan.first) + 10 * (len(games) >= ENOUGH) if plan.second == "policy" else 0
        if rank > best_rank:
            command = "python benchmarks/studies/search_arena.py "
            command += f"--game {game_id} --only {plan.kind} --first {plan.first}"
            page, best_rank = report(terms, table, len(games), command), rank
    if len(lines) == 6:
        return
    lines += ["", f"`python benchmarks/studies/search_arena.py --game {game_id}`; today's search is {now}.", ""]
    STRENGTH.mkdir(parents=True, exist_ok=True)
    (STRENGTH / f"{game_id}.md").write_text("\n".join(lines), "utf-8")
    (STRENGTH / f"{game_id}.html").write_text(page, "utf-8")


def main() -> None:
    """Parse the command line, play and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--slice", type=float, default=30.0, help="seconds for a contest before the next has its turn")
    parser.add_argument("--only", choices=KINDS, action="append", help="contests of this kind alone")
    parser.add_argument("--first", action="append", help="contests of this entrant among others alone")
    parser.add_argument("--game", choices=registry.ids(), action="append", help="this game alone")
    parser.add_argument("--seats", type=int, action="append", help="this number of seats alone; else the usual one")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "arena")
    asked = parser.parse_args()
    ends = time.monotonic() + 60 * asked.minutes
    games = asked.game or registry.ids()
    left = [
        (game_id, seats, plan)
        for kind in asked.only or KINDS
        for plan in PLANS
        if plan.kind == kind and plan.first in (asked.first or [plan.first])
        for game_id in games
        for seats in (asked.seats or [pyramidion.load(game_id).usual_seats])
        if seats in pyramidion.load(game_id).seats
    ]
    while left and time.monotonic() < ends:
        for contest in tuple(left):
            if time.monotonic() > ends:
                break
            game_id, seats, plan = contest
            if play_some(asked.folder, game_id, seats, plan, min(asked.slice, ends - time.monotonic())):
                left.remove(contest)
            print(f"{time.strftime('%H:%M:%S')} {game_id} {seats} {plan.first} among {plan.second}", flush=True)
    for game_id in games:
        write(asked.folder, game_id)


if __name__ == "__main__":
    main()
