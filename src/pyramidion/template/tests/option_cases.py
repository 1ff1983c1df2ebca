"""Moments at which the values of an option of My Game differ for those at the table."""

# What goes here: for every option, two values, the default first, and the positions to render under both.
# `python -m tests.games.telling_options my-game` writes to options_told.txt what the table says under either.
# Compare that with the rule that the option changes.

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.games.telling_options import Case, Moment

import pyramidion

GAME = pyramidion.load("my-game")


def turns(value: Any) -> Iterator[Moment]:
    """Yield moments of a game with this value of the option at which players are told something that depends on it."""
    match = GAME.new(3, 1, turns=value)
    yield Moment("the first turn", match, match.acting[0])
    for _ in range(3):
        match.play(match.acting[0], "keep")
    yield Moment("everybody has kept a card", match, None)


CASES = {"turns": Case((2, 1), turns)}
