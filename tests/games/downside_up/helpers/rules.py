"""Helpers of the tests in `test_rules.py`, which other tests use, too."""

from tests.games.downside_up.positions import (
    claimed,
    submit,
)

LEFT = "abcefh"
"""Everybody below the top challenges the space further left."""


def end_of_game(tickets, **how):
    """The end of a game: so many tickets, with those of the last claim, when the last battles began, all without."""
    table = claimed(LEFT, round_number=4, **how)
    end = table.state_copy()
    end["tickets"][0] = tickets
    return submit(table.with_state(end))
