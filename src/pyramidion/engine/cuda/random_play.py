"""Uniformly random games on the device: the games of `entries.make_playouts`, one after the other in each thread.

A state is in a thread's local memory. The hardware interleaves that memory by words of 32 bits among the threads of a
warp, so threads that read the same field read neighbouring words: an array of records is laid out as a record of
arrays, and no rule knows. The box is copied to the shared memory of each block.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import cuda

from pyramidion.engine.cuda.kernels import Kernel
from pyramidion.engine.cuda.reference import digest_of
from pyramidion.engine.cuda.window import SHORT, Window
from pyramidion.engine.entries import due_seat, open_game, quick_below
from pyramidion.engine.game import Game
from pyramidion.engine.rule import rule


class Plan(NamedTuple):
    """The argument of the kernel `random_play`: what its threads play, and the arrays to which they write the results.

    Attributes:
        box: the words of the box (`box_words`), uint64.
        chance: each thread's generator, uint64[threads].
        first: number of each thread's first game, and the number of games at the end, int64[threads + 1].
        limit: the most decisions in a game, int64[1].
        seats: int64[1].
        tally: decisions, and games that ended within the limit, int64[threads, 2].
        digests: a digest of each game's last state, uint64[games]; or uint64[0], and none is computed.
    """

    box: Any
    chance: Any
    first: Any
    limit: Any
    seats: Any
    tally: Any
    digests: Any


def words_of(itemsize: int) -> int:
    """Return how many words of 64 bits hold a record of `itemsize` bytes."""
    return -(-itemsize // 8)


def box_words(box: Any) -> np.ndarray:
    """Return the bytes of a box as words, uint64[n], the last one filled up with zeros."""
    data = box.tobytes()
    return np.frombuffer(data.ljust(8 * words_of(len(data)), b"\0"), np.uint64).copy()


def make_random_play(rules: Any) -> Any:
    """Return a rule that plays the random games of one thread, one after the other, by a game's module `rules`."""
    setup, legal, apply = rules.setup, rules.legal, rules.apply

    @rule
    def play(box, s, words, seats, chance, first, end, limit, kept, tally, digests):
        """Play the games `first` to `end` - 1 of a thread in the state `s`, whose memory is `words` (uint64).

        One loop for games and decisions: a thread whose game ends begins the next, while the others of its warp
        decide. With a loop in a loop all would wait for the longest game.
        """
        game, decisions = first, 0
        if game < end:
            open_game(s, words, seats, chance)
            setup(box, s)
        while game < end:
            if s.over == 0 and decisions < limit:
                seat = due_seat(s, chance)
                count = legal(box, s, seat, Window(0, kept))
                k = quick_below(chance, count)
                if k >= SHORT:
                    legal(box, s, seat, Window(k, kept))
                    k = 0
                s.ply += 1
                s.event_count = 0
                apply(box, s, seat, kept[k])
                decisions += 1
            else:
                tally[0] += decisions
                tally[1] += s.over
                if digests.shape[0] > 0:
                    digests[game] = digest_of(words)
                game += 1
                decisions = 0
                if game < end:
                    open_game(s, words, seats, chance)
                    setup(box, s)

    return play


@cache
def random_play(game: Game) -> Kernel:
    """Return the kernel that plays a game's random games on the device; its argument is a `Plan`."""
    play, state_type, box_type = make_random_play(game.rules), records(game.layout.dtype), records(game.box)
    state_words, shared_words, box_bytes = words_of(state_type.itemsize), words_of(game.box.itemsize), game.box.itemsize

    def kernel(plan):
        """Play this thread's games, with the box in shared memory and the state in local memory."""
        shared = cuda.shared.array(shared_words, np.uint64)
        for i in range(cuda.threadIdx.x, shared_words, cuda.blockDim.x):
            shared[i] = plan.box[i]
        cuda.syncthreads()
        thread = cuda.grid(1)
        if thread < plan.chance.shape[0]:
            words = cuda.local.array(state_words, np.uint64)
            kept = cuda.local.array(SHORT, np.int32)
            chance = cuda.local.array(1, np.uint64)
            chance[0] = plan.chance[thread]
            play(
                shared.view(np.uint8)[:box_bytes].view(box_type)[0],
                words.view(state_type)[0],
                words,
                plan.seats[0],
                chance,
                plan.first[thread],
                plan.first[thread + 1],
                plan.limit[0],
                kept,
                plan.tally[thread],
                plan.digests,
            )

    return Kernel(kernel)


def records(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return a structured dtype whose elements have attributes, which rules need in the simulator."""
    return np.dtype((np.record, dtype))
