"""Tests of names: allowed characters, and names that look alike."""

import pytest

from pyramidion.names import BadName, clean, looks


@pytest.mark.parametrize(
    "alike", ["ANNA", "Ａｎｎａ", "Аnna", "Ann\u0430", "𝐀𝐧𝐧𝐚", "A\u034fnna", "Anna\u3164", "An\u200bna", "Anna\ufe0f"]
)
def test_names_that_look_like_anna(alike):
    assert looks(alike) == looks("Anna")


@pytest.mark.parametrize(("one", "other"), [("Tom", "Torn"), ("Anna1", "Annal"), ("B0b", "Bob"), ("e\u0301", "é")])
def test_names_that_look_the_same(one, other):
    assert looks(one) == looks(other)


@pytest.mark.parametrize(("one", "other"), [("Anna", "Ànna"), ("Anna", "Ana"), ("李明", "李朋"), ("Ольга", "Олъга")])
def test_names_that_differ(one, other):
    assert looks(one) != looks(other)


@pytest.mark.parametrize(
    "name",
    [
        "A\u034fnna",
        "Anna\u3164",
        "\u2800",
        "Anna \u2800",
        "\u3164",
        "An\u200bna",
        "\u202eannA",
        "A\u00adnna",
        "A\x00",
        "\ud800",
    ],
)
def test_what_is_not_seen_is_refused(name):
    with pytest.raises(BadName, match="only letters, digits, symbols and spaces"):
        clean(name)


@pytest.mark.parametrize("name", ["a" + "\u0316" * 4, "\u0301Anna", "Z\u0337\u0322\u0327\u0330\u0353\u0349"])
def test_piles_of_marks_are_refused(name):
    with pytest.raises(BadName, match="at most 3 combining marks"):
        clean(name)


@pytest.mark.parametrize(
    "name",
    ["Anna", "Grace Hopper", "李明", "Ольга", "Nguyễn", "ที่รัก", "שָׁלוֹם", "हिन्दी", "R2-D2", "🐸", "O’Brien", "محمد"],
)
def test_names_of_the_world_are_kept(name):
    assert clean(f"  {name} ") == clean(name) is not None


def test_an_emoji_loses_its_variation_selector_and_an_accent_its_two_parts():
    assert clean("❤\ufe0f") == "❤"
    assert clean("Rene\u0301") == "René"
    assert clean("  ") is clean(None) is None
