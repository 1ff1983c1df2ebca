"""Shared tests of the minds of both pyramids of ten."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyramidion import Game, Match, bots
from pyramidion.engine.game import chance_words
from pyramidion.engine.layout import as_bytes, record


def weights(table: Match, seat: int) -> dict[str, float]:
    """Return the policy's candidates of a seat, by notation, as shares of 1."""
    game = table.game
    ids, found = np.zeros(len(game.actions), np.int32), np.zeros(len(game.actions))
    count = game.compiled.policy(table.box, table.redacted_state(seat), seat, ids, found)
    assert (np.diff(ids[:count]) > 0).all()
    return {game.actions[int(ids[i])].text: found[i] / found[:count].sum() for i in range(count)}


def holders(game: Game, games: int, policy_seats: int = 1) -> tuple[float, float]:
    """Return how often seat 0 ends with a token and as EC when the seats of a mask draw from the policy."""
    state, totals = game.layout.new(), np.zeros((3, 10))
    box, size = game.make_box(game.accept_options({})), len(game.actions)
    ids, found, chance = np.zeros(size, np.int32), np.zeros(size), np.array([7], np.uint64)
    limit = game.longest(10)
    game.compiled.policy_playouts(
        box, state, as_bytes(state), 10, policy_seats, chance, games, limit, ids, found, np.zeros(10), totals
    )
    assert totals[2, 1] == games
    # A payoff is +1, 0 or -1: its sum and the sum of its squares tell both counts.
    return (totals[0, 0] + totals[1, 0]) / 2 / games, (totals[1, 0] - totals[0, 0]) / 2 / games


def policy_games(game: Game, count: int) -> list[Match]:
    """Return games that policies have played."""
    played: list[Match] = []
    for n in range(count):
        bot, match = bots.load("policy", game, n), game.new(10, n)
        while not match.over:
            match.play(match.acting[0], bot.move(match, match.acting[0]))
        played.append(match)
    return played


def check_parts(match: Match) -> Counter[tuple[str, int, str]]:
    """Check that nothing is replaced or taken back; return how often each number was saved, by family and round."""
    numbers: Counter[tuple[str, int, str]] = Counter()
    saved: set[tuple[int, str]] = set()
    phase: Any = None
    for ply, (seat, action_id) in enumerate(match.history):
        state = record(match.at(ply).state_copy())
        if (int(state.phase), int(state.round_number)) != phase:
            phase, saved = (int(state.phase), int(state.round_number)), set()
        action = match.game.actions[action_id]
        assert action.family != "reopen"
        if action.family not in ("trade", "give"):
            assert (seat, action.family) not in saved
            saved.add((seat, action.family))
            numbers[action.family, phase[1], action.text] += 1
    return numbers


def foreseen(numbers: Counter[tuple[str, int, str]], family: str, round_number: int) -> float:
    """Return how often whoever expects the most frequent action of a family in a round would be right."""
    found = [n for (name, at, _), n in numbers.items() if (name, at) == (family, round_number)]
    assert sum(found) > 50
    return max(found) / sum(found)


def dealt_and_held(
    played: list[Match], name: str, deals: int = 4
) -> dict[tuple[int, int], tuple[NDArray[Any], NDArray[Any]]]:
    """Return what the others are dealt of a holding, and what they hold, by round and phase as it opens."""
    found: dict[tuple[int, int], list[tuple[NDArray[Any], NDArray[Any]]]] = defaultdict(list)
    for match in played:
        last = None
        for ply, (seat, _) in enumerate(match.history):
            at = match.at(ply)
            state = record(at.state_copy())
            phase = int(state.round_number), int(state.phase)
            if phase != last:
                last = phase
                worlds = [np.delete(redealt(at, seat, seed)[name], seat) for seed in range(deals)]
                found[phase].append((np.stack(worlds), np.delete(state[name], seat)))
    return {
        phase: (np.stack([one for one, _ in pairs]), np.stack([other for _, other in pairs]))
        for phase, pairs in found.items()
    }


def redealt(table: Match, seat: int, seed: int) -> Any:
    """Return a redealt world as a record, checked for what must be accounted for and for what the seat sees."""
    world = table.redacted_state(seat)
    shown = world.tobytes()
    table.game.compiled.redeal(table.box, world, seat, chance_words(seed))
    wrong = table.game.invariants(record(table.box), record(world))
    assert wrong is None, wrong
    assert table.game.layout.redact(world, seat).tobytes() == shown
    return record(world)
