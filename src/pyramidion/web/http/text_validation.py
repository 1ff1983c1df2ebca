"""Validation of text: no U+0000 and no unpaired surrogates, which databases cannot store."""

from __future__ import annotations

import re
from contextlib import suppress

from starlette.types import Scope

from pyramidion.translation import _
from pyramidion.web.errors import BadRequest

FORM = b"application/x-www-form-urlencoded"
HIGH, LOW = rb"\\u[dD][89abAB][0-9a-fA-F]{2}", rb"\\u[dD][c-fC-F][0-9a-fA-F]{2}"
BAD_ESCAPE = re.compile(rb"\\u0000|%b(?!%b)|(?<!%b)%b" % (HIGH, LOW, HIGH, LOW))


def require_text_address(scope: Scope) -> None:
    """Raise BadRequest for a URL with U+0000 in its path or query; decoding has replaced all other bad bytes."""
    if "\0" in scope["path"] or b"%00" in scope["query_string"]:
        raise _unstorable_text()


def require_text_body(body: bytes, kind: bytes = b"application/json") -> None:
    """Raise BadRequest if a form's or JSON's body contains text that cannot be stored; `kind` is its content type."""
    if not is_form(kind):
        require_text_json(body)
    elif b"\0" in body or b"%00" in body:
        raise _unstorable_text()


def require_text_json(body: bytes) -> None:
    """Raise BadRequest if a JSON body contains text that cannot be stored, plain or as an escape."""
    if b"\0" in body or _has_unpaired_surrogates(body) or (b"\\u" in body and not _escapes_are_text(body)):
        raise _unstorable_text()


def is_form(kind: bytes) -> bool:
    """Return whether a content type is that of a URL-encoded form."""
    return kind.partition(b";")[0].strip().lower() == FORM


def require_text(text: str) -> None:
    """Raise BadRequest if a text cannot be stored in the database."""
    if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise _unstorable_text()


def _has_unpaired_surrogates(body: bytes) -> bool:
    """Return whether bytes are UTF-8 with unpaired surrogates, which Python's JSON parser accepts."""
    if body.isascii():
        return False
    try:
        body.decode()
    except UnicodeDecodeError:
        with suppress(UnicodeDecodeError):
            return bool(body.decode("utf-8", "surrogatepass"))
    return False


def _escapes_are_text(body: bytes) -> bool:
    """Return whether JSON's Unicode escapes are text that can be stored: no U+0000, and surrogates only in pairs."""
    # An escaped backslash begins no other escape. The patterns leave nothing to try twice, so this takes linear time.
    return BAD_ESCAPE.search(body.replace(b"\\\\", b"--")) is None


def _unstorable_text() -> BadRequest:
    """Return the error for text that cannot be stored."""
    return BadRequest(_("Text cannot contain U+0000 or an unpaired surrogate."))
