"""CSV as spreadsheets write and read it: byte order marks, separators, and cells that would be run as formulas."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any

from pyramidion.event_log import NotPossible
from pyramidion.translation import _

MARK = "\ufeff"
"""The byte order mark, by which Excel knows UTF-8."""
SEPARATORS = {"fr": ";", "pt": ";"}
"""The separator that Excel expects in a language, where it is no comma."""
# What formulas begin with, the wide signs of East Asian keyboards included.
_FORMULA = re.compile(r"'* *[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
_QUOTED = re.compile(r'"[^"]*"')
_SEPARATOR_LINE = re.compile(r'"?sep=(.)"?\r?\n?', re.IGNORECASE)


def numbered_rows(text: str) -> list[tuple[int, list[str]]]:
    """Return the rows of a pasted or saved table: the line on which each ends, and its cells. Empty rows are left out.

    Raises NotPossible if it is no table.

    The separator is what a line `sep=` says or what the first line has most of outside quotation marks: tabs,
    semicolons or commas. Byte order marks are left out wherever files were put together.
    """
    whole = text = text.replace(MARK, "")
    text = text.lstrip("\r\n")
    separator_line = _SEPARATOR_LINE.match(text)
    if separator_line is not None:
        text = text[separator_line.end() :]
    first_line = _QUOTED.sub("", text).lstrip("\r\n").partition("\n")[0]
    delimiter = separator_line[1] if separator_line is not None else max("\t;,", key=first_line.count)
    try:
        before = whole[: len(whole) - len(text)].count("\n")
        reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
        rows = [(before + reader.line_num, list(map(_text, row))) for row in reader]
    except csv.Error as error:
        raise NotPossible(_("This is no table: {error}.").format(error=error)) from error
    return [(line, row) for line, row in rows if any(map(str.strip, row))]


def written(rows: Sequence[Mapping[str, Any]], separator: str = ",") -> str:
    """Return a table as CSV with a heading: rows are mappings with the same keys.

    Cells that a spreadsheet would run as formulas are made texts.
    """
    out = StringIO()
    if rows:
        table = csv.DictWriter(out, list(rows[0]), delimiter=separator)
        table.writeheader()
        table.writerows({name: _escape_formula(value) for name, value in row.items()} for row in rows)
    return out.getvalue()


def _escape_formula(value: Any) -> Any:
    """Return a value, or a text that a spreadsheet would run as a formula with an apostrophe before it."""
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


def _text(cell: str) -> str:
    """Return a cell without the apostrophe that `_escape_formula` has added."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell
