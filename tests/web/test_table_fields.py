"""Nobody writes the fields of a table, or of its parts, from outside."""

from __future__ import annotations

import ast
from pathlib import Path

import pyramidion

WEB = Path(pyramidion.__file__).parent / "web"
TABLES = {
    "table",
    "_table",
    "found",
    "room",
    "action_log",
    "_action_log",
    "clock",
    "_clock",
    "visibility",
    "json_cache",
}
TABLES |= {"json_cache", "seating", "host", "viewers", "proposals"}


def owner_of(target: ast.expr) -> str | None:
    """The name of the object whose attribute is assigned to, such as `table` of `table.x` and `self.table.x`."""
    if not isinstance(target, ast.Attribute):
        return None
    if isinstance(target.value, ast.Attribute):
        return target.value.attr
    return target.value.id if isinstance(target.value, ast.Name) else None


def written(source: str) -> list[str]:
    """The assignments in a module to attributes of what is called like a table."""
    places: list[str] = []
    for node in ast.walk(ast.parse(source)):
        targets = node.targets if isinstance(node, ast.Assign) else []
        targets = [node.target] if isinstance(node, (ast.AugAssign, ast.AnnAssign)) else targets
        places += [ast.unparse(target) for target in targets if owner_of(target) in TABLES]
    return places


def test_no_module_of_the_server_writes_a_field_of_a_table():
    assert written("table.behind = True\nself._table.lost |= x") == ["table.behind", "self._table.lost"]
    found = {path.name: places for path in WEB.rglob("*.py") if (places := written(path.read_text("utf-8")))}
    assert found == {}
