"""The games as OpenSpiel games (Lanctot et al. 2019): `pip install pyramidion[env]`.

    from pyramidion.env import open_spiel

    game = open_spiel.make("pyramis", seats=2)      # a pyspiel.Game
    state = game.new_initial_state()

Each decision is a move of its own, simultaneous ones too: a seat does not see what was submitted before it. The opening
is the one chance node; what it draws is the seed, and all later chance comes from the state itself, as OpenSpiel's
sampled stochastic games have it. Observations are made from the redacted state: as a string its bytes, as a tensor what
`match.game.mind.OBSERVATION` describes. `state.resample_from_infostate` redeals what the player cannot see.
"""

from __future__ import annotations

import time
from functools import cached_property
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

import pyramidion
from pyramidion.engine.game import Game, chance_words, observation_size
from pyramidion.engine.layout import record
from pyramidion.engine.random import seed_words

SEEDS = 2**31 - 1
"""Openings that the first chance node can draw."""


def make(game: str | Game, seats: int | None = None, cards: str | None = None, **options: Any) -> OpenSpielGame:
    """Return a game as a `pyspiel.Game`. Raises KeyError and ValueError with a sentence, as `load` and `new` do."""
    chosen = pyramidion.load(game) if isinstance(game, str) else game
    seats = chosen.accept_seats(seats if seats is not None else chosen.usual_seats)
    return OpenSpielGame(Rules(chosen, seats, chosen.make_box(chosen.accept_options(options), cards)))


class Rules:
    """A game with its seats and its box: what all states share and no copy of a state copies."""

    def __init__(self, game: Game, seats: int, box: Any) -> None:
        self.game, self.seats, self.box = game, seats, box

    def __deepcopy__(self, memo: Any) -> Rules:
        return self

    @cached_property
    def kind(self) -> pyspiel.GameType:
        """What OpenSpiel is told about the game."""
        shares = self.game.payoff_form == "share"
        return pyspiel.GameType(
            short_name=f"pyramidion_{self.game.id.replace('-', '_')}",
            long_name=self.game.name,
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC,
            information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.CONSTANT_SUM if shares else pyspiel.GameType.Utility.GENERAL_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=self.game.seats[-1],
            min_num_players=self.game.seats[0],
            provides_information_state_string=False,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
        )

    @cached_property
    def size(self) -> pyspiel.GameInfo:
        """How large the game is, and what can be won."""
        shares = self.game.payoff_form == "share"
        return pyspiel.GameInfo(
            num_distinct_actions=len(self.game.actions),
            max_chance_outcomes=1,
            num_players=self.seats,
            min_utility=0.0 if shares else -1.0,
            max_utility=1.0,
            utility_sum=1.0 if shares else None,
            max_game_length=self.game.longest(self.seats),
        )


class OpenSpielGame(pyspiel.Game):
    """A game of this package at a number of seats."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules.kind, rules.size, {})
        self.rules = rules

    def new_initial_state(self) -> OpenSpielState:
        """Return the state before the opening: a chance node that draws the seed."""
        return OpenSpielState(self)

    def state_of(self, state: Any, first: int = 0) -> OpenSpielState:
        """Return a state, shape (1,), of this package as OpenSpiel's; redacted states too.

        Where several seats are due at once, `first` and those after it move first: the order changes nothing.
        """
        made = OpenSpielState(self)
        made.state, made.first = state.copy(), first
        return made

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return what fills observation tensors and strings."""
        return Observer(self.rules)


class OpenSpielState(pyspiel.State):
    """A position. `state` is this package's own, shape (1,), or None before the opening; `first` as in `state_of`."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self.rules, self.state, self.first = game.rules, None, 0

    def current_player(self) -> int:
        """Return the seat whose decision is due, the first of them where several are."""
        if self.state is None:
            return pyspiel.PlayerId.CHANCE
        due = int(self.state["acting"][0]) & ~int(self.state["submitted"][0])
        if self.state["over"][0]:
            return pyspiel.PlayerId.TERMINAL
        due = (due >> self.first << self.first) or due
        return (due & -due).bit_length() - 1

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the one outcome of the opening, which draws a seed."""
        return [(0, 1.0)]

    def _legal_actions(self, player: int) -> list[int]:
        game = self.rules.game
        ids = np.empty(len(game.actions), np.int32)
        return ids[: game.compiled.legal(self.rules.box, self.state, player, ids)].tolist()

    def _apply_action(self, action: int) -> None:
        game = self.rules.game
        if self.state is None:
            self.open(int(np.random.default_rng().integers(SEEDS)))
            return
        buffer = np.empty(len(game.actions), np.int32)
        if game.compiled.step(self.rules.box, self.state, self.current_player(), action, buffer):
            raise ValueError(f"The action {action} is not legal here.")

    def open(self, seed: int | str) -> None:
        """Deal the opening of a seed, as `game.new(seed=...)` does."""
        game = self.rules.game
        self.state = game.layout.new()
        self.state["seats"] = self.rules.seats
        self.state["rng"] = seed_words(seed)
        game.compiled.setup(self.rules.box, self.state)

    def _action_to_string(self, player: int, action: int) -> str:
        return "deal" if player == pyspiel.PlayerId.CHANCE else self.rules.game.actions[action].text

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.state is not None and bool(self.state["over"][0])

    def returns(self) -> list[float]:
        """Return each seat's payoff, 0 before the end."""
        payoffs = np.zeros(self.rules.seats)
        if self.is_terminal():
            self.rules.game.compiled.payoff(self.rules.box, self.state, payoffs)
        return payoffs.tolist()

    def resample_from_infostate(self, player_id: int, probability_sampler: Any) -> OpenSpielState:
        """Return a state that `player_id` cannot tell from this one, drawn with OpenSpiel's sampler."""
        game, other = self.rules.game, self.clone()
        # The player does not know who has already submitted, so in the player's worlds the player is first.
        other.first = player_id
        other.state = game.layout.redact(self.state, player_id)
        seed = int(probability_sampler() * SEEDS) if probability_sampler else np.random.default_rng().integers(SEEDS)
        game.compiled.redeal(self.rules.box, other.state, player_id, chance_words(int(seed)))
        return other

    def observation_string(self, player: int | None = None) -> str:
        """Return what a player sees: the bytes of the redacted state."""
        if self.state is None:
            return ""
        return (
            self.rules.game.layout.redact(self.state, self.current_player() if player is None else player)
            .tobytes()
            .hex()
        )

    def __str__(self) -> str:
        if self.state is None:
            return "before the opening"
        return " ".join(str(number) for number in record(self.state).tolist())


class Observer:
    """Fills `tensor` (float32) with a seat's observation."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self.tensor = np.zeros(observation_size(rules.game), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Observe a state as a player."""
        self.tensor.fill(0)
        if state.state is not None:
            game = self._rules.game
            game.compiled.observe(self._rules.box, game.layout.redact(state.state, player), player, self.tensor)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Return what a player sees as a string."""
        return state.observation_string(player)


class _TimeUp(Exception):
    """The search has thought for as long as it may."""


class _Timed(ismcts.ISMCTSBot):
    """OpenSpiel's search, stopped by the clock."""

    deadline = 0.0

    def sample_root_state(self, state: Any) -> Any:
        if time.perf_counter() > self.deadline and self._root_node.total_visits > 0:
            raise _TimeUp
        self.simulations += 1
        return super().sample_root_state(state)

    def run_search(self, state: Any) -> Any:
        self.simulations = 0
        try:
            return super().run_search(state)
        except _TimeUp:
            return self.get_final_policy(state, self._root_node)


class InformationSetSearch:
    """OpenSpiel's own information-set tree search (Cowling, Powley, Whitehouse 2012) as a player of the arena.

    `seconds` of thought for a decision; rollouts are uniformly random, as its evaluator has them. Simulations and
    decisions are counted in `simulations` and `decisions`.
    """

    seconds = 1.0
    exploration = 1.0

    def __init__(self, game: Game, seed: int | str) -> None:
        self._game, self._seed = game, seed
        self._random = np.random.RandomState(int(seed_words(seed)[0]) % 2**32)
        self.simulations = self.decisions = 0

    def evaluator(self) -> Any:
        """Return what plays out games below the tree: one rollout, uniformly random, in Python."""
        return mcts.RandomRolloutEvaluator(1, self._random)

    def choose(self, box: Any, state: Any, seat: int) -> int:
        """Return the id of an action, from the redacted state; see `Bot.choose`."""
        game = OpenSpielGame(Rules(self._game, int(state["seats"][0]), box))
        at = game.state_of(state, first=seat)
        if at.current_player() != seat:
            raise ValueError(f"Seat {seat} has nothing to decide.")
        bot = _Timed(
            game,
            self.evaluator(),
            self.exploration,
            10**9,
            random_state=self._random,
            use_observation_string=True,
        )
        bot.deadline = time.perf_counter() + self.seconds
        action = int(bot.step(at))
        self.simulations += bot.simulations
        self.decisions += 1
        return action
