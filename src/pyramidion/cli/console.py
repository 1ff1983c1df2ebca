"""Consoles and pipes with other encodings than UTF-8: replacements for characters that they lack."""

from __future__ import annotations

import codecs
import io
import sys
import unicodedata
from contextlib import suppress

REPLACEMENTS = str.maketrans(
    {
        "‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-", "→": "->", "←": "<-", "↑": "^", "↓": "v",
        "×": "x", "·": ".", "•": "*", "≤": "<=", "≥": ">=", "≈": "~", "«": '"', "»": '"', "¡": "!", "¿": "?", "æ": "ae",
        "œ": "oe", "ß": "ss", "ø": "o",
    }
)  # fmt: skip


def transliterate(error: UnicodeError) -> tuple[str, int]:
    """Replace the characters that an encoding lacks by similar ones; an error handler of `codecs`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    text = unicodedata.normalize("NFKD", lacking.translate(REPLACEMENTS))
    spelled = "".join(sign for sign in text if not unicodedata.combining(sign))
    return spelled.encode("ascii", "replace").decode(), error.end


def accept_any_encoding() -> None:
    """Let standard output and standard error spell characters that their encodings lack, instead of failing.

    In standard input, bytes that its encoding lacks become U+FFFD.
    """
    codecs.register_error("pyramidion-spell", transliterate)
    for stream, errors in (
        (sys.stdout, "pyramidion-spell"),
        (sys.stderr, "pyramidion-spell"),
        (sys.stdin, "replace"),
    ):
        if isinstance(stream, io.TextIOWrapper):
            # What has been read from already, by a program that calls `main`, stays as it is.
            with suppress(io.UnsupportedOperation):
                stream.reconfigure(errors=errors)
