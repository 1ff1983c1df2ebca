"""Playouts on a GPU, for `playouts.run`: thread n plays the games that thread n of the CPU would play."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import cuda as numba_cuda

from pyramidion.engine.cuda.kernels import Kernel, finished, on_device, on_host, zeros_on_device
from pyramidion.engine.cuda.random_play import Plan, box_words, random_play, records, words_of
from pyramidion.engine.game import Game
from pyramidion.lab import policy_games

cuda: Any = numba_cuda


class PolicyPlan(NamedTuple):
    """The arrays that the threads of a GPU use to play games between policies.

    `boxes`, `masks`, `parties` and `submitted` are as in `policy_games.Table`.

    Attributes:
        chance: each thread's generator, uint64[threads].
        ids, legal, weights: each thread's buffers, [threads, actions].
        number_of: number of each seat's policy, int64[seats].
        first: number of each thread's first game, and the number of games at the end, int64[threads + 1].
        limit: the most decisions in a game, int64[1].
        wrong: the seat whose policy proposed an illegal action, or -1, int64[threads].
    """

    boxes: Any
    masks: Any
    parties: Any
    submitted: Any
    chance: Any
    ids: Any
    legal: Any
    weights: Any
    number_of: Any
    first: Any
    limit: Any
    wrong: Any


def play(
    game: Game,
    seats: int,
    options: Any,
    cards: str | None,
    policies: Sequence[Any] | None,
    chances: npt.NDArray[np.uint64],
    shares: Sequence[int],
    tallies: Any,
    results: policy_games.Results,
) -> float:
    """Play on a GPU the games that CPU threads with these generators would play; return the time in seconds.

    `chances`, uint64[threads], are the threads' random generators, and `shares` the numbers of their games. Without
    policies, `tallies`, int64[threads, 2], receives the decisions and the finished games of each thread, otherwise
    `results` is filled. Raises ValueError for a policy that proposes an illegal action.
    """
    first = np.cumsum([0, *shares])
    if policies is None:
        seconds, tallies[...], _ = random_games(game, game.make_box(options, cards), seats, chances, first)
        return seconds
    boxes, distinct, number_of = policy_games.seated(game, seats, options, cards, policies)
    plan = on_device(_policy_plan(game, boxes, number_of, chances, first))
    filled = on_device(results)
    kernel = policy_play(game, distinct)
    seconds = _timed(lambda plan: kernel(len(chances), plan, filled), plan)
    wrong = on_host(plan.wrong)
    if (wrong >= 0).any():
        raise ValueError(f"The policy of seat {wrong[wrong >= 0][0]} proposed an illegal action.")
    for whole, part in zip(results, filled, strict=True):
        whole[...] = on_host(part)
    return seconds


def random_games(
    game: Game, box: Any, seats: int, chances: npt.NDArray[np.uint64], first: npt.NDArray[np.int64], digests: int = 0
) -> tuple[float, npt.NDArray[np.int64], npt.NDArray[np.uint64]]:
    """Play random games on a GPU; return the time in seconds, and the arrays `tally` and `digests` of their `Plan`.

    `digests` is the number of games if a digest of each game's last state is to be computed, otherwise 0.
    """
    plan = on_device(random_plan(game, box, seats, chances, first, digests))
    seconds = _timed(lambda plan: random_play(game)(len(chances), plan), plan)
    return seconds, on_host(plan.tally), on_host(plan.digests)


def random_plan(
    game: Game, box: Any, seats: int, chances: npt.NDArray[np.uint64], first: npt.NDArray[np.int64], digests: int = 0
) -> Plan:
    """Return the arguments of the kernel of random games, as arrays in the host's memory; see `random_games`."""
    tally, noted = np.zeros((len(chances), 2), np.int64), np.zeros(digests, np.uint64)
    return Plan(box_words(box), chances, first, np.array([game.longest(seats)]), np.array([seats]), tally, noted)


def kernels_of(game: Game) -> dict[str, tuple[Kernel, tuple[Any, ...]]]:
    """Return the kernels of random games and of games between policies, each with arguments to compile it for.

    The arguments are arrays in the host's memory.
    """
    seats, policies = game.usual_seats, [game.mind.policy] * game.usual_seats
    chances, first, options = np.zeros(1, np.uint64), np.array([0, 1]), game.accept_options({})
    plan = random_plan(game, game.make_box(options), seats, chances, first)
    boxes, distinct, number_of = policy_games.seated(game, seats, options, None, policies)
    results = policy_games.Results(
        np.zeros((1, seats), np.bool_), np.zeros((1, seats), np.int32), np.zeros(1, np.int32)
    )
    between = _policy_plan(game, boxes, number_of, chances, first)
    return {
        "random_play": (random_play(game), (plan,)),
        "policy_play": (policy_play(game, distinct), (between, results)),
    }


def _policy_plan(
    game: Game, boxes: Any, number_of: npt.NDArray[np.int64], chances: npt.NDArray[np.uint64], first: Any
) -> PolicyPlan:
    """Return the arguments of the kernel of games between policies, as arrays in the host's memory."""
    threads, actions = len(chances), len(game.actions)
    return PolicyPlan(
        boxes,
        *game.layout.hiding(),
        chances,
        np.zeros((threads, actions), np.int32),
        np.zeros((threads, actions), np.int32),
        np.zeros((threads, actions)),
        number_of.astype(np.int64),
        first,
        np.array([game.longest(len(number_of))]),
        np.full(threads, -1),
    )


@cache
def policy_play(game: Game, policies: tuple[Any, ...]) -> Kernel:
    """Return the kernel that plays games between these policies; it takes a `PolicyPlan` and `policy_games.Results`."""
    play = policy_games.make_games(game.rules, policies)
    state_type, words = records(game.layout.dtype), words_of(game.layout.dtype.itemsize)
    size: int = game.layout.dtype.itemsize

    def kernel(plan: Any, results: Any) -> None:
        thread = cuda.grid(1)
        if thread < plan.chance.shape[0]:
            state = cuda.local.array(words, np.uint64)
            redacted = cuda.local.array(words, np.uint64)
            chance = cuda.local.array(1, np.uint64)
            chance[0] = plan.chance[thread]
            table = policy_games.Table(
                plan.boxes,
                state.view(state_type),
                state.view(np.uint8)[:size],
                redacted.view(state_type),
                redacted.view(np.uint8)[:size],
                plan.masks,
                plan.parties,
                plan.submitted,
                chance,
                plan.ids[thread],
                plan.legal[thread],
                plan.weights[thread],
            )
            plan.wrong[thread] = play(
                table, results, plan.number_of, plan.first[thread], plan.first[thread + 1], plan.limit[0]
            )

    return Kernel(kernel)


def _timed(launch: Callable[[Any], None], plan: Any) -> float:
    """Launch a kernel on a plan, and return the time that it takes in seconds, without compilation.

    A first launch for no games compiles the kernel.
    """
    launch(plan._replace(first=zeros_on_device(plan.first)))
    finished()
    began = time.perf_counter()
    launch(plan)
    finished()
    return time.perf_counter() - began
