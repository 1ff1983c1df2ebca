# pyright: basic
"""What a seat is dealt of the others' holdings in the games on the pyramid of ten, against what they hold.

    python benchmarks/studies/deals.py upside-down [--games 20] [--iterations 1000] [--deals 40] [--seed 0]

Plays games between Experts with this limit a decision, or between policies with `--iterations 0`. When a phase opens,
one seat is dealt the holdings of the nine others. The table shows mean and standard deviation of what they hold and of
what is dealt, by round and phase, and how far the mean of the deals is off for a seat on average.
"""

from __future__ import annotations

import argparse
from collections import defaultdict

import numpy as np

import pyramidion
from pyramidion import bots
from pyramidion.engine.game import Game, chance_words
from pyramidion.engine.layout import record
from pyramidion.engine.match import Match
from pyramidion.lab.training.habit_counts import game_between_experts

HELD = ("tickets", "garnets", "priority")


def played(game: Game, iterations: int, seed: int) -> Match:
    """Play a game between Experts with so many iterations, or between policies with 0, and return its match."""
    if iterations:
        return game_between_experts(game, iterations, f"searchers {seed}")
    bot, match = bots.load("policy", game, seed), game.new(10, seed)
    while not match.over:
        match.play(match.acting[0], bot.move(match, match.acting[0]))
    return match


def holdings(state: np.ndarray, but: int) -> np.ndarray:
    """Return what all seats but `but` hold of HELD, float64 of shape (9, 3)."""
    return np.delete(np.stack([state[name][0] for name in HELD], axis=-1).astype(float), but, axis=0)


def compare(match: Match, deals: int, samples: dict[tuple[int, int], list[tuple[np.ndarray, np.ndarray]]]) -> None:
    """Add to `samples` what the others hold and what a search would be dealt of it, as each phase of a match opens.

    The keys are (round, phase). The values are pairs of holdings, of shapes (9, 3) and (deals, 9, 3).
    """
    again, last = match.at(0), None
    for ply, (actor, action) in enumerate(match.history):
        state = record(again.state_copy())
        phase = int(state.round_number), int(state.phase)
        if phase != last:
            last, seat, dealt = phase, ply % 10, []
            for n in range(deals):
                world = again.redacted_state(seat)
                match.game.compiled.redeal(again.box_for(seat), world, seat, chance_words(n))
                dealt.append(holdings(world, seat))
            samples[phase].append((holdings(again.state_copy(), seat), np.stack(dealt)))
        again.play(actor, action)


def main() -> None:
    """Parse the command line, play and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=("upside-down", "downside-up"))
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--iterations", type=int, default=1000)
    parser.add_argument("--deals", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    game = pyramidion.load(asked.game)
    samples: dict[tuple[int, int], list[tuple[np.ndarray, np.ndarray]]] = defaultdict(list)
    for number in range(asked.games):
        compare(played(game, asked.iterations, asked.seed + number), asked.deals, samples)
    print("| round, phase | " + " | ".join(f"{name} | dealt | off" for name in HELD) + " |")
    print("| --- | " + " | ".join(["---"] * 9) + " |")
    for (number, phase), pairs in sorted(samples.items()):
        held, dealt = np.stack([actual for actual, _ in pairs]), np.stack([sampled for _, sampled in pairs])
        cells = []
        for n in range(len(HELD)):
            true, guess = held[..., n], dealt[..., n]
            off = np.abs(true - guess.mean(axis=1)).mean()
            cells += [f"{true.mean():.1f} ± {true.std():.1f}", f"{guess.mean():.1f} ± {guess.std():.1f}", f"{off:.1f}"]
        print(f"| {number}, {phase} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
