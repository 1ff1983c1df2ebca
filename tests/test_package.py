"""Tests of the built package: supported Python versions, and the contents of the wheel."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    made = next(WheelBuilder(str(ROOT)).build(directory=str(tmp_path_factory.mktemp("wheel")), versions=["standard"]))
    with zipfile.ZipFile(made) as archive:
        return set(archive.namelist())


def test_the_wheel_says_that_it_is_typed(wheel: set[str]) -> None:
    assert "Typing :: Typed" in PROJECT["classifiers"]
    assert "pyramidion/py.typed" in wheel


def test_the_wheel_carries_everything_that_is_read_at_run_time(wheel: set[str]) -> None:
    source = ROOT / "src"
    kept = {
        str(path.relative_to(source))
        for path in source.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert kept <= wheel


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
