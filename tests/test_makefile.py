"""The Makefile: what it installs, and when."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EDITABLE = ".venv/lib/python3.13/site-packages/_editable_impl_pyramidion_games.pth"

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="There is no make here.")


def planned(folder: Path, target: str) -> str:
    """Return the commands that make would run."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    done = subprocess.run(
        ["make", "--dry-run", target], cwd=folder, env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder in which everything has been installed."""
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    for name in (".venv/bin/python", EDITABLE, ".venv/.installed-play", ".venv/.installed-dev"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    return tmp_path


@pytest.mark.parametrize("target", ["play", "test"])
def test_what_is_installed_is_not_installed_again(folder: Path, target: str) -> None:
    assert "--editable" not in planned(folder, target)


@pytest.mark.parametrize("target", ["play", "test"])
def test_the_source_is_installed_again_when_a_copy_was_installed_over_it(folder: Path, target: str) -> None:
    """`pip install '.[lab]'` replaces the editable installation, and make would start that copy for ever."""
    (folder / EDITABLE).unlink()
    assert "--editable" in planned(folder, target)
