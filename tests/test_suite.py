"""Tests of the suite itself: each test has the marks of what it needs, and no test is left out of every run."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def recipe(target: str) -> str:
    """Return the lines of a target of the Makefile."""
    return re.search(rf"^{target}:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)[1]


def test_make_test_leaves_out_what_is_marked_and_with_all_nothing(pytestconfig: pytest.Config) -> None:
    quick = re.search(r"^QUICK := (.+)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)[1]
    left_out = [term.removeprefix("not ") for term in quick.split(" and ")]
    assert set(left_out) <= {line.partition(":")[0] for line in pytestconfig.getini("markers")}, "a misspelt mark"
    assert "$(PYTEST) $(if $(ALL),,-m '$(QUICK)') $(PYTEST_ARGS)\n" in recipe("test")
    required = "PYRAMIDION_BROWSER_TESTS=required PYRAMIDION_POSTGRES_TESTS=required"
    assert f'\n{required} \\\n    make test ALL=1 PYTEST_ARGS="--durations=25 -n' in (ROOT / ".ci" / "run").read_text(
        "utf-8"
    )


def test_each_test_has_the_marks_of_what_it_needs(request: pytest.FixtureRequest) -> None:
    for item in request.session.items:
        assert isinstance(item, pytest.Function)
        if "shared_browser" in item.fixturenames:
            assert item.get_closest_marker("browser"), item.nodeid
        if hasattr(item, "callspec") and any(str(one) == "postgresql" for one in item.callspec.params.values()):
            assert item.get_closest_marker("postgres"), item.nodeid


def test_no_test_imports_another_test():
    """What several tests use is in helpers or fixtures."""
    for path in Path(__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                assert not re.fullmatch(r"tests(\.\w+)*\.test_\w+", node.module), path
