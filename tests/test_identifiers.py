"""Words that name nothing, or that meant several things, are no identifiers any more."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from pyramidion.web.db.schema import METADATA

SOURCE = Path(__file__).parents[1] / "src" / "pyramidion"
# Variables and arguments say what they hold; classes and functions are called as the glossary of the architecture says.
RETIRED = {
    "one",
    "said",
    "found",
    "known",
    "shown",
    "told",
    "there",
    "house",
    "journal",
    "chronicle",
    "Acting",
    "Allowance",
    "Arrivals",
    "Asker",
    "AtTable",
    "Bus",
    "Chronicle",
    "ClosedOnce",
    "Doors",
    "Encoded",
    "Front",
    "Happening",
    "Home",
    "House",
    "Journal",
    "Limits",
    "Logged",
    "Notices",
    "Occasion",
    "RoomVisit",
    "Seen",
    "Series",
    "Sight",
    "Telling",
    "Thought",
    "Verdict",
    "Visit",
    "Whispers",
}


def identifiers(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield the names that a module binds, with their lines: variables, arguments, functions and classes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name, node.lineno


def test_retired_words_are_no_identifiers() -> None:
    used = [
        f"{path.relative_to(SOURCE)}:{line} {name}"
        for path in sorted(SOURCE.rglob("*.py"))
        for name, line in identifiers(ast.parse(path.read_text("utf-8")))
        if name in RETIRED
    ]
    assert not used


def test_values_to_store_are_named_after_columns() -> None:
    """The type checker does not know which columns there are."""
    columns = {column.name for table in METADATA.tables.values() for column in table.columns}
    unknown = [
        f"{path.relative_to(SOURCE)}:{node.lineno} {keyword.arg}"
        for path in sorted((SOURCE / "web").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "values"
        for keyword in node.keywords
        # The table of Alembic's own is none of ours.
        if keyword.arg and keyword.arg not in columns | {"version_num"}
    ]
    assert not unknown


def test_the_search_finds_what_it_is_for() -> None:
    tree = ast.parse("for one in (): pass\ndef said(told): ...\nclass House: ...\nuser.one = seen.found")
    assert {name for name, _line in identifiers(tree)} & RETIRED == {"one", "said", "told", "House"}
