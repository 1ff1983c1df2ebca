"""Bidirectional text: names, titles and texts that people give, isolated from the sentence around them."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from markupsafe import Markup

ISOLATE, END = "\u2068", "\u2069"
RIGHT_TO_LEFT = {"R", "AL"}
WHOLE = 16
"""Words of at most so many letters stay whole: no table or board is too narrow for them."""
_LONG = re.compile(rf"[^\s-]{{{WHOLE + 1},}}")
_OUTSIDE_TAGS = re.compile(r"(<[^>]*>)")


@lru_cache(maxsize=4096, typed=True)  # text that is already escaped is another key
def named(name: str) -> Markup:
    """Return a name as an element of its own, which may break if one of its words is very long."""
    element = Markup('<bdi class="long" title="{0}">{0}</bdi>') if _LONG.search(name) else Markup("<bdi>{0}</bdi>")
    return element.format(name)


def with_long_words(sentence: Markup) -> Markup:
    """Return a sentence, with elements in it or without, whose very long words are written as long names are."""
    parts = _OUTSIDE_TAGS.split(sentence)
    parts[::2] = [_LONG.sub(_word, text) for text in parts[::2]]
    return Markup("".join(parts))  # noqa: S704 (as escaped as the sentence was)


def _word(match: re.Match[str]) -> str:
    """Return what may be a long word; letters that are escaped count once."""
    letters = Markup(match[0]).unescape()  # noqa: S704
    return named(letters) if _LONG.search(letters) else match[0]


@lru_cache(maxsize=4096)
def isolated(text: str) -> str:
    """Return a text for the middle of a sentence, also in an attribute: between marks if it runs from the right."""
    if any(unicodedata.bidirectional(letter) in RIGHT_TO_LEFT for letter in text):
        return f"{ISOLATE}{text}{END}"
    return text
