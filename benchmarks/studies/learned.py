# pyright: basic
"""A learned policy against Expert: time of an iteration, and contests at equal processor time a decision.

    python benchmarks/studies/learned.py ponzi-scheme learned-4.npz --speed
    python benchmarks/studies/learned.py ponzi-scheme learned-4.npz --seconds 0.2 [--most 400] [--seed 1] [--after 8 4]

`--speed` prints processor time an iteration from the opening, in turns with Expert. Otherwise one bot with the weights
plays among Experts until the test is decided; `--after GAMES WINS` goes on from there.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import pyramidion
from pyramidion.bots.learned import Learned, read_learned
from pyramidion.engine import registry
from pyramidion.engine.game import Game
from pyramidion.lab.training.contest import Score, contest, expert

ITERATIONS, ROUNDS = 20_000, 3


def speed(game: Game, learned: Learned) -> None:
    """Print how many microseconds an iteration of the search takes, with learned weights and without."""
    match = game.new(learned.about["seats"], seed=1)
    seat = match.acting[0]
    box, state = match.box_for(seat), match.redacted_state(seat)
    for _ in range(ROUNDS):
        for name, used in (("learned", learned), ("Expert", None)):
            bot = expert(game, 1.0, "1", used)
            bot.think(box, state, seat, iterations=2)
            result = bot.think(box, state, seat, iterations=ITERATIONS)
            print(f"{name}: {1e6 * result.seconds / ITERATIONS:.1f} us an iteration", flush=True)


def main() -> None:
    """Parse the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=registry.ids())
    parser.add_argument("weights", type=Path)
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--seconds", type=float, default=0.2)
    parser.add_argument("--most", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--after", type=float, nargs=2, default=(0, 0), metavar=("GAMES", "WINS"))
    asked = parser.parse_args()
    game = pyramidion.load(asked.game)
    began = time.perf_counter()
    learned = read_learned(asked.weights, game)
    print(f"loaded in {1000 * (time.perf_counter() - began):.1f} ms")
    if asked.speed:
        speed(game, learned)
        return
    seats = learned.about["seats"]
    before = Score(int(asked.after[0]), asked.after[1], 1 / seats)
    for score in contest(game, seats, learned, None, asked.seconds, asked.seed, before):
        low, high = score.interval
        line = f"{score.wins:.1f} of {score.games} games, {score.share:.1%} ({low:.1%} to {high:.1%})"
        print(f"{line}, evidence {score.log_likelihood_ratio:+.2f}, accepted: {score.accepted}", flush=True)
        if score.accepted is not None or score.games >= asked.most:
            return


if __name__ == "__main__":
    main()
