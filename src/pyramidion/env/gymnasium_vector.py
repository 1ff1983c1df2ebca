"""A Gymnasium vector environment over the batch environment: one seat of every game, against fast opponents.

    env = gymnasium.make_vec("Pyramidion/Pyramis-v1", num_envs=1024, opponents="policy")
    observations, infos = env.reset(seed=7)
    observations, rewards, terminations, truncations, infos = env.step(actions)     # of infos["action_mask"]

All games are stepped by compiled code; `vectorization_mode="sync"` uses `SeatEnv` instead, and so any bot.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from pyramidion.engine.actions import action_ids
from pyramidion.engine.game import Game
from pyramidion.env import batch
from pyramidion.env.batch_arrays import Batch
from pyramidion.env.rewards import Reward
from pyramidion.translation import quantity

Floats = npt.NDArray[np.float32]
Masks = npt.NDArray[np.bool_]
Ids = npt.NDArray[np.int64]
BatchPolicy = Callable[[Floats, Masks], Ids]
"""A function from observations float32[k, D] and legal masks bool[k, A] to the ids of actions, int[k]."""
Opponent = str | BatchPolicy
"""`random`, `policy` or a function."""
StepResult = tuple[Floats, npt.NDArray[np.float64], Masks, Masks, dict[str, Any]]


class SeatVectorEnv(VectorEnv[Floats, Ids, npt.NDArray[Any]]):
    """An environment of `num_envs` games, in each of which an agent plays one seat, and opponents play all others.

    Every step is a decision of that seat in every game.

    Infos hold `action_mask`, bool[num_envs, A], and `seat`, int64[num_envs]. When a game ends in the mode SAME_STEP,
    `final_obs` is the last position, float32[num_envs, D], in the rows where `_final_obs` is true; in the mode
    NEXT_STEP that position is the observation, and the next step ignores the action and starts the next game. An
    illegal action raises IllegalBatchAction, and no game has moved.

    Args:
        game: a game or its id.
        num_envs: the number of games.
        seat: the learning seat, or None to draw one for each game.
        opponents: one for all other seats, or a list with one for each of them, clockwise from the seat.
        autoreset_mode: SAME_STEP or NEXT_STEP, as in Gymnasium.
        seats, threads, cards, reward: as for `env.batch`; `options` are the game's.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        seat: int | None = 0,
        opponents: Opponent | Sequence[Opponent] = "random",
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        seats: int | None = None,
        threads: int = 1,
        cards: str | None = None,
        reward: Reward = "win",
        **options: Any,
    ) -> None:
        self.batch = batch(game, num_envs, seats, threads=threads, cards=cards, reward=reward, **options)
        self.game, self.num_envs, others = self.batch.game, num_envs, self.batch.seats - 1
        if seat is not None and not (hasattr(seat, "__index__") and 0 <= seat <= others):
            raise ValueError(f"There is no seat {seat!r}; the seats are 0 to {others}.")
        given: list[Opponent] = (
            [opponents] * others if isinstance(opponents, str) or callable(opponents) else list(opponents)
        )
        if len(given) != others:
            needed = quantity(others, "opponent")
            raise ValueError(f"A table with {quantity(others + 1, 'seat')} needs {needed}, not {len(given)}.")
        for opponent in given:
            if isinstance(opponent, str) and opponent not in ("random", "policy"):
                raise ValueError(
                    f"Opponents are 'random', 'policy' or functions, not {opponent!r}; for bots use mode 'sync'."
                )
        mode = AutoresetMode(autoreset_mode)
        if mode is AutoresetMode.DISABLED:
            raise ValueError("Games start automatically: the mode is SAME_STEP or NEXT_STEP.")
        self._opponents, self._given_seat = given, seat
        self.metadata = {"autoreset_mode": mode}
        self._next_step = mode is AutoresetMode.NEXT_STEP
        observed = self.game.observation
        self.single_observation_space = spaces.Box(observed.low, observed.high, dtype=np.float32)
        self.single_action_space = spaces.Discrete(len(self.game.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._seats = np.full(num_envs, seat or 0)
        self._ended = np.zeros(num_envs, np.bool_)  # games to be started by the next step
        self._begun = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Floats, dict[str, Any]]:
        """Start a game in every environment: by `seed` its first one, without one the next. Ignore `options`."""
        super().reset(seed=seed)
        if seed is None and not self._begun:
            seed = int(self.np_random.integers(2**31))
        self._begun = True
        self._ended[:] = False
        b = self.batch.reset(seed)
        self._draw_seats(np.ones(self.num_envs, np.bool_))
        self._let_others_play(b)
        return self._observations(), self._infos()

    def step(self, actions: Ids) -> StepResult:
        """Play an action of the seat in every game, and let the opponents play until the seat has to act again."""
        b, seats = self.batch.step(np.asarray(actions), where=~self._ended), self._seats.copy()
        rewards, over, last = self._let_others_play(b)
        observations, infos = self._observations(), self._infos()
        if self._next_step:
            observations[over] = last[over]
            infos["action_mask"][over] = True  # The next action is ignored.
            infos["seat"][over] = seats[over]
            self._ended = over
        elif over.any():
            infos |= {"final_obs": last, "_final_obs": over.copy()}
        return observations, rewards, over, np.zeros(self.num_envs, np.bool_), infos

    def close_extras(self, **kwargs: Any) -> None:
        """Stop the threads of the batch."""
        self.batch.close()

    def _let_others_play(self, b: Batch) -> tuple[npt.NDArray[np.float64], Masks, Floats]:
        """Let the opponents play until the seat is asked in every game; `b` is the result of the last step.

        Returns rewards, which games have ended since the seat's action, and the last positions of those.
        """
        rewards, over = np.zeros(self.num_envs), np.zeros(self.num_envs, np.bool_)
        last = np.zeros((self.num_envs, self.game.observation.size), np.float32)
        while True:
            # A second end is that of a game in which the seat has had no decision; it is skipped.
            ended = b.terminated & ~over
            if b.terminated.any():
                rewards[ended] = b.rewards[ended, self._seats[ended]]
                last[ended] = b.final_observation[ended]
                over |= ended
                self._draw_seats(b.terminated)
            waiting = b.to_play != self._seats
            if not waiting.any():
                return rewards, over, last
            b = self.batch.step(self._opponents_actions(b, waiting), where=waiting)

    def _opponents_actions(self, b: Batch, waiting: Masks) -> Ids:
        """Return the actions of the opponents who are asked, int64[num_envs]; -1 outside `waiting`, bool[num_envs]."""
        actions = np.full(self.num_envs, -1)
        asked = (b.to_play - self._seats) % self.batch.seats - 1
        for opponent in dict.fromkeys(self._opponents):
            places = [n for n, other in enumerate(self._opponents) if other == opponent]
            rows = waiting & np.isin(asked, places)
            if not rows.any():
                continue
            if isinstance(opponent, str):
                drawn = self.batch.policy_actions(rows) if opponent == "policy" else self.batch.random_actions(rows)
                actions[rows] = drawn[rows]
            else:
                actions[rows] = action_ids(opponent(b.observation[rows], b.legal_mask[rows]))
        return actions

    def _draw_seats(self, rows: Masks) -> None:
        """Draw the learning seat anew in the games `rows`, bool[num_envs], unless it is given."""
        if self._given_seat is None:
            self._seats[rows] = self.np_random.integers(self.batch.seats, size=int(rows.sum()))
        self.batch.watch(self._seats)

    def _observations(self) -> Floats:
        """Return a copy of what the agents observe in all games."""
        return self.batch.arrays.observation.copy()

    def _infos(self) -> dict[str, Any]:
        """Return the infos of the current positions: the masks of legal actions and the learning seats."""
        return {"action_mask": self.batch.arrays.legal_mask.copy(), "seat": self._seats.copy()}
