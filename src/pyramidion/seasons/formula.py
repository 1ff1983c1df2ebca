"""Formulas for scores: a small language of numbers, names of fields, + - * /, comparisons and a few functions.

A formula is parsed by `ast` and interpreted here; nothing of it is ever executed as Python.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from pyramidion.event_log import NotPossible
from pyramidion.translation import _

LONGEST = 200
MOST_NODES = 80
LARGEST = 10**9
ME, MINE = "me", "my_"
OVER_ALL = ("sum", "min", "max", "count")
FUNCTIONS = (*OVER_ALL, "abs")
RESERVED = frozenset({ME, *FUNCTIONS})
Value = Fraction | str
Submission = Mapping[str, int | str]
_OPERATORS: dict[type[ast.AST], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}
_ORDERS: dict[type[ast.AST], Callable[[Fraction, Fraction], bool]] = {
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


@dataclass(frozen=True, slots=True)
class Scope:
    """What the names of a formula stand for: the submissions of everybody, and those whom `me` and a field mean."""

    submissions: Mapping[str, Submission]
    me: str
    current: str


def evaluate(tree: ast.expr, submissions: Mapping[str, Submission], me: str) -> Fraction | None:
    """Return the score of `me` by a parsed formula, None if it needs a submission that `me` has not made.

    Raises NotPossible with a sentence where the formula has no value: a division by zero, words in a calculation.
    """
    try:
        value = _number(_value(tree, Scope(submissions, me, me)))
    except Missing:
        return None
    except ZeroDivisionError:
        raise NotPossible(_("The formula divides by zero.")) from None
    if abs(value) > LARGEST:
        raise NotPossible(_("The score is too large: at most {limit} is allowed.").format(limit=LARGEST))
    return value


def _number(value: Value) -> Fraction:
    """Return a value that is a number. Raises NotPossible for a word."""
    if isinstance(value, str):
        raise NotPossible(_("The formula calculates with words. Names and choices can only be compared, by == or !=."))
    return value


def _value(node: ast.expr, scope: Scope) -> Value:
    """Return the value of a part of a formula. Raises NotPossible."""
    match node:
        case ast.Constant(value=str() as word):
            return word
        case ast.Constant(value=int() | float() as number):
            return Fraction(str(number))
        case ast.Name(id=name):
            return _named(name, scope)
        case ast.UnaryOp(operation, operand):
            value = _number(_value(operand, scope))
            return -value if isinstance(operation, ast.USub) else value
        case ast.BinOp(left, operation, right):
            first, second = _number(_value(left, scope)), _number(_value(right, scope))
            return first / second if isinstance(operation, ast.Div) else _OPERATORS[type(operation)](first, second)
        case ast.Compare(left, operators, comparators):
            values = [_value(part, scope) for part in (left, *comparators)]
            pairs = zip(operators, values, values[1:], strict=False)
            return Fraction(all(_holds(sign, first, second) for sign, first, second in pairs))
        case ast.Call(ast.Name(id=name), arguments):
            return _called(name, arguments, scope)
        case _:
            raise _refused(node)


def _named(name: str, scope: Scope) -> Value:
    """Return what a name means. Raises Missing if it is a field of somebody who has submitted nothing."""
    if name == ME:
        return scope.me
    who = scope.me if name.startswith(MINE) else scope.current
    if who not in scope.submissions:
        raise Missing
    value = scope.submissions[who][name.removeprefix(MINE)]
    return value if isinstance(value, str) else Fraction(value)


def _holds(sign: ast.cmpop, first: Value, second: Value) -> bool:
    """Return whether a comparison holds. Raises NotPossible if it compares words by order."""
    if isinstance(sign, ast.Eq | ast.NotEq):
        return (first == second) == isinstance(sign, ast.Eq)
    return _ORDERS[type(sign)](_number(first), _number(second))


def _called(name: str, arguments: list[ast.expr], scope: Scope) -> Fraction:
    """Return the value of a function, which with one argument ranges over all submissions (except `abs`)."""
    if name == "abs":
        return abs(_number(_value(arguments[0], scope)))
    if len(arguments) > 1:
        values: Iterable[Value] = [_value(argument, scope) for argument in arguments]
    else:
        scopes = (Scope(scope.submissions, scope.me, who) for who in scope.submissions)
        values = [_value(arguments[0], inner) for inner in scopes]
    numbers = [_number(value) for value in values]
    if name == "count":
        return Fraction(sum(number != 0 for number in numbers))
    if name == "sum":
        return sum(numbers, Fraction(0))
    if not numbers:
        raise Missing
    return min(numbers) if name == "min" else max(numbers)
