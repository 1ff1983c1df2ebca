"""Loss per decision: what an agent's choices cost, judged by a deep search in positions that are the same for all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from pyramidion.lab.evaluation.agents import Agent
from pyramidion.lab.evaluation.protocol import Protocol
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


@dataclass(frozen=True, slots=True)
class JudgedDecision:
    """An agent's choice in one position of the protocol.

    Attributes:
        game: the number of the game between policies from which the position is; `ply`: its ply.
        action: the id of the action that the agent chose; -1 if it gave no legal action.
        loss: what the action loses, in shares of the win; 0 where there is no action.
    """

    game: int
    ply: int
    action: int
    loss: float


def loss_of(judged: Sequence[JudgedDecision]) -> Loss | None:
    """Return the figures of judged decisions; None if there is none with an action."""
    losses = [decision.loss for decision in judged if decision.action >= 0]
    if not losses:
        return None
    mean, error = mean_and_error(sum(losses), sum(loss * loss for loss in losses), len(losses))
    blunders = sum(loss >= BLUNDER for loss in losses) / len(losses)
    return Loss(mean, mean - Z * error, mean + Z * error, blunders, len(losses), len(judged) - len(losses))


class Judge:
    """Judges decisions in the positions of a protocol; keeps its searches, so that further agents cost little.

    Positions are decisions with a choice in games between policies. Those in which a mixed strategy is right are left
    out. The best action is that of a deep search. An action's loss is the difference to it, each searched anew over
    the same deals of what is hidden, so that no maximum is taken over noisy values.
    """

    def __init__(self, protocol: Protocol) -> None:
        self._protocol, self._game = protocol, load(protocol.game)
        self._level = replace(level_of(self._game, "expert"), seconds=None, iterations=protocol.deep)
        self._values = dict[tuple[int, int], npt.NDArray[np.float64]]()
        self._positions: list[_Position] | None = None

    def judge(self, agent: Agent) -> list[JudgedDecision]:
        """Return an agent's decisions in all positions of the protocol."""
        if self._positions is None:
            self._positions = list(self._chosen(self._protocol.decisions))
        decisions: list[JudgedDecision] = []
        for number, position in enumerate(self._positions):
            action = self._choice(agent, number, position)
            loss = 0.0 if action < 0 else self._loss(number, position, action)
            decisions.append(JudgedDecision(position.game, position.match.ply, action, loss))
        return decisions

    def judge_again(self, agent: Agent, number: int, stated: JudgedDecision) -> JudgedDecision | None:
        """Return decision `number` of an agent as it is judged anew; None if it is not in a position of the protocol.

        A built-in bot, except one whose search is limited by time, chooses anew; of other agents the stated action is
        judged.
        """
        places = [place for place in _decisions(self._protocol, stated.game) if place[0].ply == stated.ply]
        best = self._best(*places[0], stated.game) if places else None
        if best is None:
            return None
        position = _Position(stated.game, *places[0], best)
        repeats = agent.is_builtin and self._protocol.budget.kind == "iterations"
        action = self._choice(agent, number, position) if repeats else stated.action
        if action >= 0 and action not in position.match.legal_ids(position.seat):
            return None
        return replace(stated, action=action, loss=0.0 if action < 0 else self._loss(number, position, action))

    def _choice(self, agent: Agent, number: int, position: _Position) -> int:
        """Return the id of the action that an agent chooses in a position; -1 if it gives no legal action."""
        try:
            player = agent.make_player(self._game, f"{self._protocol.seed} loss {number}", self._protocol.budget)
            chosen = id_of(self._game, player.move(position.match, position.seat))
        except (Exception, SystemExit):
            return -1
        return int(chosen) if chosen in position.match.legal_ids(position.seat) else -1

    def _loss(self, number: int, position: _Position, action: int) -> float:
        """Return what an action loses against the best one in a position."""
        if action == position.best:
            return 0.0
        match, seat = position.match, position.seat
        first, second = (self._value(number, match, seat, choice) for choice in (position.best, action))
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

    def _chosen(self, count: int) -> Iterator[_Position]:
        """Yield the first `count` positions of the protocol."""
        chosen = 0
        # Games of simultaneous decisions alone have no position to judge.
        for number in range(4 * count):
            for match, seat in _decisions(self._protocol, number):
                if chosen == count:
                    return
                best = self._best(match, seat, number)
                if best is not None:
                    chosen += 1
                    yield _Position(number, match, seat, best)

    def _best(self, match: Match, seat: int, number: int) -> int | None:
        """Return the action that a deep search chooses in game `number`, or None if a mixed strategy is right."""
        bot = bots.SearchBot(self._game, f"{self._protocol.seed} best {number} {match.ply}", self._level)
        result = bot.think(match.box_for(seat), match.redacted_state(seat), seat)
        return None if result.mixed else result.action


@dataclass(frozen=True, slots=True)
class _Position:
    """A position in which agents are judged: a match in game `game`, the seat that decides and its best action."""

    game: int
    match: Match
    seat: int
    best: int


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
