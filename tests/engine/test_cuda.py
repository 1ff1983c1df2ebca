"""Tests of the rules on a GPU without one: in Numba's simulator they play the games of the CPU, and they compile."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.engine.cuda_simulator import batch_digest

from pyramidion.engine import registry
from pyramidion.engine.cuda import kernels
from pyramidion.engine.cuda.reference import random_digests
from pyramidion.engine.game import Game
from pyramidion.engine.rule import INTERPRETED
from pyramidion.extras import install_command
from pyramidion.lab import playouts

SIMULATOR = {"NUMBA_ENABLE_CUDASIM": "1", "PYRAMIDION_INTERPRET": "1"}
pytestmark = pytest.mark.skipif(INTERPRETED, reason="compares with compiled rules")


def in_the_simulator(runs: list[object]) -> list[list[object]]:
    """Return the results of `cuda_simulator.py`."""
    program = Path(__file__).with_name("cuda_simulator.py")
    search = os.pathsep.join(path for path in sys.path if path)
    done = subprocess.run(
        [sys.executable, str(program)],
        input=json.dumps(runs),
        env={**os.environ, **SIMULATOR, "PYTHONPATH": search},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def on_the_cpu(game: Game, seats: int, seed: int, first: list[int]) -> list[object]:
    """Play the random games of `random_play` with compiled rules; return the tally and the digests."""
    threads, state = len(first) - 1, game.layout.new()
    tally, digests = np.zeros((threads, 2), np.int64), np.zeros(first[-1], np.uint64)
    for n in range(threads):
        random_digests(game)(
            game.make_box(game.accept_options({})),
            state,
            state.view(np.ndarray).view(np.uint64),
            seats,
            np.array([seed + n], np.uint64),
            first[n],
            first[n + 1],
            game.longest(seats),
            np.zeros(len(game.actions), np.int32),
            tally[n],
            digests,
        )
    return [tally.tolist(), digests.tolist()]


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_random_games_in_the_simulator_end_in_the_same_bytes_as_on_the_cpu() -> None:
    first = [0, 2, 3]  # a thread that plays two games, and one that plays one
    runs = [
        (registry.load(name), seats, 5 * seats)
        for name in registry.own_ids()
        for seats in {registry.load(name).seats[0], registry.load(name).usual_seats}
    ]
    results = in_the_simulator([[game.id, seats, seed, first, None] for game, seats, seed in runs])
    for (game, seats, seed), result in zip(runs, results, strict=True):
        assert result == on_the_cpu(game, seats, seed, first), f"{game.id} with {seats} seats"


def test_games_between_policies_in_the_simulator_are_those_of_the_cpu() -> None:
    game = registry.load("pyramis")
    ((points, lengths),) = in_the_simulator([["pyramis", 3, 4, [0, 2, 3], [True, False, True]]])
    done = playouts.run(game, 3, 3, 4, 2, policies=[game.mind.policy, None, game.mind.policy])
    assert (points, lengths) == (done.points.tolist(), done.lengths.tolist())


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", registry.own_ids())
def test_a_batch_in_the_simulator_writes_the_bytes_of_the_cpu(name: str) -> None:
    """With observations, masks, final observations, a policy, a redeal, a reset on the device and a clone."""
    (digests,) = in_the_simulator([[name, None, 0, [], None]])
    assert digests == [batch_digest(name, simultaneous, "cpu") for simultaneous in (False, True)]


CONSTANT = re.compile(r"\.const .*\[(\d+)\]")
COMPILING = """
import sys
from pyramidion.engine import registry
from pyramidion.env import cuda_batch
from pyramidion.lab import cuda_playouts

game = registry.load(sys.argv[1])
kernels = {**cuda_playouts.kernels_of(game), **cuda_batch.kernels_of(game)}
for name in sys.argv[2:] or kernels:
    kernel, arguments = kernels[name]
    print(kernel.ptx(*arguments, optimized=not sys.argv[2:] and name == "random_play"))
"""


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", registry.own_ids())
def test_entry_points_compile_for_an_h100(name: str) -> None:
    """All of one game, one of them optimized; of the others those that hold most of the rules. All take minutes."""
    chosen = [] if name == "pyramis" else ["random_play", "advance"]
    done = subprocess.run([sys.executable, "-c", COMPILING, name, *chosen], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.count(".visible .entry") == (len(chosen) or 9)
    assert ".target sm_90" in done.stdout
    assert not CONSTANT.findall(done.stdout)


def test_a_machine_without_a_card_says_so_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    game = registry.load("pyramis")
    monkeypatch.setattr(kernels.numba_cuda(), "cuda_error", lambda: "\nlibcuda cannot\nbe loaded.")
    with pytest.raises(RuntimeError, match=r"^No NVIDIA driver was found: libcuda cannot be loaded\.$"):
        playouts.run(game, games=1, device="cuda")
    with pytest.raises(ValueError, match=r"^The devices are cpu and cuda, not 'tpu'\.$"):
        playouts.run(game, games=1, device="tpu")


def test_the_simulator_needs_interpreted_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "simulated", lambda: True)
    with pytest.raises(RuntimeError, match="set both NUMBA_ENABLE_CUDASIM=1 and PYRAMIDION_INTERPRET=1"):
        kernels.require_device("cuda")


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "find_spec", lambda name: None)
    with pytest.raises(ModuleNotFoundError, match=re.escape(install_command("cuda"))):
        playouts.run(registry.load("pyramis"), games=1, device="cuda")
