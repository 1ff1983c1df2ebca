"""What a training learns: a net that values positions, or the coefficients of a policy."""

from __future__ import annotations

from functools import cache
from typing import Any, Protocol

import numpy as np

from pyramidion.bots.learned import usual_box
from pyramidion.bots.learned_policy import taught_by
from pyramidion.engine.game import Game
from pyramidion.engine.layout import as_bytes
from pyramidion.lab.training.fitting import BATCH, Adam, Fit, rate_at
from pyramidion.lab.training.positions import positions
from pyramidion.lab.training.self_play import make_gradient, make_match_up

TESTED = 2000
"""Games that only measure how much has been learned."""
RATE, LAST_RATE = 0.08, 0.2
"""Learning rate of a policy at first, and the share of it at the end."""


class Learner(Protocol):
    """One thing that is learned in rounds of games.

    Attributes:
        kind: "values" or "policy".
        usual_games, round_games: games of a whole training, and of a round.
        unit: what games are counted in besides: "positions" or "decisions".
    """

    kind: str
    usual_games: int
    round_games: int
    unit: str
    adam: Adam

    def learn(self, games: int, chance: np.random.Generator, before: float, after: float) -> int:
        """Learn from new games, from a share of the training to another; return the positions or decisions."""
        ...

    def measure(self) -> float:
        """Return how much has been learned, from games that were not learned from."""
        ...

    def told(self, measured: float) -> str:
        """Word what `measure` returned."""
        ...

    def weights(self) -> dict[str, Any]:
        """Return the weights as `Learned` holds them."""
        ...


def inputs_of(game: Game) -> tuple[str, int]:
    """Return what a game can be taught, "values" or "policy", and its number of facts or features.

    Raises ValueError with a sentence if it can be taught nothing.
    """
    if hasattr(game.mind, "FEATURES"):
        return "policy", game.mind.FEATURES
    if not hasattr(game.mind, "FACTS"):
        raise ValueError(
            f"{game.id} cannot be learned: its mind.py declares neither facts of a position nor features of actions."
        )
    if game.payoff_form != "share":
        raise ValueError(f"{game.id} cannot be learned: only values of games whose winners share one win can be.")
    return "values", game.mind.FACTS


def learner_of(game: Game, seats: int, seed: int) -> Learner:
    """Return a learner that has learned nothing yet."""
    return PolicyLearner(game, seats) if inputs_of(game)[0] == "policy" else ValueLearner(game, seats, seed)


class ValueLearner:
    """A net that learns from positions of games between policies how those games ended."""

    kind, usual_games, round_games, unit = "values", 800_000, 2048, "positions"

    def __init__(self, game: Game, seats: int, seed: int) -> None:
        self._game, self._seats, self._seed = game, seats, seed
        self.fit = Fit.new(game.mind.FACTS, seats + 1, seed)
        self.adam = self.fit.adam
        self._tested: tuple[Any, Any] | None = None

    def learn(self, games: int, chance: np.random.Generator, before: float, after: float) -> int:
        """See `Learner.learn`."""
        known, shares = positions(self._game, self._seats, games, int(chance.integers(2**62)))
        order = chance.permutation(len(known))
        for first in range(0, len(known), BATCH):
            chosen = order[first : first + BATCH]
            self.fit.learn(known[chosen], shares[chosen], rate_at(before + (after - before) * first / len(known)))
        return len(known)

    def measure(self) -> float:
        """Return the cross entropy in nats."""
        if self._tested is None:
            self._tested = positions(self._game, self._seats, TESTED, -1 - self._seed)
        return self.fit.loss(*self._tested)

    def told(self, measured: float) -> str:
        """See `Learner.told`."""
        return f"loss {measured:.4f}"

    def weights(self) -> dict[str, Any]:
        """See `Learner.weights`."""
        return dict(self.fit.by_name())


class PolicyLearner:
    """The coefficients of a policy, which learns in games against itself which decisions win (policy gradient)."""

    kind, usual_games, round_games, unit = "policy", 1_600_000, 8000, "decisions"

    def __init__(self, game: Game, seats: int) -> None:
        self._game, self._seats = game, seats
        start = np.zeros(game.mind.FEATURES)
        start[0] = game.mind.START
        self.adam = Adam.of([start], slow=0.99)
        self._state = game.layout.new()
        self._got = np.zeros(game.layout.max_seats)
        self._ids, self._weights = np.zeros(len(game.actions), np.int32), np.zeros(len(game.actions))

    def learn(self, games: int, chance: np.random.Generator, before: float, after: float) -> int:
        """See `Learner.learn`."""
        slope = np.zeros(self._game.mind.FEATURES)
        tracks = np.zeros((self._seats, len(slope)))
        count = self._play(_gradient(self._game), games, int(chance.integers(2**62)), tracks, slope)
        self.adam.step([-slope / games], RATE * (1.0 - (1.0 - LAST_RATE) * after), least=1e-4)
        return int(count)

    def measure(self) -> float:
        """Return the share of the wins of one such policy among the game's own."""
        return float(self._play(_match_up(self._game), TESTED, 7)) / TESTED

    def told(self, measured: float) -> str:
        """See `Learner.told`."""
        return f"{measured:.1%} of games won among the game's own policies, where {1 / self._seats:.1%} is even"

    def weights(self) -> dict[str, Any]:
        """See `Learner.weights`."""
        return {"policy": self.adam.weights[0].astype(np.float32)}

    def _play(self, loop: Any, games: int, seed: int, *more: Any) -> Any:
        game = self._game
        taught = taught_by(game.mind, self.adam.weights[0], len(game.actions))
        chance, limit = np.array([seed], np.uint64), game.longest(self._seats)
        room = (self._state, as_bytes(self._state), self._seats, chance, games, limit)
        return loop(usual_box(game), *room, self._ids, self._weights, self._got, taught, *more)


@cache
def _gradient(game: Game) -> Any:
    return make_gradient(game.rules, game.mind)


@cache
def _match_up(game: Game) -> Any:
    return make_match_up(game.rules, game.mind)
