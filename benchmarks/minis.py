# pyright: basic
"""Measure the small siblings: the sizes of their trees, and what CFR+ finds where they can be solved.

    python benchmarks/minis.py [--probes 1000] [--iterations 1,10,100]

Writes benchmarks/results/minis.json, from which the leaderboard page is made.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from dataclasses import asdict
from pathlib import Path

import pyramidion
from pyramidion.engine import registry
from pyramidion.lab.evaluation.exploitability import solvable
from pyramidion.lab.evaluation.game_tree import estimate_size
from pyramidion.lab.evaluation.provenance import provenance

FILE = Path(__file__).parent / "results" / "minis.json"


def measured(game_id: str, probes: int, iterations: tuple[int, ...]) -> dict[str, object]:
    """Return the figures of one small sibling."""
    game = pyramidion.load(game_id)
    fixed = {name: option.default for name, option in game.options.items() if option.fixed}
    figures = {"seats": game.usual_seats, "options": fixed, "estimate": asdict(estimate_size(game, probes))}
    small = solvable(game_id)
    if small is not None:
        tree = small.tree
        figures["tree"] = {
            "openings": tree.openings,
            "nodes": tree.nodes,
            "terminals": tree.terminals,
            "information_sets": len(tree.sets),
        }
        figures["cfr_plus"] = [asdict(solution) for solution in small.solve(iterations)]
    return figures


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--probes", type=int, default=1000)
    parser.add_argument("--iterations", default="1,10,100")
    asked = parser.parse_args()
    wanted = tuple(int(number) for number in asked.iterations.split(","))
    command = "python benchmarks/minis.py " + shlex.join(sys.argv[1:])
    figures = {game_id: measured(game_id, asked.probes, wanted) for game_id in registry.mini_ids()}
    origin = provenance(pyramidion.load("pyramis"), command.strip())
    del origin["rules_version"]
    FILE.write_text(json.dumps({**origin, "minis": figures}, indent=1) + "\n", "utf-8")
