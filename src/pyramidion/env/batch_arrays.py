"""`Batch`: the arrays of batched environments, and the memory that they are views of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pyramidion.engine.game import Game
from pyramidion.engine.layout import as_bytes
from pyramidion.env import batch_memory

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float32]
Masks = bool | Literal["packed"]
"""The form of legal masks: whether to write them, or with a bit for each action."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The arrays of `n` environments, after a reset or a step.

    In turn order (the default) they describe the one seat that is asked in each environment. With simultaneous
    decisions they describe all S seats. D and A are the lengths of observations and masks, which depend on the game.
    Only seats that are due are asked, not those that may act besides, for example trade in Upside Down.

    Attributes:
        to_play: int32[n], the seat whose action the next step takes; -1 if the game is over. With simultaneous
            decisions bool[n, S], the seats whose actions it takes; none if the game is over.
        rewards: float32[n, S], each seat's reward if the step ended the game, otherwise 0.
        terminated: bool[n], whether the step ended the game (without autoreset: whether it is over).
        points: int32[n, S], each seat's points if the step ended the game, otherwise 0; -1 for a seat that is not
            scored.
        length: int32[n], the decisions in the game: so far or, if the step ended the game, in all.
    """

    to_play: Array
    rewards: Floats
    terminated: npt.NDArray[np.bool_]
    points: npt.NDArray[np.int32]
    length: npt.NDArray[np.int32]
    _observation: Floats | None
    _legal_mask: Array | None
    _final_observation: Floats | None

    @property
    def observation(self) -> Floats:
        """What the seats that are asked see, float32[n, D] or float32[n, S, D].

        Raises AttributeError if the batch does not observe.
        """
        return _written(self._observation, "observations", "observe=True")

    @property
    def legal_mask(self) -> Array:
        """The legal actions of the seats that are asked, bool[n, A] or bool[n, S, A]; all if the game is over.

        Packed masks are uint8, with a bit for each action: see `env.unpack`. Raises AttributeError if the batch writes
        no masks.
        """
        return _written(self._legal_mask, "masks", "masks=True")

    @property
    def final_observation(self) -> Floats:
        """Where `terminated`, the last position, since `observation` already belongs to the next game.

        float32[n, D], as the seat that acted last sees it, or float32[n, S, D], as each seat sees it. Other rows are
        stale. Raises AttributeError if the batch does not observe.
        """
        return _written(self._final_observation, "observations", "observe=True")

    def copy(self) -> Batch:
        """Return a batch with copies of the arrays, which later steps do not change."""
        arrays: dict[str, Any] = {name: getattr(self, name) for name in self.__dataclass_fields__}
        copies: dict[str, Any] = {name: array if array is None else array.copy() for name, array in arrays.items()}
        return Batch(**copies)


def _written(array: Any, what: str, argument: str) -> Any:
    """Return an array of a batch. Raises AttributeError with a sentence if the batch does not write it."""
    if array is None:
        raise AttributeError(f"This batch writes no {what}; make it with {argument}.")
    return array


def allocate(
    game: Game,
    n: int,
    seats: int,
    options: Mapping[str, Any],
    cards: str | None,
    simultaneous: bool,
    observe: bool,
    masks: Masks,
) -> tuple[batch_memory.Pool, Batch]:
    """Allocate the memory of a batch; return it, and the `Batch` of those of its arrays that callers see."""
    places = seats if simultaneous else 1
    boxes = [game.make_box(options, cards)]
    boxes += [game.make_box(game.options_for(options, seat), cards) for seat in range(seats)]
    states = game.layout.new(n)

    def vectors() -> Array:
        """Return zeroed observations; without observations only one, which is not used."""
        return np.zeros((n if observe else 1, places if observe else 1, game.observation.size), np.float32)

    def records(array: Array, dtype: np.dtype[Any]) -> Array:
        """Return an array whose last dimension is reinterpreted as one record."""
        whole: Array = array.view(np.ndarray)
        rows: Array = whole.view(dtype)
        return rows[..., 0]

    def without_places(array: Array) -> Array:
        return array if simultaneous else array[:, 0]

    seen, last_seen = vectors(), vectors()
    packed = masks == "packed"
    form = batch_memory.BITS if packed else batch_memory.BYTES if masks else batch_memory.UNMASKED
    flags = np.zeros(
        (n if masks else 1, places if masks else 1, batch_memory.mask_bytes(game, packed)),
        np.uint8 if packed else np.bool_,
    )
    turns = np.zeros(n, batch_memory.TURNS)
    turns["watcher"] = batch_memory.NOBODY
    pool = batch_memory.Pool(
        base=np.zeros(1, np.uint64),
        boxes=np.concatenate([box.view(np.ndarray) for box in boxes]).view(batch_memory.with_attributes(game.box)),
        states=states,
        raw=records(as_bytes(states).reshape(n, -1), batch_memory.bytes_of_state(game)),
        turns=turns,
        seeds=np.zeros(n, np.int64),
        legal=np.zeros((n, places), batch_memory.legal_actions(game)),
        masks=records(flags, batch_memory.flags(game, packed)),
        vectors=records(seen, game.observation.dtype),
        numbers=records(seen, batch_memory.plain_numbers(game)),
        final_vectors=records(last_seen, game.observation.dtype),
        final_numbers=records(last_seen, batch_memory.plain_numbers(game)),
        to_play=np.zeros(n, np.int32),
        acting=np.zeros((n, seats), np.bool_),
        rewards=np.zeros((n, seats), np.float32),
        terminated=np.zeros(n, np.bool_),
        points=np.zeros((n, seats), np.int32),
        length=np.zeros(n, np.int32),
        wanted=np.array([int(observe), form]),
    )
    return pool, Batch(
        to_play=pool.acting if simultaneous else pool.to_play,
        rewards=pool.rewards,
        terminated=pool.terminated,
        points=pool.points,
        length=pool.length,
        _observation=without_places(seen) if observe else None,
        _legal_mask=without_places(flags) if masks else None,
        _final_observation=without_places(last_seen) if observe else None,
    )
