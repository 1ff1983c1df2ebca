# pyright: basic
"""Why exploitability in the sealed-bid toy stops falling: variants of the toy with one change at a time.

Here a bid is a submission of one part. The other seats' coins are either hidden from the search, which deals them
evenly as in the toy, or shown to it, as somebody who remembers all winning bids would know them. The whole toy is also
solved without any search, by regret matching over all bids of all seats in every position.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np

from pyramidion.bots import SearchBot
from pyramidion.engine.actions import action_space, whole
from pyramidion.engine.layout import SEATS, int8, int32, layout, own, public
from pyramidion.engine.observation import observation_space
from pyramidion.engine.random import below
from pyramidion.engine.rule import rule
from pyramidion.engine.simultaneous import submit

COINS, ROUNDS = 10, 3
LATER = 10_000
"""Maximum number of iterations of the searches after the first round."""
Triple = tuple[int, int, int]
START: tuple[Triple, Triple] = (0, 0, 0), (COINS, COINS, COINS)
"""Points and coins at the start."""
Strategy = Callable[[int, Triple, Triple], Any]
"""The probabilities of a seat's bids, by round, points and coins (own first, then clockwise), float64[COINS + 1]."""


def after(points: Triple, coins: Triple, bids: Triple) -> tuple[Triple, Triple]:
    """Return the points and the coins of all seats after a round with these bids."""
    highest = max(bids)
    if bids.count(highest) > 1:
        return points, coins
    winner = bids.index(highest)
    a, b, c = (n + (seat == winner) for seat, n in enumerate(points))
    first, second, third = (n - highest * (seat == winner) for seat, n in enumerate(coins))
    return (a, b, c), (first, second, third)


def best_response(strategy: Strategy, rounds: int = ROUNDS) -> float:
    """Return the win share of the best reply to two seats that play `strategy`; it remembers all winning bids.

    It is at least a third. With fewer `rounds`, the first ones are skipped: everybody starts with all coins and no
    points.
    """

    @cache
    def value(round_number: int, points: Triple, coins: Triple) -> float:
        """Return the win share of the first seat from a position on, if it plays the best reply."""
        if round_number == ROUNDS:
            return (points[0] == max(points)) / points.count(max(points))
        (a, b, c), (x, y, z) = points, coins
        first, second = strategy(round_number, (b, c, a), (y, z, x)), strategy(round_number, (c, a, b), (z, x, y))
        worth = np.zeros(x + 1)
        for first_bid, second_bid in product(range(y + 1), range(z + 1)):
            chance = first[first_bid] * second[second_bid]
            if chance > 0.0:
                for bid in range(x + 1):
                    worth[bid] += chance * value(round_number + 1, *after(points, coins, (bid, first_bid, second_bid)))
        return float(worth.max())

    return value(ROUNDS - rounds, *START)


# Without a search


class Solved:
    """Solves the toy backwards without a search, by regret matching of all three seats in every position.

    `turns` is the number of turns of regret matching in a position.
    """

    def __init__(self, turns: int) -> None:
        self._turns = turns
        self._known: dict[Any, tuple[list[float], list[Any]]] = {}

    def strategy(self, round_number: int, points: Triple, coins: Triple) -> Any:
        """Return the probabilities of the first seat's bids in a position, as a `Strategy` does."""
        return np.pad(self.at(round_number, points, coins)[1][0], (0, COINS - coins[0]))

    def at(self, round_number: int, points: Triple, coins: Triple) -> tuple[list[float], list[Any]]:
        """Return each seat's expected share of the win in a position, and the probabilities of its bids."""
        if round_number == ROUNDS:
            return [(n == max(points)) / points.count(max(points)) for n in points], []
        order = sorted(range(3), key=lambda seat: (points[seat], coins[seat]))
        sorted_points, sorted_coins = (tuple(both[seat] for seat in order) for both in (points, coins))
        key = round_number, sorted_points, sorted_coins
        if key not in self._known:
            self._known[key] = self._solve(*key)
        values, strategies = self._known[key]
        return [values[order.index(n)] for n in range(3)], [strategies[order.index(n)] for n in range(3)]

    def _solve(self, round_number: int, points: Any, coins: Any) -> tuple[list[float], list[Any]]:
        """Compute what `at` returns for a position, from those of the next round."""
        sizes = [n + 1 for n in coins]
        worth = np.zeros((3, *sizes))
        for a, b, c in product(*map(range, sizes)):
            worth[:, a, b, c] = self.at(round_number + 1, *after(points, coins, (a, b, c)))[0]
        regret, total = [np.zeros(size) for size in sizes], [np.zeros(size) for size in sizes]
        for turn in range(1, self._turns + 1):
            now = [r / r.sum() if r.sum() > 0 else np.full(len(r), 1 / len(r)) for r in regret]
            got = (
                np.einsum("abc,b,c->a", worth[0], now[1], now[2]),
                np.einsum("abc,a,c->b", worth[1], now[0], now[2]),
                np.einsum("abc,a,b->c", worth[2], now[0], now[1]),
            )
            for seat in range(3):
                regret[seat] = np.maximum(regret[seat] + got[seat] - got[seat] @ now[seat], 0.0)
                total[seat] += turn * now[seat]
        strategies = [t / t.sum() for t in total]
        return [float(np.einsum("abc,a,b,c->", worth[seat], *strategies)) for seat in range(3)], strategies


# With a search


@cache
def toy(revealed: bool) -> Any:
    """Return the sealed-bid toy as a game in which a bid is one action.

    With `revealed`, everybody sees everybody's coins.
    """
    original = importlib.import_module("sealed_bid")
    resolve = original.resolve

    @rule
    def legal(box, s, seat, out):
        for amount in range(s.coins[seat] + 1):
            out[amount] = amount
        return int(s.coins[seat]) + 1

    @rule
    def apply(box, s, seat, action):
        s.bid[seat] = action
        if submit(s, seat):
            resolve(s)

    @rule
    def redeal(box, s, seat, chance):
        for other in range(s.seats):
            if other != seat:
                s.bid[other] = 0
                if not revealed:
                    s.coins[other] = below(chance, COINS + 1) if s.score[other] else COINS
        for word in range(2):
            s.rng[word] = chance[word]

    @rule
    def policy(box, s, seat, ids, weights):
        n = legal(box, s, seat, ids)
        for i in range(n):
            weights[i] = 1.0
        return n

    coins = public(int32, SEATS) if revealed else own(int32)
    state = layout(seats=3, events=4, round_number=public(int8), score=public(int8, SEATS), coins=coins, bid=own(int8))
    return replace(
        original.GAME,
        id=f"sealed-bid-{'shown' if revealed else 'hidden'}",
        layout=state,
        actions=action_space(bid=whole(0, COINS)),
        rules=SimpleNamespace(**{**vars(original), "legal": legal, "apply": apply}),
        mind=SimpleNamespace(redeal=redeal, policy=policy, OBSERVATION=observation_space()),
    )


@cache
def first_round_alone() -> Any:
    """Return the toy cut off after one round, with coins shown; payoffs are the solved values of what follows."""
    game, solved = toy(True), Solved(200)
    worth = np.zeros((COINS + 1, COINS + 1, COINS + 1, 3))
    for a, b, c in product(range(COINS + 1), repeat=3):
        worth[a, b, c] = solved.at(1, *after((0, 0, 0), (COINS, COINS, COINS), (a, b, c)))[0]

    @rule
    def apply(box, s, seat, action):
        s.bid[seat] = action
        if submit(s, seat):
            s.over = 1
            s.ending = 1_04
            s.acting = 0
            s.winners = 1

    @rule
    def payoff(box, s, out):
        for seat in range(3):
            out[seat] = worth[s.bid[0], s.bid[1], s.bid[2], seat]

    rules = SimpleNamespace(**{**vars(game.rules), "apply": apply, "payoff": payoff})
    return replace(game, id="sealed-bid-first", rules=rules)


def searched(game: Any, revealed: bool, iterations: int, seed: str, position: tuple[int, Triple, Triple]) -> Any:
    """Return the probabilities of bids that one search finds in a position, float64[COINS + 1].

    The position is (round, points, coins), the searching seat's own first.
    """
    round_number, points, coins = position
    match = game.new(3, 1)
    state = match.redacted_state(0)
    state["round_number"], state["score"][0, :3] = round_number, points
    if revealed:
        state["coins"][0, :3] = coins
    else:
        state["coins"][0, 0] = coins[0]
    strategy = np.zeros(COINS + 1)
    result = SearchBot(game, seed).think(match.box, state, 0, iterations=iterations)
    for choice in result.choices:
        strategy[choice.action] = choice.share if choice.share >= 0.1 * result.choices[0].share else 0.0
    return strategy / strategy.sum()


@cache
def later(revealed: bool, iterations: int) -> Strategy:
    """Return the strategy of seats that search anew at each decision, from what they know there."""

    @cache
    def strategy(round_number: int, points: Triple, coins: tuple[int, ...]) -> Any:
        position = round_number, points, coins if len(coins) == 3 else (coins[0], 0, 0)
        return searched(toy(revealed), revealed, iterations, f"{round_number} {points} {coins}", position)

    return lambda round_number, points, coins: strategy(round_number, points, coins if revealed else coins[:1])


def exploited(revealed: bool, rounds: int, iterations: int, seed: int) -> float:
    """Return how much a best reply gains against a search's first bids, above a third.

    `rounds` are played. Later bids are made by searches of at most `LATER` iterations.
    """
    opening = ROUNDS - rounds, *START
    first = searched(toy(revealed), revealed, iterations, f"first {seed}", opening)
    rest = later(revealed, min(iterations, LATER))

    def strategy(round_number: int, points: Triple, coins: Triple) -> Any:
        return first if (round_number, points, coins) == opening else rest(round_number, points, coins)

    return best_response(strategy, rounds) - 1 / 3


def exploited_when_the_rest_is_solved(iterations: int, seed: int, solved: Solved) -> float:
    """Return how much a best reply gains against a search's first bids if later rounds are solved.

    The search then knows what every position after the first round is worth.
    """
    first = searched(first_round_alone(), True, iterations, f"first {seed}", (0, *START))
    return best_response(lambda n, points, coins: first if n == 0 else solved.strategy(n, points, coins)) - 1 / 3
