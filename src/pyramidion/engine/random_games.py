"""Random games, with random seats and options, on which the laws of a game are checked."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pyramidion.engine.game import Game
from pyramidion.engine.layout import record
from pyramidion.engine.match import Match
from pyramidion.translation import quantity

FREE_SHARE = 0.1
"""Probability that a random game picks a free seat (one that may act without being due)."""


class LawBroken(AssertionError):
    """A game breaks a conformance law; the message names the law and the ply, and how to reproduce the game."""


@dataclass(frozen=True, slots=True)
class RandomGame:
    """A random game to check laws on: the finished match, and a generator with which laws choose positions."""

    match: Match
    chance: random.Random

    def require(self, holds: bool, law: str, ply: int, what: str) -> None:
        """Raise LawBroken unless the law holds at this ply; `what` says what is wrong."""
        if not holds:
            m = self.match
            raise LawBroken(
                f"{law}: {what} [{m.game.id}, seats={m.seats}, seed={m.seed!r}, options={m.options}, ply {ply}]"
            )

    def some_plies(self, count: int) -> list[int]:
        """Return about `count` random plies, ascending, always including the first and the last."""
        plies = range(self.match.ply + 1)
        chosen = self.chance.sample(plies, min(count, len(plies)))
        return sorted({0, self.match.ply, *chosen})


def play_randomly(
    game: Game, chance: random.Random, seats: int | None = None, options: Mapping[str, Any] | None = None
) -> RandomGame:
    """Play a random game to its end and return it, with random seats and options unless given.

    Also checks after every action that the lists of legal actions are well formed, the invariants hold, the events fit
    and the game stays within `game.longest`.
    """
    if options is None:
        options = random_options(game, chance)
    seats = seats if seats is not None else chance.choice(game.seats)
    match = game.new(seats, chance.getrandbits(32), **options)
    trial = RandomGame(match, chance)
    limits = {name: match.options[name] for name, option in game.options.items() if option.kind == "whole"}
    bound = game.longest(seats, **limits)
    _check_state(trial)
    while not match.over:
        trial.require(match.ply < bound, "ends_in_time", match.ply, f"not over after {quantity(bound, 'decision')}")
        trial.require(bool(match.acting), "legal_lists", match.ply, "nobody is due, and the game is not over")
        # Let free seats act occasionally: their actions may hold up the seats that are due.
        seat = chance.choice(match.free if match.free and chance.random() < FREE_SHARE else match.acting)
        ids = match.legal_ids(seat)
        if not len(ids):
            trial.require(seat not in match.acting, "legal_lists", match.ply, f"seat {seat} is due and has no action")
            continue
        trial.require(bool((np.diff(ids) > 0).all()), "legal_lists", match.ply, "ids are not ascending and unique")
        trial.require(ids[0] >= 0 and ids[-1] < len(game.actions), "legal_lists", match.ply, "ids are out of range")
        match.play(seat, int(chance.choice(ids)))
        _check_state(trial)
    return trial


def random_options(game: Game, chance: random.Random) -> dict[str, Any]:
    """Return a random value for each option of a game."""
    return {name: _random_value(option, chance) for name, option in game.options.items()}


def _random_value(option: Any, chance: random.Random) -> Any:
    """Return a random value of an option; if it is a number, often the default."""
    if option.kind == "flag":
        return chance.random() < 0.5
    if option.kind == "choice":
        return chance.choice(option.choices)
    if chance.random() < 0.5:
        return option.default
    if option.kind == "numbers":
        # Draw distinct numbers: an option may require them, and equal ones are rare in practice.
        return tuple(chance.sample(range(option.low, min(option.high, option.low + 50) + 1), option.count))
    return chance.randint(option.low, option.high)


def _check_state(trial: RandomGame) -> None:
    """Check that the invariants hold, that the events fit, and that nobody may act out of turn. Raises LawBroken."""
    match = trial.match
    state = match.state_copy()
    wrong = match.game.invariants(record(match.box), record(state))
    trial.require(wrong is None, "invariants", match.ply, str(wrong))
    fits = int(state["event_count"][0]) <= state["event_code"].shape[1]
    trial.require(
        fits, "events_fit", match.ply, f"the buffer has no room for {quantity(int(state['event_count'][0]), 'event')}"
    )
    for seat in range(match.seats):
        due = seat in match.acting or seat in match.free
        trial.require(
            due or not len(match.legal_ids(seat)), "legal_lists", match.ply, f"seat {seat} may act out of turn"
        )
