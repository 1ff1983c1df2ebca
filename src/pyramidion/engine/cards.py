"""Card files: game components as TOML, with error messages that name the line and the field."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, cast

from pyramidion.text_files import require_text
from pyramidion.translation import quantity

LONGEST_LINE = 500
LONGEST_REASON = 300


class BadCards(ValueError):
    """The card file is invalid; the message names the file, the field and, if known, the line."""


class CardRow:
    """One table of a card file, such as one card. Its methods check a field and return its value."""

    def __init__(self, file: CardFile, key: str, where: str, line: int, fields: Mapping[str, Any]) -> None:
        self._file, self._key, self._where, self._line, self._fields = file, key, where, line, fields

    def refuse(self, field: str, why: str) -> None:
        """Raise BadCards for an invalid field of this row; `why` is the end of the message."""
        why = why if len(why) <= LONGEST_REASON else f"{why[:LONGEST_REASON]}..."
        raise BadCards(f"{self._file.name}, line {self._line}, {self._where}, field {field!r}: {why}.")

    def whole(self, field: str, low: int, high: int, why: str = "") -> int:
        """Return the whole number in a field. Raises BadCards, with `why`, unless it is from `low` to `high`."""
        value = self.get(field)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            wanted = f"must be {low}" if low == high else f"must be a whole number from {low} to {high}"
            self.refuse(field, f"{wanted}, not {value!r}" + (f"; {why}" if why else ""))
        return cast("int", value)

    def choice(self, field: str, choices: Sequence[str]) -> str:
        """Return the word in a field. Raises BadCards unless it is one of `choices`."""
        value = self.get(field)
        if value not in choices:
            self.refuse(field, f"must be one of {', '.join(choices)}, not {value!r}")
        return str(value)

    def get(self, field: str) -> Any:
        """Return the value of a field without validation, or None if the row lacks the field."""
        self._file.read[self._key].add(field)
        return self._fields.get(field)


class CardFile:
    """A parsed card file. Its methods check the value of a key and return it; they raise BadCards with a sentence.

    Attributes:
        name: file name used in messages.
        data: the parsed TOML.
        read: the keys that a game has asked for, each with the fields of its tables that it has asked for.
    """

    def __init__(self, text: str, name: str = "cards.toml") -> None:
        text = text.removeprefix("\ufeff")  # the byte order mark of a pasted file
        self.name, self._text, self.read = name, text, dict[str, set[str]]()
        try:
            require_text(text, name)
        except ValueError as error:
            raise BadCards(str(error)) from None
        for number, line in enumerate(text.split("\n"), 1):
            # A dotted key with thousands of parts, always on one line, would keep the parser busy for minutes.
            if len(line) > LONGEST_LINE:
                raise BadCards(f"{name}, line {number}: a line has at most {LONGEST_LINE} characters.")
        try:
            self.data = tomllib.loads(text)
        except RecursionError:
            raise BadCards(f"{name} is not a card file: its brackets are nested too deeply.") from None
        except tomllib.TOMLDecodeError as error:
            raise BadCards(f"{name} is not TOML: {error}.") from None

    def rows(self, key: str, count: int) -> list[CardRow]:
        """Return the tables in the array `key`. Raises BadCards unless there are `count`."""
        value = self._list(key)
        if len(value) != count or not all(isinstance(row, dict) for row in value):
            actual = quantity(len(value), "entry", "entries") if value else "none"
            raise BadCards(f"{self.name}: {key!r} must be an array of {quantity(count, 'table')}; it has {actual}.")
        lines = self._lines_of(key)
        return [
            CardRow(self, key, f"{key} number {i + 1}", lines[i] if i < len(lines) else lines[-1], row)
            for i, row in enumerate(value)
        ]

    def table(self, key: str) -> CardRow:
        """Return the table `key`, written inline or under a `[key]` heading."""
        value = self._get(key)
        if not isinstance(value, dict):
            raise BadCards(f"{self.name}: {key!r} must be a table; it is {value!r}.")
        start = re.compile(rf"\s*(\[\s*{re.escape(key)}\s*\]|{re.escape(key)}\s*=)")
        line = next((n for n, text in enumerate(self._text.splitlines(), 1) if start.match(text)), 1)
        return CardRow(self, key, key, line, cast("dict[str, Any]", value))

    def numbers(self, key: str, count: int, low: int, high: int) -> list[int]:
        """Return the array `key`. Raises BadCards unless it is `count` ascending whole numbers from `low` to `high`."""
        value = self._list(key)
        good = len(value) == count and all(type(n) is int and low <= n <= high for n in value)
        if not good or sorted(value) != value:
            raise BadCards(
                f"{self.name}: {key!r} must be {quantity(count, 'ascending whole number')} from {low} to {high}."
            )
        return value

    def whole(self, key: str, low: int, high: int) -> int:
        """Return the whole number `key`. Raises BadCards unless it is from `low` to `high`."""
        value = self._get(key)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise BadCards(f"{self.name}: {key!r} must be a whole number from {low} to {high}, not {value!r:.60}.")
        return value

    def require_known(self, own: CardFile) -> None:
        """Raise BadCards for a key or field of this file that the game does not use, such as a misspelt one.

        The game uses what it has read from this file and what is in `own`, its own card file.
        """
        for key, value in self.data.items():
            if key not in own.data and key not in self.read:
                raise BadCards(f"{self.name}: there is no {key!r}; there are {', '.join(sorted(own.data))}.")
            fields = {*self.read.get(key, ()), *(field for row in _tables(own.data.get(key)) for field in row)}
            for number, row in enumerate(_tables(value), 1):
                for field in row.keys() - fields:
                    where = f"{key} number {number}" if isinstance(value, list) else key
                    names = ", ".join(sorted(fields))
                    raise BadCards(f"{self.name}, {where}: there is no field {field!r}; there are {names}.")

    def _get(self, key: str) -> Any:
        """Return the value of a key, or None, and note in `read` that the game has asked for it."""
        self.read.setdefault(key, set())
        return self.data.get(key)

    def _list(self, key: str) -> list[Any]:
        """Return the array `key`; an empty list if it is missing or not an array."""
        value = self._get(key)
        return cast("list[Any]", value) if isinstance(value, list) else []

    def _lines_of(self, key: str) -> list[int]:
        """Return the line number of each table in the array `key`, written inline or under `[[key]]` headings."""
        lines = self._text.splitlines()
        headings = [n for n, line in enumerate(lines, 1) if re.match(rf"\s*\[\[\s*{re.escape(key)}\s*\]\]", line)]
        if headings:
            return headings
        start = next((n for n, line in enumerate(lines) if re.match(rf"\s*{re.escape(key)}\s*=", line)), 0)
        numbers: list[int] = []
        depth = 0
        for n in range(start, len(lines)):
            code = lines[n].split("#")[0]
            numbers += [n + 1] * code.count("{")
            # Tables may contain arrays, so the outer array ends where all brackets are closed.
            depth += code.count("[") - code.count("]")
            if depth <= 0:
                break
        return numbers or [start + 1]


def _tables(value: Any) -> list[dict[str, Any]]:
    """Return the tables in the value of a key: those of an array, or the one table that the value is."""
    rows = cast("list[Any]", value) if isinstance(value, list) else [value]
    return [cast("dict[str, Any]", row) for row in rows if isinstance(row, dict)]
