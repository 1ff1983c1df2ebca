"""Gymnasium environments: one seat of a game, against bots or functions. `pip install 'pyramidion-games[env]'`.

    import gymnasium
    import pyramidion.env.gymnasium                 # registers every installed game

    env = gymnasium.make("Pyramidion/Pyramis-v1", opponents="policy")
    observation, info = env.reset(seed=7)
    mask = env.unwrapped.action_masks()             # for MaskablePPO; also in info["action_mask"]

The observation is `match.observation`; the reward is the payoff at the end, or what `reward` chooses. `reset(seed=7)`
starts the match with seed 7 and seeds the bots. Without a seed, each reset draws another one from a generator, which
the last given seed determines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

import pyramidion
from pyramidion import bots
from pyramidion.bots.player import Player
from pyramidion.engine.actions import action_id
from pyramidion.engine.errors import IllegalAction
from pyramidion.engine.game import Game
from pyramidion.engine.match import Match
from pyramidion.engine.payoffs import payoffs_of
from pyramidion.env.rendering import MODES, render
from pyramidion.env.rewards import Reward, reward_rule, rewards_of
from pyramidion.env.seeding import Seeds, registered_ids
from pyramidion.extras import missing
from pyramidion.translation import quantity

try:
    import gymnasium
    from gymnasium import spaces
except ModuleNotFoundError as error:
    raise missing(error, "env") from error

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]
Policy = Callable[[Floats, Mask], int]
"""A function from an observation and the mask of legal actions to the id of an action."""
Opponent = str | bots.Bot | Policy
"""The name of a bot, a bot or a function."""


class SeatEnv(gymnasium.Env[Floats, np.int64]):
    """An environment in which an agent plays one seat of a game, and opponents play all others.

    Every step is a decision of that seat.

    Args:
        game: a game or its id.
        seat: the learning seat, or None to draw one for each match.
        opponents: one for all other seats, or a list with one for each of them, clockwise from the seat.
        seats: as for `Game.new`.
        cards: as for `Game.new`.
        options: the game's options.
        illegal: `forfeit` ends the match with the worst payoff (0 as another reward) and the reason in info["illegal"];
            `raise` raises IllegalAction and leaves the match unchanged.
        reward: as for `env.batch`: `win`, `points`, `rank` or a rule.
        render_mode: one of `rendering.MODES`; the seat's own view is rendered.
    """

    metadata = {"render_modes": MODES, "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: str | Game,
        seat: int | None = 0,
        opponents: Opponent | Sequence[Opponent] = "random",
        *,
        seats: int | None = None,
        cards: str | None = None,
        illegal: Literal["forfeit", "raise"] = "forfeit",
        reward: Reward = "win",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.game = pyramidion.load(game) if isinstance(game, str) else game
        self.seats = self.game.accept_seats(self.game.usual_seats if seats is None else seats)
        if seat is not None and not (hasattr(seat, "__index__") and 0 <= seat < self.seats):
            raise ValueError(f"There is no seat {seat!r}; the seats are 0 to {self.seats - 1}.")
        self._given_seat, self._cards, self._options = seat, cards, self.game.accept_options(options)
        self._opponents: list[Opponent]
        if isinstance(opponents, (str, bots.Bot)) or callable(opponents):
            self._opponents = [opponents] * (self.seats - 1)
        else:
            self._opponents = list(opponents)
        if len(self._opponents) != self.seats - 1:
            needed = quantity(self.seats - 1, "opponent")
            raise ValueError(f"A table with {quantity(self.seats, 'seat')} needs {needed}, not {len(self._opponents)}.")
        if illegal not in ("forfeit", "raise"):
            raise ValueError(f"`illegal` is 'forfeit' or 'raise', not {illegal!r}.")
        self._illegal, self._reward, self.render_mode = illegal, reward_rule(reward), render_mode
        observed = self.game.observation
        self.observation_space = spaces.Box(observed.low, observed.high, dtype=np.float32)
        self.action_space = spaces.Discrete(len(self.game.actions))
        self._seeds = Seeds()
        self.match: Match | None = None
        self.seat = 0 if seat is None else seat
        self._forfeited = False
        self._players: list[Callable[[Match, int], Any]] = []

    @property
    def playing(self) -> Match:
        """The current match. Raises RuntimeError before the first reset."""
        if self.match is None:
            raise RuntimeError("There is no match yet. Call reset() first.")
        return self.match

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Floats, dict[str, Any]]:
        """Start a match and let the opponents play until the seat has to act; `options` are ignored.

        `seed` determines the match, and the bots that were given by name; a bot that was given as an object, or a
        function, draws as it likes.
        """
        super().reset(seed=seed)
        self._forfeited = False
        chosen = self._seeds.next(seed)
        while True:
            if self._given_seat is None:
                self.seat = int(np.random.default_rng(chosen).integers(self.seats))
            self.match = self.game.new(self.seats, chosen, cards=self._cards, **self._options)
            self._players = [_player(who, self.game, f"{chosen} {n}") for n, who in enumerate(self._opponents, 1)]
            self._let_others_play()
            if not self.match.over:
                self._show()
                return self._observation(), self._info()
            chosen = self._seeds.next(None)  # Skip matches that end before the seat has had a decision.

    def step(self, action: np.int64 | int) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """Play an action and let the opponents play until the seat has to act again or the match is over.

        Raises ValueError for anything but a whole number.
        """
        match = self.playing
        if self._ended:
            raise RuntimeError("The match is over. Call reset() first.")
        try:
            match.play(self.seat, action_id(action))
        except IllegalAction as error:
            if self._illegal == "raise":
                raise
            self._forfeited = True
            worst = payoffs_of(self.game, self.seats, match.box).low if self._reward is reward_rule("win") else 0.0
            return self._observation(), worst, True, False, self._info() | {"illegal": str(error)}
        self._let_others_play()
        self._show()
        return self._observation(), float(rewards_of(match, self._reward)[self.seat]), match.over, False, self._info()

    def action_masks(self) -> Mask:
        """Return which actions are legal now, bool[number of actions]; all at the end. Called by MaskablePPO."""
        return np.ones(len(self.game.actions), np.bool_) if self._ended else self.playing.legal_mask(self.seat)

    def render(self) -> Any:
        """Render the match as the seat sees it, in the environment's render mode."""
        return None if self.render_mode is None else render(self.playing, self.render_mode, self.seat)

    @property
    def _ended(self) -> bool:
        """Whether the match is over, or was forfeited by an illegal action."""
        return self.playing.over or self._forfeited

    def _show(self) -> None:
        """Print the match if the render mode is `human`."""
        if self.render_mode == "human":
            self.render()

    def _let_others_play(self) -> None:
        """Play for the opponents until the seat has to act or the match is over."""
        match = self.playing
        while not match.over and self.seat not in match.acting:
            seat = match.acting[0]
            match.play(seat, self._players[(seat - self.seat) % self.seats - 1](match, seat))

    def _observation(self) -> Floats:
        """Return what the agent's seat observes."""
        return self.playing.observation(self.seat)

    def _info(self) -> dict[str, Any]:
        """Return the mask of legal actions, and the agent's seat."""
        return {"action_mask": self.action_masks(), "seat": self.seat}


def _player(opponent: Opponent, game: Game, seed: str) -> Callable[[Match, int], Any]:
    """Return an opponent as a function that takes a match and a seat, and returns the action that it chooses."""
    if isinstance(opponent, str):
        opponent = bots.load(opponent, game, seed)
    if isinstance(opponent, bots.Bot):
        return Player(opponent).move
    policy = opponent
    return lambda match, seat: action_id(policy(match.observation(seat), match.legal_mask(seat)))


def _register() -> None:
    """Register every game with Gymnasium, for one environment and for vectors of them."""
    for game in pyramidion.all_games().values():
        for name, arguments in registered_ids(game).items():
            if name in gymnasium.registry:
                continue
            gymnasium.register(  # pyright: ignore[reportUnknownMemberType]
                name,
                # As text, so that the specification can be written as JSON.
                entry_point="pyramidion.env.gymnasium:SeatEnv",
                vector_entry_point="pyramidion.env.gymnasium_vector:SeatVectorEnv",
                kwargs=arguments,
            )


_register()
