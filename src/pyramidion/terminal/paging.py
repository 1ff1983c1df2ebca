"""Texts split into what fits a screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.text import Text


def pages(texts: Sequence[Text], room: int, height: int, lines_of: Callable[[Text], int]) -> list[list[Text]]:
    """Return texts in pages for a screen: all but the last are followed by a prompt, the last by `room` more lines.

    The last page holds as many texts as fit; it is there even if none do.
    """
    last, left = len(texts), height - room
    while last and lines_of(texts[last - 1]) <= left:
        last -= 1
        left -= lines_of(texts[last])
    split: list[list[Text]] = []
    free = 0
    for text in texts[:last]:
        if lines_of(text) > free:
            split.append([])
            free = height - 1
        split[-1].append(text)
        free -= lines_of(text)
    return [*split, list(texts[last:])]
