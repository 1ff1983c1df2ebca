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
    """Return a name as a `<bdi>` element, isolated from the text around it; a very long word in it may be broken."""
    element = Markup('<bdi class="long" title="{0}">{0}</bdi>') if _LONG.search(name) else Markup("<bdi>{0}</bdi>")
    return element.format(name)


def with_long_words(sentence: Markup) -> Markup:
    """Return a sentence of HTML in which each very long word is an element that may be broken, as in `named`."""
    parts = _OUTSIDE_TAGS.split(sentence)
    parts[::2] = [_LONG.sub(_word, text) for text in parts[::2]]
    return Markup("".join(parts))  # noqa: S704 (as escaped as the sentence was)


def _word(match: re.Match[str]) -> str:
    """Return a matched word as HTML, as an element that may be broken if it is long even without its HTML escapes."""
    letters = Markup(match[0]).unescape()  # noqa: S704
    return named(letters) if _LONG.search(letters) else match[0]


@lru_cache(maxsize=4096)
def isolated(text: str) -> str:
    """Enclose a text that runs from right to left in Unicode isolates, for the middle of a sentence or an attribute."""
    if any(unicodedata.bidirectional(letter) in RIGHT_TO_LEFT for letter in text):
        return f"{ISOLATE}{text}{END}"
    return text
