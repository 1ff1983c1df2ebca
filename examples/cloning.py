# pyright: basic
"""Clone a bot from the records of the arena: predict its actions in Ponzi Scheme by logistic regression.

A contest of `policy` against `random` is played and stored. Every decision of the policy bot becomes an example: the
features of its legal actions, each crossed with its observation, and the action that it chose. The model is a softmax
over the legal actions, trained by stochastic gradient descent on some of the games and measured on the others.

    python examples/cloning.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

import pyramidion
from pyramidion.lab import arena

GAME = pyramidion.load("ponzi-scheme")
SEATS, TEACHER = 3, 0
RATE, PASSES = 0.02, 3
Example = tuple[np.ndarray, np.ndarray, int]
"""A decision: observation float32[D], features of the legal actions float32[k, F], index of the chosen one."""


def examples(results: arena.Results) -> list[list[Example]]:
    """Return the teacher's decisions with more than one legal action, game by game."""
    games: list[list[Example]] = []
    for played in results.games():
        record = results.match(played.place)
        match = record.at(0)
        games.append([])
        for seat, action in record.history:
            ids = match.legal_ids(seat)
            if played.seating[seat] == TEACHER and len(ids) > 1:
                features = GAME.action_features(match, seat, ids)
                games[-1].append((match.observation(seat), features, int(np.searchsorted(ids, action))))
            match.play(seat, action)
    return games


class Clone:
    """A softmax policy whose logits are bilinear in the observation and the features of an action."""

    def __init__(self) -> None:
        width = GAME.actions.features.size
        self.weights = np.zeros((width + 1, GAME.observation.size + 1))  # a constant on both sides

    @staticmethod
    def _sides(example: Example) -> tuple[np.ndarray, np.ndarray]:
        observation, features, _ = example
        return np.append(observation, 1), np.pad(features, ((0, 0), (0, 1)), constant_values=1)

    def chances(self, example: Example) -> np.ndarray:
        """Return the probability of each legal action."""
        observation, features = self._sides(example)
        logits = features @ (self.weights @ observation)
        powers = np.exp(logits - logits.max())
        return powers / powers.sum()

    def learn(self, example: Example) -> None:
        """Make the chosen action more probable."""
        observation, features = self._sides(example)
        error = -self.chances(example)
        error[example[2]] += 1
        self.weights += RATE * np.outer(error @ features, observation)


def main(games: int = 60, seed: int = 0) -> tuple[float, float]:
    """Return the share of the teacher's decisions predicted in held-out games, and the share expected by chance."""
    contest = arena.Contest(GAME.id, arena.read_entrants(["policy", "random"], GAME), SEATS, games, seed=str(seed))
    with tempfile.TemporaryDirectory() as folder, arena.run(contest, Path(folder) / "games.db") as results:
        decisions = examples(results)
    split = len(decisions) * 3 // 4
    training = [one for game in decisions[:split] for one in game]
    unseen = [one for game in decisions[split:] for one in game]
    clone, random = Clone(), np.random.default_rng(seed)
    for _ in range(PASSES):
        for n in random.permutation(len(training)):
            clone.learn(training[n])
    right = np.mean([int(np.argmax(clone.chances(one))) == one[2] for one in unseen])
    return float(right), float(np.mean([1 / len(one[1]) for one in unseen]))


if __name__ == "__main__":
    right, chance = main()
    print(f"predicts {right:.0%} of the teacher's decisions; a random guess is right in {chance:.0%}")
