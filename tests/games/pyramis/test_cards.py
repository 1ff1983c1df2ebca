"""Card files: the game's own, and somebody else's with its mistakes named by line and field."""

import pytest
from tests.games.pyramis.positions import GAME, finish_game

from pyramidion.engine.cards import BadCards
from pyramidion.engine.layout import record

OWN = (GAME.folder / "cards.toml").read_text("utf-8")
LINES = OWN.splitlines()
FIRST = next(n for n, line in enumerate(LINES) if line.lstrip().startswith("{colour"))
CARD_7 = LINES[FIRST + 6]


def with_card_7(line):
    return OWN.replace(CARD_7, line, 1)


def test_the_own_file_says_what_is_reconstructed():
    assert "RECONSTRUCTED" in OWN


def test_another_deck_plays_without_another_compile():
    before = GAME.compiled.step
    cards = with_card_7('  {colour = "blue", top = [9, 9], bottom = [0, 0], star = true, back = ["gray", "gray"]},')
    match = GAME.new(3, 1, cards=cards)
    box = record(match.box)
    assert (box.pyramids[6, 0], box.aliens[6, 0], box.star[6]) == (9, 9, 1)
    assert finish_game(match).over
    assert GAME.compiled.step is before


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{colour = "red", top = [1, 0], bottom = [1, 0], star = false, back = []},', "field 'colour'"),
        ('{colour = "gray", top = [1, 0], bottom = [1, 0], star = false, back = []},', "there are 6 gray cards"),
        ('{colour = "blue", top = [10, 0], bottom = [1, 0], star = false, back = []},', "field 'top'"),
        ('{colour = "blue", top = [1, 0], bottom = [1], star = false, back = []},', "field 'bottom'"),
        ('{colour = "blue", top = [1, 0], bottom = [1, -1], star = false, back = []},', "field 'bottom'"),
        ('{colour = "blue", top = [1, 0], bottom = [true, 1], star = false, back = []},', "field 'bottom'"),
        ('{colour = "blue", top = [1, 0], bottom = [1, 0], star = 1, back = []},', "field 'star'"),
        ('{colour = "blue", top = [1, 0], bottom = [1, 0], back = []},', "field 'star'"),
        ('{colour = "blue", top = [1, 0], bottom = [1, 0], star = true, back = ["red"]},', "field 'back'"),
        (
            '{colour = "blue", top = [1, 0], bottom = [1, 0], star = true, back = ["blue", "blue", "gray"]},',
            "field 'back'",
        ),
        ('{colour = "blue", top = [1, 0], bottom = [1, 0], star = true, back = "blue"},', "field 'back'"),
    ],
)
def test_a_wrong_card_is_refused_by_field(line, said):
    with pytest.raises(BadCards) as caught:
        GAME.new(2, cards=with_card_7(line))
    assert said in str(caught.value)
    if "gray cards" not in said:
        assert f"line {FIRST + 7}" in str(caught.value)


def test_stars_are_five_and_in_range():
    with pytest.raises(BadCards, match="must be an array of 5 tables"):
        GAME.new(2, cards=OWN.replace("{pyramids = 1, aliens = 0}, ", "", 1))
    with pytest.raises(BadCards, match="field 'pyramids'"):
        GAME.new(2, cards=OWN.replace("{pyramids = 2,", "{pyramids = 10,", 1))
