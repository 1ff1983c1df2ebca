"""Tests of the types that programs see: a strict program that learns passes the type checkers, and runs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.env import strict_program

PROGRAM = Path(strict_program.__file__)
ROOT = PROGRAM.parents[2]
# As in a user's own project: the types of an installed package are read, and its inside is not checked.
MYPY = """
[mypy]
strict = true
[mypy-pyramidion.*]
follow_imports = silent
[mypy-pettingzoo.*]
ignore_missing_imports = true
"""


def test_the_program_runs() -> None:
    mean, action, agent = strict_program.main()
    assert mean == pytest.approx(0.5)
    assert action >= 0
    assert agent in ("player_0", "player_1")


@pytest.mark.slow
def test_the_program_passes_pyright_in_strict_mode(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM.read_text("utf-8"), "utf-8")
    settings = {
        "include": ["program.py"],
        "typeCheckingMode": "strict",
        "extraPaths": [str(ROOT / "src")],
        "reportMissingTypeStubs": "none",
    }
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "-p", str(tmp_path)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert "0 errors" in done.stdout, done.stdout


@pytest.mark.slow
def test_the_program_passes_mypy_in_strict_mode(tmp_path: Path) -> None:
    settings = tmp_path / "mypy.ini"
    settings.write_text(MYPY, "utf-8")
    command = [sys.executable, "-m", "mypy", "--config-file", str(settings), "--cache-dir", str(tmp_path), str(PROGRAM)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env={"MYPYPATH": str(ROOT / "src")})
    assert done.returncode == 0, done.stdout
