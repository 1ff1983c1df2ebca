"""The forecast in a terminal: what is owed, and what is certain once the market has crashed."""

from io import StringIO

import pytest
from rich.console import Console
from tests.games.ponzi_scheme.positions import GAME, position

from pyramidion.games.ponzi_scheme.terminal import choice
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
    assert "You will pay, repeated funds included: $11 in 2; if the next turn is a crash, $11 in 1, $11 in 5." in text
    assert "does not cover the next turn of the wheel if the market crashes." in text


@pytest.mark.parametrize(("cash", "warned"), [(5, True), (11, False)])
def test_after_a_crash_only_what_will_happen_is_told(cash, warned):
    text = drawn(owing(cash), crashed=True)
    assert "You will pay, repeated funds included: $11 in 1, $11 in 5." in text
    assert "if the" not in text
    assert ("Your cash does not cover the next turn of the wheel." in text) is warned


def test_nothing_is_told_where_nothing_is_owed():
    assert "You will pay" not in drawn(position())
    assert "$0," not in drawn(position())


def test_an_answer_names_price_and_tile_and_why_it_is_the_only_one():
    match = position(phase="trading", tiles={0: {"grain": 1}, 1: {"grain": 1}}, cash={0: 20, 1: 9})
    assert "The receiver sells you a tile for the money, or matches it and takes yours." in drawn(match)
    match.play(0, "offer 1 grain")
    match.play(0, "amount 13")
    view = match.view(1)
    assert choice(view, "sell", NAMES) == "Sell: take $13 and give a tile of grain"
    assert choice(view, "counter", NAMES) == "Counter: pay $13 and take a tile of grain"
    assert choice(view, "pass", NAMES) is None
    assert "You can only sell: to counter you would pay $13, and you have $9." in drawn(match, 1)


def test_who_can_send_no_envelope_is_told_why():
    match = position(phase="trading", tiles={0: {"grain": 1}, 1: {"media": 1}})
    assert "You can send no envelope: nobody has a tile of an industry that you have." in drawn(match)
