"""OpenSpiel's information-set search as a player of the arena."""

from __future__ import annotations

import time
from math import inf
from typing import Any

import numpy as np

from pyramidion.engine.game import Game
from pyramidion.engine.random import seed_words
from pyramidion.env.open_spiel import OpenSpielGame
from pyramidion.env.open_spiel_rules import Rules
from pyramidion.extras import missing

try:
    from open_spiel.python.algorithms import ismcts, mcts
except ModuleNotFoundError as error:
    raise missing(error, "env") from error


class _TimeUp(Exception):
    """The search has run out of time."""


class _Timed(ismcts.ISMCTSBot):
    """OpenSpiel's search with a time limit."""

    deadline = 0.0

    def sample_root_state(self, state: Any) -> Any:
        """Sample a determinization for the next simulation and count it; end the search when its time is up."""
        if time.perf_counter() > self.deadline and self._root_node.total_visits > 0:
            raise _TimeUp
        self.simulations += 1
        return super().sample_root_state(state)

    def run_search(self, state: Any) -> Any:
        """Search until the simulations are done or the time is up; return the resulting policy."""
        self.simulations = 0
        try:
            return super().run_search(state)
        except _TimeUp:
            return self.get_final_policy(state, self._root_node)


class InformationSetSearch:
    """OpenSpiel's information-set Monte Carlo tree search (Cowling, Powley, Whitehouse 2012) as an arena player.

    It searches for `seconds` per decision, or until `limit` simulations, with uniformly random rollouts. `simulations`
    and `decisions` count totals.
    """

    seconds, limit = 1.0, 10**9
    exploration = 1.0

    def __init__(self, game: Game, seed: int | str) -> None:
        self._game, self._seed = game, seed
        self._random = np.random.RandomState(int(seed_words(seed)[0]) % 2**32)
        self.simulations = self.decisions = 0

    def evaluator(self) -> Any:
        """Return the leaf evaluator: a single uniformly random rollout, in Python."""
        return mcts.RandomRolloutEvaluator(1, self._random)

    def choose(self, box: Any, state: Any, seat: int) -> int:
        """Choose an action id from the redacted state; see `Bot.choose`."""
        game = OpenSpielGame(Rules(self._game, int(state["seats"][0]), box))
        position = game.state_of(state, first=seat)
        if position.current_player() != seat:
            raise ValueError(f"Seat {seat} has nothing to decide.")
        bot = _Timed(
            game,
            self.evaluator(),
            self.exploration,
            self.limit,
            random_state=self._random,
            use_observation_string=True,
        )
        # OpenSpiel's own sampler cannot be seeded from here.
        bot.set_resampler(lambda root, player: root.resample_from_infostate(player, self._random.uniform))
        bot.deadline = time.perf_counter() + self.seconds
        action = int(bot.step(position))
        self.simulations += bot.simulations
        self.decisions += 1
        return action


class HundredSimulations(InformationSetSearch):
    """The same search with 100 simulations per decision, however fast the machine is."""

    seconds, limit = inf, 100
