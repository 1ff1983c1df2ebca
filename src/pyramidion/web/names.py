"""Validation of player names and e-mail addresses."""

from __future__ import annotations

from email_validator import EmailNotValidError, validate_email

from pyramidion import names
from pyramidion.web.errors import BadRequest
from pyramidion.words import _

MAX_NAME = names.LONGEST
LONGEST_ADDRESS = 254


def clean_name(name: str | None) -> str | None:
    """Return a player's name with normalized spaces, or None for an empty one. Raises BadRequest with a sentence."""
    try:
        return names.clean(name)
    except names.BadName as error:
        raise BadRequest(str(error)) from None


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
