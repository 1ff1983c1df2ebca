"""What all tests share: the tiny games that live outside the package, and the databases."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cluster import programs
from pyramidion.engine import registry

if TYPE_CHECKING:
    from playwright.sync_api import Browser

OUTSIDE = Path(__file__).parent / "outside"


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package of somebody else's is installed, and its games are there by their entry points."""
    monkeypatch.syspath_prepend(str(OUTSIDE))
    importlib.invalidate_caches()
    yield OUTSIDE
    for name in ("sealed-bid", "high-card", "silent-auction"):
        registry.forget(name)
        sys.modules.pop(name.replace("-", "_"), None)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser without a window, for all tests of a file."""
    from tests.web.browsing import browsing

    with browsing() as browser:
        yield browser


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Half as many workers again as processors: tests wait for servers and browsers much of their time."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return count + (count + 1) // 2


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that need PostgreSQL where there is none, and say so, unless they are required."""
    needing = [item for item in items if item.get_closest_marker("postgres")]
    if not needing or programs() is not None:
        return
    if os.environ.get("PYRAMIDION_POSTGRES_TESTS") == "required":
        raise pytest.UsageError("Tests with PostgreSQL are required, and it is not installed here.")
    config.hook.pytest_deselected(items=needing)
    items[:] = [item for item in items if item not in set(needing)]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say which tests were left out."""
    if programs() is None:
        terminalreporter.write_line("PostgreSQL is not installed here: its tests were left out.")


@pytest.fixture
def database(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The kind of database that a test runs against, which `url_at` then gives."""
    from tests.web.databases import DATABASES

    monkeypatch.setattr(DATABASES, "kind", request.param)
    return request.param


@pytest.fixture(scope="session", autouse=True)
def databases_end() -> Iterator[None]:
    """Stop PostgreSQL after the last test, if it was started."""
    yield
    if "tests.web.databases" in sys.modules:
        sys.modules["tests.web.databases"].DATABASES.close()
