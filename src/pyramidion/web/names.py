"""Validation of what people write: player names, texts and e-mail addresses."""

from __future__ import annotations

import re
import unicodedata

from email_validator import EmailNotValidError, validate_email

from pyramidion import names
from pyramidion.web.errors import BadRequest
from pyramidion.words import _

MAX_NAME = names.LONGEST
LONGEST_ADDRESS = 254
# Bidirectional control characters, which could also affect the page around a text.
TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
OF_A_BOT = re.compile(r"\(bot\b", re.IGNORECASE)
"""What only the names of declared bots contain: `Tortoise (bot: Ana)`."""
_WITH_OWNER = re.compile(r".+ \(bot: (.+)\)")


def clean_name(name: str | None) -> str | None:
    """Return a player's name with normalized spaces, or None for an empty one. Raises BadRequest with a sentence."""
    try:
        return names.clean(name)
    except names.BadName as error:
        raise BadRequest(str(error)) from None


def player_name(name: str | None) -> str | None:
    """Return a person's name like `clean_name`. Raises BadRequest also for a name that only a declared bot can have."""
    tidy = clean_name(name)
    if tidy is not None and OF_A_BOT.search(tidy):
        raise BadRequest(_("Only a bot's name can end like this. Choose another name."))
    return tidy


def clean_text(text: str, longest: int, least: int = 0) -> str:
    """Return a text without spaces around it, with each line break as one line feed.

    Raises BadRequest with a sentence if it has more than `longest` characters or fewer than `least` visible ones, or
    contains control characters.
    """
    tidy = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if len(names.visible(tidy)) < least:
        raise BadRequest(_("Write {least} to {limit} characters.").format(least=least, limit=longest))
    if len(tidy) > longest:
        said = _("The text has {count} characters; the limit is {most}.")
        raise BadRequest(said.format(count=f"{len(tidy):,}", most=f"{longest:,}"))
    check_signs(tidy)
    return tidy


def check_signs(text: str) -> None:
    """Raise BadRequest for a control character other than a line break or a tab."""
    for sign in text:
        if sign in TURNING or (unicodedata.category(sign) in ("Cc", "Cs") and sign not in "\r\n\t"):
            said = _("The text contains an invisible control character ({sign}). Remove it.")
            raise BadRequest(said.format(sign=f"U+{ord(sign):04X}"))


def owner_of_bot(name: str | None) -> str | None:
    """Return the name of the owner if a player's name is that of a declared bot, else None."""
    found = _WITH_OWNER.fullmatch(name or "")
    return found[1] if found else None


def clean_address(text: str) -> str:
    """Return an e-mail address in the form that every mail server accepts. Raises BadRequest with a sentence."""
    try:
        # Do not require a public domain: a private server may use one of its own.
        found = validate_email(
            text.strip(), allow_smtputf8=False, check_deliverability=False, globally_deliverable=False
        )
    except EmailNotValidError:
        found = None
    if found is None or found.ascii_email is None or "." not in found.domain:
        raise BadRequest(_("Enter a valid e-mail address, such as name@example.org."))
    return found.ascii_email
