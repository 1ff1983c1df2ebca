"""Translation: gettext-style lookup in the language of the current context.

    _("{seat} passed.").format(seat=name)
    ngettext("{count} card", "{count} cards", count).format(count=count)

Source strings are English. The language is a context variable (`in_language`), because the players at one table may
read different languages. Mark a string in a constant with `marked` and translate it where it is used:
`NAMES = {"media": marked("media")}`, later `_(NAMES[key])`.

This package and each game's folder have their own catalogues, such as `locale/fr.po`. A string without a translation is
shown in English. `python -m tools.messages` extracts the strings to translate.
"""

from __future__ import annotations

import gettext
import re
import threading
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from pyramidion.extras import install_command

LANGUAGES = {"en": "English", "fr": "Français", "pt": "Português", "zh-Hant": "繁體中文"}
"""Supported languages: BCP 47 tag to the language's own name."""
SOURCE = "en"
TRADITIONAL = frozenset(("hant", "tw", "hk", "mo"))
"""Subtags of Chinese in traditional characters. Without one (`zh`, `zh-CN`, `zh-SG`), Chinese is in simplified ones."""
LONGEST_HEADER = 200
"""Maximum characters of an `Accept-Language` header to parse."""
_LANGUAGE: ContextVar[str] = ContextVar("language", default=SOURCE)
_LOADING = threading.Lock()


def language() -> str:
    """Return the tag of the current language."""
    return _LANGUAGE.get()


def set_language(tag: str) -> None:
    """Set the language of this thread or task. Raises KeyError for an unknown tag."""
    if tag not in LANGUAGES:
        raise KeyError(tag)
    _LANGUAGE.set(tag)


@contextmanager
def in_language(tag: str) -> Generator[None]:
    """Context manager: set the language within a `with` block. Raises KeyError for an unknown tag."""
    if tag not in LANGUAGES:
        raise KeyError(tag)
    before = _LANGUAGE.set(tag)
    try:
        yield
    finally:
        _LANGUAGE.reset(before)


def _(text: str) -> str:
    """Translate a text into the current language."""
    tag = _LANGUAGE.get()
    return text if tag == SOURCE else _catalogue(tag).get(text) or text


def ngettext(singular: str, plural: str, count: int) -> str:
    """Translate a text with the plural form for a count; `singular` and `plural` are the English forms."""
    tag = _LANGUAGE.get()
    if tag != SOURCE and (forms := _catalogue(tag).get((singular, plural))):
        return forms[_catalogue(tag).plural_form(count)]
    return singular if count == 1 else plural


def pgettext(context: str, text: str) -> str:
    """Translate a text as it is meant in a context, since it means different things in different ones."""
    tag = _LANGUAGE.get()
    return text if tag == SOURCE else _catalogue(tag).get((context, text, None)) or text


def marked(text: str) -> str:
    """Mark a text for extraction into the catalogues, and return it untranslated."""
    return text


def marked_for(context: str, text: str) -> str:
    """Mark a text for `pgettext(context, text)` and return it untranslated."""
    return text


def family_word(family: str, game: str) -> str:
    """Return the display name of a game's action family: `Give back` for `give-back`.

    A game can provide its own translation with `marked_for(game, "Give back")`, since a word such as `Change` may mean
    different things in different games.
    """
    text = family.replace("-", " ").capitalize()
    own = pgettext(game, text)
    return own if own != text else _(text)


def listed(words: list[str]) -> str:
    """Join words as in a sentence: `Ana, Bo and Chi`; return an empty text for an empty list."""
    if len(words) < 2:
        return "".join(words)
    return _("{all_but_last} and {last}").format(all_but_last=_(", ").join(words[:-1]), last=words[-1])


def whole(number: int) -> str:
    """Format a whole number with thousands separators: `2,000`."""
    if language() == SOURCE:
        return f"{number:,}"
    from babel.numbers import format_decimal

    return format_decimal(number, locale=language().replace("-", "_"))


def quantity(number: int, noun: str, plural: str = "") -> str:
    """Format a number of things in English, for texts that are not translated: `1 game`, `2,000 games`, `2 entries`."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def date_and_time(moment: datetime) -> str:
    """Format a UTC datetime: `21 November, 12:30:00 UTC`."""
    from babel.dates import format_datetime

    # Translators: a pattern of the CLDR (d day, MMMM month in words, HH:mm:ss time); 'UTC' in quotes is text.
    return format_datetime(moment, _("d MMMM, HH:mm:ss 'UTC'"), locale=language().replace("-", "_"))


def seat_word(number: int) -> str:
    """Return the placeholder for a seat in a sentence: `seat 3`.

    Pages replace it with the player's name (`with_names`).
    """
    return _("seat {number}").format(number=number)


def with_names(sentence: str, names: Sequence[str]) -> str:
    """Replace the seats in a sentence (`seat 3`) with players' names; leave ranges of seats unchanged."""

    def name(match: re.Match[str]) -> str:
        """Return the names for the seats in a match of the pattern, or the text itself."""
        numbers = [int(number) for number in re.findall(r"\d+", match[0])]
        if match["range"] or max(numbers) >= len(names):
            return match[0]
        if match["english"]:
            return re.sub(r"\d+", lambda number: names[int(number[0])], match["english"])
        return names[numbers[0]]

    return _seats_in(language()).sub(name, sentence)


def from_one(sentence: str) -> str:
    """Renumber the seats in a sentence so that they count from 1 instead of 0, as on pages."""
    return _seats_in(language()).sub(lambda seat: re.sub(r"\d+", lambda n: str(int(n[0]) + 1), seat[0]), sentence)


@lru_cache(maxsize=8)
def _seats_in(tag: str) -> re.Pattern[str]:
    """Return the pattern that matches mentions of seats in a language, and in English for untranslated sentences."""

    def pattern(text: str) -> str:
        """Return a pattern for a text, with digits for its placeholders."""
        return re.sub(r"\\{\w+\\}", r"\\d+", re.escape(text))

    with in_language(tag):
        several, single = pattern(_("seats {first} to {last}")), pattern(_("seat {number}"))
    english = r"\bseats? (?P<english>\d+(?:(?:, | and |, and )\d+)*)\b"
    # `Open seat 2` is a name, and counts from 1 already.
    named = r"(?<!\bopen )"
    return re.compile(rf"{named}(?:(?P<range>{several}|\bseats? \d+ to \d+)|{english}|{single})", re.IGNORECASE)


@lru_cache(maxsize=256)
def wanted(accepted: str) -> str:
    """Return the language that a browser prefers by its `Accept-Language` (RFC 9110, 12.5.4); English by default."""
    ranked: list[tuple[float, int, str]] = []
    for place, part in enumerate(accepted[:LONGEST_HEADER].split(",")):
        tag, _, quality = part.strip().partition(";")
        try:
            weight = float(quality.strip().lower().removeprefix("q=")) if quality else 1.0
        except ValueError:
            continue
        if 0 < weight <= 1:
            ranked.append((-weight, place, tag.strip().lower()))
    for _weight, _place, tag in sorted(ranked):
        if (language := _language_of(tag)) is not None:
            return language
    return SOURCE


def of_environment(variables: Mapping[str, str]) -> str:
    """Return the language of LC_ALL, LC_MESSAGES or LANG, the first that is set (POSIX); English by default."""
    locale = next((variables[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if variables.get(name)), "")
    return _language_of(re.split("[.@]", locale)[0].replace("_", "-").lower()) or SOURCE


def _language_of(tag: str) -> str | None:
    """Return the supported language for a lower-case tag, or None. Chinese is translated in one script only."""
    main, *subtags = tag.split("-")
    if main == "zh":
        traditional = "hans" not in subtags and not TRADITIONAL.isdisjoint(subtags)
        return "zh-Hant" if traditional else None
    return main if main in LANGUAGES else None


_MORE_FOLDERS: list[Callable[[], Iterable[Path]]] = []


def add_folders(folders_of: Callable[[], Iterable[Path]]) -> None:
    """Register a function that returns more locale folders, to be searched after this package's own.

    The registry of games adds those of the games.
    """
    _MORE_FOLDERS.append(folders_of)


def folders() -> list[Path]:
    """Return the locale folders: this package's first, then those of the games."""
    return [Path(__file__).parent / "locale", *(folder for folders_of in _MORE_FOLDERS for folder in folders_of())]


def script_words(tag: str) -> dict[str, Any]:
    """Return the translations that JavaScript uses, by English text: each a text, or a list of plural forms.

    The empty text stands for the index of the plural form for each of the counts 0 to 199; greater ones repeat the last
    hundred.
    """
    if tag == SOURCE:
        return {}
    catalogue = _catalogue(tag)
    return {"": [catalogue.plural_form(count) for count in range(200)], **catalogue.scripts}


class _Catalogue(dict[Any, Any]):
    """The translations into a language, by text, (singular, plural) or (context, text, None).

    `scripts` holds those that JavaScript uses; `plural_form` returns the index of the plural form for a count.
    """

    scripts: dict[str, Any]
    plural_form: Callable[[int], int]


def _catalogue(tag: str) -> _Catalogue:
    """Return the catalogue of a language, which is loaded on first use."""
    catalogue = _LOADED.get(tag)
    if catalogue is None:
        with _LOADING:
            catalogue = _LOADED.get(tag) or _LOADED.setdefault(tag, _load(tag))
    return catalogue


_LOADED: dict[str, _Catalogue] = {}


def _load(tag: str) -> _Catalogue:
    """Read the catalogue of a language from all locale folders; where several translate a text, the first counts."""
    try:
        from babel.messages import Catalog
        from babel.messages.pofile import read_po
    except ModuleNotFoundError as missing:
        message = f"Languages other than English need Babel: {install_command('terminal')}."
        raise ModuleNotFoundError(message, name=missing.name) from None

    locale = tag.replace("-", "_")
    made, scripts = _Catalogue(), dict[str, Any]()
    made.plural_form = gettext.c2py(Catalog(locale).plural_expr)
    for folder in folders():
        path = folder / f"{tag}.po"
        if not path.is_file():
            continue
        with path.open("rb") as file:
            for entry in read_po(file, locale=locale):
                if not entry.id or entry.fuzzy or not entry.string:
                    continue
                first = entry.id if isinstance(entry.id, str) else entry.id[0]
                key = first if isinstance(entry.id, str) else tuple(entry.id)
                if entry.context:
                    key = (entry.context, first, None)
                made.setdefault(key, entry.string)
                if any(str(place).endswith(".js") for place, _line in entry.locations):
                    scripts[first] = entry.string
    made.scripts = scripts
    return made
