"""Options: what a table agrees on before play, each with the rule that it touches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a game.

    Attributes:
        kind: `flag` (true or false), `whole` (a number from `low` to `high`) or `choice` (one of `choices`).
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

    @property
    def range(self) -> str:
        """What the option can be, in words."""
        if self.kind == "flag":
            return "true or false"
        if self.kind == "whole":
            return f"a whole number from {self.low} to {self.high}"
        return f"one of {', '.join(self.choices)}"

    def accept(self, name: str, value: Any) -> Any:
        """Return `value`, which may be text, as the option keeps it. Raises ValueError naming the option and its
        range.
        """
        text = str(value).strip().lower()
        if self.kind == "flag" and text in ("true", "false", "yes", "no", "on", "off", "1", "0"):
            return text in ("true", "yes", "on", "1")
        if self.kind == "whole" and not isinstance(value, (bool, float)):
            digits = text.removeprefix("-")
            if digits.isascii() and digits.isdigit() and len(digits) < 12 and self.low <= int(text) <= self.high:
                return int(text)
        if self.kind == "choice" and text in self.choices:
            return text
        raise ValueError(f"The option {name} must be {self.range}; {str(value)[:40]!r} is not.")

    def stored(self, value: Any) -> int:
        """Return the value as the whole number that rules read from the box."""
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


def accept_options(declared: Mapping[str, Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return every declared option with the value given or its default.

    Raises ValueError naming an option that does not exist, or one that is out of its range.
    """
    for name in given:
        if name not in declared:
            there = ", ".join(declared) or "none"
            raise ValueError(f"There is no option {str(name)[:40]!r}; the options are: {there}.")
    return {name: o.accept(name, given[name]) if name in given else o.default for name, o in declared.items()}
