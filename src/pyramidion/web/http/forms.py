"""Values of HTML forms: whole numbers and dates."""

from __future__ import annotations

from datetime import datetime

from pyramidion.local_time import instant
from pyramidion.translation import _
from pyramidion.web.errors import BadRequest


def whole(text: str | None, sentence: str) -> int:
    """Return a number from a form. Raises BadRequest with `sentence` if it is not one."""
    if text is None or not text.isascii() or not text.isdigit() or len(text) > 9:
        raise BadRequest(sentence)
    return int(text)


def moment_of(text: str, zone: str) -> int:
    """Return a date and time of a form (`2026-11-23T20:00`) in milliseconds since 1970. Raises BadRequest."""
    try:
        return instant(datetime.fromisoformat(text).replace(tzinfo=None), zone)
    except (ValueError, KeyError, OverflowError, OSError):
        raise BadRequest(_("Enter a date and a time.")) from None
