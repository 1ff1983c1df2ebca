"""The forecast in a terminal: what is owed, and what is certain once the market has crashed."""

from io import StringIO

import pytest
from rich.console import Console
from tests.games.ponzi_scheme.positions import GAME, position

from pyramidion.terminal.drawing import drawing_of

NAMES = ["Ana", "Ben", "Cy", "Dot"]


def drawn(match, viewer=0, **changed):
    page = StringIO()
    Console(width=110, file=page).print(drawing_of(GAME)(match.view(viewer) | changed, NAMES))
    return " ".join(page.getvalue().split())


def owing(cash):
    """Return a position where the first seat owes $11 at the second turn of its wheel, at the first after a crash."""
    return position(wheels={0: {14: 2}}, cash={0: cash})


def test_before_a_crash_both_forecasts_are_told():
    text = drawn(owing(cash=5))
    assert "Interest due, by turns of the wheel: $11 in 2; if the next turn is a crash: $11 in 1, $11 in 5." in text
    assert "does not cover the next turn of the wheel if the market crashes." in text


@pytest.mark.parametrize(("cash", "warned"), [(5, True), (11, False)])
def test_after_a_crash_only_what_will_happen_is_told(cash, warned):
    text = drawn(owing(cash), crashed=True)
    assert "Interest due, by turns of the wheel: $11 in 1, $11 in 5." in text
    assert "if the" not in text
    assert ("Your cash does not cover the next turn of the wheel." in text) is warned


def test_nothing_is_told_where_nothing_is_owed():
    assert "Interest due" not in drawn(position())
    assert "$0," not in drawn(position())
