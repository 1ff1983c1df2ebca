# pyright: basic
"""Type check of the changed files only: `python -m tools.changed_types`, as `make check` runs it.

Changed is what differs from the main branch, committed or not. Files that use a changed one are not looked at; `make
lint` checks all files.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent


def changed(root: Path = ROOT) -> set[Path]:
    """Return the files changed since this branch left the main branch, and those that git does not know yet."""
    base = "HEAD"
    for main in ("origin/main", "main"):
        process = subprocess.run(
            ["git", "merge-base", "HEAD", main], cwd=root, capture_output=True, text=True, check=False
        )
        if process.returncode == 0:
            base = process.stdout.strip()
            break
    names = _git(root, "diff", "--name-only", "--relative", base)
    names += _git(root, "ls-files", "--others", "--exclude-standard")
    return {root / name for name in names}


def _git(root: Path, *command: str) -> list[str]:
    """Run a git command in a folder and return the file names that it lists."""
    done = subprocess.run(["git", *command, "-z"], cwd=root, capture_output=True, text=True, check=True)
    return [name for name in done.stdout.split("\0") if name]


def checked(root: Path = ROOT) -> set[Path]:
    """Return all files that pyright is set up to check in pyproject.toml."""
    lists = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["pyright"]
    return _named(root, lists["include"]) - _named(root, lists["exclude"])


def _named(root: Path, patterns: list[str]) -> set[Path]:
    """Return the Python files that some patterns of pyproject.toml stand for."""
    paths = {path for pattern in patterns for path in root.glob(pattern)}
    return {file for path in paths for file in (path.rglob("*.py") if path.is_dir() else [path])}


def main(arguments: list[str]) -> int:
    """Run pyright on the changed files and return its exit status."""
    files = sorted(map(str, changed() & checked()))
    if not files:
        print("No file that is checked for types has changed.")
        return 0
    return subprocess.run([sys.executable, "-m", "pyright", *arguments, *files], check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
