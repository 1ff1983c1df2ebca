"""Validation of what people write: player names, texts and e-mail addresses."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from typing import ParamSpec, TypeVar
from urllib.parse import quote, urlencode

from email_validator import EmailNotValidError, validate_email

from pyramidion import event_log, names
from pyramidion.translation import LANGUAGES, _, in_language, marked
from pyramidion.web.errors import BadRequest

P = ParamSpec("P")
T = TypeVar("T")

MAX_NAME = names.LONGEST
LONGEST_ADDRESS = 254
MOST_CARDS = 100_000
"""Maximum number of characters in a card file."""
LARGEST_PICTURE = 4 * 1024 * 1024
"""Maximum size of an uploaded picture in bytes."""
OF_A_BOT = re.compile(r"[(\[{]\s*bot\b")
"""What only the names of declared bots contain, as they look: `Tortoise (bot: Ana)`."""
MOST_SEATS = 20
"""The seats whose names are compared by how they look; of others only the number may differ."""
SEAT_NAMES = {"open": marked("Open seat {number}"), "person": marked("Player {number}"), "bot": marked("Bot {number}")}
"""What seats are called that have no name, by their kind."""


def clean_name(name: str | None) -> str | None:
    """Return a player's name with normalized spaces, or None for an empty one. Raises BadRequest with a sentence."""
    return _cleaned(names.clean, name)


def player_name(name: str | None) -> str | None:
    """Return the name that a person has chosen, cleaned like `clean_name`.

    Raises BadRequest also for a name that only a declared bot or a seat without a player can have.
    """
    tidy = clean_name(name)
    if tidy is not None and OF_A_BOT.search(names.looks(tidy)):
        raise BadRequest(_("Only a bot's name can end like this. Choose another name."))
    if tidy is not None and not {names.looks(tidy), _without_number(tidy)}.isdisjoint(_seat_names()):
        raise BadRequest(_("A player without a name is called {name}. Choose another name.").format(name=tidy))
    return tidy


def clean_title(title: str | None, longest: int = names.LONGEST_TITLE, *, required: bool = True) -> str:
    """Return a title in one line with normalized spaces. Raises BadRequest with a sentence."""
    return _cleaned(names.clean_title, title, longest, required=required)


def clean_text(text: str, longest: int, least: int = 0) -> str:
    """Return a text without spaces around it, with each line break as one line feed.

    Raises BadRequest with a sentence if it has more than `longest` characters or fewer than `least` visible ones, or
    contains control characters.
    """
    return _cleaned(names.clean_text, text, longest, least)


def tidy(written: T) -> T:
    """Return a copy of a dataclass with its names, titles and texts cleaned. Raises BadRequest with a sentence."""
    try:
        return event_log.with_clean_texts(written)
    except event_log.BadText as error:
        raise BadRequest(str(error)) from None


@cache
def _seat_names() -> frozenset[str]:
    """Return the default names of seats in every language, as they look (`names.looks`)."""
    taken: set[str] = set()
    for tag in LANGUAGES:
        with in_language(tag):
            for name in map(_, SEAT_NAMES.values()):
                taken.add(_without_number(name))
                taken.update(names.looks(name.format(number=number)) for number in range(1, MOST_SEATS + 1))
    return frozenset(taken)


def _without_number(name: str) -> str:
    """Return a name as it looks, with `#` for each number."""
    return names.looks(re.sub(r"\d+|\{number\}", "#", unicodedata.normalize("NFKC", name)))


def _cleaned(clean: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
    """Call a function that cleans a text, and raise BadRequest for BadName."""
    try:
        return clean(*args, **options)
    except names.BadName as error:
        raise BadRequest(str(error)) from None


def profile_path(name: str) -> str:
    """Return the address of an account's public page. All links to such a page are made here."""
    # Browsers take dots for folders even if they are encoded, and proxies decode slashes.
    if name.strip(".") and not set(name) & set("/\\"):
        return f"/people/{quote(name, safe='')}"
    return f"/people?{urlencode({'name': name})}"


def owner_of_bot(name: str | None) -> str | None:
    """Return the owner's name if a player's name is that of a declared bot (`Tortoise (bot: Ana)`), else None."""
    bot, _mark, rest = (name or "").rpartition(" (bot: ")
    owner = rest.removesuffix(")")
    return owner if bot and owner and owner != rest else None


def clean_address(text: str) -> str:
    """Return an e-mail address in the form that every mail server accepts. Raises BadRequest with a sentence."""
    text = text.strip()
    try:
        if len(text) > LONGEST_ADDRESS:
            raise EmailNotValidError
        # Do not require a public domain: a private server may use one of its own.
        validated = validate_email(text, allow_smtputf8=False, check_deliverability=False, globally_deliverable=False)
    except EmailNotValidError:
        validated = None
    if validated is None or validated.ascii_email is None or "." not in validated.domain:
        raise BadRequest(_("Enter a valid e-mail address, such as name@example.org."))
    return validated.ascii_email
