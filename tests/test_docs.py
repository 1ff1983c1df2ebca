"""Tests of the documentation: its Python runs, its commands exist, its generated pages are up to date."""

from __future__ import annotations

import doctest
import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import get_args, get_type_hints

import pytest
import typer.main

import pyramidion
from pyramidion.cli.app import app
from pyramidion.engine import registry

ADDRESS = "http://127.0.0.1:8000"
ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/[ist]*/*.md")])


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """Run a server and return its address."""
    environment = {**os.environ, "PYRAMIDION_DATA_DIR": str(tmp_path), "PYRAMIDION_BOT_PAUSE": "0"}
    command = [sys.executable, "-m", "pyramidion", "serve", "--port", "0"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield re.findall(r"http://[^/]+", process.stdout.readline())[0]
        finally:
            process.send_signal(signal.SIGINT)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_in_the_documents_runs(page: Path, request: pytest.FixtureRequest) -> None:
    names: dict[str, object] = {}
    for block in blocks(page, "python"):
        if ">>>" not in block:
            address = request.getfixturevalue("server") if ADDRESS in block else ADDRESS
            exec(compile(block.replace(ADDRESS, address), page.name, "exec"), names)
            continue
        test = doctest.DocTestParser().get_doctest(block, names, page.name, str(page), 0)
        report: list[str] = []
        doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS).run(
            test, out=report.append, clear_globs=False
        )
        assert not report, "".join(report)
        names |= test.globs


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_in_the_documents_exist(page: Path) -> None:
    command = typer.main.get_command(app)
    commands = command.commands  # type: ignore[attr-defined]
    for block in [*blocks(page, "bash"), *blocks(page, "")]:
        for name, rest in re.findall(r"(?:^|/)pyramidion ([a-z]+(?:-[a-z]+)*)(.*)", block, re.MULTILINE):
            assert name in commands, name
            chosen = commands[name]
            if hasattr(chosen, "commands"):  # a group; `pyramidion lab GAME` is short for `pyramidion lab run GAME`
                word = next(iter(rest.split()), "")
                chosen = chosen.commands.get(word) or chosen.commands["run"]
            parameters = chosen.params
            known = {option for known in parameters for option in (*known.opts, *known.secondary_opts)}
            for option in re.findall(r"--[a-z-]+", rest):
                assert option in known, f"{name} {option}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_the_documents_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), target


def test_make_commands_in_the_documents_exist() -> None:
    made = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for page in PAGES:
        for target in re.findall(r"`make ([a-z]+)", page.read_text("utf-8")):
            assert target in made, f"{page.name}: make {target}"


def test_metrics_in_the_documents_exist() -> None:
    source = (ROOT / "src" / "pyramidion" / "web" / "operations" / "metrics.py").read_text("utf-8")
    told = set(re.findall(r"`(pyramidion_\w+)`", (ROOT / "docs" / "hosting.md").read_text("utf-8")))
    assert len(told) > 1
    for name in told:
        assert f'"{name.removesuffix("_total")}"' in source, name


def test_the_api_document_names_every_bot_and_every_host_command() -> None:
    from pyramidion import bots
    from pyramidion.web.features.host_controls.api import HostCommandIn

    text = (ROOT / "docs/api.md").read_text()
    [of_bots] = [part for part in text.split("\n\n") if part.startswith("A bot's seat is")]
    assert {name for name in bots.names() if f"`{name}`" not in of_bots} == set()
    [commands] = re.findall(r"give a host command: ([a-z, -]+) \|", text)
    assert set(commands.split(", ")) == set(get_args(get_type_hints(HostCommandIn)["command"]))


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_reference_is_what_make_docs_writes() -> None:
    made = generator().pages()
    assert {page.name for page in (ROOT / "docs" / "reference").glob("*.md")} == set(made)
    for name, text in made.items():
        assert (ROOT / "docs" / "reference" / name).read_text("utf-8") == text, f"{name} is out of date: make docs"


def test_the_tables_of_the_current_versions_are_what_make_docs_writes() -> None:
    for name, text in generator().versions().items():
        page = ROOT / "docs" / "reference" / "versions" / name
        assert page.read_text("utf-8") == text, (
            f"{name} has changed. If actions or observations of this version have been published, give the game the "
            "next version of its rules; otherwise: make docs"
        )


def test_every_game_is_described_in_figures() -> None:
    described = json.loads((ROOT / "docs" / "descriptions.json").read_text("utf-8"))
    assert {row["game"]: row["rules_version"] for row in described} == {
        game_id: pyramidion.load(game_id).rules_version for game_id in registry.own_ids()
    }
