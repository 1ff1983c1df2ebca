"""Training in rounds of new games and a fit to them; a file keeps everything that is needed to resume."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion import __version__
from pyramidion.bots.values import BadValues, Values, write_arrays
from pyramidion.engine.game import Game
from pyramidion.lab.training.contest import Score
from pyramidion.lab.training.fitting import BATCH, Fit, rate_at
from pyramidion.lab.training.positions import positions

ROUND = 2048
"""Games in a round."""
TESTED = 2000
"""Games whose positions only measure the loss."""


@dataclass(frozen=True, slots=True)
class TrainingTerms:
    """What a training depends on; the same terms give the same weights, unless they limit the time.

    Attributes:
        game, seats, seed: what is played.
        rules_version, facts: the version of the rules, and the number of facts.
        games: number of games to learn from; None with a limit of time.
        hours: hours of processor time to learn; None with a number of games.
    """

    game: str
    seats: int
    seed: int
    rules_version: int
    facts: int
    games: int | None
    hours: float | None


def terms_of(game: Game, seats: int, seed: int, games: int | None, hours: float | None) -> TrainingTerms:
    """Return terms for a game. Raises ValueError with a sentence if it cannot be learned."""
    facts = getattr(game.mind, "FACTS", 0)
    if not facts:
        raise ValueError(f"{game.id} cannot be learned: its mind.py declares no facts of a position.")
    if game.payoff_form != "share":
        raise ValueError(f"{game.id} cannot be learned: only games whose winners share one win can be.")
    return TrainingTerms(game.id, game.accept_seats(seats), seed, game.rules_version, facts, games, hours)


class Trainer:
    """One training, kept in a file after every round.

    Attributes:
        terms: what it depends on.
        rounds, games, positions: what has been learned from so far.
        seconds: processor time spent on learning.
        loss: cross entropy, in nats, on positions that it has not learned from; NaN before the first round.
        wins: the wins of the contest, in whole rotations of the seats.
        played: the games of the contest.
    """

    def __init__(self, game: Game, terms: TrainingTerms, path: Path) -> None:
        self._game, self.terms, self._path = game, terms, path
        self.fit = Fit.new(terms.facts, terms.seats + 1, terms.seed)
        self.rounds = self.games = self.positions = self.played = 0
        self.seconds, self.loss, self.wins = 0.0, float("nan"), 0.0
        if path.exists():
            self._load()

    @property
    def done(self) -> float:
        """The share of the learning that is done, 0 to 1."""
        if self.terms.games is not None:
            return min(1.0, self.games / self.terms.games)
        return min(1.0, self.seconds / (3600 * (self.terms.hours or 0.0)))

    def learn(self) -> Iterator[None]:
        """Learn round by round until done, and save after each; the caller may stop between any two."""
        tested = positions(self._game, self.terms.seats, TESTED, -1 - self.terms.seed) if self.done < 1 else None
        while tested is not None and self.done < 1:
            began, seconds, before = time.thread_time(), self.seconds, self.done
            games = ROUND if self.terms.games is None else min(ROUND, self.terms.games - self.games)
            chance: Any = np.random.default_rng([self.terms.seed, self.rounds])
            known, shares = positions(self._game, self.terms.seats, games, int(chance.integers(2**62)))
            order = chance.permutation(len(known))
            after = (self.games + games) / self.terms.games if self.terms.games is not None else before
            for first in range(0, len(known), BATCH):
                chosen = order[first : first + BATCH]
                self.fit.learn(known[chosen], shares[chosen], rate_at(before + (after - before) * first / len(known)))
            self.rounds, self.games, self.positions = self.rounds + 1, self.games + games, self.positions + len(known)
            self.loss = self.fit.loss(*tested)
            self.seconds = seconds + time.thread_time() - began
            self.save()
            yield

    def score(self) -> Score:
        """Return the score of the contest so far."""
        return Score(self.played, self.wins, 1 / self.terms.seats)

    def keep(self, score: Score) -> None:
        """Save the score of the contest."""
        self.played, self.wins = score.games, score.wins
        self.save()

    def values(self, **about: Any) -> Values:
        """Return the weights so far, with where they come from."""
        terms = {name: value for name, value in asdict(self.terms).items() if name != "games"}
        learned = {"games": self.games, "positions": self.positions, "loss": round(self.loss, 4)}
        return Values(self.fit.by_name(), {**terms, **learned, "pyramidion": __version__, **about})

    def save(self) -> None:
        """Write everything that is needed to resume."""
        numbers = {
            name: getattr(self, name) for name in ("rounds", "games", "positions", "seconds", "loss", "wins", "played")
        }
        kept = {
            f"{kind}{n}": array
            for kind in ("weights", "means", "squares")
            for n, array in enumerate(getattr(self.fit, kind))
        }
        about = json.dumps({"terms": asdict(self.terms), "steps": self.fit.steps, **numbers})
        write_arrays(self._path, {"about": np.array(about), **kept})

    def _load(self) -> None:
        try:
            with np.load(self._path, allow_pickle=False) as file:
                about = json.loads(str(file["about"]))
                terms = TrainingTerms(**about.pop("terms"))
                arrays = {kind: [file[f"{kind}{n}"] for n in range(6)] for kind in ("weights", "means", "squares")}
        except Exception as error:
            raise BadValues(f"{self._path} holds no training: {error}.") from error
        if terms != self.terms:
            raise BadValues(f"{self._path} holds another training. Delete it, or choose another file with --out.")
        self.fit = Fit(**arrays, steps=about.pop("steps"))
        for name, value in about.items():
            setattr(self, name, value)
