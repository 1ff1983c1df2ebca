"""Display names: validation and detection of look-alike names."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import Path

from pyramidion.words import _

LONGEST = 40
LONGEST_LOOKS = 160
MOST_MARKS = 3
"""Maximum consecutive combining marks. Real scripts need two or three; longer runs spill over neighbouring lines."""
CONFUSABLES = Path(__file__).with_name("confusables.txt")
# Invisible characters: Unicode's Default_Ignorable_Code_Point, except the variation selectors that emoji use.
IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    "\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
VARIATION_SELECTORS = re.compile("[\ufe00-\ufe0f]")
# Symbols that render as blank: the empty braille pattern and the null notehead.
BLANKS = re.compile("[\u2800\U0001d159]")


class BadName(ValueError):
    """The name is not allowed; the message says why."""


def clean(name: str | None) -> str | None:
    """Return the name with whitespace normalized, or None if it is empty. Raises BadName."""
    tidy = " ".join(VARIATION_SELECTORS.sub("", name or "").split())
    if len(tidy) > LONGEST:
        said = _("A name has at most {limit} characters; this one has {count}.")
        raise BadName(said.format(limit=LONGEST, count=len(tidy)))
    if not tidy.isprintable() or IGNORABLE.search(tidy) or BLANKS.search(tidy):
        raise BadName(_("A name can contain only letters, digits, symbols and spaces."))
    tidy = unicodedata.normalize("NFC", tidy)
    marks = "".join("m" if unicodedata.category(one).startswith("M") else " " for one in tidy)
    if marks.startswith("m") or "m" * (MOST_MARKS + 1) in marks:
        said = _("A name can have at most {limit} combining marks in a row and cannot begin with one.")
        raise BadName(said.format(limit=MOST_MARKS))
    return tidy or None


def visible(text: str) -> str:
    """Return a text without invisible characters, and without spaces around it."""
    return BLANKS.sub("", IGNORABLE.sub("", VARIATION_SELECTORS.sub("", text))).strip()


def folded(name: str) -> str:
    """Return the case-folded name with compatibility forms (such as full-width letters) normalized."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def looks(name: str) -> str:
    """Return a key that is equal for names that look alike: the case-folded UTS #39 skeleton."""
    alike = _confusables()
    seen = IGNORABLE.sub("", VARIATION_SELECTORS.sub("", unicodedata.normalize("NFD", folded(name))))
    skeleton = "".join(alike.get(one, one) for one in seen)
    return unicodedata.normalize("NFD", skeleton.casefold())[:LONGEST_LOOKS]


@cache
def _confusables() -> dict[str, str]:
    lines = CONFUSABLES.read_text("utf-8").rstrip("\n").split("\n")
    return dict(line.split("\t") for line in lines if not line.startswith("# "))
