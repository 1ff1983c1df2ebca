"""Loss per decision: what an agent's choices cost, judged by a deep search in positions that are the same for all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pyramidion import bots
from pyramidion.bots.comparison import values_after
from pyramidion.bots.levels import level_of
from pyramidion.bots.search_loop import MAX_MIXING
from pyramidion.engine.refusals import id_of
from pyramidion.engine.registry import load
from pyramidion.lab.arena.errors import EntrantError
from pyramidion.lab.evaluation.agents import Agent
from pyramidion.lab.evaluation.protocol import Budget, Protocol
from pyramidion.lab.statistics.intervals import Z, mean_and_error

if TYPE_CHECKING:
    from pyramidion.engine.match import Match

PER_GAME = 5
"""Most positions that are taken from one game."""
BLUNDER = 0.15
"""The loss from which on a decision is a blunder, in shares of the win."""


@dataclass(frozen=True, slots=True)
class Loss:
    """What an agent's decisions lose, in shares of the win (0 to 1; payoffs are scaled to that).

    Attributes:
        mean, low, high: the mean loss and its 95 % interval; unbiased, so it can be below 0.
        blunders: the share of decisions that lose 0.15 or more.
        decisions: how many were judged; `failures`: those in which the agent gave no legal action, which are left out.
    """

    mean: float
    low: float
    high: float
    blunders: float
    decisions: int
    failures: int


class Judge:
    """Judges decisions in the positions of a protocol; keeps its searches, so that further agents cost little.

    Positions are decisions with a choice in games between policies. Those in which a mixed strategy is right are left
    out. The best action is that of a deep search. An action's loss is the difference to it, each searched anew over
    the same deals of what is hidden, so that no maximum is taken over noisy values.
    """

    def __init__(self, protocol: Protocol, decisions: int) -> None:
        self._protocol, self._game = protocol, load(protocol.game)
        self._level = replace(level_of(self._game, "expert"), seconds=None, iterations=protocol.deep)
        self._values = dict[tuple[int, int], npt.NDArray[np.float64]]()
        self._positions = list(self._chosen(decisions))

    def loss(self, agent: Agent, budget: Budget) -> Loss | None:
        """Return what an agent's decisions lose; None if there is no position to judge."""
        losses, failures = list[float](), 0
        for number, (match, seat, best) in enumerate(self._positions):
            try:
                player = agent.make_player(self._game, f"{self._protocol.seed} loss {number}", budget)
                action = player.move(match, seat)
                chosen = id_of(self._game, action)
                if chosen not in match.legal_ids(seat):
                    raise EntrantError("The action is not legal.")
            except (Exception, SystemExit):
                failures += 1
                continue
            losses.append(self._difference(number, match, seat, best, chosen))
        if not losses:
            return None
        mean, error = mean_and_error(sum(losses), sum(loss * loss for loss in losses), len(losses))
        blunders = sum(loss >= BLUNDER for loss in losses) / len(losses)
        return Loss(mean, mean - Z * error, mean + Z * error, blunders, len(losses), failures)

    def _difference(self, number: int, match: Match, seat: int, best: int, chosen: int) -> float:
        """Return what an action loses against the best one in a position."""
        if chosen == best:
            return 0.0
        first, second = (self._value(number, match, seat, action) for action in (best, chosen))
        return float(np.mean(first - second))

    def _value(self, number: int, match: Match, seat: int, action: int) -> npt.NDArray[np.float64]:
        """Return the expected share of the win after an action, for each deal of what is hidden."""
        if (number, action) not in self._values:
            seed = f"{self._protocol.seed} judge {number}"
            bot = bots.SearchBot(self._game, f"{seed} {action}", self._level)
            box, state = match.box_for(seat), match.redacted_state(seat)
            self._values[number, action] = values_after(
                bot, box, state, seat, action, iterations=self._protocol.compared, seed=seed
            )
        return self._values[number, action]

    def _chosen(self, count: int) -> Iterator[tuple[Match, int, int]]:
        """Yield positions as (match, seat, best action)."""
        chosen = 0
        # Games of simultaneous decisions alone have no position to judge.
        for number in range(4 * count):
            for match, seat in _decisions(self._protocol, number):
                best = self._best(match, seat, f"{self._protocol.seed} best {number} {match.ply}")
                if best is not None and chosen < count:
                    chosen += 1
                    yield match, seat, best
            if chosen >= count:
                return

    def _best(self, match: Match, seat: int, seed: str) -> int | None:
        """Return the action that a deep search chooses, or None if a mixed strategy is right."""
        bot = bots.SearchBot(self._game, seed, self._level)
        result = bot.think(match.box_for(seat), match.redacted_state(seat), seat)
        return None if result.mixed else result.action


def _decisions(protocol: Protocol, number: int) -> list[tuple[Match, int]]:
    """Return decisions with a choice from a game between policies, at most PER_GAME; `number` determines them."""
    game: Any = load(protocol.game)
    match = game.new(protocol.seats, f"{protocol.seed} position {number}", **protocol.options)
    policy, places = bots.load("policy", game, f"{protocol.seed} {number}"), list[tuple[int, int]]()
    while not match.over:
        seat = match.acting[0]
        together = int(match.redacted_state(seat)["acting"][0]).bit_count()
        if len(match.legal_ids(seat)) > 1 and not 2 <= together <= MAX_MIXING:
            places.append((match.ply, seat))
        match.play(seat, policy.move(match, seat))
    drawn = Random(f"{protocol.seed} {number}").sample(places, min(PER_GAME, len(places)))
    return [(match.at(ply), seat) for ply, seat in sorted(drawn)]
