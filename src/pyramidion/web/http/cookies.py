"""The cookies that a request brings."""

from __future__ import annotations

import re
from typing import cast

from starlette.types import Scope

PARSED = "pyramidion.cookies"
"""The key of a scope under which its parsed cookies are kept."""
ESCAPE = re.compile(r"\\(?:([0-3][0-7][0-7])|(.))", re.DOTALL)


def cookies_of(scope: Scope) -> dict[str, str]:
    """Return a request's cookies as value by name; if several have the same name, the last one counts.

    The parsers of the standard library and of Starlette share a function that takes quadratic time on Python before
    3.11.10 and 3.12.6 (CVE-2024-7592). This one takes linear time, and skips what is no cookie.
    """
    if PARSED not in scope:
        headers = [value.decode("latin-1") for name, value in scope["headers"] if name == b"cookie"]
        pairs = (pair.partition("=") for header in headers for pair in header.split(";"))
        scope[PARSED] = {name.strip(): _unquoted(value.strip()) for name, equals, value in pairs if equals}
    return cast("dict[str, str]", scope[PARSED])


def _unquoted(value: str) -> str:
    """Remove the double quotes around a cookie's value and resolve its escapes; return any other value unchanged."""
    if len(value) < 2 or value[0] != '"' or value[-1] != '"':
        return value
    return ESCAPE.sub(lambda escape: chr(int(escape[1], 8)) if escape[1] else escape[2], value[1:-1])
