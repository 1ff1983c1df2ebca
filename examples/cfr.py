# pyright: basic
"""Solve a small game of Pyramid-Sham-Bo: tabular counterfactual regret minimization (CFR+, Tammelin 2014).

Two players have two challenges; one tie ends a challenge. The solver begins at random: uniform play is optimal.

    python examples/cfr.py
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import pyramidion

GAME = pyramidion.load("pyramid-shambo")
OPTIONS: dict[str, Any] = {"turn_limit": 2, "tie_limit": 1}


@dataclass
class Node:
    """A decision, or the end of a game with its payoffs."""

    player: int = -1
    information: object = None
    children: list[Node] = field(default_factory=list)
    payoffs: tuple[float, ...] = ()


def tree(match: pyramidion.Match, done: tuple[tuple[int, ...], ...] = ((), ())) -> Node:
    """Return the game tree from a match on; `done` are the actions of each player so far."""
    if match.outcome is not None:
        return Node(payoffs=match.outcome.payoffs)
    player = match.acting[0]
    node = Node(player, (player, match.redacted(player), done[player]))
    for action in match.legal_ids(player).tolist():
        after = match.at(match.ply)
        after.play(player, action)
        more = tuple((*own, action) if seat == player else own for seat, own in enumerate(done))
        node.children.append(tree(after, more))
    return node


class Solver:
    """Regrets and average strategies by information set."""

    def __init__(self, root: Node, seed: int) -> None:
        self.root, self.random, self.weight = root, np.random.default_rng(seed), 0
        self.regrets, self.sums = dict[object, np.ndarray](), dict[object, np.ndarray]()

    def strategy(self, node: Node) -> np.ndarray:
        """Return the current strategy: in proportion to positive regrets."""
        regrets = self.regrets.setdefault(node.information, self.random.random(len(node.children)))
        return regrets / regrets.sum() if regrets.sum() > 0 else np.full(len(regrets), 1 / len(regrets))

    def average(self, node: Node) -> np.ndarray:
        """Return the average strategy, which converges to an equilibrium."""
        sums = self.sums.get(node.information)
        return self.strategy(node) if sums is None or not sums.any() else sums / sums.sum()

    def iterate(self, node: Node, reach: tuple[float, float] = (1.0, 1.0)) -> float:
        """Update all regrets below a node once; return the value for player 0 of the current strategies."""
        self.weight += node is self.root
        if not node.children:
            return node.payoffs[0] - 0.5
        mine, sign = node.player, 1 - 2 * node.player
        strategy, values = self.strategy(node), np.zeros(len(node.children))
        for n, child in enumerate(node.children):
            below = (reach[0] * strategy[n], reach[1]) if mine == 0 else (reach[0], reach[1] * strategy[n])
            values[n] = self.iterate(child, below)
        value = float(values @ strategy)
        self.regrets[node.information] += reach[1 - mine] * sign * (values - value)
        self.regrets[node.information].clip(0, out=self.regrets[node.information])
        self.sums[node.information] = self.sums.get(node.information, 0) + self.weight * reach[mine] * strategy
        return value

    def best_response(self, player: int) -> float:
        """Return the value for `player` of a best response to the other player's average strategy."""
        reached: dict[object, list[tuple[Node, float]]] = defaultdict(list)

        def visit(node: Node, reach: float) -> None:
            chances = self.average(node) if node.player == 1 - player else np.ones(len(node.children))
            if node.player == player:
                reached[node.information].append((node, reach))
            for child, chance in zip(node.children, chances, strict=True):
                visit(child, reach * chance)

        chosen: dict[object, int] = {}

        def value(node: Node) -> float:
            if not node.children:
                return node.payoffs[player] - 0.5
            if node.player != player:
                return float(self.average(node) @ [value(child) for child in node.children])
            if node.information not in chosen:
                here, count = reached[node.information], len(node.children)
                worth = [sum(reach * value(one.children[n]) for one, reach in here) for n in range(count)]
                chosen[node.information] = int(np.argmax(worth))
            return value(node.children[chosen[node.information]])

        visit(self.root, 1.0)
        return value(self.root)


def main(iterations: int = 100, seed: int = 0) -> tuple[float, float]:
    """Return the exploitability (0 in an equilibrium) of random strategies and of the average strategies."""
    solver = Solver(tree(GAME.new(2, seed, **OPTIONS)), seed)
    before = solver.best_response(0) + solver.best_response(1)
    for _ in range(iterations):
        solver.iterate(solver.root)
    return before / 2, (solver.best_response(0) + solver.best_response(1)) / 2


if __name__ == "__main__":
    before, after = main()
    print(f"exploitability {after:.4f} of a win; before, with random strategies, {before:.4f}")
