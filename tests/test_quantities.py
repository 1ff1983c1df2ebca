"""Tests of counted nouns in messages: `1 game`, `2,000 games`, and no message that is wrong for one of a thing."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import pyramidion
from pyramidion.translation import quantity

SOURCE = Path(pyramidion.__file__).parent
FOLDERS = ("bots", "cli", "engine", "env", "lab", "terminal")
NOUNS = (
    "actions|arguments|bytes|cards|choices|comparisons|contributions|cores|decisions|entries|events|experiments|figures"
    "|games|hours|iterations|lines|minutes|nodes|numbers|opponents|players|plies|points|positions|processes|puzzles"
    "|records|rounds|rows|seals|seats|seconds|tables|threads|tiles|tries|turns|words|workers"
)
NEVER_ONE = re.compile(r"[A-Z][A-Z_]+|.*\.\d[f%]")
"""A constant such as `HOURS`, or a number with decimals."""


def plurals(text: str) -> list[str]:
    """Return the phrases of a text with fields in braces that put a plural noun after any number: `{count} games`."""
    text = re.sub(r"\{([^{}]*)\}", lambda field: "" if NEVER_ONE.fullmatch(field[1]) else field[0], text)
    return re.findall(rf"(?<! to )\{{[^{{}}]*\}}(?: (?!of |in )\w+)? (?:{NOUNS})\b", text)


def as_text(part: ast.expr) -> str:
    """Return a part of an f-string as text, a field in one pair of braces: `{count:,}`."""
    if isinstance(part, ast.Constant):
        return str(part.value)
    return "{" + re.sub("[{}]", "", ast.unparse(ast.JoinedStr([part]))[2:-1]) + "}"


def phrases(tree: ast.AST) -> list[str]:
    """Return the phrases of a module's f-strings and templates that are wrong for 1; `ngettext` knows both forms."""
    texts = list[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            texts.append("".join(map(as_text, node.values)))
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("_", "marked"):
            texts += [part.value for part in node.args if isinstance(part, ast.Constant)]
    return [phrase for text in texts for phrase in plurals(text)]


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_counted_noun_follows_its_number(folder):
    wrong = [
        f"{path.relative_to(SOURCE)}: {phrase}"
        for path in sorted((SOURCE / folder).rglob("*.py"))
        for phrase in phrases(ast.parse(path.read_text("utf-8")))
    ]
    assert not wrong, "Wrong for 1; use pyramidion.translation.quantity, or ngettext where texts are translated."


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        ("f'Stopped after {count:,} games.'", ["{count:,} games"]),
        ("f'all {count} new games'", ["{count} new games"]),
        ("f'{done} of {games} games'", ["{games} games"]),
        ("_('{count} cards').format(count=n)", ["{count} cards"]),
        ("ngettext('{count} card', '{count} cards', n)", []),
        ("f'{MOST_LINES} lines, {mean:.1f} points, {low} to {high} seats'", []),
        ("f'{count} of the games'", []),
    ],
)
def test_the_check_sees_plurals_after_numbers(source, wrong):
    assert phrases(ast.parse(source)) == wrong


def test_quantities_are_written_as_people_read_them():
    assert quantity(1, "game") == "1 game"
    assert quantity(0, "game") == "0 games"
    assert quantity(2000, "new game") == "2,000 new games"
    assert quantity(2, "entry", "entries") == "2 entries"
