"""Formulas for scores: a small language of numbers, names of fields, + - * /, comparisons and a few functions.

A formula is parsed by `ast` and turned into closures here; nothing of it is ever executed as Python. Its cost is
counted in steps, which do not depend on the machine, so that no formula occupies a server for long.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any

from pyramidion.event_log import NotPossible
from pyramidion.translation import _

LONGEST = 200
MOST_NODES = 80
LARGEST = 10**9
MOST_STEPS = 200_000
"""The steps that the scores of one round may take, some 30 ms: the value of a part for one contestant is a step."""
FRACTION_STEPS, WORD = 20, 2**64
"""The steps of a calculation with fractions, and the size of numbers from which on more steps are counted."""
ME, MINE = "me", "my_"
OVER_ALL = ("sum", "min", "max", "count")
FUNCTIONS = (*OVER_ALL, "abs")
RESERVED = frozenset({ME, *FUNCTIONS})
Number = int | Fraction
Value = Number | str
Submission = Mapping[str, int | str]
Part = Callable[[str, "Submission | None", "Submission | None"], Value]
"""The value of a part of a formula for a contestant: by their id, their submission, and the one that fields mean."""
_OPERATORS: dict[type[ast.AST], Callable[[Any, Any], Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: Fraction,
}
_ORDERS: dict[type[ast.AST], Callable[[Number, Number], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


class Missing(Exception):
    """A contestant's own field is needed, and they have submitted nothing."""


def parse(formula: str, fields: Collection[str]) -> ast.expr:
    """Return the syntax tree of a formula over these fields. Raises NotPossible with a sentence."""
    if len(formula) > LONGEST:
        raise NotPossible(_("A formula has at most {limit} characters.").format(limit=LONGEST))
    try:
        tree = ast.parse(formula.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise NotPossible(_("This is not a formula. An example: sum(bid) - 2 * bid")) from None
    if sum(1 for _node in ast.walk(tree)) > MOST_NODES:
        raise NotPossible(_("The formula is too long. Use fewer parts."))
    _check(tree, frozenset(fields), within=False)
    return tree


def _check(node: ast.expr, fields: Collection[str], *, within: bool) -> None:
    """Raise NotPossible unless the language has a node; `within` tells whether a function ranges over all already."""
    match node:
        case ast.Constant(value=bool()):
            raise _refused(node)
        case ast.Constant(value=int() | float() as number) if abs(number) <= LARGEST:
            pass
        case ast.Constant(value=str()):
            pass
        case ast.Name(id=name):
            if name != ME and name.removeprefix(MINE) not in fields:
                message = _("The formula uses {name}, which is not a field of the form. The fields are: {names}.")
                raise NotPossible(message.format(name=name, names=", ".join(sorted(fields))))
        case ast.BinOp(left, ast.Add() | ast.Sub() | ast.Mult() | ast.Div(), right):
            _check(left, fields, within=within)
            _check(right, fields, within=within)
        case ast.UnaryOp(ast.USub() | ast.UAdd(), operand):
            _check(operand, fields, within=within)
        case ast.Compare(left, operators, comparators) if not any(
            isinstance(sign, ast.Is | ast.IsNot | ast.In | ast.NotIn) for sign in operators
        ):
            for part in (left, *comparators):
                _check(part, fields, within=within)
        case ast.Call(ast.Name(id=name), [_, *_] as arguments, []) if name in FUNCTIONS:
            over_all = name in OVER_ALL and len(arguments) == 1
            if over_all and within:
                raise NotPossible(_("{name} cannot be used inside another function over all.").format(name=name))
            if not over_all and (name in ("sum", "count") or (name == "abs" and len(arguments) != 1)):
                raise NotPossible(_("{name} takes one value.").format(name=name))
            for argument in arguments:
                _check(argument, fields, within=within or over_all)
        case _:
            raise _refused(node)


def _refused(node: ast.expr) -> NotPossible:
    """Return the error for a part of a formula that is not allowed."""
    message = _("A formula cannot contain “{part}”. It has numbers, fields, + - * / ( ), comparisons and {names}.")
    return NotPossible(message.format(part=ast.unparse(node)[:40], names=", ".join(FUNCTIONS)))


def scores(tree: ast.expr, submissions: Mapping[str, Submission], scored: Sequence[str]) -> dict[str, Fraction | None]:
    """Return the scores of contestants by a parsed formula, None for those who have not submitted what it needs.

    Raises NotPossible with a sentence where the formula has no value: a division by zero, words in a calculation, or
    more than MOST_STEPS steps.
    """
    check_steps(tree, len(scored), len(submissions))
    part = _Compiler(submissions, steps(tree, len(scored), len(submissions))).part(tree)
    return {who: _score(part, who, submissions.get(who)) for who in scored}


def _score(part: Part, who: str, submission: Submission | None) -> Fraction | None:
    """Return the score of a contestant. Raises NotPossible with a sentence."""
    try:
        value = _number(part(who, submission, submission))
    except Missing:
        return None
    except ZeroDivisionError:
        raise NotPossible(_("The formula divides by zero.")) from None
    if abs(value) > LARGEST:
        raise NotPossible(_("The score is too large: at most {limit} is allowed.").format(limit=LARGEST))
    return Fraction(value)


def check_steps(tree: ast.expr, scored: int, submitted: int) -> None:
    """Raise NotPossible with a sentence if the scores of so many contestants take more than MOST_STEPS steps."""
    if (count := steps(tree, scored, submitted)) > MOST_STEPS:
        message = _(
            "For {people} contestants the formula takes {count} steps, and at most {limit} are allowed. Use fewer parts"
            " inside sum, min, max and count."
        )
        raise NotPossible(message.format(people=max(scored, submitted), count=count, limit=MOST_STEPS))


def steps(tree: ast.expr, scored: int, submitted: int) -> int:
    """Return how many steps the scores of so many contestants take: parts inside functions over all count for each.

    A function over all that does not depend on the contestant is calculated once. Numbers beyond WORD
    take further steps, which are counted when they occur.
    """

    def count(node: ast.expr, times: int) -> int:
        """Return the steps of a part that is calculated so many times."""
        children = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
        if isinstance(node, ast.Call):
            children = node.args
            if _over_all(node):
                rounds = (times if _depends_on_me(node) else 1) * submitted
                adding = FRACTION_STEPS if _has_fractions(node) else 1
                return times + rounds * adding + count(node.args[0], rounds)
        own = FRACTION_STEPS if children and _has_fractions(node) else 1
        return times * own + sum(count(child, times) for child in children)

    return count(tree, scored)


def _over_all(node: ast.Call) -> bool:
    """Return whether a call ranges over all submissions."""
    return isinstance(node.func, ast.Name) and node.func.id in OVER_ALL and len(node.args) == 1


def _depends_on_me(node: ast.expr) -> bool:
    """Return whether a part inside a function over all depends on the contestant whose score is calculated."""
    names = [part.id for part in ast.walk(node) if isinstance(part, ast.Name)]
    return any(name == ME or name.startswith(MINE) for name in names)


def _has_fractions(node: ast.expr) -> bool:
    """Return whether numbers in a part may not be whole."""
    return any(
        isinstance(part, ast.Div) or (isinstance(part, ast.Constant) and isinstance(part.value, float))
        for part in ast.walk(node)
    )


def _number(value: Value) -> Number:
    """Return a value that is a number. Raises NotPossible for a word."""
    if isinstance(value, str):
        raise NotPossible(_("The formula calculates with words. Names and choices can only be compared, by == or !=."))
    return value


class _Compiler:
    """Makes closures of the parts of a formula over certain submissions, and counts steps for large numbers.

    `taken` are the steps that `steps` has counted.
    """

    def __init__(self, submissions: Mapping[str, Submission], taken: int) -> None:
        self._submissions, self._left = submissions, MOST_STEPS - taken

    def part(self, node: ast.expr) -> Part:
        """Return the closure of a part. Raises NotPossible for what the language does not have."""
        match node:
            case ast.Constant(value=str() as word):
                return lambda _me, _mine, _row: word
            case ast.Constant(value=int() | float() as constant):
                number = _whole(Fraction(str(constant)))
                return lambda _me, _mine, _row: number
            case ast.Name(id=name):
                return _named(name)
            case ast.UnaryOp(operation, operand):
                value, negative = self.part(operand), isinstance(operation, ast.USub)
                return lambda me, mine, row: (
                    -_number(value(me, mine, row)) if negative else _number(value(me, mine, row))
                )
            case ast.BinOp(left, operation, right):
                return self._calculated(_OPERATORS[type(operation)], self.part(left), self.part(right))
            case ast.Compare(left, operators, comparators):
                return _compared(
                    [_sign(sign) for sign in operators], [self.part(part) for part in (left, *comparators)]
                )
            case ast.Call(ast.Name(id=name), arguments):
                return self._over_all(name, node) if _over_all(node) else self._called(name, arguments)
            case _:
                raise _refused(node)

    def _calculated(self, operation: Callable[[Any, Any], Number], left: Part, right: Part) -> Part:
        """Return the closure of an operation on two numbers."""

        def calculate(me: str, mine: Submission | None, row: Submission | None) -> Value:
            first, second = left(me, mine, row), right(me, mine, row)
            if type(first) is int and type(second) is int and operation is not Fraction:
                value = operation(first, second)
                return value if -WORD < value < WORD else self._counted(value)
            return self._counted(operation(_number(first), _number(second)))

        return calculate

    def _called(self, name: str, arguments: Sequence[ast.expr]) -> Part:
        """Return the closure of a function of several values, or of `abs`."""
        parts, function = [self.part(argument) for argument in arguments], {"abs": abs, "min": min, "max": max}[name]

        def call(me: str, mine: Submission | None, row: Submission | None) -> Value:
            return function(*(_number(part(me, mine, row)) for part in parts))

        return call

    def _over_all(self, name: str, node: ast.Call) -> Part:
        """Return the closure of a function over all submissions, which keeps its value if it is the same for all."""
        part, rows, same = self.part(node.args[0]), list(self._submissions.values()), not _depends_on_me(node)
        kept: list[Number] = []

        def call(me: str, mine: Submission | None, _row: Submission | None) -> Value:
            if kept:
                return kept[0]
            value = self._of_all(name, [_number(part(me, mine, row)) for row in rows])
            if same:
                kept.append(value)
            return value

        return call

    def _of_all(self, name: str, numbers: Sequence[Number]) -> Number:
        """Return the value of a function of the numbers of all submissions. Raises Missing for none at all."""
        if name == "count":
            return sum(number != 0 for number in numbers)
        if name == "sum":
            total: Number = 0
            for number in numbers:
                total = self._counted(total + number)
            return total
        if not numbers:
            raise Missing
        return min(numbers) if name == "min" else max(numbers)

    def _counted(self, number: Number) -> Number:
        """Return a number that has been calculated. Raises NotPossible if large ones have taken too many steps."""
        if not isinstance(number, int):
            number = _whole(number)
        bits = number.numerator.bit_length() + number.denominator.bit_length()
        if bits > 2 * WORD.bit_length():
            self._left -= (bits // WORD.bit_length()) ** 2 // 4
            if self._left < 0:
                message = _("The numbers in the formula are too large: it takes more than {limit} steps.")
                raise NotPossible(message.format(limit=MOST_STEPS))
        return number


def _whole(number: Fraction) -> Number:
    """Return a number as an integer if it is whole; calculations with integers are faster."""
    return number.numerator if number.denominator == 1 else number


def _named(name: str) -> Part:
    """Return the closure of a name, which raises Missing if it is a field of somebody who has submitted nothing."""
    if name == ME:
        return lambda me, _mine, _row: me
    key, is_mine = name.removeprefix(MINE), name.startswith(MINE)

    def look_up(_me: str, mine: Submission | None, row: Submission | None) -> Value:
        submission = mine if is_mine else row
        if submission is None:
            raise Missing
        return submission[key]

    return look_up


def _sign(sign: ast.cmpop) -> Callable[[Value, Value], bool]:
    """Return the function of a comparison, which raises NotPossible if it compares words by order."""
    if isinstance(sign, ast.Eq):
        return operator.eq
    if isinstance(sign, ast.NotEq):
        return operator.ne
    order = _ORDERS[type(sign)]
    return lambda first, second: order(_number(first), _number(second))


def _compared(signs: Sequence[Callable[[Value, Value], bool]], parts: Sequence[Part]) -> Part:
    """Return the closure of a chain of comparisons, whose value is 1 or 0."""
    left, right, *more = parts
    first, *_others = signs

    def compare_two(me: str, mine: Submission | None, row: Submission | None) -> Value:
        return 1 if first(left(me, mine, row), right(me, mine, row)) else 0

    def compare(me: str, mine: Submission | None, row: Submission | None) -> Value:
        values = [part(me, mine, row) for part in parts]
        return int(all(sign(values[index], values[index + 1]) for index, sign in enumerate(signs)))

    return compare if more else compare_two
