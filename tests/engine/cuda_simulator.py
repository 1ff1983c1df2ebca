"""Plays games in Numba's CUDA simulator, run by `test_cuda.py` in a process of its own.

Reads a list of runs and prints a list of their results: the tally and the digests of random games, the points and
lengths of games between policies, or the digest of what a batch writes.
"""

from __future__ import annotations

import hashlib
import json
import sys
from typing import Any

import numpy as np
import pytest

from pyramidion import env
from pyramidion.engine import registry
from pyramidion.env.batch_env import IllegalBatchAction
from pyramidion.lab import playouts


def batch_digest(name: str, simultaneous: bool, device: Any) -> str:
    """Play with a batch, drawing from its policy now and then; return a digest of all it writes."""
    played = env.batch(
        name, 2, seed=5, device=device, simultaneous=simultaneous, masks="packed" if simultaneous else True
    )
    digest = hashlib.sha256()
    played.reset()
    for step in range(8):
        actions = played.policy_actions() if step % 4 == 3 else played.random_actions()
        batch = played.step(actions, np.array([step % 5 != 2, True]))
        for array in (batch.to_play, batch.observation, batch.legal_mask, batch.rewards, batch.terminated, actions):
            digest.update(np.ascontiguousarray(np.asarray(array)).tobytes())
        digest.update(np.ascontiguousarray(np.asarray(batch.final_observation)).tobytes())
        digest.update(played.state_bytes().tobytes())
        if step == 5:
            played.redeal(0, 3)
        if step == 6:
            played.reset()
    other = played.clone()
    other.step(other.random_actions())
    digest.update(other.state_bytes().tobytes())
    return digest.hexdigest()


def check_arrays() -> None:
    """Check what only the arrays of a device have."""
    played = env.batch("pyramis", 2, device="cuda")
    batch = played.reset()
    shared = np.from_dlpack(batch.observation)
    assert (shared.shape, shared.dtype, shared.any()) == ((2, 417), np.float32, True)
    assert np.from_dlpack(batch.legal_mask).dtype == np.bool_
    before = shared.copy()
    played.step(np.from_dlpack(played.random_actions()))
    assert (shared != before).any(), "the array is not shared"
    with pytest.raises(IllegalBatchAction, match=r"^Environment 0, seat \d: "):
        played.step(np.array([999, 999]))


def main() -> None:
    from pyramidion.lab import cuda_playouts

    results: list[Any] = []
    for name, seats, seed, first, policies in json.load(sys.stdin):
        if seats is None:
            check_arrays()
            results.append([batch_digest(name, simultaneous, "cuda") for simultaneous in (False, True)])
            continue
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
