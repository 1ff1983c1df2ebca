"""What a policy learns from Experts: to choose as they do, so that games played out by it end as theirs."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion.bots.learned_policy import taught_by
from pyramidion.engine.game import Game
from pyramidion.engine.layout import record
from pyramidion.lab.training.adam import Adam
from pyramidion.lab.training.habit_counts import counted_expert

ITERATIONS = 1000
"""Iterations of a decision that is imitated."""
BATCH = 64
"""Decisions of one step."""
RATE, LAST_RATE = 0.05, 0.02
"""Learning rate at first, and the share of it at the end."""
FIRST = 0.1
"""The coefficients of the values that the policy written by hand gives an action, before anything is learned."""

Floats = npt.NDArray[np.float64]


class ImitationLearner:
    """The coefficients of a policy that learns to choose as often as the searches of Experts have visited each action.

    Every decision is learned from once, and measured before: the cross entropy of a round is of games not yet known.
    """

    usual_games, round_games = 300, 10

    def __init__(self, game: Game, seats: int, seed: int) -> None:
        self._game, self._seats, self._seed = game, seats, seed
        self.adam = Adam.of(first_coefficients(game, FIRST))
        self._loss = float("nan")

    def learn(self, first: int, games: int, chance: np.random.Generator, done: float) -> int:
        """See `Learner.learn`."""
        lessons = [lesson for n in range(first, first + games) for lesson in self._lessons(n)]
        self._loss = float(np.mean([loss(self.adam.weights, *lesson) for lesson in lessons]))
        rate = RATE * (1.0 - (1.0 - LAST_RATE) * done)
        order = chance.permutation(len(lessons))
        for begin in range(0, len(order), BATCH):
            batch = order[begin : begin + BATCH]
            slope = np.sum([slope_of(self.adam.weights, *lessons[int(n)]) for n in batch], axis=0)
            self.adam.step(slope / len(batch), rate)
        return len(lessons)

    def measure(self) -> float:
        """Return the cross entropy in nats of the last round's decisions, before they were learned from."""
        return self._loss

    def told(self, measured: float) -> str:
        """See `Learner.told`."""
        return f"loss {measured:.4f}"

    def _lessons(self, number: int) -> list[tuple[Floats, Floats]]:
        """Return the features of all candidates, and their shares of the visits, in each decision of one game."""
        game = self._game
        match = game.new(self._seats, f"train {self._seed} {number}")
        bot = counted_expert(game, ITERATIONS, f"{self._seed} {number}")
        lessons: list[tuple[Floats, Floats]] = []
        while not match.over:
            seat = match.acting[0]
            box, state = match.box_for(seat), match.redacted_state(seat)
            thought = bot.think(box, state, seat)
            if len(thought.choices) > 1:
                ids, features = features_of(game, box, state, seat)
                visits = {choice.action: choice.visits for choice in thought.choices}
                counts = np.array([visits.get(int(action), 0) for action in ids], np.float64)
                if len(ids) > 1 and counts.any():
                    lessons.append((features, counts / counts.sum()))
            match.play(seat, thought.action)
        return lessons


def first_coefficients(game: Game, values: Any) -> Floats:
    """Return the coefficients of a policy that knows only the values that the one written by hand gives actions."""
    start = np.zeros(game.mind.FEATURES)
    start[: len(game.mind.START)] = values
    return start


def features_of(game: Game, box: Any, state: Any, seat: int) -> tuple[npt.NDArray[np.int32], Floats]:
    """Return a seat's candidates, and their features as float64[candidates, features]."""
    actions = len(game.actions)
    taught = taught_by(game.mind, np.zeros(game.mind.FEATURES), actions)
    ids, worths = np.zeros(actions, np.int32), np.zeros(actions)
    count = game.mind.features(record(box), record(state), seat, ids, worths, taught.where, taught.much)
    features = np.zeros((count, game.mind.FEATURES))
    for row, where, much in zip(features, taught.where, taught.much, strict=False):
        end = int(np.argmin(where))
        row[where[:end]] = much[:end]
    return ids[:count].copy(), features


def loss(coefficients: Floats, known: Floats, shares: Floats) -> float:
    """Return the cross entropy of the policy's choice in nats."""
    return float(-(shares * np.log(chosen(coefficients, known) + 1e-9)).sum())


def slope_of(coefficients: Floats, known: Floats, shares: Floats) -> Floats:
    """Return the slope of the cross entropy by the coefficients."""
    return (chosen(coefficients, known) - shares) @ known


def chosen(coefficients: Floats, known: Floats) -> Floats:
    """Return the probability of each candidate."""
    powers = known @ coefficients
    powers = np.exp(powers - powers.max())
    return powers / powers.sum()
