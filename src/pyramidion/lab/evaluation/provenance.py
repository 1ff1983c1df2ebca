"""Where a result comes from: versions, commit, machine, date and command."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyramidion

if TYPE_CHECKING:
    from pyramidion.engine.game import Game


def provenance(game: Game, command: str) -> dict[str, Any]:
    """Return what somebody needs to repeat a measurement, as JSON-ready data."""
    return {
        "package": pyramidion.__version__,
        "rules_version": game.rules_version,
        "commit": _commit(),
        "command": command,
        "date": datetime.now(UTC).date().isoformat(),
        "machine": {
            "system": platform.system(),
            "processor": _processor(),
            "cores": os.cpu_count(),
            "python": platform.python_version(),
            "numpy": version("numpy"),
            "numba": version("numba"),
        },
    }


def _commit() -> str | None:
    """Return the commit of the source that runs, with `+` for changes to it; None if it is not in a Git repository."""
    source = Path(pyramidion.__file__).parent
    if not any((folder / ".git").exists() for folder in source.parents):
        return None
    try:
        commit = _git(source, "rev-parse", "--short=12", "HEAD")
        return commit + "+" * bool(_git(source, "status", "--porcelain", "--untracked-files=no", "--", "."))
    except (OSError, subprocess.CalledProcessError):
        return None


def _git(folder: Path, *arguments: str) -> str:
    """Return what a Git command prints."""
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def _processor() -> str:
    """Return the name of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
