# pyright: basic
"""Learn Pyramis by playing: a linear value of after-states, trained against random players.

For each legal action the learner looks at the observation it would have after playing it, in one deal of the hidden
cards that fits what it knows, and plays the action with the highest value. The value is a linear function of the
observation, fitted to the payoffs of its own games by stochastic gradient descent.

    python examples/after_states.py
"""

from __future__ import annotations

import numpy as np

import pyramidion

GAME = pyramidion.load("pyramis")
SEATS = 2
RATE, EXPLORATION = 0.001, 0.1


class Learner:
    """Plays by the value of after-states, a linear function of observations."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.weights = np.zeros(GAME.observation.size + 1)  # the last one is for a constant
        self._buffer = np.zeros(len(GAME.actions), np.int32)

    def after_states(self, match: pyramidion.Match, seat: int, ids: np.ndarray) -> np.ndarray:
        """Return the observation after each action, and a constant 1; float64[len(ids), D + 1]."""
        box = match.box_for(seat)
        deal = match.redacted_state(seat)
        GAME.compiled.redeal(box, deal, seat, self.random.integers(2**63, size=4, dtype=np.uint64))
        seen = np.ones((len(ids), len(self.weights)), np.float32)
        for row, action in enumerate(ids):
            state = deal.copy()
            GAME.compiled.step(box, state, seat, int(action), self._buffer)
            GAME.compiled.observe(box, GAME.layout.redact(state, seat), seat, seen[row, :-1])
        return seen.astype(np.float64)

    def choose(self, match: pyramidion.Match, seat: int, exploration: float) -> tuple[int, np.ndarray]:
        """Return an action and the features of the state it leads to."""
        ids = match.legal_ids(seat)
        seen = self.after_states(match, seat, ids)
        explores = self.random.random() < exploration
        best = self.random.integers(len(ids)) if explores else np.argmax(seen @ self.weights)
        return int(ids[best]), seen[best]

    def play(self, seed: int, learn: bool) -> float:
        """Play a game against random players, and return the payoff."""
        match, seat, visited = GAME.new(SEATS, seed), seed % SEATS, []
        while not match.over:
            mover = match.acting[0]
            if mover == seat:
                action, features = self.choose(match, seat, EXPLORATION if learn else 0)
                visited.append(features)
            else:
                action = int(self.random.choice(match.legal_ids(mover)))
            match.play(mover, action)
        payoff = float(match.rewards[seat])
        if learn:
            for features in reversed(visited):
                self.weights += RATE * (payoff - features @ self.weights) * features
        return payoff


def main(training: int = 600, games: int = 200, seed: int = 0) -> float:
    """Return the learner's share of wins against a random player after training."""
    learner = Learner(seed)
    for number in range(training):
        learner.play(number, learn=True)
    return float(np.mean([learner.play(10**6 + number, learn=False) for number in range(games)]))


if __name__ == "__main__":
    print(f"wins {main():.0%} of its games against a random player, who would win half of them against another")
