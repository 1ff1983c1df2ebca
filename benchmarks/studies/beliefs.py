# pyright: basic
"""What beliefs can gain: contests of a search that knows all that is hidden against searches that deal it at random.

    python benchmarks/studies/beliefs.py pyramid-scheme --seats 3 --games 30 [--seconds 0.1] [--level expert]

One bot sits among others of the same level. Its search begins every iteration with the true holdings of the others, and
with new chance, as if its beliefs were perfect. What it wins above an even share is more than any weighing of deals
could gain. Both have the same processor time a decision.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pyramidion
from pyramidion.bots.levels import level_of
from pyramidion.bots.search import SearchBot
from pyramidion.engine import registry
from pyramidion.engine.game import Game
from pyramidion.engine.random import reseed
from pyramidion.engine.rule import rule
from pyramidion.lab.statistics.intervals import wilson


@rule
def know(box, s, seat, chance):
    """Deal nothing anew but future chance: the redealing of a search that knows all that is hidden."""
    reseed(s.rng, chance)


def knowing(game: Game) -> Game:
    """Return a game whose search keeps the true state in place of dealing what is hidden."""
    return replace(game, mind=SimpleNamespace(**{**vars(game.mind), "redeal": know}))


def main() -> None:
    """Parse the command line and play."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=registry.ids())
    parser.add_argument("--seats", type=int, required=True)
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--level", default="expert")
    asked = parser.parse_args()
    game = pyramidion.load(asked.game)
    open_game, level = knowing(game), replace(level_of(game, asked.level), seconds=asked.seconds)
    wins = even = 0.0
    for played in range(1, asked.games + 1):
        match = game.new(asked.seats, f"beliefs {played}")
        knower = SearchBot(open_game, f"{played} one", level, clock=time.thread_time)
        others = SearchBot(game, f"{played}", level, clock=time.thread_time)
        place = played % asked.seats
        while not match.over:
            seat = match.acting[0]
            if seat == place:
                truth: Any = match.state_copy()  # nothing is redacted for the one that knows
                match.play(seat, knower.choose(match.box, truth, seat))
            else:
                match.play(seat, others.move(match, seat))
        assert match.outcome is not None
        won = [max(0.0, payoff) for payoff in match.outcome.payoffs]
        wins += won[place]
        even += sum(won) / asked.seats
        low, high = wilson(wins / played, played)
        print(f"{wins:g} of {played} games, {low:.1%} to {high:.1%}; even {even / played:.1%}", flush=True)


if __name__ == "__main__":
    main()
