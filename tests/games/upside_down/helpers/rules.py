"""Helpers of the tests in `test_rules.py`, which other tests use, too."""

from tests.games.upside_down.positions import (
    claimed,
    submit,
)


def end_of_game(tickets, priority=range(20, 10, -1), challenges=None):
    """The end of a game: so many tickets when the fifth round's battles began, in which nobody uses any."""
    return submit(claimed(challenges or {}, round_number=5, priority=priority, tickets=dict(enumerate(tickets))))


def finish(table):
    """Play to the end what is still to be given away."""
    while not table.over:
        table.play(table.acting[0], table.timeout(table.acting[0]))
    return table
