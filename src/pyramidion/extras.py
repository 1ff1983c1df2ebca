"""The name under which Pyramidion is published, and the commands that install its extras."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

DISTRIBUTION = "pyramidion-games"
"""The name of the distribution. On the package index, `pyramidion` is somebody else's package."""


def missing(error: ModuleNotFoundError, extra: str) -> ModuleNotFoundError:
    """Return the exception that names the missing package and the command that installs its extra.

    That of a module of Pyramidion is returned as it is.
    """
    if error.name is None or error.name.partition(".")[0] == "pyramidion":
        return error
    package = error.name.partition(".")[0]
    return ModuleNotFoundError(
        f"{package} is not installed; install it with: {install_command(extra)}", name=error.name
    )


def install_command(*extras: str) -> str:
    """Return the command that installs these extras of Pyramidion, for messages about a missing package.

    It names the folder or wheel from which Pyramidion was installed, if that is on this machine.
    """
    origin = _origin()
    editable = "-e " if origin.get("dir_info", {}).get("editable") else ""
    return f"pip install {editable}'{_local_path(origin) or DISTRIBUTION}[{','.join(extras)}]'"


def _origin() -> dict[str, Any]:
    """Return where Pyramidion was installed from, as pip wrote it down; empty if it came from a package index."""
    try:
        return json.loads(distribution(DISTRIBUTION).read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return {}


def _local_path(origin: dict[str, Any]) -> Path | None:
    """Return the folder or file of an origin, None if it is elsewhere or gone."""
    parts = urlsplit(str(origin.get("url", "")))
    path = Path(url2pathname(parts.path))
    return path if parts.scheme == "file" and path.exists() else None
