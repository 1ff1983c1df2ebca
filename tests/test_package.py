"""Tests of the built package: supported Python versions, and the contents of the wheel."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message
from importlib.metadata import distribution
from pathlib import Path

import pytest
from hatch_build import description

import pyramidion

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
CORE = ("llvmlite", "numba", "numpy", "platformdirs")
"""The required distributions (tests/test_extras.py), with what they require."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build as `make dist` does, the wheel from the source distribution, and return the folder of both."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-1500:] + done.stderr[-1500:]
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Iterator[zipfile.ZipFile]:
    (made,) = built.glob("*.whl")
    with zipfile.ZipFile(made) as archive:
        yield archive


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel with what it requires, and nothing else, and return the environment's Python.

    The requirements are links to the packages installed here, since tests have no network.
    """
    folder = tmp_path_factory.mktemp("empty")
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    (made,) = built.glob("*.whl")
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*pip, str(made)], check=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    for name in CORE:
        for file in distribution(name).files or ():
            top = file.parts[0]
            if top not in ("..", "__pycache__") and not (packages / top).exists():
                (packages / top).symlink_to(Path(str(distribution(name).locate_file(top))).resolve())
    return python


def metadata(wheel: zipfile.ZipFile) -> Message:
    (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    return message_from_bytes(wheel.read(name))


@pytest.mark.slow
def test_a_package_index_accepts_what_is_built(built: Path) -> None:
    for command in (["twine", "check", "--strict"], ["check_wheel_contents"]):
        files = built.glob("*.whl" if command == ["check_wheel_contents"] else "*.*")
        done = subprocess.run(
            [sys.executable, "-m", *command, *map(str, files)], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_wheel_installed_alone_plays_a_game(installed: Path, tmp_path: Path) -> None:
    program = f"""
import pyramidion, sys
assert pyramidion.__file__.startswith({str(installed.parents[1])!r}), pyramidion.__file__
from pyramidion import bots
match = pyramidion.load("pyramis").new(seats=2, seed=7)
bot = bots.load("policy", match.game, seed=1)
while not match.over:
    seat = match.acting[0]
    match.play(seat, bot.move(match, seat))
assert pyramidion.Match.from_record(match.record()).outcome == match.outcome
print(pyramidion.__version__, match.outcome.rule)
"""
    # From an empty folder, isolated, so that neither this source tree nor PYTHONPATH is seen.
    here = {"cwd": tmp_path, "capture_output": True, "text": True}
    here["env"] = {**os.environ, "PYRAMIDION_INTERPRET": "1", "PYRAMIDION_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run([str(installed), "-I", "-c", program], check=False, **here)
    assert done.returncode == 0, done.stderr[-1500:]
    assert done.stdout.startswith(f"{pyramidion.__version__} PY ")
    command = [str(installed.parent / "pyramidion"), "games"]
    done = subprocess.run(command, check=False, **here)
    assert done.returncode == 1
    assert re.search(r"pip install '.*[/-].*\[terminal\]'\n$", done.stderr)


def test_the_description_links_to_no_file_beside_it(wheel: zipfile.ZipFile) -> None:
    text = str(metadata(wheel).get_payload())
    assert text.lstrip().startswith("# Pyramidion")
    assert re.findall(r"\]\((?!https?://)[^)]*\)", text) == []


def test_with_an_address_the_description_leads_to_the_files_of_the_tag() -> None:
    readme = "[![G](docs/a.png)](docs/a.webm) [API](docs/api.md#seats), [![x](https://b/x.svg)](https://b) ![p](p.png)"
    at = "https://example.org/pyramidion"
    assert description(readme, at, "1.2.3").split(" ") == [
        f"[![G]({at}/raw/v1.2.3/docs/a.png)]({at}/raw/v1.2.3/docs/a.webm)",
        f"[API]({at}/blob/v1.2.3/docs/api.md#seats),",
        "[![x](https://b/x.svg)](https://b)",
        f"![p]({at}/raw/v1.2.3/p.png)",
    ]
    text = description((ROOT / "README.md").read_text("utf-8"), at, "1.2.3")
    assert re.findall(r"\]\((?!https?://)[^)]*\)", text) == []
    for path in re.findall(rf"{at}/(?:raw|blob)/v1.2.3/([^)#]+)", text):
        assert (ROOT / path).exists(), path


def test_the_version_is_the_packages_own(wheel: zipfile.ZipFile) -> None:
    assert metadata(wheel)["Version"] == pyramidion.__version__
    assert f"## [{pyramidion.__version__}]" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_licences_of_other_peoples_files_are_in_the_wheel(wheel: zipfile.ZipFile) -> None:
    (name,) = (name for name in wheel.namelist() if name.endswith("licenses/THIRD-PARTY-LICENSES.txt"))
    collected = wheel.read(name).decode()
    assert metadata(wheel)["License-Expression"] == "MIT AND OFL-1.1 AND Unicode-3.0"
    texts = (".css", ".html", ".j2", ".json", ".jsonl", ".mako", ".md", ".po", ".toml", ".typed", ".py", ".js")
    own = (*texts, ".npz", ".png", ".svg")
    # Whatever is not written here, or names somebody's copyright, must be listed with its licence.
    theirs = {
        name
        for name in wheel.namelist()
        if ".dist-info/" not in name
        and (
            not name.endswith(own)
            or re.search(rb"(copyright|\(c\)|\xc2\xa9) *[12]\d\d\d", wheel.read(name), re.IGNORECASE)
        )
    }
    licences = {name for name in theirs if name.endswith(".licence.txt")}
    assert len(theirs - licences) == 3
    for name in theirs - licences:
        assert f"  {name}\n" in collected
    for name in licences:
        assert wheel.read(name).decode().strip() in collected


def test_the_wheel_says_that_it_is_typed(wheel: zipfile.ZipFile) -> None:
    assert "Typing :: Typed" in PROJECT["classifiers"]
    assert "pyramidion/py.typed" in wheel.namelist()


def test_the_wheel_carries_everything_that_is_read_at_run_time(wheel: zipfile.ZipFile) -> None:
    source = ROOT / "src"
    kept = {
        str(path.relative_to(source))
        for path in source.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert kept <= set(wheel.namelist())


def test_the_container_is_built_from_files_that_are_sent_to_the_builder() -> None:
    sent = {line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")}
    dockerfile = (ROOT / "Dockerfile").read_text("utf-8")
    copied = {
        name for line in re.findall(r"^COPY (?!--from)(.+) \S+$", dockerfile, re.MULTILINE) for name in line.split()
    }
    assert copied == sent
    assert all((ROOT / name).exists() for name in copied)


def test_the_pythons_are_the_same_everywhere() -> None:
    low, high = map(int, re.fullmatch(r">=3\.(\d+),<3\.(\d+)", PROJECT["requires-python"]).groups())
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert f"(3, {low}) <= sys.version_info < (3, {high})" in makefile
    for text in (makefile, (ROOT / "README.md").read_text("utf-8")):
        assert f"Python 3.{low} to 3.{high - 1}" in text


def test_make_says_in_one_line_which_python_it_needs(tmp_path: Path) -> None:
    for name in ("python3", "python3.11", "python3.12", "python3.13", "python3.14"):
        old = tmp_path / name
        old.write_text("#!/bin/sh\nexit 1\n")
        old.chmod(0o755)
    # The suite itself may have been started by make, whose variables would be handed on.
    environment = {
        **{name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")},
        "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}",
        "PYTHON": str(tmp_path / "python3"),
    }
    done = subprocess.run(
        ["make", "--no-print-directory", f"VENV={tmp_path / 'venv'}", "play"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert done.stderr.splitlines()[0] == (
        "Pyramidion needs Python 3.11 to 3.14; name one with make PYTHON=/path/to/python3.13."
    )
