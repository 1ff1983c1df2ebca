"""Rewards of batched environments: a game's payoff, the points, the rank, or a rule of one's own."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, cast, get_args

import numpy as np
import numpy.typing as npt

from pyramidion.engine.game import Game
from pyramidion.engine.match import Match
from pyramidion.engine.rule import require_rule, rule
from pyramidion.env import batch_loops as loops

RewardName = Literal["win", "points", "rank"]
Reward = RewardName | Any
"""The name of a reward, or a rule `reward(box, s, payoffs, points, out)`; see `pyramidion.env.batch`."""


@rule
def _win(box: Any, s: Any, payoffs: Any, points: Any, out: Any) -> None:
    """Reward every seat with its payoff."""
    for seat in range(s.seats):
        out[seat] = payoffs[seat]


@rule
def _points(box: Any, s: Any, payoffs: Any, points: Any, out: Any) -> None:
    """Reward every seat with its points, and with 0 if it is not scored."""
    for seat in range(s.seats):
        out[seat] = max(0, points[seat])


@rule
def _rank(box: Any, s: Any, payoffs: Any, points: Any, out: Any) -> None:
    """Reward every seat with the share of the others that it is ahead of, where an equal one counts as a half.

    A higher payoff is ahead; among equal payoffs, more points.
    """
    for seat in range(s.seats):
        ahead = 0
        for other in range(s.seats):
            if other == seat:
                continue
            gain = float(payoffs[seat] - payoffs[other])
            if gain == 0.0:
                gain = float(points[seat] - points[other])
            ahead += 2 if gain > 0 else 1 if gain == 0.0 else 0
        out[seat] = ahead / (2.0 * (s.seats - 1))


_NAMED = {"win": _win, "points": _points, "rank": _rank}


def reward_rule(reward: Reward) -> Any:
    """Return the rule of a reward. Raises ValueError for an unknown name, and TypeError for what is no rule."""
    if isinstance(reward, str):
        if reward not in _NAMED:
            names = ", ".join(map(repr, get_args(RewardName)))
            raise ValueError(f"There is no reward {reward!r}; there are {names}, and rules of your own.")
        return _NAMED[cast("RewardName", reward)]
    require_rule(reward, "A reward")
    return reward


@cache
def loops_of(game: Game, reward: Any) -> loops.Loops:
    """Return the compiled loops of a game with the rule of a reward, made at the first call."""
    return loops.make_loops(game.rules, game.mind, reward)


def rewards_of(match: Match, reward: Any) -> npt.NDArray[np.float32]:
    """Return each seat's reward by the rule of a reward, float32[seats]; 0 until the match is over."""
    rewards = np.zeros(match.seats)
    if match.outcome is not None:
        payoffs, points = np.array(match.outcome.payoffs, np.float64), np.array(match.outcome.points, np.int32)
        _entry(reward)(match.box, match.state_copy(), payoffs, points, rewards)
    return rewards.astype(np.float32)


@cache
def _entry(reward: Any) -> Any:
    """Return a compiled function that calls the rule of a reward with the first of several boxes and states."""

    @rule
    def call(boxes: Any, states: Any, payoffs: Any, points: Any, out: Any) -> None:
        reward(boxes[0], states[0], payoffs, points, out)

    return call
