"""Training in rounds of new games; a file keeps everything that is needed to resume."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion import __version__
from pyramidion.bots.learned import BadFile, Learned, write_arrays
from pyramidion.engine.game import Game
from pyramidion.lab.training.contest import Score
from pyramidion.lab.training.learners import features_in, learner_of
from pyramidion.translation import quantity

SAVED_ARRAYS = {"weights": "weights", "means": "first_moments", "squares": "second_moments"}
"""The arrays of `Adam` that a file keeps: their names in the file, and their attributes."""


@dataclass(frozen=True, slots=True)
class TrainingSpec:
    """The specification of a training. The same one gives the same weights, unless it limits the time.

    Attributes:
        game, seats, seed: what is played.
        teacher: whom the policy learns from (`learner_of`).
        rules_version, features: the version of the rules, and the number of features.
        games: number of games to learn from; None with a limit of time.
        hours: hours of processor time to learn; None with a number of games.
    """

    game: str
    seats: int
    seed: int
    teacher: str
    rules_version: int
    features: int
    games: int | None
    hours: float | None


def training_spec(
    game: Game, seats: int, seed: int, games: int | None, hours: float | None, teacher: str = "itself"
) -> TrainingSpec:
    """Build the specification of a training. Raises ValueError with a sentence if the game cannot be learned."""
    seats, features = game.accept_seats(seats), features_in(game)
    return TrainingSpec(game.id, seats, seed, teacher, game.rules_version, features, games, hours)


class Trainer:
    """Trains a policy round by round, and saves the training to a file after each, so that it can be resumed.

    Attributes:
        spec: what it depends on.
        learner: what it learns.
        rounds, games, decisions: what has been learned from so far.
        seconds: processor time spent on learning.
        measured: how much has been learned (`Learner.measure`); NaN before the first round.
        wins: the wins of the contest, in whole rotations of the seats.
        played: the games of the contest.
    """

    def __init__(self, game: Game, spec: TrainingSpec, path: Path) -> None:
        self._game, self.spec, self._path = game, spec, path
        self.learner = learner_of(game, spec.seats, spec.seed, spec.teacher)
        self.rounds = self.games = self.decisions = self.played = 0
        self.seconds, self.measured, self.wins = 0.0, float("nan"), 0.0
        if path.exists():
            self._load()

    @property
    def done(self) -> float:
        """The share of the learning that is done, 0 to 1."""
        if self.spec.games is not None:
            return min(1.0, self.games / self.spec.games)
        return min(1.0, self.seconds / (3600 * (self.spec.hours or 0.0)))

    def learn(self) -> Iterator[None]:
        """Learn until done, and yield after every round, which is then saved; the caller may stop there."""
        while self.done < 1:
            began, seconds, before = time.thread_time(), self.seconds, self.done
            games = self.learner.round_games
            if self.spec.games is not None:
                games = min(games, self.spec.games - self.games)
            chance: Any = np.random.default_rng([self.spec.seed, self.rounds])
            after = (self.games + games) / self.spec.games if self.spec.games is not None else before
            self.decisions += self.learner.learn(self.games, games, chance, after)
            self.rounds, self.games = self.rounds + 1, self.games + games
            self.measured = self.learner.measure()
            self.seconds = seconds + time.thread_time() - began
            self.save()
            yield

    def describe(self) -> str:
        """Describe in words how much has been learned so far."""
        played = f"{quantity(self.games, 'game')}, {quantity(self.decisions, 'decision')}"
        return f"{played}, {self.learner.describe(self.measured)}"

    def score(self) -> Score:
        """Return the score of the learned policy's contest so far."""
        return Score(self.played, self.wins, 1 / self.spec.seats)

    def keep(self, score: Score) -> None:
        """Save the score of the learned policy's contest."""
        self.played, self.wins = score.games, score.wins
        self.save()

    def learned(self, **about: Any) -> Learned:
        """Return the policy so far, with a description of its training, to which `about` is added."""
        spec = {name: value for name, value in asdict(self.spec).items() if name != "games"}
        progress = {"games": self.games, "decisions": self.decisions, "measured": round(self.measured, 4)}
        return Learned(
            self.learner.adam.weights.astype(np.float32), {**spec, **progress, "pyramidion": __version__, **about}
        )

    def save(self) -> None:
        """Write to the file everything that is needed to resume."""
        numbers = {
            name: getattr(self, name)
            for name in ("rounds", "games", "decisions", "seconds", "measured", "wins", "played")
        }
        adam = self.learner.adam
        arrays = {name: getattr(adam, attribute) for name, attribute in SAVED_ARRAYS.items()}
        write_arrays(self._path, {"terms": asdict(self.spec), "steps": adam.steps, **numbers}, arrays)

    def _load(self) -> None:
        """Restore the training from its file. Raises BadFile if the file holds another training, or none."""
        adam = self.learner.adam
        try:
            with np.load(self._path, allow_pickle=False) as file:
                about = json.loads(str(file["about"]))
                spec = TrainingSpec(**about.pop("terms"))
                arrays = {name: file[name] for name in SAVED_ARRAYS}
        except Exception as error:
            raise BadFile(f"{self._path} holds no training: {error}.") from error
        if spec != self.spec:
            raise BadFile(f"{self._path} holds another training. Delete it, or choose another file with --out.")
        adam.steps = about.pop("steps")
        for name, array in arrays.items():
            setattr(adam, SAVED_ARRAYS[name], array)
        for name, value in about.items():
            setattr(self, name, value)
