# pyright: basic
"""Value of pips in Pyramid-Sham-Bo: the fit behind `prospects` in the game's mind.py.

    python benchmarks/studies/shambo_prospects.py [--games 2000] [--seats 3 --seats 6 --seats 10]

Between turns in games of policies, a seat's expected share of the win is its share of all pips, in which a foreign pip
counts for 1 - LEAVES / (pips held by the seat of its colour) ** POWER. For several values of both constants this prints
the log loss per position in nats; lower is better. Below are the losses of equal shares for all seats in the game, and
of counting all pips alike.
"""

from __future__ import annotations

import argparse
from random import Random
from typing import Any

import numpy as np

import pyramidion
from pyramidion.games.pyramid_shambo.layout import CHALLENGE, GONE, N_SIZES
from pyramidion.games.pyramid_shambo.mind import LEAVES, LEAVES_POWER

LEAVING, POWERS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0), (1 / 3, 1 / 2, 2 / 3, 1.0)


def pips_held(state: Any, seats: int) -> Any:
    """Return the pips of each colour held by each seat, int64 (seats, seats)."""
    held = np.zeros((seats, seats), np.int64)
    for piece, holder in enumerate(state["holder"][0, : N_SIZES * seats]):
        if holder != GONE:
            held[holder, piece // N_SIZES] += piece % N_SIZES + 1
    return held


def positions(seats: int, games: int) -> tuple[Any, Any]:
    """Play games of policies; return the pips held between turns, and each seat's share of the win in the end."""
    game, chance = pyramidion.load("pyramid-shambo"), Random(seats)
    ids, weights = np.zeros(len(game.actions), np.int32), np.zeros(len(game.actions))
    held, got = list[Any](), list[tuple[float, ...]]()
    for number in range(games):
        match, before = game.new(seats, f"prospects {number}"), len(held)
        while not match.over:
            state, seat = match.state_copy(), match.acting[0]
            if state["phase"][0] == CHALLENGE:
                held.append(pips_held(state, seats))
            count = int(game.compiled.policy(match.box, state, seat, ids, weights))
            match.play(seat, chance.choices(ids[:count].tolist(), weights[:count].tolist())[0])
        assert match.outcome is not None
        got += [match.outcome.payoffs] * (len(held) - before)
    return np.array(held), np.array(got)


def log_loss(held: Any, got: Any, leaves: float, power: float) -> float:
    """Return the mean log loss, in nats, for the given discount of foreign pips."""
    own = np.eye(held.shape[1], dtype=bool)
    stays = 1.0 - leaves * np.maximum(held.sum(axis=2), 1.0) ** -power
    worth = (held * np.where(own, 1.0, stays[:, np.newaxis, :])).sum(axis=2)
    share = worth / worth.sum(axis=1, keepdims=True)
    return float(-(got * np.log(np.maximum(share, 1e-9))).sum(axis=1).mean())


def main() -> None:
    """Parse the command line, play and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seats", type=int, action="append")
    asked = parser.parse_args()
    for seats in asked.seats or [3, 6, 10]:
        held, got = positions(seats, asked.games)
        print(f"{seats} seats, {len(held):,} positions, {asked.games:,} games; in use: {LEAVES:g}, {LEAVES_POWER:.2f}")
        print("LEAVES " + "".join(f"  power {power:.2f}" for power in POWERS))
        for leaves in LEAVING:
            print(f"{leaves:6.2f} " + "".join(f"  {log_loss(held, got, leaves, power):10.4f}" for power in POWERS))
        alike = float(np.log((held.sum(axis=2) > 0).sum(axis=1)).mean())
        print(f"equal parts {alike:.4f}, all pips alike {log_loss(held, got, 0.0, 1.0):.4f}", flush=True)


if __name__ == "__main__":
    main()
