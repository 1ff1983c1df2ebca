"""What all tests share: the tiny games that live outside the package, and the databases."""

from __future__ import annotations

import asyncio
import gc
import importlib
import importlib.util
import os
import re
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from benchmarks.cluster import programs
from hypothesis import HealthCheck, settings

from pyramidion.engine import registry, rule

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from pyramidion.web.http.uvicorn_server import UvicornServer

# Assertions in helpers say as much as those in tests.
pytest.register_assert_rewrite("tests.web.helpers", "tests.helpers", "tests.tournaments.helpers")

HAS_RAY = importlib.util.find_spec("ray") is not None
OUTSIDE = Path(__file__).parent / "outside"

# Imports leave hardly any garbage; `pytest_collection_finish` collects it.
gc.disable()

# No deadlines: a first call compiles, and no test is about the speed of the machine.
settings.register_profile("tests", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tests")


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package of somebody else's is installed, and its games are there by their entry points."""
    monkeypatch.syspath_prepend(str(OUTSIDE))
    importlib.invalidate_caches()
    yield OUTSIDE
    for name in ("sealed-bid", "high-card", "silent-auction", "gamble"):
        registry.forget(name)
        sys.modules.pop(name.replace("-", "_"), None)


@pytest.fixture(autouse=True)
def the_terminal_speaks_english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the developer's own terminal speaks."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def rules_are_compiled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that runs rules interpreted meanwhile does so for its own test only."""
    monkeypatch.setattr(rule._Process, "policy", rule._Process.policy)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Asynchronous tests run on the event loop that the server uses."""
    return "asyncio"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Where the mark `server` names databases, tests of the server run on each."""
    marked = metafunc.definition.get_closest_marker("server")
    if "server" in metafunc.fixturenames and marked and "databases" in marked.kwargs:
        metafunc.parametrize("server", marked.kwargs["databases"], indirect=True)


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[UvicornServer]:
    """A server of each module, with the settings that its mark `server` gives."""
    from tests.web.helpers.databases import DATABASES

    module = request.node
    if module.get_closest_marker("browser"):
        from tests.web.helpers.browsing import browser_server as serving
    else:
        from tests.web.conftest import serving
    marked = module.get_closest_marker("server")
    settings = {name: value for name, value in marked.kwargs.items() if name != "databases"} if marked else {}
    if getattr(request, "param", "sqlite") == "postgresql":
        settings["database_url"] = DATABASES.new_in_postgresql()
    with serving(tmp_path_factory.mktemp("server"), **settings) as server:
        yield server


@pytest.fixture(scope="session")
def shared_browser() -> Iterator[tuple[Browser, asyncio.AbstractEventLoop]]:
    """A browser without a window, started when a test first needs it, and the event loop that Playwright runs."""
    from tests.web.helpers.browsing import browsing

    with browsing() as browser:
        loop = asyncio.get_running_loop()
        yield browser, loop
        asyncio._set_running_loop(loop)


@pytest.fixture
def browser(shared_browser: tuple[Browser, asyncio.AbstractEventLoop]) -> Iterator[Browser]:
    """A browser without a window, in which nothing is open before and after a test."""
    browser, loop = shared_browser
    asyncio._set_running_loop(loop)
    yield browser
    for context in browser.contexts:
        context.close()
    # Playwright's loop counts as running all the time, and tests without a browser run loops of their own.
    asyncio._set_running_loop(None)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Half as many workers again as processors: tests wait for servers and browsers much of their time."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return count + (count + 1) // 2


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that need PostgreSQL or Ray where there is none, and put the slow ones first."""
    _without_postgresql(config, items)
    if not HAS_RAY:
        _leave_out(config, items, "ray")
    if workers := getattr(config, "workerinput", {}).get("workercount"):
        items[:] = _slow_first(items, workers)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Collect garbage rarely, as the server does, and never look at what was imported: a sixth less processor time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


def _without_postgresql(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that need PostgreSQL where there is none, unless they are required."""
    if programs() is not None or not any(item.get_closest_marker("postgres") for item in items):
        return
    if os.environ.get("PYRAMIDION_POSTGRES_TESTS") == "required":
        raise pytest.UsageError("Tests with PostgreSQL are required, and it is not installed here.")
    _leave_out(config, items, "postgres")


def _leave_out(config: pytest.Config, items: list[pytest.Item], mark: str) -> None:
    """Leave out the tests that have a mark."""
    out = [item for item in items if item.get_closest_marker(mark)]
    if out:
        config.hook.pytest_deselected(items=out)
        items[:] = [item for item in items if item not in set(out)]


def _slow_first(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """Begin each worker's first share of the tests with its part of the slow ones, so that none is left to the end."""
    slow = [item for item in items if item.get_closest_marker("slow")]
    others = iter([item for item in items if not item.get_closest_marker("slow")])
    ordered: list[pytest.Item] = []
    for worker in range(workers):
        # The size of a share as --dist worksteal deals them out.
        share = (len(items) - len(ordered)) // (workers - worker)
        first = slow[worker::workers]
        ordered += [*first, *islice(others, max(0, share - len(first)))]
    return ordered


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say which tests were left out."""
    chosen = config.option.markexpr
    if re.fullmatch(r"not \w+( and not \w+)*", chosen):
        marks = ", ".join(re.findall(r"not (\w+)", chosen))
        terminalreporter.write_line(f"Left out: the tests marked {marks}. To run every test: make test ALL=1")
    if programs() is None and "not postgres" not in chosen:
        terminalreporter.write_line("PostgreSQL is not installed here: its tests were left out.")
    if not HAS_RAY:
        terminalreporter.write_line("Ray is not installed here: its test was left out.")


@pytest.fixture
def database(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The kind of database that a test runs against, which `url_at` then gives."""
    from tests.web.helpers.databases import DATABASES

    monkeypatch.setattr(DATABASES, "kind", request.param)
    return request.param


@pytest.fixture(scope="session", autouse=True)
def databases_end() -> Iterator[None]:
    """Stop PostgreSQL after the last test, if it was started."""
    yield
    if "tests.web.helpers.databases" in sys.modules:
        sys.modules["tests.web.helpers.databases"].DATABASES.close()
