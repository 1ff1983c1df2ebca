"""The language that somebody reads: sentences are English where they are used, and looked up when they are said.

    _("{seat} passed.").format(seat=name)
    ngettext("{count} card", "{count} cards", count).format(count=count)

Which language is a matter of the moment (`speaking`), since one table is read in several. What is written in a constant
is marked there and looked up where it is used: `NAMES = {"media": marked("media")}`, later `_(NAMES[key])`.

Translations lie beside what they translate: `locale/fr.po` in this package and in each game's folder, so that a game
brings its own. Where one is missing the English is shown. `python -m tools.messages` collects what is to be translated.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

LANGUAGES = {"en": "English", "fr": "Français", "pt": "Português", "zh-Hant": "繁體中文"}
"""The languages there are, by their tags (BCP 47), each in its own word."""
SOURCE = "en"
LONGEST_HEADER = 200
"""Characters of an `Accept-Language` that are read."""
_SPOKEN: ContextVar[str] = ContextVar("language", default=SOURCE)
_LOADING = threading.Lock()


def language() -> str:
    """Return the tag of the language that is being spoken."""
    return _SPOKEN.get()


def speak(tag: str) -> None:
    """Speak a language from now on, in this thread or task. Raises KeyError for one there is not."""
    if tag not in LANGUAGES:
        raise KeyError(tag)
    _SPOKEN.set(tag)


@contextmanager
def speaking(tag: str) -> Generator[None]:
    """Speak a language for a while. Raises KeyError for one there is not."""
    if tag not in LANGUAGES:
        raise KeyError(tag)
    before = _SPOKEN.set(tag)
    try:
        yield
    finally:
        _SPOKEN.reset(before)


def _(text: str) -> str:
    """Return a text in the language that is spoken."""
    tag = _SPOKEN.get()
    return text if tag == SOURCE else _catalogue(tag).get(text) or text


def ngettext(one: str, many: str, count: int) -> str:
    """Return the text for a count: `one` or `many` in English, whatever forms another language has."""
    tag = _SPOKEN.get()
    if tag != SOURCE and (forms := _catalogue(tag).get((one, many))):
        return forms[min(_form(tag, count), len(forms) - 1)]
    return one if count == 1 else many


def pgettext(context: str, text: str) -> str:
    """Return a text that means different things in different places; `context` says which, for translators."""
    tag = _SPOKEN.get()
    return text if tag == SOURCE else _catalogue(tag).get((context, text, None)) or text


def marked(text: str) -> str:
    """Return the text as it is; it is found here by whatever collects texts to translate."""
    return text


def marked_for(context: str, text: str) -> str:
    """Return the text as it is, marked like `marked` for `pgettext(context, text)`."""
    return text


def family_word(family: str, game: str) -> str:
    """Return what a game's family of actions is called in a list of them: `Give back` for `give-back`.

    A game may have it translated for itself, `marked_for(game, "Give back")`: two games mean two things by `Change`.
    """
    text = family.replace("-", " ").capitalize()
    own = pgettext(game, text)
    return own if own != text else _(text)


def listed(words: list[str]) -> str:
    """Return words as a list in a sentence: `Ana, Bo and Chi`; an empty text for none."""
    if len(words) < 2:
        return "".join(words)
    return _("{all_but_last} and {last}").format(all_but_last=_(", ").join(words[:-1]), last=words[-1])


def whole(number: int) -> str:
    """Return a whole number with its thousands apart: `2,000`."""
    if language() == SOURCE:
        return f"{number:,}"
    from babel.numbers import format_decimal

    return format_decimal(number, locale=language().replace("-", "_"))


def date_and_time(moment: datetime) -> str:
    """Return a moment, which is in UTC: `21 November, 12:30:00 UTC`."""
    from babel.dates import format_datetime

    # Translators: a pattern of the CLDR (d day, MMMM month in words, HH:mm:ss time); 'UTC' in quotes is text.
    return format_datetime(moment, _("d MMMM, HH:mm:ss 'UTC'"), locale=language().replace("-", "_"))


def seat_word(number: int) -> str:
    """Return what a seat is called in a sentence that does not know its player: `seat 3`.

    Pages put the player's name in its place (`with_names`).
    """
    return _("seat {number}").format(number=number)


def seat_range(first: int, last: int) -> str:
    """Return what several seats in a row are called: `seats 0 to 3`."""
    return _("seats {first} to {last}").format(first=first, last=last)


def with_names(sentence: str, names: Sequence[str]) -> str:
    """Return a sentence with the players' names in the place of their seats; a range of seats stays as it is."""

    def name(match: re.Match[str]) -> str:
        numbers = [int(number) for number in re.findall(r"\d+", match[0])]
        if match["range"] or max(numbers) >= len(names):
            return match[0]
        if match["english"]:
            return re.sub(r"\d+", lambda number: names[int(number[0])], match["english"])
        return names[numbers[0]]

    return _seats_in(language()).sub(name, sentence)


def from_one(sentence: str) -> str:
    """Return a sentence whose seats are numbered as the pages do, from 1."""
    return _seats_in(language()).sub(lambda seat: re.sub(r"\d+", lambda n: str(int(n[0]) + 1), seat[0]), sentence)


@lru_cache(maxsize=8)
def _seats_in(tag: str) -> re.Pattern[str]:
    """Return what finds the seats in a sentence of a language; English ones too, where nothing is translated."""

    def pattern(text: str) -> str:
        return re.sub(r"\\{\w+\\}", r"\\d+", re.escape(text))

    with speaking(tag):
        several, one = pattern(_("seats {first} to {last}")), pattern(_("seat {number}"))
    english = r"\bseats? (?P<english>\d+(?:(?:, | and |, and )\d+)*)\b"
    return re.compile(rf"(?P<range>{several}|\bseats? \d+ to \d+)|{english}|{one}", re.IGNORECASE)


@lru_cache(maxsize=256)
def wanted(accepted: str) -> str:
    """Return the language that suits an `Accept-Language` best (RFC 9110, 12.5.4); English where none does."""
    ranked: list[tuple[float, int, str]] = []
    for place, part in enumerate(accepted[:LONGEST_HEADER].split(",")):
        tag, _, quality = part.strip().partition(";")
        try:
            weight = float(quality.strip().removeprefix("q=")) if quality else 1.0
        except ValueError:
            continue
        if weight > 0:
            ranked.append((-weight, place, tag.strip().lower()))
    for _weight, _place, tag in sorted(ranked):
        main = tag.partition("-")[0]
        for known in LANGUAGES:
            if tag == known.lower() or main == known.partition("-")[0]:
                return known
    return SOURCE


def folders() -> list[Path]:
    """Return where translations lie: this package's own first, then those of the games."""
    from pyramidion.engine import registry

    found = [Path(__file__).parent]
    for game in registry.all_games().values():
        found += [folder for folder in (game.folder, game.shared) if folder is not None and folder not in found]
    return [folder / "locale" for folder in found]


def script_words(tag: str) -> dict[str, Any]:
    """Return what the scripts of the pages say, by the English: a text, or a list of forms for a count."""
    return {} if tag == SOURCE else dict(_catalogue(tag).scripts)


def _form(tag: str, count: int) -> int:
    """Which form a count takes; the same rules stand in the heads of the files."""
    if tag == "zh-Hant":
        return 0
    return int(count > 1) if tag == "fr" else int(count != 1)


class _Catalogue(dict[Any, Any]):
    """Translations by text, by (one, many), or by (context, text, None). `scripts` are those that scripts use."""

    scripts: dict[str, Any]


def _catalogue(tag: str) -> _Catalogue:
    found = _LOADED.get(tag)
    if found is None:
        with _LOADING:
            found = _LOADED.get(tag) or _LOADED.setdefault(tag, _load(tag))
    return found


_LOADED: dict[str, _Catalogue] = {}


def _load(tag: str) -> _Catalogue:
    from babel.messages.pofile import read_po

    made, scripts = _Catalogue(), dict[str, Any]()
    for folder in folders():
        path = folder / f"{tag}.po"
        if not path.is_file():
            continue
        with path.open("rb") as file:
            for message in read_po(file, locale=tag.replace("-", "_")):
                if not message.id or message.fuzzy or not message.string:
                    continue
                first = message.id if isinstance(message.id, str) else message.id[0]
                key = first if isinstance(message.id, str) else tuple(message.id)
                if message.context:
                    key = (message.context, first, None)
                made.setdefault(key, message.string)
                if any(str(place).endswith(".js") for place, _line in message.locations):
                    scripts[first] = message.string
    made.scripts = scripts
    return made
