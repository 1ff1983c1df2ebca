"""Batched environments: many games at once, stepped by compiled code, for reinforcement learning and search."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion.engine.errors import IllegalAction
from pyramidion.engine.game import Game
from pyramidion.engine.layout import as_bytes
from pyramidion.engine.match import Match
from pyramidion.engine.random import accept_seed, seed_words
from pyramidion.env import batch_loops as loops
from pyramidion.env import batch_memory
from pyramidion.env.batch_arrays import Array, Batch, Masks, allocate
from pyramidion.env.rewards import Reward, loops_of, reward_rule


class IllegalBatchAction(IllegalAction):
    """An action that was given to a batch is illegal; no environment has moved.

    Attributes:
        index, seat: the environment and the seat.
        rule, reason: as in IllegalAction.
    """

    def __init__(self, index: int, seat: int, rule: str, reason: str) -> None:
        super().__init__(rule, f"Environment {index}, seat {seat}: {reason}")
        self.index, self.seat = index, seat
        self.args = (index, seat, rule, reason)


class BatchEnv:
    """`n` environments that play one game after another; see `pyramidion.env.batch`.

    Attributes:
        game, n, seats, options, cards: as given; `options` includes the defaults.
        simultaneous, autoreset: as given.
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
        if not (hasattr(n, "__index__") and hasattr(threads, "__index__")):
            raise ValueError(f"The number of environments and of threads are whole numbers, not {n!r} and {threads!r}.")
        if n < 1 or threads < 1:
            raise ValueError("A batch has at least one environment and one thread.")
        self.game, self.n, self.seats = game, n, game.accept_seats(seats)
        self.options, self.cards = game.accept_options(options), cards
        self.simultaneous, self.autoreset, self._copies = simultaneous, autoreset, copy
        if masks not in (True, False, "packed"):
            raise ValueError(f"Masks are True, False or 'packed', not {masks!r}.")
        self._masks: Masks = masks
        self._observes = observe
        self._pool, self._batch = allocate(game, n, self.seats, self.options, cards, simultaneous, observe, masks)
        self._everywhere = np.ones(n, np.bool_)
        self._scratch = [batch_memory.scratch_of(game) for _ in range(min(threads, n))]
        edges = np.linspace(0, n, len(self._scratch) + 1).astype(int).tolist()
        self._shares = list(pairwise(edges))
        self._workers = ThreadPoolExecutor(len(self._shares), "batch") if len(self._shares) > 1 else None
        self._reward = reward_rule(reward)
        self._loops = loops_of(game, self._reward)
        self._begun = False
        self._seed_environments(seed)

    @property
    def seeds(self) -> npt.NDArray[np.int64]:
        """The seed of each environment's current game, for `Game.new`: int64[n]."""
        return self._host("seeds")

    def reset(self, seed: int | str | None = None) -> Batch:
        """Start a game in every environment: the next one or, with `seed`, the first one of that seed."""
        if seed is not None:
            self._seed_environments(seed)
        elif self._begun:
            self._begin_next()
        self._begun = True
        return self._advance_all(loops.START, self._no_actions())

    def step(self, actions: npt.ArrayLike, where: npt.ArrayLike | None = None) -> Batch:
        """Play an action in every environment and return the resulting arrays.

        `actions` are integers of shape (n,) or, with simultaneous decisions, (n, S); entries of seats that are not
        asked are ignored. With `where`, bool[n], only those environments move. Raises IllegalBatchAction for the first
        illegal action, and ValueError for a wrong shape or dtype; no environment has moved then.
        """
        given, chosen = self._actions(actions), self._chosen(where)
        # All actions are checked before any environment moves; on one thread, in the same call.
        if self._workers is None:
            checks = [self._loops.step(self._pool, self._scratch[0], given, chosen, int(self.autoreset))]
        else:
            checks = self._run("check", given, chosen)
        wrong = [place for place in checks if place >= 0]
        if wrong:
            raise self._refused(wrong[0], given)
        if self._workers is None:
            return self._batch.copy() if self._copies else self._batch
        return self._advance_all(loops.PLAY, given, chosen)

    def policy_actions(self, where: npt.ArrayLike | None = None) -> npt.NDArray[np.int64]:
        """Return actions drawn from the game's policy, shaped as `step` takes them.

        They are -1 for seats that are not asked, and in environments outside `where`, bool[n].
        """
        self._check_reset()
        actions, chosen = self._no_actions(), self._chosen(where)
        self._run("draw_policy", actions, chosen)
        return self._without_places(actions)

    def random_actions(self, where: npt.ArrayLike | None = None) -> npt.NDArray[np.int64]:
        """Return uniformly random legal actions, like `policy_actions`."""
        self._check_reset()
        actions, chosen = self._no_actions(), self._chosen(where)
        self._run("draw_actions", actions, chosen)
        return self._without_places(actions)

    def watch(self, seat: int | npt.ArrayLike | None) -> None:
        """Choose the seat (of each environment, or one) whose view of the last position `final_observation` has.

        None stands for the seat that acted last, as in a new batch. Has no effect on simultaneous decisions, where
        every seat's final observation is written.
        """
        seats = _whole_seats(batch_memory.NOBODY if seat is None else seat)
        if seat is not None and ((seats < 0) | (seats >= self.seats)).any():
            raise ValueError(f"The seats of this batch are 0 to {self.seats - 1}.")
        turns = self._host("turns")
        turns["watcher"] = seats
        self._store("turns", turns)

    def redeal(self, seat: int | npt.ArrayLike, seed: int | str = 0) -> Batch:
        """Replace the state of every unfinished game by a random determinization for a seat.

        `seat` is one seat, or one for each environment, such as `batch.to_play`. Since the seat does not know who has
        already decided, it is asked first from now on in a simultaneous step. Entries for finished games are ignored.
        """
        self._check_reset()
        seats = np.ascontiguousarray(np.broadcast_to(_whole_seats(seat), self.n))
        live = self._host("states")["over"] == 0
        if ((seats[live] < 0) | (seats[live] >= self.seats)).any():
            raise ValueError(f"The seats of this batch are 0 to {self.seats - 1}.")
        # Seeds for the generators, four words each; a redeal need not be reproducible by a match.
        words = np.random.default_rng(seed_words(seed)).integers(0, 2**64, (self.n, 4), np.uint64)
        words[:, 2:] = 0
        self._run("deal_again", seats, words)
        return self._advance_all(loops.SHOW, self._no_actions())

    def clone(self) -> BatchEnv:
        """Return an independent batch in the same positions, which will continue with the same games."""
        given = (self.simultaneous, self._observes, self._masks, self._copies, self.cards, self.options, self._reward)
        other = type(self)(self.game, self.n, self.seats, 0, len(self._shares), self.autoreset, *given)
        for name, array in self._pool._asdict().items():
            if name != "boxes":
                other._store(name, array)
        other._begun = self._begun
        return other

    def state_bytes(self) -> npt.NDArray[np.uint8]:
        """Return copies of the full states, secrets included, uint8[n, bytes of a state]."""
        self._check_reset()
        return as_bytes(self._host("states")).reshape(self.n, -1).copy()

    def match(self, index: int) -> Match:
        """Return a match that begins at an environment's position, to inspect it or play on; it has no record.

        Raises IndexError for an environment that does not exist.
        """
        self._check_reset()
        if not (hasattr(index, "__index__") and 0 <= index < self.n):
            raise IndexError(f"There is no environment {index}; there are 0 to {self.n - 1}.")
        return Match.from_state(
            self.game,
            self._host("states")[index : index + 1],
            options=self.options,
            cards=self.cards,
            seed=int(self.seeds[index]),
        )

    def unpack(self, masks: Array) -> npt.NDArray[np.bool_]:
        """Return packed masks, uint8[..., ceil(A / 8)], as bool[..., A]."""
        return np.unpackbits(masks, axis=-1, count=len(self.game.actions), bitorder="little").view(np.bool_)

    def close(self) -> None:
        """Stop the threads; only needed if you create many batches."""
        if self._workers:
            self._workers.shutdown()

    def _host(self, name: str) -> Any:
        """Return the array of the pool with this name, as a NumPy array."""
        return getattr(self._pool, name)

    def _store(self, name: str, array: Any) -> None:
        """Overwrite the array of the pool with this name."""
        getattr(self._pool, name)[...] = array

    def _run(self, loop: str, *given: Any) -> list[Any]:
        """Run the compiled loop of this name over all environments, on all threads; return each thread's result."""
        work = getattr(self._loops, loop)
        return self._all(lambda scratch, begin, end: work(self._pool, scratch, *given, begin, end))

    def _all(self, work: Callable[[Any, int, int], Any]) -> list[Any]:
        """Run `work(scratch, begin, end)` over all environments, on all threads; return each thread's result."""
        if self._workers is None:
            return [work(self._scratch[0], 0, self.n)]
        jobs = [
            self._workers.submit(work, scratch, *share)
            for scratch, share in zip(self._scratch[1:], self._shares[1:], strict=True)
        ]
        return [work(self._scratch[0], *self._shares[0]), *(job.result() for job in jobs)]

    def _advance_all(
        self, mode: int, actions: npt.NDArray[np.int64], where: npt.NDArray[np.bool_] | None = None
    ) -> Batch:
        """Run the loop `advance` over all environments, in a mode of `batch_loops`, and return their arrays."""
        chosen, reset = self._everywhere if where is None else where, int(self.autoreset)
        self._run("advance", actions, chosen, mode, reset)
        return self._batch.copy() if self._copies else self._batch

    def _begin_next(self) -> None:
        """Number each environment's next game, if its game has not ended; a game that ended has done so itself."""
        self._pool.turns["number"] += self.n * (self._pool.states["over"] == 0)

    @property
    def pool(self) -> batch_memory.Pool:
        """The memory of all environments."""
        return self._pool

    @property
    def arrays(self) -> Batch:
        """The batch's own arrays, not copies, as of the last call."""
        return self._batch

    def _seed_environments(self, seed: int | str) -> None:
        """Seed all environments from one seed, and begin to count their games."""
        words = seed_words(f"batch {accept_seed(seed)}")
        self._store("base", words[:1])
        turns = self._host("turns")
        turns["number"] = np.arange(self.n)
        turns["chance"][:, 0] = np.random.default_rng(words).integers(0, 2**64, self.n, np.uint64)
        self._store("turns", turns)

    def _check_reset(self) -> None:
        """Raise ValueError before the first reset."""
        if not self._begun:
            raise ValueError("Call reset() before anything else.")

    def _actions(self, actions: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """Return the given actions as int64[n, places] (see `batch_loops`). Raises ValueError if that is impossible."""
        self._check_reset()
        given, shape = np.asarray(actions), (self.n, self.seats) if self.simultaneous else (self.n,)
        if given.dtype.kind not in "iu" or given.shape != shape:
            raise ValueError(f"Actions are whole numbers of shape {shape}, not {given.dtype} of shape {given.shape}.")
        return np.ascontiguousarray(given, np.int64).reshape(self.n, -1)

    def _chosen(self, where: npt.ArrayLike | None) -> npt.NDArray[np.bool_]:
        """Return which environments move, bool[n]; all by default. Raises ValueError for another dtype or shape."""
        if where is None:
            return self._everywhere
        chosen = np.asarray(where)
        if chosen.dtype != np.bool_ or chosen.shape != (self.n,):
            raise ValueError(f"The environments to move are booleans of shape ({self.n},).")
        return np.ascontiguousarray(chosen)

    def _no_actions(self) -> npt.NDArray[np.int64]:
        """Return an array for actions, int64[n, places], without contents."""
        return np.empty((self.n, self.seats if self.simultaneous else 1), np.int64)

    def _without_places(self, actions: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return actions, int64[n, places], shaped as `step` takes them."""
        return actions if self.simultaneous else actions[:, 0]

    def _refused(self, place: int, actions: npt.NDArray[np.int64]) -> IllegalBatchAction:
        """Return the error that says why an action is illegal; `place` is its index in the flattened actions."""
        index, column = divmod(place, actions.shape[1])
        seat = column if self.simultaneous else int(self._host("to_play")[index])
        refusal = self.match(index).refusal(seat, int(actions[index, column]))
        assert refusal is not None
        return IllegalBatchAction(index, seat, refusal.rule, refusal.reason)


def _whole_seats(seats: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Return numbers of seats as int64. Raises ValueError for other types than whole numbers."""
    given = np.asarray(seats)
    if given.dtype.kind not in "iu":
        raise ValueError(f"Seats are whole numbers, not {given.dtype}.")
    return given.astype(np.int64)
