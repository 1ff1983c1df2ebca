# pyright: basic
"""Measure the baselines of docs/benchmark.md: `pyramidion evaluate` for every game, into benchmarks/results.

    python benchmarks/baselines.py [--only pyramis] [--whole]

Without --whole most agents play only a part of the protocol, in about an hour of processor time for all games; with
it, all agents play all of it, which takes many hours. Files that exist are kept: delete one to measure it again.
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
WHOLE = None
POLICIES: dict[str, tuple[int, int] | None] = {
    "pyramis": WHOLE,
    "pyramid-shambo": (120, 20),
    "ponzi-scheme": (60, 0),
    "pyramid-scheme": (60, 0),
    "upside-down": (30, 0),
    "downside-up": (30, 0),
}
"""Games of `random` and `policy` against each opponent and judged decisions, or all of the protocol."""
MINIS: dict[str, tuple[int, int] | None] = {
    "pyramis-micro": WHOLE,
    "pyramid-shambo-mini": WHOLE,
    "pyramis-mini": WHOLE,
    "ponzi-scheme-mini": (60, 0),
    "upside-down-mini": (60, 0),
}
"""The same in the small siblings."""
GAMES = {
    "pyramis": (24, 10),
    "pyramid-shambo": (24, 10),
    "ponzi-scheme": (24, 10),
    "pyramid-scheme": (12, 10),
    "upside-down": (10, 0),
    "downside-up": (10, 0),
}
"""Games of the levels against `policy`, and their judged decisions."""
PPO = {
    "pyramis": (60, 10),
    "pyramid-shambo": (60, 0),
    "downside-up": (30, 0),
    "ponzi-scheme": (60, 0),
    "pyramid-scheme": (60, 0),
    "upside-down": (30, 0),
}
"""Games of PPO and its judged decisions."""
SEARCH = {"pyramis": 12, "ponzi-scheme": 4, "pyramid-scheme": 6}
"""Games of OpenSpiel's search against `policy`."""
LEARNERS = {
    "pyramis": (("nfsp",), 10),
    "pyramis-micro": (("nfsp", "deep_cfr"), 0),
    "pyramid-shambo-mini": (("nfsp", "deep_cfr"), 0),
}
"""The agents of open_spiel_learners.py and their judged decisions; each has 60 games against an opponent."""
AGAINST = ("--opponent", "random", "--opponent", "policy")


def runs() -> dict[str, list[str]]:
    """Return the arguments of `pyramidion evaluate` for a part of the protocol, by the name of the result file."""
    arguments: dict[str, list[str]] = {}
    for game, few in {**POLICIES, **MINIS}.items():
        name = game if game in MINIS else f"{game}-policies"
        limits = [] if few is None else [*AGAINST, *part(*few)]
        arguments[name] = [game, *agents("random", "policy"), *limits]
        if game in POLICIES and few is not None:
            arguments[f"{game}-whole"] = [game, *agents("policy")]
    for game, few in GAMES.items():
        levels = (*LEVELS, "master") if game in WITH_MASTER else LEVELS
        arguments[f"{game}-levels"] = [game, *agents(*levels), "--opponent", "policy", *part(*few)]
    for game, (games, decisions) in PPO.items():
        ppo = agents("ppo=examples.ppo_self_play:make")
        arguments[f"{game}-ppo"] = [game, *ppo, *AGAINST, *part(games, decisions)]
    for game, (learners, decisions) in LEARNERS.items():
        named = agents(*(f"{name.replace('_', '-')}=benchmarks.open_spiel_learners:{name}" for name in learners))
        arguments[f"{game}-learners"] = [game, *named, *AGAINST, *part(60, decisions)]
    search = agents("ismcts=pyramidion.env.open_spiel_search:HundredSimulations")
    for game, games in SEARCH.items():
        arguments[f"{game}-ismcts"] = [game, *search, "--opponent", "policy", *part(games, 0)]
    strong = agents("policy", "hard", "expert")
    arguments["pyramis-hard"] = ["pyramis", *strong, "--opponent", "hard", *part(12, 0)]
    return arguments


def part(games: int, decisions: int) -> list[str]:
    """Return the options that shorten the protocol."""
    return ["--games", str(games), "--decisions", str(decisions)]


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
