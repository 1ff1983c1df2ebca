"""Batched environments on a GPU: the loops of `batch_loops`, with a thread for each environment.

The states are an array of records in the device's memory: a step reads and writes a state once, which takes the same
bytes in any layout, and records are what `Match` and `state_bytes` take. What a thread uses again and again, the
redacted state of its observation, is in local memory, which the hardware interleaves.
"""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import cuda as numba_cuda

from pyramidion.engine.cuda.arrays import DeviceArray
from pyramidion.engine.cuda.kernels import Kernel, on_device, on_host, simulated
from pyramidion.engine.cuda.random_play import records, words_of
from pyramidion.engine.game import Game
from pyramidion.env import batch_loops as loops
from pyramidion.env import batch_memory
from pyramidion.env.batch_arrays import Batch, Masks
from pyramidion.env.batch_env import BatchEnv
from pyramidion.env.rewards import Reward, loops_of, reward_rule

cuda: Any = numba_cuda

POLICY_THREADS = 16_384
"""The most threads that draw from a policy at once; each has lists as long as the action space."""
SAME_MEMORY = {
    "raw": "states",
    "vectors": "numbers",
    "final_vectors": "final_numbers",
}
"""Arrays of the pool that view the memory of others."""


class Task(NamedTuple):
    """The arrays that the kernels of a batch take in addition to its pool.

    Attributes:
        hiding: as in `batch_memory.Scratch`.
        candidates: memory for the candidates of policies, records[threads].
        actions: int64[n, P], `where`: bool[n].
        wrong: the first place with an illegal action, int64[1].
        seats: int64[n], `words`: uint64[n, 4]: the arguments of `deal_again`.
    """

    hiding: Any
    candidates: Any
    actions: Any
    where: Any
    wrong: Any
    seats: Any
    words: Any


class Source(NamedTuple):
    """An array to copy from, and its destination, both of shape (n, P)."""

    given: Any
    taken: Any


class CudaBatchEnv(BatchEnv):
    """`n` environments whose games are played on an NVIDIA GPU; see `pyramidion.env.batch`.

    The arrays of `Batch`, and the actions that are drawn, are `DeviceArray`s. The same seeds give the same games,
    actions and arrays as on the CPU.
    """

    def __init__(
        self,
        game: Game,
        n: int,
        seats: int,
        seed: int | str,
        threads: int,
        autoreset: bool,
        simultaneous: bool,
        observe: bool,
        masks: Masks,
        copy: bool,
        cards: str | None,
        options: dict[str, Any],
        reward: Reward = "win",
    ) -> None:
        super().__init__(game, n, seats, seed, 1, autoreset, simultaneous, observe, masks, copy, cards, options, reward)
        host, places = self._pool, self.seats if simultaneous else 1
        copied = on_device(host)
        self._pool = copied._replace(
            **{name: getattr(copied, source).view(getattr(host, name).dtype) for name, source in SAME_MEMORY.items()}
        )
        self._kernels = _kernels(game, self._reward)
        self._drawn = on_device(Source(np.zeros((n, places), np.int64), np.zeros((n, places), np.int64)))
        self._task: Task = on_device(_new_task(game, n, places))
        self._where_everywhere = self._task.where
        self._chosen_where = on_device(Source(np.ones(n, np.bool_), np.ones(n, np.bool_))).taken
        self._batch = self._device_batch(observe, masks)

    def step(self, actions: Any, where: Any = None) -> Batch:
        """Play an action in every environment, as on the CPU.

        `actions` and `where` are arrays of the device (of torch, CuPy or JAX, or drawn by this batch) or of the host.
        """
        self._check_reset()
        shape = (self.n, self.seats) if self.simultaneous else (self.n,)
        given = _taken(actions)
        if np.dtype(given.dtype).kind not in "iu" or tuple(given.shape) != shape:
            raise ValueError(f"Actions are whole numbers of shape {shape}, not {given.dtype} of shape {given.shape}.")
        self._kernels.take(self.n, Source(given.reshape(self.n, -1), self._task.actions))
        self._choose(where)
        places = self._task.actions.shape[1]
        self._put(self._task.wrong, np.array([self.n * places]))
        self._kernels.check(self.n, self._pool, self._task)
        wrong = int(on_host(self._task.wrong)[0])
        if wrong < self.n * places:
            raise self._refused(wrong, on_host(self._task.actions))
        return self._advance_by(loops.PLAY)

    def policy_actions(self, where: Any = None) -> Any:
        """Return actions drawn from the game's policy, a `DeviceArray`; the next call draws into the same array."""
        self._check_reset()
        if self._task.candidates.shape[0] == 1:
            rows = Source(batch_memory.candidates_of(self.game, min(self.n, POLICY_THREADS)), np.zeros(1))
            self._task = self._task._replace(candidates=on_device(rows).given)
        self._choose(where)
        threads = self._task.candidates.shape[0]
        self._kernels.draw_policy(threads, self._pool, self._task._replace(actions=self._drawn.taken))
        return self._drawn_actions()

    def random_actions(self, where: Any = None) -> Any:
        """Return uniformly random legal actions, like `policy_actions`."""
        self._check_reset()
        self._choose(where)
        self._kernels.draw_actions(self.n, self._pool, self._task._replace(actions=self._drawn.taken))
        return self._drawn_actions()

    def _drawn_actions(self) -> DeviceArray:
        """Return the actions that were drawn last, shaped as `step` takes them."""
        drawn = self._drawn.taken
        array = DeviceArray(drawn if self.simultaneous else drawn.reshape(self.n))
        return array.copy() if self._copies else array

    def unpack(self, masks: Any) -> npt.NDArray[np.bool_]:
        """Return packed masks as bool[..., number of actions], in the host's memory."""
        return super().unpack(np.asarray(masks))

    def _device_batch(self, observe: bool, masks: Masks) -> Batch:
        """Return the `Batch` of those arrays of the pool that callers see, all on the device."""

        def shaped(array: Any, dtype: Any) -> Any:
            """Return an array of records as a `DeviceArray` of `dtype` with one row per game, or per game and seat."""
            plain = array.view(dtype)
            whole = plain.size // self.n
            shape = (self.n, self.seats, whole // self.seats) if self.simultaneous else (self.n, whole)
            return DeviceArray(plain.reshape(shape))

        # `Batch` names NumPy's arrays, which these stand for.
        whole: Any = DeviceArray
        pool, flag = self._pool, np.uint8 if masks == "packed" else np.bool_
        return Batch(
            to_play=whole(pool.acting if self.simultaneous else pool.to_play),
            rewards=whole(pool.rewards),
            terminated=whole(pool.terminated),
            points=whole(pool.points),
            length=whole(pool.length),
            _observation=shaped(pool.numbers, np.float32) if observe else None,
            _legal_mask=shaped(pool.masks, flag) if masks else None,
            _final_observation=shaped(pool.final_numbers, np.float32) if observe else None,
        )

    def _choose(self, where: Any) -> None:
        """Choose the environments on which the next kernels work (`where`, bool[n]); None stands for all."""
        if where is None:
            self._task = self._task._replace(where=self._where_everywhere)
            return
        given = _taken(where)
        if np.dtype(given.dtype) != np.bool_ or tuple(given.shape) != (self.n,):
            raise ValueError(f"The environments to move are booleans of shape ({self.n},).")
        self._kernels.take(self.n, Source(given.reshape(self.n, 1), self._chosen_where.reshape(self.n, 1)))
        self._task = self._task._replace(where=self._chosen_where)

    def _advance_all(self, mode: int, actions: Any, where: Any = None) -> Batch:
        """Start games in all environments (START), or write their arrays again (SHOW); the actions have no effect."""
        self._choose(None)
        return self._advance_by(mode)

    def _advance_by(self, mode: int) -> Batch:
        """Run the kernel `advance` in a mode of `batch_loops`, and return the arrays."""
        self._kernels.advance(self.n, self._pool, self._task, mode, int(self.autoreset))
        return self._batch.copy() if self._copies else self._batch

    def _begin_next(self) -> None:
        """Start the next game where one is over."""
        self._kernels.begin_next(self.n, self._pool, self._task)

    def _run(self, loop: str, *given: Any) -> list[Any]:
        """Run the loop `deal_again`; the other methods of `BatchEnv` that call this one are replaced on a GPU."""
        assert loop == "deal_again"
        self._put(self._task.seats, given[0])
        self._put(self._task.words, given[1])
        self._kernels.deal_again(self.n, self._pool, self._task)
        return []

    def _host(self, name: str) -> Any:
        """Return one of the pool's arrays, copied to the CPU's memory."""
        return on_host(getattr(self._pool, name))

    def _store(self, name: str, array: Any) -> None:
        """Copy an array into the pool's array of this name."""
        self._put(getattr(self._pool, name), array)

    def _put(self, target: Any, array: Any) -> None:
        """Copy an array of the host to an array of the device."""
        if isinstance(target, np.ndarray):
            target[...] = array
        else:
            target.copy_to_device(np.ascontiguousarray(array))


def _new_task(game: Game, n: int, places: int) -> Task:
    """Allocate the arrays of a `Task` for `n` environments, in the host's memory."""
    return Task(
        batch_memory.hiding_of(game),
        batch_memory.candidates_of(game),
        np.zeros((n, places), np.int64),
        np.ones(n, np.bool_),
        np.zeros(1, np.int64),
        np.zeros(n, np.int64),
        np.zeros((n, 4), np.uint64),
    )


def kernels_of(game: Game, n: int = 1) -> dict[str, tuple[Kernel, tuple[Any, ...]]]:
    """Return the kernels of a game by name, each with arguments, in the host's memory, to compile it for."""
    usual = BatchEnv(game, n, game.usual_seats, 0, 1, True, False, True, True, False, None, {})
    task = _new_task(game, n, 1)
    both = (usual.pool, task)
    arguments = {"take": (Source(task.actions, task.actions),), "advance": (*both, loops.PLAY, 1)}
    return {
        name: (kernel, arguments.get(name, both)) for name, kernel in vars(_kernels(game, reward_rule("win"))).items()
    }


def _taken(array: Any) -> Any:
    """Return an array on the device: copied from the host, or shared with another library."""
    if isinstance(array, DeviceArray):
        return array.array
    if hasattr(array, "__cuda_array_interface__") and not simulated():
        return cuda.as_cuda_array(array)
    return on_device(Source(np.ascontiguousarray(array), np.zeros(1))).given


@cache
def _kernels(game: Game, reward: Any) -> SimpleNamespace:
    """Return the kernels of a game with the rule of a reward, named after the loops that they run.

    Each takes a pool and a task, except `take`, which copies the arrays of a `Source`.
    """
    check, advance, _, draw_actions, draw_policy, deal_again, begin_next = loops_of(game, reward)
    memory_type, state_type = batch_memory.working_memory(game), records(game.layout.dtype)
    words, size = words_of(memory_type.itemsize), int(state_type.itemsize)

    def take(source: Any) -> None:
        i = cuda.grid(1)
        if i < source.given.shape[0]:
            for place in range(source.given.shape[1]):
                source.taken[i, place] = source.given[i, place]

    def check_kernel(pool: Any, task: Any) -> None:
        i = cuda.grid(1)
        if i < pool.states.shape[0]:
            place = check(pool, 0, task.actions, task.where, i, i + 1)
            if place >= 0:
                cuda.atomic.min(task.wrong, 0, place)

    def advance_kernel(pool: Any, task: Any, mode: Any, autoreset: Any) -> None:
        i = cuda.grid(1)
        memory = cuda.local.array(words, np.uint64)
        if i < pool.states.shape[0]:
            redacted = memory.view(np.uint8)[:size].view(state_type)
            scratch = batch_memory.Scratch(memory.view(memory_type), redacted, task.hiding, task.candidates)
            advance(pool, scratch, task.actions, task.where, mode, autoreset, i, i + 1)

    def begin_next_kernel(pool: Any, task: Any) -> None:
        i = cuda.grid(1)
        if i < pool.states.shape[0]:
            begin_next(pool, 0, i, i + 1)

    def draw_actions_kernel(pool: Any, task: Any) -> None:
        i = cuda.grid(1)
        if i < pool.states.shape[0]:
            draw_actions(pool, 0, task.actions, task.where, i, i + 1)

    def draw_policy_kernel(pool: Any, task: Any) -> None:
        thread = cuda.grid(1)
        memory = cuda.local.array(words, np.uint64)
        threads = task.candidates.shape[0]
        if thread < threads:
            redacted = memory.view(np.uint8)[:size].view(state_type)
            candidates = task.candidates[thread : thread + 1]
            scratch = batch_memory.Scratch(memory.view(memory_type), redacted, task.hiding, candidates)
            for i in range(thread, pool.states.shape[0], threads):
                draw_policy(pool, scratch, task.actions, task.where, i, i + 1)

    def deal_again_kernel(pool: Any, task: Any) -> None:
        i = cuda.grid(1)
        memory = cuda.local.array(words, np.uint64)
        if i < pool.states.shape[0]:
            redacted = memory.view(np.uint8)[:size].view(state_type)
            scratch = batch_memory.Scratch(memory.view(memory_type), redacted, task.hiding, task.candidates)
            deal_again(pool, scratch, task.seats, task.words, i, i + 1)

    return SimpleNamespace(
        take=Kernel(take),
        check=Kernel(check_kernel),
        advance=Kernel(advance_kernel),
        begin_next=Kernel(begin_next_kernel),
        draw_actions=Kernel(draw_actions_kernel),
        draw_policy=Kernel(draw_policy_kernel),
        deal_again=Kernel(deal_again_kernel),
    )
