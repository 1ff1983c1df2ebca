# pyright: basic
"""Measure the baselines of docs/benchmark.md: `pyramidion evaluate` for every game, into benchmarks/results.

    python benchmarks/baselines.py [--only pyramis] [--whole]

Without --whole only a part of the protocol is played, in about ten minutes of processor time for all games; with it,
all of it, which takes many hours. Files that exist are kept: delete one to measure it again.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

RESULTS = Path(__file__).parent / "results"
LEVELS = ("easy", "normal", "hard", "expert")
WITH_MASTER = ("pyramid-scheme", "upside-down")
GAMES = {
    "pyramis": 24,
    "pyramid-shambo": 24,
    "ponzi-scheme": 16,
    "pyramid-scheme": 12,
    "upside-down": 10,
    "downside-up": 10,
}
"""Games of each level against policies in a part of the protocol."""
POLICY_GAMES, DECISIONS = 60, 10
MINIS = ("pyramis-micro", "pyramid-shambo-mini", "pyramis-mini", "ponzi-scheme-mini", "upside-down-mini")


def runs() -> dict[str, list[str]]:
    """Return the arguments of `pyramidion evaluate` for a part of the protocol, by the name of the result file."""
    arguments: dict[str, list[str]] = {}
    against = ["--opponent", "random", "--opponent", "policy"]
    for game, games in GAMES.items():
        part = [*against, "--games", str(POLICY_GAMES), "--decisions", str(DECISIONS)]
        arguments[f"{game}-policies"] = [game, *agents("random", "policy"), *part]
        levels = (*LEVELS, "master") if game in WITH_MASTER else LEVELS
        part = ["--opponent", "policy", "--games", str(games), "--decisions", str(DECISIONS)]
        arguments[f"{game}-levels"] = [game, *agents(*levels), *part]
    part = [*against, "--games", str(POLICY_GAMES)]
    for mini in MINIS:
        arguments[mini] = [mini, *agents("random", "policy"), *part, "--decisions", "0"]
    arguments["pyramis-ppo"] = [
        "pyramis", "--agent", "ppo=examples.ppo_self_play:make", *part, "--decisions", str(DECISIONS),
    ]  # fmt: skip
    arguments["pyramid-shambo-mini-levels"] = [
        "pyramid-shambo-mini", *agents("hard"), "--opponent", "policy", "--games", "60", "--decisions", "0",
    ]  # fmt: skip
    return arguments


def agents(*names: str) -> list[str]:
    """Return the options that name agents."""
    return [word for name in names for word in ("--agent", name)]


def whole(arguments: list[str]) -> list[str]:
    """Return the arguments for all of the protocol: only the game and its agents."""
    return arguments[:1] + [word for words in pairwise(arguments) if words[0] == "--agent" for word in words]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="only result files whose names begin so")
    parser.add_argument("--whole", action="store_true", help="play all of the protocol")
    asked = parser.parse_args()
    for name, arguments in runs().items():
        path = RESULTS / f"{name}.json"
        if name.startswith(asked.only) and not path.exists():
            words = whole(arguments) if asked.whole else arguments
            subprocess.run([sys.executable, "-m", "pyramidion", "evaluate", *words, "--json", str(path)], check=True)
