"""The memory of a batch of environments: the arrays that its loops work on, and the types of their records."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pyramidion.engine.game import Game

NOBODY = -1
"""The seat to play if an environment's game is over."""
UNMASKED, BYTES, BITS = 0, 1, 2
"""Forms of legal masks: none, a byte for each action, or a bit, from the least significant one of each byte."""

TURNS = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("number", np.int64),  # number of the environment's current game: i, then i + n, i + 2n
                ("first", np.int64),  # the seat asked first if several are due
                ("watcher", np.int64),  # whose view of the last position is kept; NOBODY: the seat that acted last
                ("chance", np.uint64, (1,)),  # generator of policy and random actions
            ]
        ),
    )
)
"""What an environment stores in addition to its state."""


class Pool(NamedTuple):
    """The memory of a batch of `n` environments with S seats; its rows have P places (see `batch_loops`).

    Attributes:
        base: first word of the batch's seed, uint64[1].
        boxes: the referee's box, then the box as each seat may see it, records[1 + S].
        states: the games, records[n]; `raw` is the same memory as bytes, `bytes_of_state` records[n].
        turns: TURNS, records[n]; `seeds` has the seeds of the games, int64[n].
        legal: the legal actions of each place, `legal_actions` records[n, P].
        masks: legal masks, `flags` records[n, P].
        vectors, final_vectors: observations, records[n, P] of the game's observation; `numbers` and `final_numbers`
            are the same memory as `plain_numbers`.
        to_play, acting, rewards, terminated: int32[n], bool[n, S], float32[n, S] and bool[n], as in `Batch`.
        points, length: int32[n, S] and int32[n], as in `Batch`.
        wanted: whether observations are written, and masks (UNMASKED, BYTES or BITS), int64[2].
    """

    base: Any
    boxes: Any
    states: Any
    raw: Any
    turns: Any
    seeds: Any
    legal: Any
    masks: Any
    vectors: Any
    numbers: Any
    final_vectors: Any
    final_numbers: Any
    to_play: Any
    acting: Any
    rewards: Any
    terminated: Any
    points: Any
    length: Any
    wanted: Any


class Scratch(NamedTuple):
    """One thread's working memory, records[1] each.

    Attributes:
        memory: `working_memory`, in which `redacted` is a redacted state as bytes.
        redacted: the same memory as a state.
        hiding: the arguments of redaction, `hiding_of`; threads may share it.
        candidates: a policy's actions and weights, `candidates_of`.
    """

    memory: Any
    redacted: Any
    hiding: Any
    candidates: Any


def with_attributes(fields: Any) -> np.dtype[Any]:
    """Return a structured dtype whose elements have attribute access, for interpreted rules too."""
    return np.dtype((np.record, np.dtype(fields)))


def bytes_of_state(game: Game) -> np.dtype[Any]:
    """Return the dtype of a record that holds the bytes of a state."""
    return with_attributes([("bytes", np.uint8, (game.layout.dtype.itemsize,))])


def legal_actions(game: Game) -> np.dtype[Any]:
    """Return the dtype of a record that holds a list of legal actions: their number, and their ids."""
    return with_attributes([("count", np.int64), ("ids", np.int32, (len(game.actions),))])


def mask_bytes(game: Game, packed: bool) -> int:
    """Return the length of a legal mask in bytes: one for each action or, if `packed`, one for every eight."""
    return -(-len(game.actions) // 8) if packed else len(game.actions)


def flags(game: Game, packed: bool) -> np.dtype[Any]:
    """Return the dtype of a record that holds a legal mask, as bytes, since records cannot hold booleans."""
    return with_attributes([("legal", np.uint8, (mask_bytes(game, packed),))])


def plain_numbers(game: Game) -> np.dtype[Any]:
    """Return the dtype of a record that holds an observation as one array, not split into its parts."""
    return with_attributes([("values", np.float32, (game.observation.size,))])


def working_memory(game: Game) -> np.dtype[Any]:
    """Return the dtype of a thread's working memory, whose size is a multiple of 8 bytes."""
    size, seats = game.layout.dtype.itemsize, game.layout.max_seats
    fields = [
        ("redacted", np.uint8, (size,)),
        ("words", np.uint64, (64,)),
        ("payoffs", np.float64, (seats,)),
        ("rewards", np.float64, (seats,)),
        ("points", np.int32, (seats,)),
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


def hiding_of(game: Game) -> Any:
    """Return what redaction has to know about a game's states (`Layout.hiding`), as records[1]."""
    masks, parties, submitted = game.layout.hiding()
    fields = [
        ("masks", np.uint8, masks.shape),
        ("parties", np.int64, (max(1, len(parties)), 4)),  # zero-sized if there are none
        ("submitted", np.int64, submitted.shape),
    ]
    hiding = np.zeros(1, np.dtype(fields, align=True))
    hiding["masks"], hiding["submitted"] = masks, submitted
    if len(parties):
        hiding["parties"] = parties
    return hiding.view(np.recarray)


def candidates_of(game: Game, threads: int = 1) -> Any:
    """Allocate memory for the actions that a policy proposes and their weights, records[threads]."""
    actions = len(game.actions)
    fields = [("weights", np.float64, (actions,)), ("ids", np.int32, (actions,))]
    return np.zeros(threads, np.dtype(fields, align=True)).view(np.recarray)


def scratch_of(game: Game) -> Scratch:
    """Allocate one thread's working memory."""
    memory = np.zeros(1, working_memory(game))
    redacted = memory["redacted"].view(with_attributes(game.layout.dtype))[:, 0]
    return Scratch(memory.view(np.recarray), redacted, hiding_of(game), candidates_of(game))
