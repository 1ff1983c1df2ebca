"""What docs/architecture.md and docs/inside name is there, and the walks call what they say."""

import ast
import re
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[1]
WALKS = (ROOT / "docs" / "architecture.md").read_text("utf-8").partition("## Four walks")[2].partition("\n## ")[0]
INSIDE = sorted((ROOT / "docs" / "inside").glob("*.md"))
FOLDERS = ("src", "tests", "docs", "tools", "benchmarks")
STEPS = re.findall(r"^\| `([\w/.]+)` \| (.*?) \| (.*?) \|$", WALKS, re.MULTILINE)


def definition(path: Path, name: str) -> str:
    """Return the source of a function, class or method, such as `Table.act`, of a file."""
    source = path.read_text("utf-8")
    nodes: list[ast.AST] = [ast.parse(source)]
    for part in name.split("."):
        nodes = [child for node in nodes for child in ast.walk(node) if getattr(child, "name", "") == part]
    assert nodes, f"{path.name} defines no {name}."
    return ast.get_source_segment(source, nodes[0]) or ""


def test_there_are_four_walks():
    assert WALKS.count("| where | what | calls |") == 4
    assert len(STEPS) > 25


@pytest.mark.parametrize(("where", "what", "calls"), STEPS, ids=[f"{where}-{what[:20]}" for where, what, _ in STEPS])
def test_a_step_of_a_walk_is_as_the_page_says(where: str, what: str, calls: str):
    path = ROOT / "src" / "pyramidion" / where
    names = re.match(r"`([\w.]+)`", what)
    if path.suffix == ".py" and names:
        source = definition(path, names[1])
    else:
        source = path.read_text("utf-8")
        assert names is None or names[1] in source
    for call in re.findall(r"`([\w/]+)`", calls):
        assert re.search(rf"(?<![\w]){re.escape(call)}\b" if call[0] != "/" else re.escape(call), source), call


@pytest.mark.parametrize("page", [ROOT / "docs" / "architecture.md", *INSIDE], ids=lambda page: page.name)
def test_modules_that_the_pages_name_exist(page: Path):
    files = [path.as_posix() for folder in FOLDERS for path in (ROOT / folder).rglob("*.*")]
    named = re.findall(r"`([\w/.]+\.(?:py|js|html|css|toml))`", page.read_text("utf-8"))
    assert named
    assert [name for name in named if not any(file.endswith(f"/{name}") for file in files)] == []


def imports_between_parts(package: str) -> dict[str, set[str]]:
    """Return which other parts of a package each part imports, late and type-only imports included."""
    graph, begin = grimp.build_graph("pyramidion", cache_dir=None), f"{package}."
    imports: dict[str, set[str]] = {}
    for module in graph.find_descendants(package):
        part = module.removeprefix(begin).partition(".")[0]
        others = [name for name in graph.find_modules_directly_imported_by(module) if name.startswith(begin)]
        imports.setdefault(part, set()).update({name.removeprefix(begin).partition(".")[0] for name in others} - {part})
    return imports


def test_the_parts_of_a_table_import_each_other_as_the_page_says():
    page = (ROOT / "docs" / "inside" / "tables.md").read_text("utf-8")
    section = page.partition("## Which part of `web/table` imports which")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", section, re.MULTILINE)
    drawn = {part: set(re.findall(r"`(\w+)`", imported)) for part, imported in rows}
    assert drawn == {part: others for part, others in imports_between_parts("pyramidion.web.table").items() if others}
    above = {"bots", "seeds", "view_models"}
    for part, imported in drawn.items():
        assert imported <= above, part
        above.add(part)


@pytest.mark.parametrize("package", ["web", "web.table", "web.features", "web.http", "web.pages", "web.db"])
def test_the_parts_of_a_package_import_each_other_in_no_circle(package: str):
    imports = imports_between_parts(f"pyramidion.{package}")
    assert len(imports) > 10
    TopologicalSorter(imports).prepare()  # raises CycleError
