"""What is observed of a payment in the making."""

from __future__ import annotations

import random

import pyramidion
from pyramidion.engine.random_games import play_randomly

GAME = pyramidion.load("pyramid-shambo")


def test_what_is_still_needed_is_what_the_view_says_and_never_below_nothing():
    """While change or a trade is open, more may be put forward than is needed."""
    exceeded = 0
    for number in range(60):
        match = play_randomly(GAME, random.Random(number)).match
        for ply in range(0, match.ply, 3):
            at = match.at(ply)
            view, parts = at.view(None), GAME.observation.split(at.observation(0))
            state = at.state_copy()
            put = sum((size + 1) * int(count) for size, count in enumerate(state["chosen_count"][0]))
            paying = int(state["phase"][0]) > 2
            exceeded += paying and put > int(state["need"][0])
            assert round(float(parts["need"]) * 10) == (max(0, int(state["need"][0]) - put) if paying else 0)
            assert view["phase"]
    assert exceeded
