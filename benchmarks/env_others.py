# pyright: basic, reportMissingImports=false
"""Speed of the batch environment beside Pgx and EnvPool, on the CPU, in one run.

    python benchmarks/env_others.py [--n 1024] [--seconds 1] [--rounds 5]

Each framework plays uniformly random legal actions with automatic resets and writes observations and, where it has
them, legal masks; Pyramidion also plays without them. The time of a whole loop is measured, drawing the actions
included: in the process's processor time (all threads together), which other programs affect less than the clock, on
one thread, and on two, there by the clock as well. Rounds alternate between the rows; the best one counts. Pgx is left
to one thread. Needs `pip install pgx envpool`.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from importlib.metadata import version

import numpy as np

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import envpool
import jax
import jax.numpy as jnp
import pgx
from pgx.experimental.wrappers import auto_reset

import pyramidion
from pyramidion.env.batch_env import BatchEnv

STEPS = 100
"""Steps of all environments between two looks at the clock."""
OURS = ("pyramis", "ponzi-scheme")
TASKS = ("KuhnPoker-v1", "LeducHoldem-v1", "ConnectFour-v1", "Backgammon-v1", "SparrowMahjong-v1")
JAX_GAMES = ("kuhn_poker", "leduc_holdem", "connect_four", "backgammon", "sparrow_mahjong")


def ours(game_id: str, n: int, threads: int) -> Callable[[], None]:
    """Return a function that makes STEPS steps of a batch environment with observations and masks."""
    return stepping(pyramidion.env.batch(game_id, n, threads=threads))


def ours_without(game_id: str, n: int, threads: int) -> Callable[[], None]:
    """Return a function that makes STEPS steps of a batch environment without observations and masks."""
    return stepping(pyramidion.env.batch(game_id, n, threads=threads, observe=False, masks=False))


def stepping(env: BatchEnv) -> Callable[[], None]:
    """Return a function that makes STEPS steps of a batch environment with random actions."""
    env.reset()

    def play() -> None:
        for _ in range(STEPS):
            env.step(env.random_actions())

    return play


def theirs_in_jax(game_id: str, n: int, _threads: int) -> Callable[[], None]:
    """Return a function that makes STEPS steps of `n` environments of Pgx, compiled as one loop."""
    env = pgx.make(game_id)
    init, step = jax.vmap(env.init), jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def loop(state, key):
        def once(carry, _):
            state, key = carry
            key, draw, reset = jax.random.split(key, 3)
            logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
            state = step(state, jax.random.categorical(draw, logits, axis=1), jax.random.split(reset, n))
            # Sums of what a learner reads keep the compiler from leaving it out.
            return (state, key), state.observation.sum() + state.legal_action_mask.sum()

        return jax.lax.scan(once, (state, key), None, length=STEPS)

    held = [jax.jit(init)(jax.random.split(jax.random.PRNGKey(0), n)), jax.random.PRNGKey(1)]

    def play() -> None:
        carry, read = loop(*held)
        read.block_until_ready()
        held[:] = carry

    return play


def theirs_in_c(task: str, n: int, threads: int) -> Callable[[], None]:
    """Return a function that makes STEPS steps of `n` environments of EnvPool."""
    env, random = envpool.make_gymnasium(task, num_envs=n, num_threads=threads), np.random.default_rng(0)
    held = [env.reset()[1]]

    def play() -> None:
        info = held[0]
        for _ in range(STEPS):
            mask = info["legal_action_mask"]
            info = env.step((random.random(mask.shape, np.float32) * mask).argmax(axis=1).astype(np.int32))[4]
        held[0] = info

    return play


def main() -> None:
    """Parse the command line, measure all environments in turn and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--n", type=int, default=1024, help="environments")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each figure")
    parser.add_argument("--leave-out", nargs="*", default=[], help="names to leave out; some take minutes to compile")
    asked = parser.parse_args()
    rows = {f"Pyramidion, {name}": (ours, name, (1, 2)) for name in OURS}
    rows |= {f"Pyramidion, {name}, steps alone": (ours_without, name, (1, 2)) for name in OURS}
    rows |= {f"EnvPool, {task}": (theirs_in_c, task, (1, 2)) for task in TASKS}
    rows |= {f"Pgx, {name}": (theirs_in_jax, name, (1,)) for name in JAX_GAMES}
    rows = {name: row for name, row in rows.items() if not any(word in name for word in asked.leave_out)}
    playing = {(name, t): make(game, asked.n, t) for name, (make, game, threads) in rows.items() for t in threads}
    best = {key: [0.0, 0.0] for key in playing}
    for play in playing.values():
        play()
    for _ in range(asked.rounds):
        for key, play in playing.items():
            played, began, clock = 0, time.process_time(), time.perf_counter()
            while time.process_time() - began < asked.seconds / asked.rounds:
                play()
                played += STEPS * asked.n / 1e6
            rates = played / (time.process_time() - began), played / (time.perf_counter() - clock)
            best[key] = [max(pair) for pair in zip(best[key], rates, strict=True)]
    print(f"envpool {version('envpool')}, pgx {version('pgx')}, jax {version('jax')}; million steps a second")
    print("| environment | processor time, one thread | two threads | by the clock, one thread | two threads |")
    print("| --- | --- | --- | --- | --- |")
    for name in rows:
        cells = [f"{best[name, t][column]:.2f}" if (name, t) in best else "" for column in (0, 1) for t in (1, 2)]
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
