"""Tests of card files and options: errors name the line, the field and the allowed range."""

from __future__ import annotations

import pytest

import pyramidion
from pyramidion.engine.cards import BadCards, CardFile
from pyramidion.engine.options import HIDDEN, NOT_GIVEN, Option, accept_options, choice, flag, number, numbers

CARDS = (pyramidion.load("ponzi-scheme").folder / "cards.toml").read_text("utf-8")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "{value = 41, period = 3,",
            "{value = 41, period = 7,",
            r"cards.toml, line \d+, fund_cards number 33, field 'period': must be .* from 1 to 5, not 7; the wheel has",
        ),
        ("{value = 41, period", "{value = 42, period", "field 'value': must be 41, not 42; cards are listed by value"),
        ('interest = 46, kind = "ordinary"', 'interest = 46, kind = "bull"', "must be one of starting, ordinary, bear"),
        ('interest = 46, kind = "ordinary"', 'interest = 46, kind = "starting"', "the nine lowest cards"),
        ("{value = 41, period = 3, interest = 46,", "{value = 41, period = 3,", "field 'interest': .* not None"),
        ("wealth = [30, 56", "wealth = [60, 56", "'wealth' must be 4 ascending whole numbers"),
        ("tiles_per_industry = 15", "tiles_per_industry = true", "'tiles_per_industry' must be a whole number"),
        ("luxuries = [", "luxury = [", "'luxuries' must be an array of 4 tables; it has none"),
        ("wealth = [", "wealth = [[", "is not TOML"),
    ],
)
def test_a_card_file_that_cannot_be_used_is_explained(old: str, new: str, message: str) -> None:
    assert old in CARDS
    with pytest.raises(BadCards, match=message):
        pyramidion.load("ponzi-scheme").new(3, cards=CARDS.replace(old, new))


def test_the_line_of_a_card_is_named() -> None:
    line = next(n for n, text in enumerate(CARDS.splitlines(), 1) if "value = 41" in text)
    with pytest.raises(BadCards, match=f"line {line},"):
        pyramidion.load("ponzi-scheme").new(
            3, cards=CARDS.replace("{value = 41, period = 3", "{value = 41, period = 9")
        )


def test_tables_under_headings_have_their_lines_too() -> None:
    file = CardFile("a = 1\n[[card]]\nn = 1\n\n[[card]]\nn = 99\n", "my.toml")
    with pytest.raises(BadCards, match=r"my.toml, line 5, card number 2, field 'n': must be .* from 1 to 5, not 99"):
        [row.whole("n", 1, 5) for row in file.rows("card", 2)]


@pytest.mark.parametrize("text", ["a = 1\nfounder = {number = 13}\n", "a = 1\n[founder]\nnumber = 13\n"])
def test_a_single_table_has_its_line(text: str) -> None:
    with pytest.raises(BadCards, match=r"my.toml, line 2, founder, field 'number': must be 12, not 13"):
        CardFile(text, "my.toml").table("founder").whole("number", 12, 12)


def test_a_table_that_is_missing_is_named() -> None:
    with pytest.raises(BadCards, match=r"my.toml: 'founder' must be a table; it is None"):
        CardFile("a = 1", "my.toml").table("founder")


OPTIONS = {
    "advanced": flag(False, rule="1.1", label="", help=""),
    "limit": number(10, 1, 20, rule="1.2", label="", help=""),
    "garnets": numbers(3, 0, 9, rule="1.4", label="", help=""),
    "order": numbers(3, -5, 5, rule="1.5", label="", help="", distinct=True),
    "start": choice("lowest", "lowest", "random", rule="1.3", label="", help=""),
}


def test_options_are_taken_as_values_or_as_text() -> None:
    given = {"advanced": "yes", "limit": "7", "start": "Random"}
    assert accept_options(OPTIONS, given) == {
        "advanced": True,
        "limit": 7,
        "garnets": (),
        "order": (),
        "start": "random",
    }
    assert accept_options(OPTIONS, {}) == {
        "advanced": False,
        "limit": 10,
        "garnets": (),
        "order": (),
        "start": "lowest",
    }
    assert [OPTIONS["start"].stored(value) for value in ("lowest", "random")] == [0, 1]


@pytest.mark.parametrize("given", ["1,2,3", " 1, 2 ,3", [1, 2, 3], (1, 2, 3)])
def test_a_number_for_each_seat(given: object) -> None:
    accepted = accept_options(OPTIONS, {"garnets": given})["garnets"]
    assert accepted == (1, 2, 3)
    assert OPTIONS["garnets"].stored(accepted) == [1, 2, 3]
    assert OPTIONS["garnets"].stored(()) == [NOT_GIVEN] * 3


def test_numbers_that_must_differ() -> None:
    assert accept_options(OPTIONS, {"order": "-1,2,1"})["order"] == (-1, 2, 1)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"limit": 21}, "The option limit must be a whole number from 1 to 20; '21' is not."),
        ({"limit": True}, "The option limit must be a whole number from 1 to 20; 'True' is not."),
        ({"limit": "9" * 99}, "The option limit must be a whole number from 1 to 20"),
        ({"advanced": 2}, "The option advanced must be true or false; '2' is not."),
        ({"start": "highest"}, "The option start must be one of lowest, random; 'highest' is not."),
        ({"garnets": "1,2"}, "The option garnets must be 3 whole numbers from 0 to 9, separated by commas, or nothing"),
        ({"garnets": [1, 2, 10]}, "The option garnets must be 3 whole numbers from 0 to 9.*; '10' is not."),
        ({"garnets": ["1", "x", "y"]}, "garnets must be 3 whole numbers from 0 to 9.*; 'x' is not."),
        ({"order": "1,2,1"}, "The option order must be 3 different whole numbers from -5 to 5.*; '1,2,1' is not."),
        ({"stop": 1}, "There is no option 'stop'; the options are: advanced, limit, garnets, order, start."),
    ],
)
def test_an_option_out_of_range_is_named(given: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        accept_options(OPTIONS, given)


def test_an_option_is_shown_as_far_as_its_audience_goes() -> None:
    own = numbers(3, 0, 9, rule="1.2", label="Garnets", help="", audience="own")
    secret = number(1, 1, 9, rule="1.3", label="Limit", help="", audience="secret")
    assert own.redacted((4, 5, 6), 1) == (None, 5, None)
    assert own.redacted((4, 5, 6), None) == (None, None, None)
    assert own.redacted((), 1) == ()  # that the rules say is agreed on by all
    assert own.stored(own.redacted((4, 5, 6), 1)) == [HIDDEN, 5, HIDDEN]
    assert [own.describe(own.redacted((4, 5, 6), seat)) for seat in (1, None)] == ["5", "secret"]
    # Whether a secret option has its default is as secret as its value.
    assert (secret.redacted(1, 0), secret.redacted(7, None), secret.stored(None), secret.describe(None)) == (
        None,
        None,
        1,
        "secret",
    )
    with pytest.raises(ValueError, match="a number for each seat"):
        Option("flag", False, "1.1", "", "", audience="own")
