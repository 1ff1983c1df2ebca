"""Action spaces: ids, notation and board paths of a game's actions.

    ACTIONS = action_space(pass_=(), fund=(INDUSTRY, CARD), amount=whole(0, 3204))

Ids are contiguous from 0, in order of the families; the last parameter varies fastest. The declaration determines the
constants used by rules (`ACTIONS.fund` is the first id of the family), the notation (`fund media 41`), its parser, and
the paths: the board elements to click, in order (`industry:media`, `card:41`).
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from operator import index
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from pyramidion.engine.features import ActionFeatures
from pyramidion.translation import _, ngettext

LONGEST_QUOTE = 40
"""Maximum characters of invalid input to quote in an error message."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an action: its kind, such as `card`, and its possible values, words without spaces."""

    kind: str
    values: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.values)


def parameter(kind: str, values: Iterable[object]) -> Parameter:
    """Declare a parameter of an action family: its kind, and its values as they are spelled in the notation."""
    words = tuple(str(value) for value in values)
    if any(" " in word or not word for word in words) or len(set(words)) != len(words):
        raise ValueError(f"The values of {kind} must be different words without spaces.")
    return Parameter(kind, words)


def seats(count: int, kind: str = "seat") -> Parameter:
    """Declare a parameter whose values are the seats 0 to `count` - 1."""
    return parameter(kind, range(count))


@dataclass(frozen=True, slots=True)
class Whole:
    """A range of whole numbers, `low` to `high` inclusive, from which an action holds one."""

    low: int
    high: int

    def __len__(self) -> int:
        return self.high - self.low + 1


def whole(low: int, high: int) -> Whole:
    """Declare a family whose actions each hold one number from `low` to `high`, such as prices or bids."""
    return Whole(low, high)


@dataclass(frozen=True, slots=True)
class PartialSubmission:
    """A family of actions that save a part of a seat's submission and leave its decision due.

    Parts without parameters, and parts that other seats can see, take effect at once.
    """

    what: tuple[Parameter, ...] | Whole


def part(*parameters: Parameter | Whole) -> PartialSubmission:
    """Declare a family whose actions save parts of a submission: `part(SPACE)`, `part(whole(0, 4))`, `part()`.

    After a part the decision is still due and the clock keeps running. The family that confirms is not a part.
    """
    if len(parameters) == 1 and isinstance(parameters[0], Whole):
        return PartialSubmission(parameters[0])
    return PartialSubmission(tuple(p for p in parameters if isinstance(p, Parameter)))


@dataclass(frozen=True, slots=True)
class Family:
    """A family of actions: its name in the notation, its first id, and the parameters or numbers of its actions.

    `is_part`: its actions are parts of a simultaneous submission and leave the decision due.
    """

    name: str
    first: int
    parameters: tuple[Parameter, ...]
    numbers: Whole | None
    size: int
    is_part: bool = False

    @property
    def last(self) -> int:
        """The id of the family's last action."""
        return self.first + self.size - 1


@dataclass(frozen=True, slots=True, repr=False)
class Action:
    """A possible action of a game. `str(action)` is its notation; actions of the same game are equal if their ids are.

    Attributes:
        id: index in the game's action space.
        text: notation, `fund media 41`.
        family: name of the family, `fund`.
        args: index of each parameter's value, or the number itself for a family of numbers.
        path: ids of the board elements to click, in order; `("amount", "17")` for a number.
    """

    id: int
    text: str
    family: str
    args: tuple[int, ...]
    path: tuple[str, ...]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Action({self.text!r})"

    def __hash__(self) -> int:
        return self.id


class ActionSpace(Sequence[Action]):
    """The actions of a game: `ACTIONS[id]` is an `Action`, `ACTIONS.fund` is the first id of the family `fund`."""

    def __init__(self, declared: dict[str, tuple[Parameter, ...] | Whole | PartialSubmission]) -> None:
        self.families: dict[str, Family] = {}
        self._first: dict[str, int] = {}
        first = 0
        for key, given in declared.items():
            spec = given.what if isinstance(given, PartialSubmission) else given
            name = key.rstrip("_").replace("_", "-")
            size = 1
            if isinstance(spec, Whole):
                size = len(spec)
            else:
                for p in spec:
                    size *= len(p)
            numbers = spec if isinstance(spec, Whole) else None
            self.families[name] = Family(
                name,
                first,
                () if isinstance(spec, Whole) else spec,
                numbers,
                size,
                isinstance(given, PartialSubmission),
            )
            self._first[key] = first
            first += size
        self._made: list[Action | None] = [None] * first

    def __getattr__(self, name: str) -> int:
        if not name.startswith("__") and "_first" in self.__dict__ and name in self._first:
            return self._first[name]
        raise AttributeError(f"There is no family of actions {name!r}.")

    def __len__(self) -> int:
        return len(self._made)

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Action]: ...
    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        number = action_id(index)
        if not 0 <= number < len(self._made):
            raise IndexError(f"Action ids run from 0 to {len(self) - 1}, not {number}.")
        action = self._made[number]
        if action is None:
            action = self._made[number] = self._make(number)
        return action

    def __iter__(self) -> Iterator[Action]:
        return (self[i] for i in range(len(self)))

    def list_of(self, ids: Any) -> list[Action]:
        """Return the `Action` for each of the given ids (an int array)."""
        made = self._made
        return [made[i] or self[i] for i in ids.tolist()]

    def mask_of(self, ids: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
        """Return a mask of the given action ids, bool[number of actions]: True at each of them."""
        mask = np.zeros(len(self), np.bool_)
        mask[action_ids(ids)] = True
        return mask

    def family_of(self, action_id: int) -> Family:
        """Return the family of the action with this id."""
        for family in self.families.values():
            if family.first <= action_id <= family.last:
                return family
        raise IndexError(f"Action ids run from 0 to {len(self) - 1}.")

    def id(self, family: str, *args: int) -> int:
        """Return the id of an action: `id("fund", 2, 41)` (value indices) or `id("amount", 17)` (the number)."""
        f = self.families[family]
        if f.numbers:
            return f.first + args[0] - f.numbers.low
        index = 0
        for p, arg in zip(f.parameters, args, strict=True):
            index = index * len(p) + arg
        return f.first + index

    def parse(self, text: str) -> Action:
        """Parse an action's notation, ignoring case and extra spaces.

        Raises ValueError with a sentence that names the invalid word and the possible values.
        """
        words = text.strip().lower().split()
        if not words:
            raise ValueError(_("An action begins with one of: {words}.").format(words=", ".join(self.families)))
        family = self.families.get(words[0])
        if family is None:
            near = _near(words[0], self.families)
            if near:
                message = _("{word!r} is not an action. Did you mean {near!r}?")
                raise ValueError(message.format(word=_shortened(words[0]), near=near))
            message = _("{word!r} is not an action. An action begins with one of: {words}.")
            raise ValueError(message.format(word=_shortened(words[0]), words=", ".join(self.families)))
        if family.numbers:
            return self._parse_number(family, family.numbers, words)
        if len(words) != 1 + len(family.parameters):
            form = " ".join([family.name, *(p.kind.upper() for p in family.parameters)])
            message = ngettext(
                "{text!r} has {count} word after {family!r}. Write {form!r}.",
                "{text!r} has {count} words after {family!r}. Write {form!r}.",
                len(words) - 1,
            )
            if len(words) == 1:
                message = _("{text!r} has no words after {family!r}. Write {form!r}.")
            raise ValueError(
                message.format(text=_shortened(text.strip()), count=len(words) - 1, family=family.name, form=form)
            )
        indices: list[int] = []
        for p, word in zip(family.parameters, words[1:], strict=True):
            if word not in p.values:
                near = _near(word, p.values)
                if near:
                    message = _("{word!r} is not a valid {kind}. Did you mean {near!r}?")
                    raise ValueError(message.format(word=_shortened(word), kind=p.kind, near=near))
                message = _("{word!r} is not a valid {kind}. Choose one of: {words}.")
                raise ValueError(message.format(word=_shortened(word), kind=p.kind, words=", ".join(p.values)))
            indices.append(p.values.index(word))
        return self[self.id(family.name, *indices)]

    def _parse_number(self, family: Family, numbers: Whole, words: list[str]) -> Action:
        """Parse `bid 17` for a family of numbers. Raises ValueError with its range."""
        form = {"family": family.name, "low": numbers.low, "high": numbers.high}
        if len(words) != 2 or not re.fullmatch("-?[0-9]+", words[1]):
            message = _("{text!r} needs one whole number. Write '{family} N' with N from {low} to {high}.")
            raise ValueError(message.format(text=_shortened(" ".join(words)), **form))
        # Do not convert very long numbers: they are out of range, and int() takes quadratic time.
        number = int(words[1]) if len(words[1]) < 12 else numbers.high + 1
        if not numbers.low <= number <= numbers.high:
            message = _("{number} is out of range. Write '{family} N' with N from {low} to {high}.")
            raise ValueError(message.format(number=words[1][:20], **form))
        return self[self.id(family.name, number)]

    def _make(self, action_id: int) -> Action:
        """Make the action with this id: its notation, arguments and path."""
        family = self.family_of(action_id)
        index = action_id - family.first
        if family.numbers:
            number = family.numbers.low + index
            return Action(action_id, f"{family.name} {number}", family.name, (number,), (family.name, str(number)))
        args: list[int] = []
        for p in reversed(family.parameters):
            index, arg = divmod(index, len(p))
            args.insert(0, arg)
        words = [p.values[arg] for p, arg in zip(family.parameters, args, strict=True)]
        path = tuple(f"{p.kind}:{word}" for p, word in zip(family.parameters, words, strict=True))
        return Action(action_id, " ".join([family.name, *words]), family.name, tuple(args), path or (family.name,))

    @cached_property
    def features(self) -> ActionFeatures:
        """The named parts of the vectors that `Game.action_features` returns."""
        return ActionFeatures(self.families)

    @cached_property
    def forms(self) -> list[str]:
        """The notation of each family: `fund INDUSTRY CARD`, `amount 0..3204`."""
        return [
            f"{f.name} {f.numbers.low}..{f.numbers.high}"
            if f.numbers
            else " ".join([f.name, *(p.kind.upper() for p in f.parameters)])
            for f in self.families.values()
        ]


def action_id(value: Any) -> int:
    """Check that a value is a whole number, of Python or NumPy, and return it as the id of an action.

    Raises ValueError with a sentence for anything else: nothing is rounded, and True is no number.
    """
    if type(value) is int:  # nearly always; what follows takes several times as long
        return value
    if not isinstance(value, (bool, np.bool_)):
        with suppress(TypeError):
            return index(value)
    raise ValueError(f"The id of an action is a whole number, not {value!r:.40}.")


def action_ids(values: npt.ArrayLike) -> npt.NDArray[Any]:
    """Check that values are whole numbers and return them as an array of action ids.

    Raises ValueError like `action_id`.
    """
    ids = np.asarray(values)
    if ids.dtype.kind not in "iu" and ids.size:
        raise ValueError(f"The ids of actions are whole numbers, not {ids.dtype}.")
    return ids


def action_space(**families: tuple[Parameter, ...] | Whole | PartialSubmission) -> ActionSpace:
    """Declare a game's actions: their families in order of their ids, each with its parameters or range of numbers.

    A trailing underscore in a name is dropped (`pass_`); others become hyphens (`give_back` is `give-back`).
    """
    return ActionSpace(families)


def _shortened(text: str) -> str:
    """Shorten invalid input, so that an error message can quote it."""
    return text if len(text) <= LONGEST_QUOTE else text[:LONGEST_QUOTE] + "..."


def _near(word: str, words: Iterable[str]) -> str:
    """Return the word among `words` that is spelled most like `word`, or an empty text if none is close."""
    near = difflib.get_close_matches(word[:LONGEST_QUOTE], list(words), 1)
    return near[0] if near else ""
