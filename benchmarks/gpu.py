# pyright: basic
"""Everything about the rules on a GPU that needs a card: games byte for byte as on the CPU, speed, occupancy.

    python benchmarks/gpu.py [GAME ...] [--games 1000000] [--n 65536] [--steps 200]

It is meant to take less than six minutes on an H100, with the CPU beside it in the same run, and Pgx if installed.
Without a card, `NUMBA_ENABLE_CUDASIM=1 PYRAMIDION_INTERPRET=1 python benchmarks/gpu.py pyramis --games 4 --n 2
--steps 3` goes the same ways in Numba's simulator. (A script named `cuda.py` would hide the package `cuda`.)
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

import pyramidion
from pyramidion.engine.cuda.kernels import finished, numba_cuda, require_device, simulated
from pyramidion.engine.cuda.random_play import random_play
from pyramidion.engine.cuda.reference import random_digests
from pyramidion.env.batch_arrays import Masks
from pyramidion.env.cuda_batch import kernels_of
from pyramidion.lab import cuda_playouts, playouts

CORES = os.cpu_count() or 1
REGISTERS, RESIDENT = 65_536, 2_048
"""Of a multiprocessor of an H100: registers, and the most threads that it keeps."""
PGX = ("kuhn_poker", "leduc_holdem", "connect_four")


def occupancy(registers: int) -> float:
    """Return which share of RESIDENT threads fits on a multiprocessor if a kernel uses so many registers a thread.

    Blocks have 128 threads.
    """
    warp = -(-registers * 32 // 256) * 256  # a warp's registers are given out 256 at a time
    blocks = REGISTERS // (4 * warp)
    return min(1.0, 128 * blocks / RESIDENT)


def on_the_cpu(game: Any, seats: int, chances: Any, first: Any) -> tuple[float, Any]:
    """Play random games on all cores; return the seconds taken and a digest of each game's last state.

    `chances` (uint64) are the seeds of the threads that a GPU would have, `first` the first game of each.
    """
    digests, tally = np.zeros(first[-1], np.uint64), np.zeros((len(chances), 2), np.int64)
    play, box, limit = random_digests(game), game.make_box(game.accept_options({})), game.longest(seats)

    def work(threads: range) -> None:
        state, buffer = game.layout.new(), np.zeros(len(game.actions), np.int32)
        words = state.view(np.ndarray).view(np.uint64)
        for n in threads:
            chance = chances[n : n + 1].copy()
            play(box, state, words, seats, chance, int(first[n]), int(first[n + 1]), limit, buffer, tally[n], digests)

    work(range(1))
    began = time.perf_counter()
    with ThreadPoolExecutor(CORES) as pool:
        list(pool.map(work, [range(core, len(chances), CORES) for core in range(CORES)]))
    return time.perf_counter() - began, digests


def check(game: Any, games: int) -> None:
    """Play `games` random games on the GPU and on the CPU, and assert that their last states are the same.

    Several seeds and numbers of seats share the games.
    """
    kinds = [(seats, seed) for seats in sorted({game.seats[0], game.usual_seats, game.seats[-1]}) for seed in (1, 2)]
    share = max(1, games // len(kinds))
    threads = min(share, playouts.RANDOM_THREADS)
    first = np.linspace(0, share, threads + 1).astype(np.int64)
    for seats, seed in kinds:
        chances = np.arange(threads, dtype=np.uint64) + np.uint64(seed * 10**9)
        box = game.make_box(game.accept_options({}))
        seconds, tally, digests = cuda_playouts.random_games(game, box, seats, chances, first, share)
        taken, expected = on_the_cpu(game, seats, chances, first)
        wrong = int((digests != expected).sum())
        decisions = int(tally[:, 0].sum())
        print(
            f"{game.id}: {seats} seats, seed {seed}: {share:,} games, {wrong} different; {decisions / seconds:,.0f} "
            f"decisions a second, {CORES} cores {decisions / taken:,.0f}",
            flush=True,
        )
        assert wrong == 0, "games differ from those of the CPU"


def playout_speed(game: Any, games: int) -> None:
    """Print how many decisions a second the GPU plays at random (best of three runs), and by the policy."""
    best = max(playouts.run(game, games=games, seed=seed, device="cuda").decisions_per_second for seed in (1, 2, 3))
    few = max(1, games // 50)
    policies = [game.mind.policy] * game.usual_seats
    by_policy = playouts.run(game, games=few, seed=1, policies=policies, device="cuda").decisions_per_second
    print(f"{game.id}: {best:,.0f} random decisions a second, {by_policy:,.0f} by the policy", flush=True)


def stepping(game: Any, n: int, steps: int) -> None:
    """Print how many steps a second a batch environment makes on the GPU, in several variants, and on the CPU."""
    variants: tuple[tuple[bool, Masks], ...] = ((False, False), (False, True), (True, True), (True, "packed"))
    for observe, masks in variants:
        env = pyramidion.env.batch(game, n, observe=observe, masks=masks, device="cuda")
        env.reset()
        env.step(env.random_actions())
        finished()
        began = time.perf_counter()
        for _ in range(steps):
            env.step(env.random_actions())
        finished()
        rate = n * steps / (time.perf_counter() - began)
        print(f"{game.id}: {rate:,.0f} steps a second, observe={observe}, masks={masks}", flush=True)
    few = min(n, 1024)
    env = pyramidion.env.batch(game, few, threads=CORES)
    env.reset()
    env.step(env.random_actions())
    began = time.perf_counter()
    for _ in range(steps):
        env.step(env.random_actions())
    rate = few * steps / (time.perf_counter() - began)
    print(f"{game.id}: {rate:,.0f} steps a second with both on {CORES} cores", flush=True)


def resources(game: Any) -> None:
    """Print the registers, local memory and occupancy of the kernels that have been compiled for a game."""
    kernels = {"random_play": random_play(game), **{name: kernel for name, (kernel, _) in kernels_of(game).items()}}
    for name, kernel in kernels.items():
        for registers, local in kernel.resources():
            print(f"{game.id}: {name}: {registers} registers, {local} bytes, occupancy {occupancy(registers):.2f}")


def beside_pgx(n: int, steps: int) -> None:
    """Print how many steps a second Pgx's games make on the GPU, with random legal actions."""
    if importlib.util.find_spec("pgx") is None:
        print("Pgx is not installed (pip install pgx 'jax[cuda13]'), so nothing is compared with it.")
        return
    import jax  # pyright: ignore[reportMissingImports]
    import pgx  # pyright: ignore[reportMissingImports]

    for name in PGX:
        env: Any = pgx.make(name)
        init, step = jax.vmap(env.init), jax.vmap(pgx.auto_reset(env.step, env.init))

        def play(state: Any, key: Any, step: Any = step) -> Any:
            def one(carry: Any, _: Any) -> Any:
                state, key = carry
                key, chosen, reset = jax.random.split(key, 3)
                logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
                action = jax.random.categorical(chosen, logits, axis=-1)
                return (step(state, action, jax.random.split(reset, n)), key), None

            return jax.lax.scan(one, (state, key), None, length=steps)[0]

        compiled = jax.jit(play)
        state = init(jax.random.split(jax.random.key(0), n))
        jax.block_until_ready(compiled(state, jax.random.key(1)))
        began = time.perf_counter()
        jax.block_until_ready(compiled(state, jax.random.key(2)))
        print(f"Pgx {name}: {n * steps / (time.perf_counter() - began):,.0f} steps a second on {jax.devices()[0]}")


def main() -> None:
    """Parse the command line, check and measure every game, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("games_to_play", metavar="GAME", nargs="*", default=sorted(pyramidion.all_games()))
    parser.add_argument("--games", type=int, default=1_000_000, help="games of each game")
    parser.add_argument("--n", type=int, default=65_536, help="environments")
    parser.add_argument("--steps", type=int, default=200, help="of each batch")
    asked = parser.parse_args()
    require_device("cuda")
    print("Numba's simulator" if simulated() else numba_cuda().get_current_device().name)
    began = time.perf_counter()
    for name in asked.games_to_play:
        game = pyramidion.load(name)
        check(game, asked.games)
        playout_speed(game, asked.games)
        stepping(game, asked.n, asked.steps)
        resources(game)
    beside_pgx(asked.n, asked.steps)
    print(f"{time.perf_counter() - began:.0f} seconds in all")


if __name__ == "__main__":
    main()
