# pyright: basic
"""Hooks of the documentation site (mkdocs.yml): pages from outside docs, notebooks, and links between them all.

Pages link to each other by their places in the repository, so that GitHub can follow the links too.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import posixpath
import re
from html import escape, unescape
from itertools import count
from pathlib import Path

import jupytext
import matplotlib
import matplotlib.pyplot as plt
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
STATIC = ROOT / "src" / "pyramidion" / "web" / "pages" / "static"
FROM_ROOT = {
    "benchmarks/README.md": "project/benchmarks.md",
    "benchmarks/studies/README.md": "project/studies.md",
    "CHANGELOG.md": "project/changelog.md",
    "CODE_OF_CONDUCT.md": "project/code_of_conduct.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "ROADMAP.md": "project/roadmap.md",
    "SECURITY.md": "project/security.md",
}
"""Pages outside docs: their paths in the repository, and on the site."""
RESULTS = "benchmarks/results"
"""The folder with the result files of the leaderboard, which is on the site at the same place."""
EXAMPLES = {"examples/kuhn-poker": "project/kuhn-poker.md"}
"""Folders whose files the site shows on one page, since tutorials build them."""
REPORTS = "strength/reports"
"""Place of the reports of docs/strength: beside the pages of the same names, one would replace the other."""
VIDEO = re.compile(r"\[!\[(?P<text>[^\]]*)\]\((?P<picture>[^)]*)\)\]\((?P<video>[^)]*\.webm)\)")
LINK = re.compile(r"(?P<image>!?)\[(?P<text>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<path>[^)#:\s]+)(?P<anchor>#[^)\s]*)?\)")
TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
CARDS = 5
"""The columns from which on phones show each row of a table as a card (site.css); narrower tables fit."""
FENCE = re.compile(r"(^ *```.*?^ *```)", re.MULTILINE | re.DOTALL)

NOT_FOUND = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Page not found - {name}</title>
<style>
:root {{ color-scheme: light dark }}
body {{ font: 1.1rem/1.5 system-ui; max-width: 36rem; margin: 4rem auto; padding: 1rem }}
</style>
<h1>Page not found</h1>
<p>There is no page at this address in the documentation of {name}. It may have another name in this version.</p>
<p><a href="{home}">Begin at the home page</a>; the search there finds every page.</p>
</html>
"""
"""The page for addresses that do not exist."""


def notebooks() -> list[Path]:
    """Return the notebooks, which are Python files in Jupytext's percent format."""
    return sorted((ROOT / "docs" / "notebooks").glob("*.py"))


def executed(path: Path) -> str:
    """Run a notebook and return it as Markdown, with what its cells print, draw and end with."""
    matplotlib.use("agg")
    names: dict[str, object] = {"__name__": "__main__"}
    parts: list[str] = []
    for cell in jupytext.read(path).cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
        elif not cell.source.startswith("# pyright"):
            parts.append(f"```python\n{cell.source}\n```")
            parts += run(cell.source, f"{path.name}", names)
    return "\n\n".join([*parts, f"This page is the notebook `docs/notebooks/{path.name}`.\n"])


def run(source: str, name: str, names: dict[str, object]) -> list[str]:
    """Run a cell and return its output as pieces of Markdown."""
    tree = ast.parse(source, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, name, "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), name, "eval"), names)
    parts = [f"```text\n{printed.getvalue().rstrip()}\n```"] if printed.getvalue() else []
    draw = getattr(value, "_repr_html_", None)
    if draw is not None:
        parts.append(f"<div>{draw()}</div>")
    for number in plt.get_fignums():
        drawn = io.BytesIO()
        plt.figure(number).savefig(drawn, format="svg")
        picture = base64.b64encode(drawn.getvalue()).decode()
        parts.append(f'<img alt="The chart that the cell draws" src="data:image/svg+xml;base64,{picture}">')
    plt.close("all")
    return parts


def whole(folder: Path) -> str:
    """Return a page with every file of a folder, the text of its README first."""
    parts = [(folder / "README.md").read_text("utf-8")]
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != "README.md" and "__pycache__" not in path.parts:
            name = path.relative_to(folder)
            kind = {".html": "html", ".md": "markdown", ".txt": "text"}.get(path.suffix, path.suffix.removeprefix("."))
            parts.append(f"## `{name}`\n\n````{kind}\n{path.read_text('utf-8').rstrip()}\n````\n")
    return "\n\n".join(parts)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages from outside docs, the notebooks as pages, and the project's fonts and icon."""
    for origin, place in FROM_ROOT.items():
        files.append(File.generated(config, place, content=(ROOT / origin).read_text("utf-8")))
    for origin, place in EXAMPLES.items():
        files.append(File.generated(config, place, content=whole(ROOT / origin)))
    for path in notebooks():
        files.append(File.generated(config, f"notebooks/{path.stem}.md", content=executed(path)))
    for path in (ROOT / RESULTS).glob("*.json"):
        files.append(File.generated(config, f"{RESULTS}/{path.name}", abs_src_path=str(path)))
    for name in ("atkinson-hyperlegible-next.woff2", "bitter.woff2", "icon.svg"):
        files.append(File.generated(config, f"site/{name}", abs_src_path=str(STATIC / name)))
    for path in (ROOT / "docs" / "strength").glob("*.html"):
        files.append(File.generated(config, f"{REPORTS}/{path.name}", abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn links within the repository into links within the site; a link to what the site lacks becomes text."""
    here = page.file.src_uri
    if here in EXAMPLES.values():
        return markdown
    origin = next((path for path, place in FROM_ROOT.items() if place == here), f"docs/{here}")

    def moved(link: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(origin), link["path"]))
        if not (ROOT / path).exists() and not files.get_file_from_path(path.removeprefix("docs/")):
            return link[0]  # the build then warns
        place = place_of(path, files)
        if place is None:
            return link["text"]
        target = posixpath.relpath(place, posixpath.dirname(here) or ".")
        return f"{link['image']}[{link['text']}]({target}{link['anchor'] or ''})"

    # GitHub shows a picture that leads to the video. The site plays it, without its sound.
    moving = "controls autoplay muted loop playsinline"
    show = rf'<video {moving} poster="\g<picture>" src="\g<video>" aria-label="\g<text>"></video>'
    markdown = VIDEO.sub(show, markdown)
    # mkdocstrings' instructions are comments, which GitHub does not show.
    markdown = re.sub(r"^<!-- (::: \S+) -->$", r"\1", markdown, flags=re.MULTILINE)
    parts = FENCE.split(markdown)
    return "".join(part if at % 2 else LINK.sub(moved, part) for at, part in enumerate(parts))


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Give the cells of wide tables the titles of their columns, which phones show beside them."""
    return TABLE.sub(lambda table: titled(table[0]), html)


def titled(table: str) -> str:
    """Return a table whose cells name their columns in `data-title`, or the same table if it is narrow."""
    titles = [escape(unescape(re.sub(r"<[^>]+>", "", title))) for title in re.findall(r"<th\b[^>]*>(.*?)</th>", table)]
    if len(titles) < CARDS:
        return table
    numbers = count()
    cells = re.sub(r"<td\b", lambda _: f'<td data-title="{titles[next(numbers) % len(titles)]}"', table)
    return cells.replace("<table>", "<table data-cards>", 1)


def on_post_build(config: MkDocsConfig) -> None:
    """Replace the theme's 404 page, whose files are found only at the root of a host, by one that needs no files."""
    page = Path(config.site_dir) / "404.html"
    page.write_text(NOT_FOUND.format(name=config.site_name, home=config.site_url or "/"), "utf-8")


def place_of(path: str, files: Files) -> str | None:
    """Return the place on the site of a file or folder of the repository, or None."""
    if path in FROM_ROOT or path in EXAMPLES:
        return FROM_ROOT.get(path) or EXAMPLES[path]
    if path.startswith(f"{RESULTS}/") and files.get_file_from_path(path):
        return path
    if not path.startswith("docs/"):
        return None
    place = path.removeprefix("docs/")
    if place.startswith("notebooks/"):
        place = place.removesuffix(".py") + ".md"
    if place.startswith("strength/") and place.endswith(".html"):
        place = f"{REPORTS}/{posixpath.basename(place)}"
    for candidate in (place, f"{place}/README.md"):
        if files.get_file_from_path(candidate):
            return candidate
    return None
