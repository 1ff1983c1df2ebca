"""Game options: settings agreed on before play, each linked to the rule that it changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, cast

from pyramidion.translation import _, ngettext

NOT_GIVEN: Final = -(2**31)
"""Value that rules read for every seat if an option with one number per seat is not set."""
HIDDEN: Final = NOT_GIVEN + 1
"""Value that minds read for another seat's number if each seat knows only its own."""
Audience = Literal["public", "own", "secret"]


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a game: its kind and range, its texts, and who may see its value. It checks and formats values.

    Attributes:
        kind: `flag` (true or false), `whole` (a number from `low` to `high`), `choice` (one of `choices`) or `numbers`
            (one number from `low` to `high` per seat, or none to leave the choice to the rules).
        distinct: whether the numbers must differ from each other.
        default: the default value.
        rule: number of the rule it changes, `11.1`.
        label, help: texts for the user interface.
        audience: who can see the value before the game is over, besides the person who sets it: `public`, everybody;
            `own`, each seat its own number (whether numbers are set is public); `secret`, nobody.
        public_if: name of a flag option that makes the value public, overriding `audience`.
        fixed: whether the default is the only value, as in a small sibling of a game.
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
    audience: Audience = "public"
    public_if: str = ""
    fixed: bool = False

    def __post_init__(self) -> None:
        """Check the declaration."""
        if self.audience == "own" and self.kind != "numbers":
            raise ValueError("Only an option with a number for each seat can show each seat its own.")

    @property
    def range(self) -> str:
        """The allowed values, in words."""
        if self.kind == "flag":
            return _("true or false")
        if self.kind == "whole":
            return _("a whole number from {low} to {high}").format(low=self.low, high=self.high)
        if self.kind == "numbers":
            message = ngettext(
                "{count} whole number from {low} to {high}, or nothing",
                "{count} whole numbers from {low} to {high}, separated by commas, or nothing",
                self.count,
            )
            if self.distinct and self.count > 1:
                message = _("{count} different whole numbers from {low} to {high}, separated by commas, or nothing")
            return message.format(count=self.count, low=self.low, high=self.high)
        return _("one of {choices}").format(choices=", ".join(self.choices))

    def accept(self, name: str, value: Any) -> Any:
        """Validate `value`, which may be text, and normalize it. Raises ValueError naming the option and its range."""
        accepted = self._accepted(name, value)
        if self.fixed and accepted != self.default:
            message = _("The option {name} is fixed at {value} here.")
            raise ValueError(message.format(name=name, value=self.describe(self.default)))
        return accepted

    def _accepted(self, name: str, value: Any) -> Any:
        """Do what `accept` does, for an option that is not fixed."""
        text = str(value).strip().lower()
        if self.kind == "flag" and text in ("true", "false", "yes", "no", "on", "off", "1", "0"):
            return text in ("true", "yes", "on", "1")
        if self.kind == "whole" and (accepted := self._whole(value)) is not None:
            return accepted
        if self.kind == "numbers" and (numbers := self._numbers(value)) is not None:
            return numbers
        if self.kind == "choice" and text in self.choices:
            return text
        message = _("The option {name} must be {range}; {value!r} is not.")
        raise ValueError(message.format(name=name, range=self.range, value=self._wrong(value)[:40]))

    def _whole(self, value: Any) -> int | None:
        """Return a value, which may be text, as a whole number, or None if it is none or out of range."""
        text = str(value).strip()
        digits = text.removeprefix("-")
        if isinstance(value, (bool, float)) or not (digits.isascii() and digits.isdigit() and len(digits) < 12):
            return None
        return int(text) if self.low <= int(text) <= self.high else None

    def _parts(self, value: Any) -> list[Any]:
        """Return the entries of a list, or the parts of a text between commas."""
        listed = isinstance(value, (list, tuple))
        return list(cast("list[Any]", value)) if listed else str(value).split(",")

    def _wrong(self, value: Any) -> str:
        """Return the text to quote of a refused value: of several numbers the first out of range, or else all."""
        if self.kind != "numbers":
            return str(value)
        parts = self._parts(value)
        wrong = [str(part) for part in parts if self._whole(part) is None]
        return wrong[0] if wrong and len(parts) == self.count else ",".join(map(str, parts))

    def _numbers(self, value: Any) -> tuple[int, ...] | None:
        """Return a value as a tuple with one number for each seat, empty if none are set; None if it is invalid."""
        parts = self._parts(value)
        if parts in ([], [""]):
            return ()
        numbers = tuple(self._whole(part) for part in parts)
        if len(numbers) != self.count or None in numbers or (self.distinct and len(set(numbers)) < len(numbers)):
            return None
        return cast("tuple[int, ...]", numbers)

    def redacted(self, value: Any, seat: int | None) -> Any:
        """Return an accepted value as a seat or a spectator (None) may see it; None stands for what is hidden."""
        if self.audience == "secret":
            return None
        if self.audience == "own" and value:
            return tuple(number if place == seat else None for place, number in enumerate(value))
        return value

    def describe(self, value: Any) -> str:
        """Return a redacted value in words; of several numbers, only the visible ones."""
        if value is None:
            return _("secret")
        if self.kind == "numbers":
            visible = [str(number) for number in value if number is not None]
            return ", ".join(visible) if visible else _("secret") if value else _("as in the rules")
        return (_("yes") if value else _("no")) if self.kind == "flag" else str(value)

    def stored(self, value: Any) -> int | list[int]:
        """Encode a value as the integer, or list of integers by seat, that rules read from the box.

        In a redacted value, a hidden number becomes HIDDEN and a hidden value becomes the default.
        """
        if value is None:
            value = self.default
        if self.kind == "numbers":
            return [HIDDEN if number is None else number for number in value] or [NOT_GIVEN] * self.count
        return self.choices.index(value) if self.kind == "choice" else int(value)


def flag(default: bool, *, rule: str, label: str, help: str, audience: Audience = "public") -> Option:
    """Declare an option that is true or false."""
    return Option("flag", default, rule, label, help, audience=audience)


def number(
    default: int, low: int, high: int, *, rule: str, label: str, help: str, audience: Audience = "public"
) -> Option:
    """Declare an option that is a whole number from `low` to `high`."""
    return Option("whole", default, rule, label, help, low, high, audience=audience)


def choice(default: str, *choices: str, rule: str, label: str, help: str, audience: Audience = "public") -> Option:
    """Declare an option that is one of the words `choices`; rules read the index of the chosen one."""
    return Option("choice", default, rule, label, help, choices=choices, audience=audience)


def numbers(
    count: int,
    low: int,
    high: int,
    *,
    rule: str,
    label: str,
    help: str,
    distinct: bool = False,
    audience: Audience = "public",
    public_if: str = "",
) -> Option:
    """Declare an option with one number for each of `count` seats (int32[count] in the box); by default, none are set.

    With `distinct`, the numbers must differ from each other.
    """
    return Option(
        "numbers",
        (),
        rule,
        label,
        help,
        low,
        high,
        count=count,
        distinct=distinct,
        audience=audience,
        public_if=public_if,
    )


def is_hidden(value: Any) -> bool:
    """Return whether a value, redacted by `Option.redacted`, hides anything."""
    return value is None or (isinstance(value, (list, tuple)) and None in value)


def accept_options(declared: Mapping[str, Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Validate the given options and fill in defaults for the others.

    Raises ValueError naming an unknown option, or an invalid value's option and its range.
    """
    for name in given:
        if name not in declared:
            if not declared:
                raise ValueError(_("There is no option {name!r}; the options are: none.").format(name=str(name)[:40]))
            message = _("There is no option {name!r}; the options are: {names}.")
            raise ValueError(message.format(name=str(name)[:40], names=", ".join(declared)))
    return {name: o.accept(name, given[name]) if name in given else o.default for name, o in declared.items()}


def redacted_options(declared: Mapping[str, Option], accepted: Mapping[str, Any], seat: int | None) -> dict[str, Any]:
    """Return accepted options as a seat or a spectator (None) may see them during the game; None is a hidden value."""
    return {
        name: accepted[name]
        if option.public_if and accepted[option.public_if]
        else option.redacted(accepted[name], seat)
        for name, option in declared.items()
    }
