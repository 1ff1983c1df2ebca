"""Plays games in Numba's CUDA simulator, run by `test_cuda.py` in a process of its own.

Reads a list of runs, `[game, arguments of playouts.run]`, and prints a list of their results: the digests of the last
states of random games, or with `policies` the points and lengths.
"""

from __future__ import annotations

import json
import sys

import numpy as np

from pyramidion.engine import registry
from pyramidion.lab import cuda_playouts, playouts


def main() -> None:
    results = []
    for name, seats, seed, first, policies in json.load(sys.stdin):
        game = registry.load(name)
        if policies is None:
            chances = np.arange(seed, seed + len(first) - 1, dtype=np.uint64)
            box = game.make_box(game.accept_options({}))
            _, tally, digests = cuda_playouts.random_games(game, box, seats, chances, np.array(first), first[-1])
            results.append([tally.tolist(), digests.tolist()])
        else:
            chosen = [game.mind.policy if policy else None for policy in policies]
            done = playouts.run(game, seats, first[-1], seed, len(first) - 1, policies=chosen, device="cuda")
            results.append([done.points.tolist(), done.lengths.tolist()])
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
