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
    """Raise BadRequest for an address with U+0000 in its path or query; decoding replaces all other bad bytes."""
    if "\0" in scope["path"] or b"%00" in scope["query_string"]:
        raise _no_text()


def require_text_body(body: bytes, kind: bytes = b"application/json") -> None:
    """Raise BadRequest if a form or JSON contains text that cannot be stored. `kind` is its content type."""
    if not is_form(kind):
        require_text_json(body)
    elif b"\0" in body or b"%00" in body:
        raise _no_text()


def require_text_json(body: bytes) -> None:
    """Raise BadRequest if JSON contains text that cannot be stored."""
    if b"\0" in body or _has_halves(body) or (b"\\u" in body and not _escapes_are_text(body)):
        raise _no_text()


def is_form(kind: bytes) -> bool:
    """Return whether a content type is that of a URL-encoded form."""
    return kind.partition(b";")[0].strip().lower() == FORM


def require_text(text: str) -> None:
    """Raise BadRequest if a text cannot be stored."""
    if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise _no_text()


def _has_halves(body: bytes) -> bool:
    """Return whether a body is UTF-8 except for unpaired surrogates, which Python's JSON parser accepts."""
    if body.isascii():
        return False
    try:
        body.decode()
    except UnicodeDecodeError:
        with suppress(UnicodeDecodeError):
            return bool(body.decode("utf-8", "surrogatepass"))
    return False


def _escapes_are_text(body: bytes) -> bool:
    """Return whether all surrogates escaped in JSON are paired and none of its escapes is U+0000."""
    # An escaped backslash begins no other escape. The patterns leave nothing to try twice, so this takes linear time.
    return BAD_ESCAPE.search(body.replace(b"\\\\", b"--")) is None


def _no_text() -> BadRequest:
    return BadRequest(_("Text cannot contain U+0000 or an unpaired surrogate."))
