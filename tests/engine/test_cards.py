"""Tests of card files: the line named in an error message."""

import pytest

from pyramidion.engine.cards import BadCards, CardFile

NESTED = """\
# A comment with [brackets] and {braces}.
cards = [
  {size = [1, 2], worth = 3},
  {size = [], worth = 4},  # ]
  {size = [5], worth = 100},
]
others = [ {worth = 1}, {worth = 2} ]
"""


def test_a_row_with_arrays_of_its_own_is_found_on_its_line():
    rows = CardFile(NESTED).rows("cards", 3)
    assert rows[0].get("size") == [1, 2]
    with pytest.raises(BadCards, match=r"line 5, cards number 3, field 'worth'"):
        rows[2].whole("worth", 0, 9)


def test_rows_on_one_line_share_it():
    rows = CardFile(NESTED).rows("others", 2)
    with pytest.raises(BadCards, match=r"line 7, others number 2, field 'worth'"):
        rows[1].whole("worth", 5, 9)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a = 1\n" + ".".join("a" * 300) + " = 1\n", "cards.toml, line 2: a line has at most 500"),
        ("a = [" + "[\n" * 20000, "nested too deeply"),
        ("cards = [ {worth = '''" + "x\n" * 20000 + "'''} ]", "'worth': must be .* not 'x.*\\.\\.\\.\\.$"),
    ],
)
def test_a_file_made_to_keep_the_parser_busy_is_refused_in_a_short_sentence(text, sentence):
    with pytest.raises(BadCards, match=sentence) as caught:
        CardFile(text).rows("cards", 1)[0].whole("worth", 0, 9)
    assert len(str(caught.value)) < 500
