"""Texts in pages: each fits its screen, and nothing is lost."""

import pytest
from rich.text import Text

from pyramidion.terminal.paging import pages


@pytest.mark.parametrize("room", [3, 12, 23, 30])
@pytest.mark.parametrize("lengths", [[], [1], [3] * 9, [1, 20, 1, 5, 5], [24, 2]])
def test_pages_fit_and_hold_everything_in_order(lengths, room):
    texts = [Text(f"{number}:{length}") for number, length in enumerate(lengths)]

    def lines_of(text):
        return int(text.plain.partition(":")[2])

    *before, last = pages(texts, room, 24, lines_of)
    assert [text for page in [*before, last] for text in page] == texts
    assert sum(map(lines_of, last)) <= max(0, 24 - room)
    assert all(page for page in before)
    assert all(sum(map(lines_of, page)) <= 23 or len(page) == 1 for page in before)
    if before:
        assert lines_of(before[-1][-1]) + sum(map(lines_of, last)) > 24 - room
