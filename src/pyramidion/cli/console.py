"""Output on consoles and in pipes whose encoding lacks some characters."""

from __future__ import annotations

import codecs
import io
import sys
import unicodedata

SPELLED = str.maketrans(
    {
        "‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-", "→": "->", "←": "<-", "↑": "^", "↓": "v",
        "×": "x", "·": ".", "•": "*", "≤": "<=", "≥": ">=", "≈": "~", "«": '"', "»": '"', "¡": "!", "¿": "?", "æ": "ae",
        "œ": "oe", "ß": "ss", "ø": "o",
    }
)  # fmt: skip


def spell(error: UnicodeError) -> tuple[str, int]:
    """Return what stands for characters that an encoding lacks, as an error handler of `codecs`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    text = unicodedata.normalize("NFKD", lacking.translate(SPELLED))
    spelled = "".join(sign for sign in text if not unicodedata.combining(sign))
    return spelled.encode("ascii", "replace").decode(), error.end


def write_what_can_be_written() -> None:
    """Let standard output and standard error spell characters that their encodings lack, instead of failing."""
    codecs.register_error("pyramidion-spell", spell)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="pyramidion-spell")
