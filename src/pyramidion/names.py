"""Names, titles and longer texts: what they may contain, which names are the same, and which look alike.

Every place where people enter a name, a title or a text asks this module, so what one accepts no other refuses.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Annotated

import regex

from pyramidion.translation import _

LONGEST = 40
LONGEST_TITLE = 80
LONGEST_TEXT = 4_000
LONGEST_KEY = 160
EXPANSION = 4
"""How many characters at most become one when a name is normalized."""
MOST_MARKS = 3
"""Maximum consecutive non-spacing marks. Real scripts need two or three; longer runs spill over neighbouring lines."""
CONFUSABLES = Path(__file__).with_name("confusables.txt")
BAR = "|"
"""The prototype of all vertical bars: I, 1, | and their likes. It looks like l, and as a capital it is i."""

# Emoji whose parts are invisible alone: keycaps, joined sequences (families), and flags of subdivisions.
_EMOJI = regex.compile(
    r"""(?xV1)
    [0-9\#*]\uFE0F?\u20E3
    | [\p{Extended_Pictographic}--\p{Cn}][\uFE0F\p{Emoji_Modifier}]?
      (?:\u200D[\p{Extended_Pictographic}--\p{Cn}][\uFE0F\p{Emoji_Modifier}]?)+
    | \U0001F3F4[\U000E0030-\U000E0039\U000E0061-\U000E007A]{3,6}\U000E007F
    """
)
# Joiners in the contexts of UAX #31, A1, A2 and B, and before the virama, where Bengali and Sinhala join too.
# Persian words are divided after letters that do not join as well.
_JOINERS = regex.compile(
    r"""(?xV1)
    (?<=[\p{Joining_Type=D}\p{Joining_Type=L}\p{Joining_Type=R}]\p{Mn}*)\u200C(?=\p{Mn}*[\p{Joining_Type=D}\p{Joining_Type=R}])
    | (?<=\p{L}\p{M}*\p{ccc=9}\p{M}*)(?:\u200C(?=\p{L})|\u200D)
    | (?<=\p{L}\p{M}*)\u200D(?=\p{ccc=9}[\u200D\p{L}])
    | (?<=\p{Mongolian})[\u180B-\u180F]
    """
)
# Variation selectors choose between forms of emoji, ideographs and letters of Myanmar; elsewhere they do nothing.
_SELECTORS = r"\uFE00-\uFE0F\U000E0100-\U000E01EF"
_STRAY_SELECTORS = regex.compile(rf"(?V1)(?<![\p{{Emoji}}\p{{Ideographic}}\p{{Myanmar}}])[{_SELECTORS}]")
# Characters that are invisible, that steer others or that mean nothing: no name or title needs them.
_REFUSED = regex.compile(
    r"(?V1)[[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\U0001D159]"
    rf"--[{_SELECTORS}]]"
)
_REFUSED_IN_TEXTS = regex.compile(r"(?V1)[[\p{Cc}\p{Cs}\p{Bidi_Control}]--[\n\t]]")
# An i has one dot, whatever it is made of: `i` with another, or a stroke with one.
_DOTTED = regex.compile(r"[|l](?=\p{M}*\u0307)")
_DOTS = regex.compile(r"(?<=[ij]\p{M}*)\u0307")
_LETTERS = regex.compile(r"\X")
_IGNORABLE = regex.compile(r"\p{Default_Ignorable_Code_Point}")
_INVISIBLE = regex.compile(r"(?V1)[\p{Default_Ignorable_Code_Point}\u2800\U0001D159]")
_SPACES = regex.compile(r"[\p{Zs}\t]+")
_PILES = regex.compile(rf"(?V1)\A\p{{M}}|[[\p{{Mn}}\p{{Me}}]--[{_SELECTORS}]]{{{MOST_MARKS + 1}}}")


class BadName(ValueError):
    """The name, title or text is not allowed; the message says why."""


def clean(name: str | None) -> str | None:
    """Check a person's name and return it with whitespace normalized, or None if it is empty. Raises BadName."""
    too_long = _("A name has at most {limit} characters; this one has {count}.")
    return _line(name or "", LONGEST, too_long, _("A name cannot contain the character {sign}. Remove it.")) or None


def clean_name(name: str | None) -> str:
    """Check a name like `clean`, and return it. Raises BadName for an empty name, too."""
    tidy = clean(name)
    if tidy is None:
        raise BadName(_("Enter a name."))
    return tidy


def clean_title(title: str | None, longest: int = LONGEST_TITLE, *, required: bool = False) -> str:
    """Check a title and return it in one line, with whitespace normalized. Raises BadName."""
    too_long = _("A title has at most {limit} characters; this one has {count}.")
    tidy = _line(title or "", longest, too_long, _("A title cannot contain the character {sign}. Remove it."))
    if required and not tidy:
        raise BadName(_("Write {least} to {limit} characters.").format(least=1, limit=longest))
    return tidy


def clean_text(text: str, longest: int, least: int = 0) -> str:
    """Check a text of several lines; return it without spaces around it, with each line break as one line feed.

    Raises BadName if it has more than `longest` characters or fewer than `least` visible ones, or contains control
    characters.
    """
    tidy = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if len(visible(tidy)) < least:
        raise BadName(_("Write {least} to {limit} characters.").format(least=least, limit=f"{longest:,}"))
    if len(tidy) > longest:
        message = _("The text has {count} characters; the limit is {most}.")
        raise BadName(message.format(count=f"{len(tidy):,}", most=f"{longest:,}"))
    if (refused := _REFUSED_IN_TEXTS.search(tidy)) is not None:
        message = _("The text contains an invisible control character ({sign}). Remove it.")
        raise BadName(message.format(sign=_called(refused[0])))
    return tidy


clean_words = partial(clean_text, longest=LONGEST_TEXT)
Name = Annotated[str, clean_name]
Title = Annotated[str, partial(clean_title, required=True)]
OptionalTitle = Annotated[str, clean_title]
Text = Annotated[str, partial(clean_text, longest=LONGEST_TEXT, least=1)]
OptionalText = Annotated[str, clean_words]
"""What a field holds that people write; `event_log.with_clean_texts` calls the function."""


def visible(text: str) -> str:
    """Return a text without invisible characters, and without spaces around it."""
    return _INVISIBLE.sub("", text).strip()


def shortened(text: str, longest: int) -> str:
    """Return a text cut to at most `longest` characters, never within a letter or emoji made of several."""
    if len(text) <= longest:
        return text
    cut = ""
    for letter in _LETTERS.findall(text[: 8 * longest]):
        if len(cut) + len(letter) >= longest:
            break
        cut += letter
    return cut.rstrip(" \u200c\u200d") + "…"


def fit_title(title: str) -> str:
    """Return a title composed of stored names as `clean_title` accepts it: shortened, without refused characters."""
    before, fitting = None, title[: EXPANSION * LONGEST_TITLE]
    while fitting != before:  # what is removed brings together what was apart
        before, tidy = fitting, _PILES.sub("", _normal(fitting))
        kept = "".join(sign for sign, masked in zip(tidy, _masked(tidy), strict=True) if not _REFUSED.match(masked))
        fitting = shortened(kept.strip(), LONGEST_TITLE)
    return fitting


def key(name: str) -> str:
    """Return a key by which names are compared: case, width, spaces and invisible characters make no difference."""
    return _compatible(_compatible(_compared(name)).casefold())[:LONGEST_KEY]


def looks(name: str) -> str:
    """Return a key that is equal for all names that may look alike, to search for them; `alike` decides."""
    return _shape(_compared(name)).translate({ord("i"): "l", ord(BAR): "l"})[:LONGEST_KEY]


def alike(name: str, other: str) -> bool:
    """Return whether two names are the same or look alike.

    They look alike if their case-folded UTS #39 skeletons agree, where a vertical bar is both an i and an l, and two v
    are a w: `Bill` is like `BiIl` and `B1ll`, but `Elia` is not like `Ella`.
    """
    if key(name) == key(other):
        return True
    shapes = _shape(_compared(name)), _shape(_compared(other))
    if len(shapes[0]) != len(shapes[1]):
        return False
    return all(a == b or (BAR in (a, b) and {a, b} <= {BAR, "i", "l"}) for a, b in zip(*shapes, strict=True))


def lookalike(name: str, taken: Iterable[str | None]) -> str | None:
    """Return the first name among those `taken` that is the same as `name` or looks like it, or None."""
    return next((other for other in taken if other and alike(name, other)), None)


def _line(text: str, longest: int, too_long: str, refusal: str) -> str:
    """Check a text of one line and return it normalized. Raises BadName.

    `too_long` and `refusal` are the sentences for a text that is too long and for a character that is refused.
    """
    spaced = _SPACES.sub(" ", text.strip())
    if len(spaced) > EXPANSION * longest:
        # What follows looks at the neighbours of every character, which takes too long in a text without a limit.
        raise BadName(too_long.format(limit=longest, count=len(spaced)))
    tidy = _normal(spaced)
    if (refused := _REFUSED.search(_masked(tidy))) is not None:
        raise BadName(refusal.format(sign=_called(refused[0])))
    if _PILES.search(tidy):
        message = _("A name or title can have at most {limit} combining marks in a row and cannot begin with one.")
        raise BadName(message.format(limit=MOST_MARKS))
    if len(tidy) > longest:
        raise BadName(too_long.format(limit=longest, count=len(tidy)))
    return tidy


def _normal(text: str) -> str:
    """Return a text in its only form: composed, with single spaces, without variation selectors that have no effect."""
    return _SPACES.sub(" ", unicodedata.normalize("NFC", _STRAY_SELECTORS.sub("", text))).strip()


def _masked(text: str) -> str:
    """Return a text with an `x` for each character of emoji and for each invisible character that joins letters.

    The text keeps its length. What is still invisible then has no effect, and is refused.
    """
    return _JOINERS.sub("x", _EMOJI.sub(lambda emoji: "x" * len(emoji[0]), text))


def _called(sign: str) -> str:
    """Return the code point and the Unicode name of a character, `U+200B ZERO WIDTH SPACE`, for a message."""
    return f"U+{ord(sign):04X} {unicodedata.name(sign, '')}".rstrip()


def _compared(name: str) -> str:
    """Return what counts of a name in comparisons: no invisible characters, and no more than the longest name has."""
    return " ".join(_IGNORABLE.sub("", name).split())[: EXPANSION * LONGEST_KEY]


def _compatible(text: str) -> str:
    """Return a text with the usual form of each character, such as A for a wide A (NFKC)."""
    return unicodedata.normalize("NFKC", text)


@lru_cache(4096)
def _shape(name: str) -> str:
    """Return what a name looks like: its case-folded skeleton, with a bar where an i or an l may be meant."""
    # Capitals have look-alikes of their own, so they are replaced before case is folded, and small letters after it.
    capitals = _prototypes(_compatible(name))
    return _prototypes(_compatible(capitals.casefold())).replace("vv", "w")


def _prototypes(text: str) -> str:
    """Return a text with each character replaced by the one it looks like, and without the dots of i and j."""
    alike = _confusables()
    replaced = "".join(alike.get(sign, sign) for sign in unicodedata.normalize("NFD", text))
    return _DOTS.sub("", _DOTTED.sub("i", unicodedata.normalize("NFD", replaced)))


@cache
def _confusables() -> dict[str, str]:
    """Return the prototype of each character that looks like another: what UTS #39 compares in its place."""
    lines = CONFUSABLES.read_text("utf-8").rstrip("\n").split("\n")
    pairs = (line.split("\t") for line in lines if not line.startswith("# "))
    return {sign: prototype.replace("l", BAR) for sign, prototype in pairs} | {BAR: BAR}
