# pyright: basic
"""Comparison with the truth: how often the search matches exhaustive search in small endings without chance or secrets.

    python benchmarks/studies/search_endings.py [--positions 500] [--iterations 20000] [--game pyramis] [--write]

Endings are made from games of policies between two seats, and changed so that nothing hidden is left:

- Pyramid Scheme: all hands lie open, the deck has one card below its top card or none, all other cards that are
  neither in a pyramid nor in the market are out of the game, and so are the tokens. The game ends when the deck runs
  out.
- Pyramis: two turns are left. The decks have three cards, of which everybody knows which they are: the other unseen
  cards have no other part than to be unseen, and show other backs. The five Star cards have been drawn, so that each
  seat knows the other's, and the cards still to come bear no Shooting Star.

An ending counts only if redealing what a seat cannot see gives the position itself, for both seats (20 times). Every
decision of one line of play from there, drawn from the policy, is a position if one seat alone has to choose,
exhaustive search is through within its budget and meets no chance, and the actions differ in value: where they do
not, nothing can be done wrong.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

import pyramidion
from exhaustive import CHANCE, TOGETHER, TOO_LARGE, Solver
from pyramidion import bots
from pyramidion.engine.game import Game, chance_words
from pyramidion.engine.layout import as_bytes
from pyramidion.games.pyramid_scheme import layout as scheme
from pyramidion.games.pyramis import layout as pyramis
from search_arena import STRENGTH, digest

POSITIONS = 2_000_000
"""Maximum number of positions that exhaustive search examines for one decision."""


@dataclass(frozen=True, slots=True)
class Ending:
    """A decision whose exact value is known: box and state of shape (1,), the seat, and the value of each action.

    `size` is the number of positions that exhaustive search looked at.
    """

    box: Any
    state: Any
    seat: int
    values: dict[int, float]
    size: int

    @property
    def best(self) -> float:
        """The value of the best action."""
        return max(self.values.values())


def scheme_ending(game: Game, number: int) -> tuple[Any, Any] | None:
    """Return box and state of an ending of Pyramid Scheme, made from game `number`, or None if there is none."""
    match = played(game, number, 24 + 7 * (number % 10))
    if match is None:
        return None
    state = match.state_copy()
    if state["phase"][0] != scheme.ACTING:
        return None
    s = state.view(np.recarray)[0]
    held = {int(card) for seat in range(2) for card in s.hand[seat, : s.hand_count[seat]]}
    below = [int(card) for card in s.deck[: s.deck_count]][: number % 2]
    for seat in range(2):
        for card in s.hand[seat, : s.hand_count[seat]]:
            if s.spot[card] == scheme.HIDDEN:
                s.spot[card] = scheme.IN_HAND + seat
                s.dealt_sum[seat] += match.box["number"][0][card]
    for card in range(scheme.VICTIMS):
        if s.spot[card] == scheme.DISCARDED or (
            s.spot[card] == scheme.HIDDEN and card not in held and card not in below
        ):
            s.spot[card] = scheme.GONE
    s.deck[:] = 0
    s.deck[: len(below)] = below
    s.deck_count, s.discard_count, s.supply = len(below), 0, 0
    s.tokens[:] = 0
    return match.box.copy(), state


def pyramis_ending(game: Game, number: int) -> tuple[Any, Any] | None:
    """Return box and state of an ending of Pyramis, made from game `number`, or None if there is none."""
    match = played(game, number, None)
    if match is None:
        return None
    state, box = match.state_copy(), match.box.copy()
    s, printed = state.view(np.recarray)[0], box.view(np.recarray)[0]
    seen = {int(card) - 1 for card in s.river if card} | {int(card) - 1 for card in s.fleet[:2].ravel() if card}
    tops = [int(card) - 1 for card in s.top]
    unseen = [card for card in range(pyramis.CARDS) if card not in seen and card not in tops]
    third = unseen[0]  # a redeal puts the unseen cards into the pool in ascending order
    if len({int(printed.back[card]) for card in (*tops, third)}) < 3:
        return None
    for card in unseen[1:]:
        printed.back[card] = -1
    for card in (*tops, third, *(int(card) - 1 for card in s.river if card)):
        printed.star[card] = 0
    s.pool[:] = 0
    s.pool[: len(unseen)] = unseen
    s.pool_count = 1
    s.left[0], s.left[1] = (2, 1) if number % 2 else (1, 2)
    s.reserve, s.thefts = 0, 0
    for name in ("theft_to", "theft_from", "theft_star", "theft_star_party"):
        s[name][:] = 0
    s.stars[0] = np.random.default_rng(number).integers(32)
    s.stars[1] = 31 & ~int(s.stars[0])
    for seat in range(2):
        s.drawn[seat] = s.stars[seat]
        s.star_count[seat] = int(s.stars[seat]).bit_count()
    return box, state


def played(game: Game, number: int, plies: int | None) -> Any:
    """Play a game of policies until `plies` plies, or with None until the last two turns of Pyramis.

    Returns the match, or None if it ended earlier.
    """
    bot, match = bots.load("policy", game, f"ending {number}"), game.new(2, f"ending {number}")
    while not match.over:
        if match.ply == plies or (plies is None and match.state_copy()["turn"][0] == 2 * pyramis.N_SPACES - 2):
            return match
        match.play(match.acting[0], bot.move(match, match.acting[0]))
    return None


MAKERS = {"pyramid-scheme": scheme_ending, "pyramis": pyramis_ending}
HIDDEN_ANYWAY = ("rng", "ply", "event_count", "event_code", "event_rule", "event_audience", "event_args")


def is_open(game: Game, box: Any, state: Any) -> bool:
    """Return whether redealing reproduces the position for both seats, so that nothing is hidden."""
    wanted = state.copy()
    for name in HIDDEN_ANYWAY:
        wanted[name] = 0
    for seat in range(2):
        for n in range(20):
            dealt = game.layout.redact(state, seat)
            game.compiled.redeal(box, dealt, seat, chance_words(n))
            for name in HIDDEN_ANYWAY:
                dealt[name] = 0
            if not np.array_equal(as_bytes(dealt), as_bytes(wanted)):
                return False
    return True


def endings(
    game: Game, first: int = 0, positions: int = POSITIONS, counts: Counter[str] | None = None
) -> Iterator[Ending]:
    """Yield decisions in endings whose exact values differ, from games after number `first`.

    `positions` limits the exhaustive search of each. `counts` counts what is left out, by reason.
    """
    counts = Counter() if counts is None else counts
    solver, policy, buffer = (
        Solver(game),
        bots.load("policy", game, f"line {first}"),
        np.zeros(len(game.actions), np.int32),
    )
    why = {TOO_LARGE: "too large", CHANCE: "chance", TOGETHER: "at once"}
    number = first
    while True:
        number += 1
        made = MAKERS[game.id](game, number)
        if made is None:
            continue
        box, state = made
        counts["endings"] += 1
        if not is_open(game, box, state):
            counts["not open"] += 1
            continue
        while not state["over"][0]:
            due = int(state["acting"][0]) & ~int(state["submitted"][0])
            seat = (due & -due).bit_length() - 1
            if due & (due - 1) == 0:
                values = solver.values(box, state, seat, positions)
                if not isinstance(values, dict):
                    counts[why[values]] += 1
                elif len(values) == 1:
                    counts["forced"] += 1
                elif min(values.values()) == max(values.values()):
                    counts["all alike"] += 1
                else:
                    yield Ending(box, state.copy(), seat, values, solver.looked_at)
            action = policy.choose(box, game.layout.redact(state, seat), seat)
            assert game.compiled.step(box, state, seat, action, buffer) == 0


def measure(game: Game, positions: list[Ending], budgets: list[int]) -> tuple[list[str], list[str]]:
    """Return the rows of the table, and a note on each mistake of the search with the largest budget."""
    policy = bots.load("policy", game, 1)
    expert: Any = bots.load("expert", game, 1)
    by_chance = sum(float(np.mean([value == e.best for value in e.values.values()])) for e in positions)
    right = sum(
        e.values[policy.choose(e.box, game.layout.redact(e.state, e.seat), e.seat)] == e.best for e in positions
    )
    row = f"| {game.name} | {len(positions)} | {{}} | {{:.1f}} | {{}} |"
    lines = [row.format("any action by chance", by_chance, share(by_chance, positions))]
    lines.append(row.format("the policy", right, share(right, positions)))
    wrong: list[tuple[int, Ending, Any]] = []
    for iterations in sorted(budgets):
        wrong = []
        for n, e in enumerate(positions):
            result = expert.think(e.box, game.layout.redact(e.state, e.seat), e.seat, iterations=iterations)
            if e.values[result.action] != e.best:
                wrong.append((n, e, result))
        right, failed = len(positions) - len(wrong), {n for n, _, _ in wrong}
        lines.append(row.format(f"Expert, {iterations:,} iterations", right, share(right, positions)))
        largest = sorted(range(len(positions)), key=lambda n: -positions[n].size)[: max(1, len(positions) // 5)]
        right = len(largest) - len(failed.intersection(largest))
        lines.append(
            f"| {game.name} | {len(largest)} | the same, in the fifth of the positions that take exhaustive search "
            "longest "
            f"| {right:.1f} | {share(right, largest)} |"
        )
    notes: list[str] = []
    for n, e, result in wrong:
        again = expert.think(e.box, game.layout.redact(e.state, e.seat), e.seat)
        best = [str(game.actions[action]) for action, value in e.values.items() if value == e.best]
        looked = sum(choice.visits for choice in result.choices if e.values[choice.action] == e.best)
        notes.append(
            f"- {game.name}, position {n}: `{game.actions[result.action]}` is worth {e.values[result.action]}, "
            f"`{'`, `'.join(best)}` {e.best}, and had {looked:,} of {result.iterations:,} visits. With Expert's "
            "whole budget "
            f"({again.iterations:,} iterations, {again.seconds:.1f} s) it played what is worth "
            f"{e.values[again.action]}."
        )
    return lines, notes


def share(right: float, cases: Sequence[Any]) -> str:
    """Format in percent, rounded down, how many of the cases are right."""
    return f"{np.floor(1000 * right / len(cases)) / 10:.1f}%"


def main() -> None:
    """Parse the command line, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--iterations", type=int, action="append", help="2,000 and 20,000 if it is not given")
    parser.add_argument("--game", choices=tuple(MAKERS), action="append")
    parser.add_argument("--write", action="store_true", help="write docs/strength/endings.md")
    asked = parser.parse_args()
    made = digest()
    lines = ["| game | positions | who | best action | share |", "| --- | ---: | --- | ---: | ---: |"]
    notes, about = list[str](), list[str]()
    for game_id in asked.game or MAKERS:
        game, counts = pyramidion.load(game_id), Counter[str]()
        positions = list(islice(endings(game, counts=counts), asked.positions))
        sizes = sorted(e.size for e in positions)
        about.append(
            f"- {game.name}: {counts['endings']} endings. Left out were {counts['not open']} that were not open, and "
            "of their "
            f"decisions {counts['forced']} with one action, {counts['all alike']} whose actions are all worth the "
            "same, "
            f"{counts['chance']} with chance ahead, {counts['at once']} with a choice at once ahead, "
            f"{counts['too large']} too large. "
            f"Exhaustive search looked at {sizes[len(sizes) // 2]:,} positions for the middle one, {sizes[-1]:,} for "
            "the largest."
        )
        print(about[-1], flush=True)
        rows, wrong = measure(game, positions, asked.iterations or [2_000, 20_000])
        lines += rows
        notes += wrong
        print("\n".join([*rows, *wrong]), flush=True)
    if asked.write:
        command = f"python benchmarks/studies/search_endings.py --positions {asked.positions} --write"
        text = (__doc__ or "").split("\n\n", 2)[2].strip()
        page = [
            "# A known truth: small endings",
            f"`{command}`, with the search {made} (`digest` in search_arena.py).",
            text,
        ]
        page += [
            "\n".join(about),
            "\n".join(lines),
            "Shares are rounded down.",
            "## What went wrong with the largest budget",
        ]
        page += ["\n".join(notes) or "Nothing."]
        STRENGTH.mkdir(parents=True, exist_ok=True)
        (STRENGTH / "endings.md").write_text("\n\n".join(page) + "\n", "utf-8")


if __name__ == "__main__":
    main()
