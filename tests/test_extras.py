"""Tests that each part of the package runs with the packages of its own extra alone.

Other packages are made unimportable in a subprocess, which is much faster than separate installations.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path
from types import SimpleNamespace

import pytest

from pyramidion import extras
from pyramidion.extras import DISTRIBUTION, install_command

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]

HIDING = """
import importlib.abc, json, sys

hidden = set(json.loads(sys.argv.pop(1)))


class Hide(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in hidden:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, Hide())
"""

PLAYING = """
import pyramidion
from pyramidion import bots
from pyramidion.engine.testing import LAWS
from pyramidion.lab import bench, playouts

for name in pyramidion.all_games():
    match = pyramidion.load(name).new(seed=1)
    seat = match.acting[0]
    match.play(seat, bots.load("policy", match.game, seed=1).move(match, seat))
    match.view(0), match.observation(0), match.refusal(seat, 0), match.events(0)
    match._repr_html_()
    bots.load("easy", match.game, seed=1)
env = pyramidion.env.batch("pyramis", 2)
"""

PARTS = {
    "": PLAYING,
    "terminal": (
        "from pyramidion.cli import main\nsys.exit(main(['games']) or main(['rules', 'pyramis', '--language', 'fr']))"
    ),
    "server": "import pyramidion.web.application, pyramidion.cli.database, pyramidion.cli.serve, pyramidion.cli.play",
    "arena": "import pyramidion.cli.arena, pyramidion.lab.arena.report, pyramidion.lab.arena.standings",
    "lab": "import pyramidion.lab.bench, pyramidion.cli.bench, pyramidion.lab.arena.runner",
    "client": "import pyramidion.client",
    "env": (
        "import pyramidion.env.open_spiel\n"
        "from pyramidion.env import gymnasium, pettingzoo\n"
        "for mode in ('ansi', 'svg', 'rgb_array'):\n"
        "    env = gymnasium.SeatEnv('pyramis', render_mode=mode)\n"
        "    env.reset(seed=1)\n"
        "    env.render()\n"
        "pettingzoo.aec('pyramis').reset(seed=1)"
    ),
}


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def brought(requirements: list[str], found: set[str]) -> set[str]:
    """Return the distributions that requirements bring along, with their own requirements."""
    for requirement in requirements:
        name, _, marker = requirement.partition(";")
        match = re.match(r"([\w.-]+)(?:\[([\w,-]+)\])?", name.strip())
        assert match is not None
        dist, extras = plain(match[1]), (match[2] or "").split(",")
        if dist == DISTRIBUTION:
            brought([wanted for extra in extras for wanted in EXTRAS[extra]], found)
            continue
        asked = re.search(r"extra\s*==\s*['\"]([\w-]+)['\"]", marker)
        if asked or dist in found:
            continue
        try:
            theirs = requires(dist) or []
        except PackageNotFoundError:
            continue  # for another system or Python
        found.add(dist)
        for each in theirs:
            extra = re.search(r"extra\s*==\s*['\"]([\w-]+)['\"]", each)
            if extra is None or extra[1] in extras:
                brought([re.sub(r"\s*(and\s+)?extra\s*==\s*['\"][\w-]+['\"]", "", each)], found)
    return found


def run_with(extra: str, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program that can import the packages of an extra, and no others."""
    kept = brought([*PROJECT["dependencies"], *EXTRAS.get(extra, [])], {DISTRIBUTION})
    installed = packages_distributions()
    hidden = [module for module, dists in installed.items() if not kept & {plain(dist) for dist in dists}]
    return subprocess.run(
        [sys.executable, "-c", HIDING + program, json.dumps(hidden), *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize("extra", PARTS)
def test_a_part_needs_the_packages_of_its_extra_alone(extra: str) -> None:
    done = run_with(extra, PARTS[extra])
    assert done.returncode == 0, done.stderr[-1500:]


def test_the_core_is_light() -> None:
    assert brought(PROJECT["dependencies"], set()) == {"numba", "numpy", "llvmlite", "platformdirs"}


def test_every_extra_is_tried() -> None:
    assert set(PARTS) == {"", *EXTRAS} - {"all", "cluster", "cuda", "dev", "docs", "postgres", "release"}
    (everything,) = EXTRAS["all"]
    assert set(re.findall(r"\w+", everything.removeprefix(DISTRIBUTION))) == {*EXTRAS} - {
        "all",
        "cluster",
        "cuda",
        "dev",
        "docs",
        "release",
    }


COMMAND = "from pyramidion.cli import main\nsys.exit(main())"


@pytest.mark.parametrize(
    ("installed", "arguments", "extra"),
    [
        ("", ["games"], "terminal"),
        ("", ["serve"], "server"),
        ("terminal", ["serve"], "server"),
        ("terminal", ["arena", "pyramis", "random", "policy"], "arena"),
    ],
)
def test_a_command_without_its_packages_says_in_one_line_what_to_install(
    installed: str, arguments: list[str], extra: str
) -> None:
    done = run_with(installed, COMMAND, *arguments)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("pyramidion: the package ")
    assert line.endswith(install_command(extra))


def test_a_language_without_babel_says_what_to_install() -> None:
    program = "from pyramidion.translation import _, in_language\nwith in_language('fr'):\n    _('Pass')"
    done = run_with("", program)
    assert done.stderr.splitlines()[-1].endswith(f"need Babel: {install_command('terminal')}.")


@pytest.mark.parametrize(
    ("origin", "command"),
    [
        ("", "pip install 'pyramidion-games[lab,client]'"),
        ({"url": "{folder}", "dir_info": {"editable": True}}, "pip install -e '{path}[lab,client]'"),
        ({"url": "{folder}", "dir_info": {}}, "pip install '{path}[lab,client]'"),
        ({"url": "{folder}/gone.whl", "archive_info": {}}, "pip install 'pyramidion-games[lab,client]'"),
        ({"url": "https://example.org/x.whl"}, "pip install 'pyramidion-games[lab,client]'"),
    ],
)
def test_a_missing_extra_is_installed_from_where_the_package_came_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, origin: dict[str, str] | str, command: str
) -> None:
    """Somebody who installed a copy of the source must not be sent to the package index."""
    folder = tmp_path / "a copy"
    folder.mkdir()
    text = json.dumps(origin).replace("{folder}", folder.as_uri()) if origin else None
    fake = SimpleNamespace(read_text=lambda name: text)
    monkeypatch.setattr(extras, "distribution", lambda name: fake)
    assert install_command("lab", "client") == command.replace("{path}", str(folder))


STRANGER = re.compile(r"pip install(?:\n(?:# )?|[^`&|\n]*)['\" ]?\bpyramidion(?=['\"`\[,.\s])")


def test_no_documented_command_installs_the_package_of_somebody_else() -> None:
    """On the package index, `pyramidion` is a stranger's package."""
    assert PROJECT["name"] == DISTRIBUTION
    files = [path for folder in ("docs", "src", "examples", "benchmarks") for path in (ROOT / folder).rglob("*")]
    texts = {path: path.read_text("utf-8") for path in files if path.suffix in {".md", ".py", ".toml", ".html"}}
    texts[ROOT / "README.md"] = (ROOT / "README.md").read_text("utf-8")
    # Until there is a release, pages install from a copy of the source.
    assert sum(bool(re.search(r"pip install (-e )?'\.\[", text)) for text in texts.values()) > 5
    assert [str(path) for path, text in texts.items() if STRANGER.search(text)] == []
    for package in ("src/pyramidion/template/package", "examples/kuhn-poker"):
        requirements = tomllib.loads((ROOT / package / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
        assert requirements == [DISTRIBUTION]


UNQUOTED = re.compile(r"pip install(?:[^`\n'\"&|#]|'[^'\n]*'|\"[^\"\n]*\")*?[\w.]\[")


def test_extras_are_in_quotes_in_every_documented_command() -> None:
    """Without them zsh takes the brackets for a pattern: no matches found."""
    folders = ("docs", "src", "examples", "benchmarks", "deploy")
    files = [*ROOT.glob("*.md"), *(path for folder in folders for path in (ROOT / folder).rglob("*"))]
    texts = {path: path.read_text("utf-8") for path in files if path.suffix in {".md", ".py", ".toml", ".html", ".sh"}}
    assert [str(path) for path, text in texts.items() if UNQUOTED.search(text)] == []
    assert UNQUOTED.search("`pip install -e .[server]`")
    assert not UNQUOTED.search("`pip install -e '.[server]' matplotlib`")


NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.py"))
GUIDES = [
    ROOT / "docs" / f"{name}.md"
    for name in ("add-a-game", "api", "arena", "benchmark", "bots", "datasets", "hosting", "lab", "python")
]


@pytest.mark.parametrize("page", [*NOTEBOOKS, *GUIDES], ids=lambda page: page.name)
def test_a_page_says_what_it_needs_before_its_first_example(page: Path) -> None:
    top = re.split(r"^(?:# %%|```\w*)$", page.read_text("utf-8"), maxsplit=1, flags=re.MULTILINE)[0]
    assert re.search(r"pip install|first-game\.md", top)


@pytest.mark.parametrize(
    "command", ["pip install pyramidion\n", "`pip install 'pyramidion[lab]'`", "pip install -U pyramidion "]
)
def test_a_command_that_installs_the_strangers_package_is_noticed(command: str) -> None:
    assert STRANGER.search(command)


def test_the_page_of_the_python_api_lists_every_extra() -> None:
    page = (Path(__file__).parent.parent / "docs" / "python.md").read_text("utf-8")
    assert set(re.findall(r"^\| `(\w+)` \|", page.partition("## Games and matches")[0], re.MULTILINE)) == {*EXTRAS} - {
        "dev",
        "docs",
        "release",
    }
