"""Options: what a table agrees on before play, each with the rule that it touches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from pyramidion.words import _

NOT_GIVEN: Final = -(2**31)
"""What rules read for each seat where an option with a number for each seat was left open."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a game.

    Attributes:
        kind: `flag` (true or false), `whole` (a number from `low` to `high`), `choice` (one of `choices`) or `numbers`
            (one number from `low` to `high` for each seat, or none at all: then the rules say).
        distinct: no two of these numbers may be equal.
        default: the value when nothing is said.
        rule: number of the rule it touches, `11.1`; `label` and `help` are for people.
    """

    kind: str
    default: Any
    rule: str
    label: str
    help: str
    low: int = 0
    high: int = 1
    choices: tuple[str, ...] = ()
    count: int = 0
    distinct: bool = False

    @property
    def range(self) -> str:
        """What the option can be, in words."""
        if self.kind == "flag":
            return _("true or false")
        if self.kind == "whole":
            return _("a whole number from {low} to {high}").format(low=self.low, high=self.high)
        if self.kind == "numbers":
            said = _("{count} whole numbers from {low} to {high} with commas between, or nothing")
            if self.distinct:
                said = _("{count} different whole numbers from {low} to {high} with commas between, or nothing")
            return said.format(count=self.count, low=self.low, high=self.high)
        return _("one of {choices}").format(choices=", ".join(self.choices))

    def accept(self, name: str, value: Any) -> Any:
        """Return `value`, which may be text, as the option keeps it. Raises ValueError naming the option and its
        range.
        """
        text = str(value).strip().lower()
        if self.kind == "flag" and text in ("true", "false", "yes", "no", "on", "off", "1", "0"):
            return text in ("true", "yes", "on", "1")
        if self.kind == "whole" and (accepted := self._whole(value)) is not None:
            return accepted
        if self.kind == "numbers" and (row := self._row(value)) is not None:
            return row
        if self.kind == "choice" and text in self.choices:
            return text
        said = _("The option {name} must be {range}; {value!r} is not.")
        raise ValueError(said.format(name=name, range=self.range, value=str(value)[:40]))

    def _whole(self, value: Any) -> int | None:
        text = str(value).strip()
        digits = text.removeprefix("-")
        if isinstance(value, (bool, float)) or not (digits.isascii() and digits.isdigit() and len(digits) < 12):
            return None
        return int(text) if self.low <= int(text) <= self.high else None

    def _row(self, value: Any) -> tuple[int, ...] | None:
        listed = isinstance(value, (list, tuple))
        parts: list[Any] = list(cast("list[Any]", value)) if listed else str(value).split(",")
        if parts in ([], [""]):
            return ()
        row = tuple(self._whole(part) for part in parts)
        if len(row) != self.count or None in row or (self.distinct and len(set(row)) < len(row)):
            return None
        return cast("tuple[int, ...]", row)

    def stored(self, value: Any) -> int | list[int]:
        """Return the value as the whole number, or the numbers by seat, that rules read from the box."""
        if self.kind == "numbers":
            return list(value) or [NOT_GIVEN] * self.count
        return self.choices.index(value) if self.kind == "choice" else int(value)


def flag(default: bool, *, rule: str, label: str, help: str) -> Option:
    """Declare an option that is true or false."""
    return Option("flag", default, rule, label, help)


def number(default: int, low: int, high: int, *, rule: str, label: str, help: str) -> Option:
    """Declare an option that is a whole number from `low` to `high`."""
    return Option("whole", default, rule, label, help, low, high)


def choice(default: str, *choices: str, rule: str, label: str, help: str) -> Option:
    """Declare an option that is one of `choices`; rules read its index."""
    return Option("choice", default, rule, label, help, choices=choices)


def numbers(count: int, low: int, high: int, *, rule: str, label: str, help: str, distinct: bool = False) -> Option:
    """Declare an option with a number for each of `count` seats (int32 in the box); by default none are given.

    With `distinct` no two may be equal.
    """
    return Option("numbers", (), rule, label, help, low, high, count=count, distinct=distinct)


def accept_options(declared: Mapping[str, Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return every declared option with the value given or its default.

    Raises ValueError naming an option that does not exist, or one that is out of its range.
    """
    for name in given:
        if name not in declared:
            if not declared:
                raise ValueError(_("There is no option {name!r}; the options are: none.").format(name=str(name)[:40]))
            said = _("There is no option {name!r}; the options are: {names}.")
            raise ValueError(said.format(name=str(name)[:40], names=", ".join(declared)))
    return {name: o.accept(name, given[name]) if name in given else o.default for name, o in declared.items()}
