# pyright: basic
"""Generator for the table of look-alike characters: `python -m tools.confusables confusables.txt`.

The input is https://www.unicode.org/Public/security/latest/confusables.txt. Only lines that still matter after
normalisation are kept, because `pyramidion.names.looks` compares names in that form.
"""

from __future__ import annotations

import argparse
import re
import sys
import unicodedata
from pathlib import Path

import regex

from pyramidion.names import CONFUSABLES

NOTE = """\
# Characters that look alike, each with the one it is compared as (UTS #39, Unicode {version}, and letters that are
# drawn in another way); made by tools/confusables.py from Unicode's confusables.txt, {date}.
# Copyright © 1991-{year} Unicode, Inc. Unicode License v3: https://www.unicode.org/license.txt
"""
DRAWN = re.compile(
    r"(?:LATIN LETTER SMALL CAPITAL|(?:CROSSED )?NEGATIVE (?:CIRCLED|SQUARED) LATIN CAPITAL LETTER) ([A-Z])"
)


def table(source: str) -> str:
    """Return the table of characters that look alike, made from the text of Unicode's confusables.txt.

    Control characters, spaces and characters that NFKD changes are left out.
    """
    version = re.search(r"# Version: (\S+)", source)
    date = re.search(r"# Date: ((\d+)[-\d]+)", source)
    assert version is not None
    assert date is not None
    lines: list[str] = []
    for line in source.splitlines():
        before, _, _ = line.lstrip("\ufeff").partition("#")
        if before.strip():
            character, lookalike = (
                "".join(chr(int(code, 16)) for code in part.split()) for part in before.split(";")[:2]
            )
            if (
                not regex.search(r"[\p{C}\p{Z}]", character + lookalike)
                and unicodedata.normalize("NFKD", character) == character
            ):
                lines.append(f"{character}\t{lookalike}")
    plain = plain_letters()
    listed = dict(line.split("\t") for line in lines)
    plainer = str.maketrans(plain)
    pairs = {sign: lookalike.translate(plainer) for sign, lookalike in listed.items()}
    pairs |= {sign: listed.get(letter, letter) for sign, letter in plain.items()}
    lines = [f"{sign}\t{lookalike}" for sign, lookalike in pairs.items()]
    return NOTE.format(version=version[1], date=date[1], year=date[2]) + "\n".join(sorted(lines)) + "\n"


def plain_letters() -> dict[str, str]:
    """Return the plain letter or digit for each character that draws it as a small capital, or on a dark or double
    circle or square.

    Unicode's table has few of them, and takes small Cyrillic letters for small capitals, which nobody types.
    """
    drawn = {"ĸ": "K", "ʍ": "M", "ȷ": "j"}
    for sign in map(chr, range(sys.maxunicode + 1)):
        name = unicodedata.name(sign, "")
        letter, digit = DRAWN.fullmatch(name), unicodedata.digit(sign, None) if "CIRCLED" in name else None
        if unicodedata.normalize("NFKD", sign) == sign and (letter is not None or digit is not None):
            drawn[sign] = letter[1] if letter is not None else str(digit)
    return drawn


def main() -> None:
    """Write the table of characters that look alike to the package."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    CONFUSABLES.write_text(table(parser.parse_args().source.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
