"""Tests of the documentation site: its navigation, its links, its workflows' checks, and the build."""

from __future__ import annotations

import json
import posixpath
import re
import subprocess
import sys
from html.parser import HTMLParser
from importlib.metadata import distribution
from pathlib import Path

import pytest
import yaml
from babel.messages.pofile import read_po
from docs.site_hooks import titled
from tools.tagged import refusal

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


class Loader(yaml.SafeLoader):
    """Reads mkdocs.yml without making the Python objects that it names."""


Loader.add_multi_constructor("tag:yaml.org,2002:python/", lambda loader, suffix, node: None)


def named(nav: object) -> set[str]:
    """Return the pages that a navigation names."""
    if isinstance(nav, str):
        return {nav}
    parts = nav.values() if isinstance(nav, dict) else nav
    return set().union(*map(named, parts))


def test_the_navigation_names_every_page() -> None:
    config = yaml.load((ROOT / "mkdocs.yml").read_text("utf-8"), Loader)
    pages = {str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md")}
    pages |= {f"notebooks/{path.stem}.md" for path in DOCS.glob("notebooks/*.py")}
    found = named(config["nav"])
    # `not_in_nav`: reference/README.md lists the tables of all versions of the rules.
    assert pages - found == {page for page in pages if page.startswith("reference/versions/")}
    assert {page for page in found - pages if not page.startswith("project/")} == set()
    sections = {title: named(part) for section in config["nav"] for title, part in section.items()}
    assert "reference/leaderboard.md" in sections["Research"] - sections["Reference"]


def slug(heading: str) -> str:
    """Return the anchor of a heading, as GitHub and the site make it."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)|`", r"\1", heading.strip()).lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def test_links_to_headings_lead_somewhere() -> None:
    pages = [*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *ROOT.glob("benchmarks/**/*.md")]
    texts = {path: re.sub(r"^ *```.*?^ *```", "", path.read_text("utf-8"), flags=re.M | re.S) for path in pages}
    slugs = {path: {slug(one) for one in re.findall(r"^#+ (.+)$", text, re.M)} for path, text in texts.items()}
    checked = 0
    for page, text in texts.items():
        for target, anchor in re.findall(r"\]\(([^)#:\s]*)#([^)\s]+)\)", text):
            other = Path(posixpath.normpath(page.parent / target)) if target else page
            assert anchor in slugs[other], f"{page.name}: {target}#{anchor}"
            checked += 1
    assert checked > 20


def test_the_workflows_are_sound_and_run_make() -> None:
    (program,) = (file for file in distribution("zizmor").files or () if file.stem == "zizmor" and "bin" in file.parts)
    command = [str(program.locate()), "--offline", "--no-progress", "--quiet", str(ROOT / ".github")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for path in ROOT.glob(".github/workflows/*.yml"):
        jobs = yaml.safe_load(path.read_text("utf-8"))["jobs"]
        steps = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
        for step in steps:
            assert re.match(r"make ([a-z]+)", step)[1] in targets, f"{path.name}: {step}"


def test_a_tag_is_that_of_the_version_and_dated_in_the_changelog() -> None:
    dated = "## [1.2.3] - 2026-01-31\n"
    assert refusal("v1.2.3", dated, "1.2.3") is None
    assert refusal("v1.2.4", dated, "1.2.3") == "The tag 'v1.2.4' is not that of version 1.2.3: v1.2.3."
    assert "no section" in refusal("v1.2.3", "## [1.2.3] - not yet released\n", "1.2.3")


def test_tutorials_name_buttons_and_fields_by_their_labels() -> None:
    said: set[str] = set()
    for path in (ROOT / "src").rglob("locale/fr.po"):
        with path.open("rb") as file:
            said |= {
                text for message in read_po(file) for text in (message.id if message.pluralizable else [message.id])
            }
    # A message is split at its placeholders; one that is mostly a placeholder would match anything.
    parts = [re.split(r"\{\w+\}|%\(\w+\)[sd]", text) for text in said]
    labels = [re.compile(".+".join(map(re.escape, part))) for part in parts if len(part[0]) > 2]
    assert not any(one.fullmatch("Press this") for one in labels)
    checked = 0
    for name in ("first-game.md", "first-season.md"):
        for label in re.findall(r"\*{1,2}([A-Z][^*]+)\*{1,2}", (DOCS / "tutorials" / name).read_text("utf-8")):
            assert any(one.fullmatch(label) for one in labels), f"{name}: {label}"
            checked += 1
    assert checked > 12


def test_cells_of_wide_tables_name_their_columns_for_phones() -> None:
    row = "<tr><th>agent</th><th>against <code>hard</code></th><th>a</th><th>b</th><th>R&amp;D</th></tr>"
    cells = '<td>x</td><td align="right">1</td><td></td><td>2</td><td>3</td>'
    wide = titled(f"<table><thead>{row}</thead><tbody><tr>{cells}</tr><tr>{cells}</tr></tbody></table>")
    assert wide.startswith("<table data-cards>")
    named = ["agent", "against hard", "a", "b", "R&amp;D"]
    assert re.findall(r'<td data-title="([^"]*)"', wide) == named * 2
    narrow = "<table><tr><th>agent</th><th>wins</th></tr><tr><td>x</td><td>1</td></tr></table>"
    assert titled(narrow) == narrow


class Requests(HTMLParser):
    """Collects the addresses that a browser requests by itself when it shows a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        address = told.get("src") or (told.get("href") if tag == "link" else None)
        if address:
            self.found.add(address)


@pytest.mark.slow
@pytest.mark.timeout(900)  # half a minute of computing, on a machine that may be busy
def test_the_site_is_built_without_a_warning_and_requests_nothing_from_elsewhere(tmp_path: Path) -> None:
    # The build runs the notebooks, whose own checks fail it.
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    pages = list(tmp_path.rglob("*.html"))
    assert len(pages) > 40
    for page in pages:
        parser = Requests()
        parser.feed(page.read_text("utf-8"))
        assert [one for one in parser.found if re.match(r"(https?:)?//", one)] == [], page.name
    for sheet in tmp_path.rglob("*.css"):
        assert not re.search(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//", sheet.read_text("utf-8")), sheet.name
    assert "src=" not in (tmp_path / "404.html").read_text("utf-8"), "it may be shown at any depth"
    assert "<video controls" in (tmp_path / "index.html").read_text("utf-8")
    finished = (tmp_path / "project" / "kuhn-poker.html").read_text("utf-8")
    for path in (ROOT / "examples" / "kuhn-poker").rglob("*.py"):
        assert f"{path.name}</code>" in finished
    index = json.loads((tmp_path / "search" / "search_index.json").read_text("utf-8"))
    text = re.sub(r"<[^>]*>", "", " ".join(entry["text"] for entry in index["docs"]))
    words = set(re.split(index["config"]["separator"], text))
    assert {"nginx", "BOT", "THREADS"} <= words
    assert [word for word in words if re.match(r"[(\[{\"']|.*[)\]}\"']$", word)] == []
    # Signatures and docstrings come from the code, charts from the notebooks.
    assert "from_record" in (tmp_path / "reference" / "python.html").read_text("utf-8")
    for notebook in DOCS.glob("notebooks/*.py"):
        text = (tmp_path / "notebooks" / f"{notebook.stem}.html").read_text("utf-8")
        assert ("data:image/svg+xml" in text) == ("matplotlib" in notebook.read_text("utf-8")), notebook.name
