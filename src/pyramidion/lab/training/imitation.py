"""Imitation learning: fit a policy to the visit shares of Expert searches, so that its playouts end as theirs."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion.bots.learned_policy import policy_arrays
from pyramidion.engine.game import Game
from pyramidion.engine.layout import record
from pyramidion.lab.training.adam import Adam
from pyramidion.lab.training.habit_counts import expert_by_iterations

ITERATIONS = 1000
"""Search iterations for each decision that is imitated."""
BATCH_SIZE = 64
"""Decisions per step of the optimizer."""
LEARNING_RATE, FINAL_RATE_SHARE = 0.05, 0.02
"""Learning rate at the start, and the fraction of it that is left at the end."""
INITIAL_COEFFICIENT = 0.1
"""Initial coefficient of each value that the hand-written policy gives an action."""

Floats = npt.NDArray[np.float64]


class ImitationLearner:
    """A learner that fits the policy to how often Expert's searches visited each action.

    Each decision is used once, and measured before it is learned from, so a round's cross entropy is of unknown games.
    """

    usual_games, round_games = 300, 10

    def __init__(self, game: Game, seats: int, seed: int) -> None:
        self._game, self._seats, self._seed = game, seats, seed
        self.adam = Adam.of(initial_coefficients(game, INITIAL_COEFFICIENT))
        self._loss = float("nan")

    def learn(self, first: int, games: int, chance: np.random.Generator, done: float) -> int:
        """See `Learner.learn`."""
        lessons = [lesson for n in range(first, first + games) for lesson in self._lessons(n)]
        self._loss = float(np.mean([cross_entropy(self.adam.weights, *lesson) for lesson in lessons]))
        learning_rate = LEARNING_RATE * (1.0 - (1.0 - FINAL_RATE_SHARE) * done)
        order = chance.permutation(len(lessons))
        for begin in range(0, len(order), BATCH_SIZE):
            batch = order[begin : begin + BATCH_SIZE]
            gradient = np.sum([cross_entropy_gradient(self.adam.weights, *lessons[int(n)]) for n in batch], axis=0)
            self.adam.step(gradient / len(batch), learning_rate)
        return len(lessons)

    def measure(self) -> float:
        """Return the cross entropy in nats of the last round's decisions, before they were learned from."""
        return self._loss

    def describe(self, measured: float) -> str:
        """See `Learner.describe`."""
        return f"loss {measured:.4f}"

    def _lessons(self, number: int) -> list[tuple[Floats, Floats]]:
        """Play a game of Expert; return for each decision the candidates' features and their shares of the visits.

        They are float64[candidates, features] and float64[candidates]. The candidates are the actions to choose from.
        """
        game = self._game
        match = game.new(self._seats, f"train {self._seed} {number}")
        bot = expert_by_iterations(game, ITERATIONS, f"{self._seed} {number}")
        lessons: list[tuple[Floats, Floats]] = []
        while not match.over:
            seat = match.acting[0]
            box, state = match.box_for(seat), match.redacted_state(seat)
            result = bot.think(box, state, seat)
            if len(result.choices) > 1:
                ids, features = features_of(game, box, state, seat)
                visits = {choice.action: choice.visits for choice in result.choices}
                counts = np.array([visits.get(int(action), 0) for action in ids], np.float64)
                if len(ids) > 1 and counts.any():
                    lessons.append((features, counts / counts.sum()))
            match.play(seat, result.action)
        return lessons


def initial_coefficients(game: Game, values: Any) -> Floats:
    """Return a policy's coefficients before training, float64[features].

    They are `values` for the values that the hand-written policy gives an action, and 0 for all other features.
    """
    start = np.zeros(game.mind.FEATURES)
    start[: len(game.mind.START)] = values
    return start


def features_of(game: Game, box: Any, state: Any, seat: int) -> tuple[npt.NDArray[np.int32], Floats]:
    """Return the ids of the actions a seat can choose from (the candidates), and their features.

    They are int32[candidates] and float64[candidates, features].
    """
    actions = len(game.actions)
    arrays = policy_arrays(game.mind, np.zeros(game.mind.FEATURES), actions)
    ids, weights = np.zeros(actions, np.int32), np.zeros(actions)
    count = game.mind.features(record(box), record(state), seat, ids, weights, arrays.indices, arrays.values)
    features = np.zeros((count, game.mind.FEATURES))
    for row, indices, values in zip(features, arrays.indices, arrays.values, strict=False):
        end = int(np.argmin(indices))
        row[indices[:end]] = values[:end]
    return ids[:count].copy(), features


def cross_entropy(coefficients: Floats, features: Floats, shares: Floats) -> float:
    """Return the cross entropy in nats, at one decision, of the policy relative to the visit shares."""
    return float(-(shares * np.log(softmax_policy(coefficients, features) + 1e-9)).sum())


def cross_entropy_gradient(coefficients: Floats, features: Floats, shares: Floats) -> Floats:
    """Return the gradient of `cross_entropy` with respect to the coefficients, float64[features]."""
    return (softmax_policy(coefficients, features) - shares) @ features


def softmax_policy(coefficients: Floats, features: Floats) -> Floats:
    """Return the probability of each candidate: a softmax over its features times the coefficients."""
    weights = features @ coefficients
    weights = np.exp(weights - weights.max())
    return weights / weights.sum()
