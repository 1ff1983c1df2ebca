# pyright: basic
"""Reuse of contests played by an older search, if the current search plays them identically.

    python benchmarks/studies/search_takeover.py --game pyramis b1d1ac8 [--games 3] [--folder build/arena]

The digest of a search (search_arena.py) changes with any line of it, even one that affects other games only. This
script replays the first games of each contest; if every action is the same, the contest counts for the current search.
Contests limited by seconds are never reproducible and are left out.
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
import tempfile
from pathlib import Path

from pyramidion.engine import registry
from pyramidion.lab import arena
from search_arena import PLANS, ROOT, Enough, Plan, contest_of, digest, file_of, seats_of


def plays_the_same(game_id: str, seats: int, plan: Plan, path: Path, games: int) -> bool:
    """Play the first `games` games of a contest again; return whether they equal those in its file."""

    def watch(done: int, total: int) -> None:
        if done >= games:
            raise Enough

    with tempfile.TemporaryDirectory() as folder:
        again = Path(folder) / path.name
        with contextlib.suppress(Enough):
            arena.run(contest_of(game_id, seats, plan, games), again, progress=watch).close()
        with arena.Results(path) as old, arena.Results(again) as new:
            places = new.places()
            return places <= old.places() and all(old.match(p).record() == new.match(p).record() for p in places)


def games_in(path: Path) -> int:
    """Return how many games the file of a contest has; 0 if it does not exist."""
    if not path.exists():
        return 0
    with arena.Results(path) as results:
        return len(results.places())


def take_over(root: Path, made: str, game_id: str, seats: int, plan: Plan, games: int) -> bool | None:
    """Let a contest played by the search `made` count for the current search, if that plays the same games.

    Returns whether it does, or None if nothing is gained since the current search has as many games.
    """
    old, new = file_of(root, made, game_id, seats, plan), file_of(root, digest(game_id), game_id, seats, plan)
    if games_in(old) <= games_in(new):
        return None
    if not plays_the_same(game_id, seats, plan, old, games):
        return False
    new.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(old, new)
    return True


def main() -> None:
    """Parse the command line, play and copy."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("made", help="the older search, as the tables name it")
    parser.add_argument("--game", choices=registry.ids(), required=True)
    parser.add_argument("--games", type=int, default=3, help="to be played again of each contest")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "arena")
    asked = parser.parse_args()
    if asked.games < 1:
        parser.error("At least one game of each contest has to be played again.")
    if not (asked.folder / asked.made).is_dir():
        folders = ", ".join(sorted(path.name for path in asked.folder.glob("*/"))) or "none"
        parser.error(f"There are no contests of a search {asked.made} in {asked.folder}; those there are: {folders}.")
    for seats in seats_of(asked.game):
        for plan in PLANS:
            if plan.kind == "expert":
                continue
            same = take_over(asked.folder, asked.made, asked.game, seats, plan, asked.games)
            if same is not None:
                finding = "taken over" if same else "not the same"
                print(f"{asked.game} {seats} {plan.first} among {plan.second}: {finding}", flush=True)


if __name__ == "__main__":
    main()
