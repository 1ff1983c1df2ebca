"""How the table is drawn in a terminal."""

from rich.console import Console
from tests.games.pyramid_shambo.positions import play, position, throws, tie, win

from pyramidion.games.pyramid_shambo.terminal import choice, draw

NAMES = ["Ana", "Ben", "Cal", "Dan"]


def drawn(table, viewer=None):
    console = Console(width=110, record=True, file=open("/dev/null", "w"), color_system=None)  # noqa: SIM115
    with console.file:
        console.print(draw(table.view(viewer), NAMES))
        return console.export_text()


def test_a_challenge_shows_who_holds_what():
    text = drawn(position(4), 2)
    assert "Turn 4 of at most 1000: Ana" in text
    assert "C1 C2 C3" in text
    assert "Cal (you)" in text


def test_a_throw_shows_the_meter_and_the_own_throw_alone():
    table = tie(play(position(4), "challenge 1"))
    table.play(0, "throw rock")
    assert "1  [2]  3" in drawn(table, 0)
    assert "You have thrown rock" in drawn(table, 0)
    assert "thrown rock" not in drawn(table, 1)
    assert "Last throw: Ana paper, Ben paper." in drawn(table)


def test_a_payment_shows_what_is_to_go():
    table = play(win(position(4), 1, ties=2), "pay b1")
    text = drawn(table)
    assert "Ben owes Ana 3 pips (SB 3.3). Ana chooses the pieces. Still to be chosen: 2 pips." in text
    assert choice(table.view(0), "pay b2", NAMES) == "Ben is to pay with the medium B (2 pips)"
    assert choice(table.view(0), "throw rock", NAMES) is None


def test_a_knock_out_and_the_end():
    table = win(position(2, {0: "*", 1: "b1"}), 1)
    assert "The game is over." in drawn(table)
    assert "out" in drawn(table)
    assert "showdown" in drawn(throws(play(position(2), "challenge 1"), "rock", "rock"))
