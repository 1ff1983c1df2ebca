"""Game trees of small settings: their sizes, and their form for OpenSpiel's exact methods."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion.translation import quantity

if TYPE_CHECKING:
    from pyramidion.engine.game import Game
    from pyramidion.env.open_spiel import Trajectory

MAX_NODES = 200_000
"""Nodes from which on a tree counts as too large."""


class TooLarge(ValueError):
    """A tree has more nodes than can be enumerated; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class InformationSet:
    """A decision as a seat knows it.

    Attributes:
        seat: who decides.
        number: its number, from 1.
        actions: the ids of the legal actions.
        deal, history: a position in it: the number of the deal, and the actions that lead there, with their seats.
    """

    seat: int
    number: int
    actions: tuple[int, ...]
    deal: int
    history: tuple[tuple[int, int], ...]


@dataclass(slots=True)
class GameTree:
    """The whole tree of a small game, after a chance node that draws one of `openings` deals.

    Deal `k` is the match of seed `k`, and decides everything that is drawn later. Decisions that are made at the same
    time are separate nodes, and do not see each other.

    Attributes:
        game, seats, openings: what is played.
        nodes, terminals: the number of nodes, the chance node included, and of ends.
        sets: the information sets, by what the seat has seen and done.
    """

    game: Game
    seats: int
    openings: int
    nodes: int = 1
    terminals: int = 0
    sets: dict[tuple[int, bytes], InformationSet] = field(default_factory=dict[tuple[int, bytes], InformationSet])
    _lines: list[str] = field(default_factory=list[str], repr=False)
    _own_numbers: list[int] = field(default_factory=list[int], repr=False)
    _counts: Counter[int] = field(default_factory=Counter[int], repr=False)

    @staticmethod
    def of(game: Game, openings: int = 1, max_nodes: int = MAX_NODES) -> GameTree:
        """Return the tree of a game with its usual seats and options. Raises TooLarge for more than `max_nodes`."""
        from pyramidion.env.open_spiel import Trajectory
        from pyramidion.env.open_spiel_rules import rules_of

        tree, rules = GameTree(game, game.usual_seats, openings), rules_of(game, openings=openings)
        for deal in range(openings):
            match = game.new(seed=deal)
            state = match.state_copy()
            tree._add(match.box, state, Trajectory(rules, None, -1, -1, state.tobytes()), deal, (), max_nodes)
        return tree

    def _add(
        self,
        box: Any,
        state: Any,
        trajectory: Trajectory,
        deal: int,
        history: tuple[tuple[int, int], ...],
        max_nodes: int,
    ) -> None:
        """Add a position and everything below it, in the order of the extensive form."""
        from pyramidion.env.open_spiel import Trajectory

        game, self.nodes = self.game, self.nodes + 1
        if self.nodes > max_nodes:
            raise TooLarge(f"The tree of {game.id} has more than {quantity(max_nodes, 'node')}.")
        if state["over"][0]:
            self.terminals += 1
            payoffs = np.zeros(self.seats)
            game.compiled.payoff(box, state, payoffs)
            numbers = " ".join(repr(float(payoff)) for payoff in payoffs)
            self._lines.append(f't "" {self.terminals} "" {{ {numbers} }}')
            return
        seat, ids = _decision(game, box, state)
        key = seat, trajectory.digest(seat)
        if key not in self.sets:
            self.sets[key] = InformationSet(seat, len(self.sets) + 1, tuple(ids), deal, history)
            # The format numbers the information sets of each player by themselves; our number is the name.
            self._own_numbers.append(1 + self._counts[seat])
            self._counts[seat] += 1
        number = self.sets[key].number
        actions = " ".join(f'"{action}"' for action in ids)
        self._lines.append(f'p "" {seat + 1} {self._own_numbers[number - 1]} "{number}" {{ {actions} }} 0')
        buffer = np.empty(len(game.actions), np.int32)
        for action in ids:
            after = state.copy()
            game.compiled.step(box, after, seat, action, buffer)
            path = Trajectory(trajectory.rules, trajectory, seat, action, after.tobytes())
            self._add(box, after, path, deal, (*history, (seat, action)), max_nodes)

    def extensive_form(self) -> str:
        """Return the tree in Gambit's format for extensive-form games, which `pyspiel.load_efg_game` reads."""
        players = " ".join(f'"{seat}"' for seat in range(self.seats))
        deals = " ".join(f'"deal {deal}" 1/{self.openings}' for deal in range(self.openings))
        root = f'c "" 1 "" {{ {deals} }} 0'
        return "\n".join([f'EFG 2 R "{self.game.id}" {{ {players} }} ""', root, *self._lines]) + "\n"


def _decision(game: Game, box: Any, state: Any) -> tuple[int, list[int]]:
    """Return the seat that decides next in a state, and the ids of its legal actions."""
    due = int(state["acting"][0]) & ~int(state["submitted"][0])
    seat = (due & -due).bit_length() - 1
    ids = np.empty(len(game.actions), np.int32)
    return seat, ids[: game.compiled.legal(box, state, seat, ids)].tolist()


@dataclass(frozen=True, slots=True)
class SizeEstimate:
    """An estimate of a tree's size from random games: powers of ten, since the size itself may be no float.

    Attributes:
        probes: the number of games.
        mean: the logarithm of the mean estimate, which is unbiased (Knuth 1975) but dominated by a few games.
        median, low, high: the logarithms of the median, and of the 5th and 95th percentiles of single games.
    """

    probes: int
    mean: float
    median: float
    low: float
    high: float


def estimate_size(game: Game, probes: int = 1000, seed: int = 0) -> SizeEstimate:
    """Estimate the number of nodes below a deal from random games (Knuth 1975): each counts the branches it passes."""
    sizes = np.sort([_probe(game, probe, Random(f"{seed} {probe}")) for probe in range(probes)])
    most = float(sizes[-1])
    mean = most + math.log10(float(np.mean(10.0 ** (sizes - most))))
    median, low, high = (float(np.quantile(sizes, at)) for at in (0.5, 0.05, 0.95))
    return SizeEstimate(probes, mean, median, low, high)


def _probe(game: Game, seed: int, chance: Random) -> float:
    """Return the logarithm to base 10 of the estimate by one random game."""
    match = game.new(seed=seed)
    box, state = match.box, match.state_copy()
    buffer, levels = np.empty(len(game.actions), np.int32), [0.0]
    while not state["over"][0]:
        seat, ids = _decision(game, box, state)
        levels.append(levels[-1] + math.log10(len(ids)))
        game.compiled.step(box, state, seat, chance.choice(ids), buffer)
    return levels[-1] + math.log10(sum(10.0 ** (level - levels[-1]) for level in levels))
