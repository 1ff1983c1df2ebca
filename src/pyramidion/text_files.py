"""Text files that people give to the program, in the encodings that editors and consoles write."""

from __future__ import annotations

import codecs
import os
import re
from pathlib import Path

SURROGATES = re.compile("[\ud800-\udfff]")
_MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


class NotText(ValueError):
    """A file or a text cannot be read as text; the message says which, and what to do."""


def read_text(path: str | os.PathLike[str]) -> str:
    """Read a text file in UTF-8, with or without a byte order mark, or in UTF-16 with one.

    Line breaks become line feeds. Raises NotText, or OSError if the file cannot be read.
    """
    name = os.fspath(path)
    require_text(name, "The file's name")
    return decoded(Path(path).read_bytes(), name)


def decoded(data: bytes, name: str) -> str:
    """Return the text in the bytes of a file, as `read_text` does; messages call the file `name`. Raises NotText."""
    encoding = next((encoding for mark, encoding in _MARKS.items() if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        raise NotText(f"{name} is not a text in UTF-8 or UTF-16. Save it as UTF-8.") from None
    if "\0" in text:
        raise NotText(f"{name} is not a text: it contains U+0000. Save it as UTF-8.")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def require_text(text: str, what: str) -> None:
    """Raise NotText if a text contains half of a surrogate pair, which cannot be stored; `what` begins the sentence."""
    if (half := SURROGATES.search(text)) is not None:
        raise NotText(f"{what} contains U+{ord(half[0]):X}, half of a surrogate pair, which is no character.")


def unusable_file(error: OSError) -> str:
    """Return a sentence on a file or folder that cannot be made, read or written."""
    reason = error.strerror or str(error)
    if error.filename is None:
        return reason if reason.endswith(".") else f"{reason}."
    return f"{error.filename} cannot be used: {reason}. Check the path and its permissions, or name another one."
