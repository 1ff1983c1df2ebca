"""Values of HTML forms: whole numbers and dates."""

from __future__ import annotations

from datetime import datetime

from pyramidion.event_log import DATE_RANGE
from pyramidion.local_time import instant
from pyramidion.translation import _, marked
from pyramidion.web.errors import BadRequest

INCOMPLETE = marked("Fill in the form and try again.")
"""The refusal of a form that no page of ours can have sent."""


def parse_number(text: str | None, digits: int = 9) -> int | None:
    """Parse a whole number of at most `digits` plain digits; return None for any other text."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= digits else None


def whole_number(text: str | None, sentence: str, *, digits: int = 9) -> int:
    """Parse a form's field as a whole number. Raises BadRequest with `sentence` if it is not one."""
    number = parse_number(text, digits)
    if number is None:
        raise BadRequest(sentence)
    return number


def moment_of(text: str, zone: str) -> int:
    """Convert a form's local time (`2026-11-23T20:00`) in a time zone to milliseconds since 1970. Raises BadRequest."""
    try:
        return instant(datetime.fromisoformat(text).replace(tzinfo=None), zone)
    except OverflowError:
        raise BadRequest(_(DATE_RANGE)) from None
    except (ValueError, KeyError, OSError):
        raise BadRequest(_("Enter a date and a time.")) from None
