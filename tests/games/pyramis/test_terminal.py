"""The table in a terminal: drawn from a view at every step, and with what a player needs."""

from io import StringIO

import pytest
from rich.console import Console
from tests.games.pyramis.positions import GAME, finish_game, position, showing

from pyramidion.terminal.drawing import drawing_of
from pyramidion.translation import in_language

NAMES = ["Ana", "Ben", "Cy", "Dot"]


def drawn(match, viewer):
    page = StringIO()
    Console(width=110, file=page).print(drawing_of(GAME)(match.view(viewer), NAMES))
    return page.getvalue()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_it_draws_every_position_of_a_game(seats):
    match = finish_game(GAME.new(seats, 3))
    for ply in range(0, match.ply + 1, 7):
        for viewer in (None, seats - 1):
            text = drawn(match.at(ply), viewer)
            assert all(name in text for name in NAMES[:seats])
    assert "Largest zone" in drawn(match, None)


def test_cards_decks_and_scores_can_be_read():
    table = position(fleets={0: {"a1": 45, "a2": -4}}, river=[10, 13, 3], tops=(2, 34), hands={0: [3]})
    text = drawn(table, 0)
    assert "Y4/1A=" in text
    assert "B2/1A" in text
    assert "B1/1A*" in text
    assert "back green" in text
    assert "refill: green pair" in text
    assert "Ana: 12 points" in text


def test_cards_that_can_be_turned_are_marked():
    fleets = {0: {"a1": 17, "a2": 1}, 1: {"a1": 20}}
    text = drawn(showing(["green"], fleets=fleets, tops=(None, 34), river=[4, 5, 6]), 0)
    assert "G2/1A~" in text or "G2/1A=~" in text
    assert "turning cards, green" in text


def test_one_point_and_one_pyramid_are_called_so():
    table = position(fleets={0: {"a1": 45, "a2": -4}}, river=[10, 13, 3], tops=(2, 34), hands={0: [3]})
    view = table.view(0)
    view["players"][0]["score"] = view["players"][0]["zone"]["pyramids"] = view["decks"][0]["left"] = 1
    page = StringIO()
    Console(width=110, file=page).print(drawing_of(GAME)(view, NAMES))
    text = page.getvalue()
    assert "Ana: 1 point" in text
    assert "Ana: 1 points" not in text
    assert "1 Pyramid" in text
    assert "1 Pyramids" not in text
    assert "1 card, back" in text


@pytest.mark.parametrize(
    ("language", "plain", "empty"),
    [("en", "3 cards, plain back", "no card left"), ("fr", "3 cartes, dos vide", "plus de carte")],
)
def test_a_back_without_a_pyramid_and_a_deck_without_a_card_have_words_of_their_own(language, plain, empty):
    view = position().view(0)
    left, right = view["decks"]
    left |= {"left": 3, "back": [], "triggers": []}
    right |= {"left": 0, "back": [], "triggers": []}
    page = StringIO()
    with in_language(language):
        Console(width=110, file=page).print(drawing_of(GAME)(view, NAMES))
    assert plain in page.getvalue()
    assert empty in page.getvalue()
