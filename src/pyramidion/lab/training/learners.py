"""Learners: the coefficients of a policy, fitted by self-play or by imitating Expert."""

from __future__ import annotations

from functools import cache
from typing import Any, Protocol

import numpy as np

from pyramidion.bots.learned import usual_box
from pyramidion.bots.learned_policy import policy_arrays
from pyramidion.engine.game import Game
from pyramidion.engine.layout import as_bytes
from pyramidion.engine.payoffs import payoffs_of
from pyramidion.lab.training.adam import Adam
from pyramidion.lab.training.imitation import ImitationLearner, initial_coefficients
from pyramidion.lab.training.self_play import make_match_up, make_policy_gradient

TEST_GAMES = 2000
"""Number of games that measure how much has been learned."""
LEARNING_RATE, FINAL_RATE_SHARE = 0.08, 0.2
"""Learning rate at the start, and the fraction of it that is left at the end."""


class Learner(Protocol):
    """A method of learning a policy in rounds of games.

    Attributes:
        usual_games, round_games: games of a whole training, and of a round.
        adam: its coefficients, and how they are fitted.
    """

    usual_games: int
    round_games: int
    adam: Adam

    def learn(self, first: int, games: int, chance: np.random.Generator, done: float) -> int:
        """Learn from the games `first` to `first + games - 1`; return the number of decisions in them.

        `done` is the share of the training that is done afterwards.
        """
        ...

    def measure(self) -> float:
        """Return a number that says how good the policy is, from games that it has not learned from."""
        ...

    def describe(self, measured: float) -> str:
        """Describe in words the number that `measure` returned."""
        ...


def features_in(game: Game) -> int:
    """Return the number of features of a game's actions. Raises ValueError with a sentence if it has none."""
    if not hasattr(game.mind, "FEATURES"):
        raise ValueError(f"{game.id} cannot be learned: its mind.py declares no features of actions.")
    return game.mind.FEATURES


def learner_of(game: Game, seats: int, seed: int, teacher: str) -> Learner:
    """Make an untrained learner for a game, which learns from `teacher`: `itself` or `expert`.

    Raises ValueError with a sentence for another teacher, or if the game's actions have no features.
    """
    features_in(game)
    learners: dict[str, type[SelfPlayLearner | ImitationLearner]] = {
        "itself": SelfPlayLearner,
        "expert": ImitationLearner,
    }
    if teacher not in learners:
        raise ValueError(f"A policy learns from itself or from expert, not from {teacher!r}.")
    return learners[teacher](game, seats, seed)


class SelfPlayLearner:
    """A learner whose policy plays against itself and follows the policy gradient (REINFORCE, Williams 1992)."""

    usual_games, round_games = 1_600_000, 8000

    def __init__(self, game: Game, seats: int, seed: int) -> None:
        self._game, self._seats = game, seats
        self.adam = Adam.of(initial_coefficients(game, game.mind.START))
        self._state = game.layout.new()
        self._payoffs = np.zeros(game.layout.max_seats)
        self._ids, self._weights = np.zeros(len(game.actions), np.int32), np.zeros(len(game.actions))

    def learn(self, first: int, games: int, chance: np.random.Generator, done: float) -> int:
        """See `Learner.learn`."""
        gradient = np.zeros(self._game.mind.FEATURES)
        eligibilities = np.zeros((self._seats, len(gradient)))
        seed, payoffs = int(chance.integers(2**62)), payoffs_of(self._game, self._seats, usual_box(self._game))
        extra = eligibilities, gradient, payoffs.even, payoffs.factor
        count = self._play(_gradient(self._game), games, seed, *extra)
        self.adam.step(-gradient / games, LEARNING_RATE * (1.0 - (1.0 - FINAL_RATE_SHARE) * done))
        return int(count)

    def measure(self) -> float:
        """Return the mean payoff of the learned policy at one seat against the game's own at all others."""
        return float(self._play(_match_up(self._game), TEST_GAMES, 7)) / TEST_GAMES

    def describe(self, measured: float) -> str:
        """See `Learner.describe`."""
        if self._game.payoff_form != "share":
            return f"a payoff of {measured:+.3f} among the game's own policies, where 0 is even"
        return f"{measured:.1%} of games won among the game's own policies, where {1 / self._seats:.1%} is even"

    def _play(self, loop: Any, games: int, seed: int, *extra_buffers: Any) -> Any:
        """Call a compiled loop of games with the game's buffers and the current coefficients, and return its result."""
        game = self._game
        arrays = policy_arrays(game.mind, self.adam.weights, len(game.actions))
        chance, limit = np.array([seed], np.uint64), game.longest(self._seats)
        buffers = (self._state, as_bytes(self._state), self._seats, chance, games, limit)
        return loop(usual_box(game), *buffers, self._ids, self._weights, self._payoffs, arrays, *extra_buffers)


@cache
def _gradient(game: Game) -> Any:
    """Return the game's compiled loop of self-play."""
    return make_policy_gradient(game.rules, game.mind)


@cache
def _match_up(game: Game) -> Any:
    """Return the game's compiled loop of the learned policy against its own."""
    return make_match_up(game.rules, game.mind)
