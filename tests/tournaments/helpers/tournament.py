"""Helpers of the tests in `test_tournament.py`, which other tests use, too."""

from dataclasses import asdict
from random import Random

from pyramidion.event_log import fold, log_with
from pyramidion.tournaments.events import (
    Announced,
    Joined,
    Started,
)
from pyramidion.tournaments.state import Tournament, TournamentSettings


def extended(one, events, at, by):
    return fold(Tournament(), log_with(one.log, events, at, by))


def started(players, seed=1, **settings):
    made = asdict(TournamentSettings("Cup", "a-game", **settings))
    joined = [Joined(f"Player {n}") for n in range(players)]
    one = extended(Tournament(), [Announced("Hal", made), *joined], 0, "host")
    order = list(one.entrants)
    Random(seed).shuffle(order)
    return extended(one, [Started(tuple(order))], 0, "host")
