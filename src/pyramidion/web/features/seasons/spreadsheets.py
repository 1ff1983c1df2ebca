"""Parts of a season as tables for spreadsheets: names for people, times to the minute, and no structures in cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, cast

TIMES = ("at", "began", "ended", "starts", "ends", "until", "nudged")
"""Columns with milliseconds since 1970; 0 or None is an empty cell."""
PEOPLE = ("by", "giver", "taker", "candidate", "second", "opponent", "loser", "winner", "leaving", "tokens")
"""Columns with ids of people, or with structures of these."""
SECONDS = 1000


def plain_row(
    row: Mapping[str, Any], name_then: Callable[[str, int], str | None], what: str | None = None
) -> dict[str, Any]:
    """Return a row of a season's view as a row of a spreadsheet.

    People are called as they were at the time of the row. `what` says what an entry of the log did, in place of its
    data.
    """
    at = row.get("at") or row.get("ended") or row.get("began")

    def name(value: Any) -> Any:
        """Return the name of a person, or else the value."""
        return (name_then(value, at if at else 2**53) or value) if isinstance(value, str) else value

    cells: dict[str, Any] = {}
    for column, value in row.items():
        if column in TIMES:
            cells[f"{column} (UTC)"] = _time(value)
        elif column == "tables":
            cells[column] = "; ".join(f"{table['part']}: {table['table']}" for table in value)
        elif column == "format":
            cells[column] = value["name"]
        elif column == "withdrawal":
            cells["withdrew"] = value["episode"] if value is not None else None
            cells["withdrawal reason"] = value.get("reason") if value is not None else None
        elif column == "data":
            cells["what"] = what or ""
        else:
            cells[column] = _plain(value, name if column in PEOPLE else str)
    return cells


def _time(value: int | None) -> str:
    """Return milliseconds since 1970 as a date and time in UTC, to the minute, as spreadsheets read them."""
    return f"{datetime.fromtimestamp(value // SECONDS, UTC):%Y-%m-%d %H:%M}" if value else ""


def _plain(value: Any, name: Callable[[Any], Any]) -> Any:
    """Return a value for a cell: the parts of a structure one after the other, with the names of people."""
    if isinstance(value, dict):
        return "; ".join(f"{name(key)} {part}" for key, part in cast("dict[str, Any]", value).items())
    if isinstance(value, list | tuple):
        return "; ".join(str(name(part)) for part in cast("Sequence[Any]", value))
    return name(value) if isinstance(value, str) else value
