"""Command-line interface: `pyramidion serve | play | games | rules | ...`; run `pyramidion` to list the commands."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from pyramidion.extras import install_command

__all__ = ["main"]

EXTRAS = {
    **dict.fromkeys(("serve", "migrate", "backup", "restore", "export", "ratings", "settings", "admin"), "server"),
    **dict.fromkeys(("arena", "evaluate"), "arena"),
    "lab": "lab",
}
"""The extra that brings what a command needs; all others need `terminal`."""
FURTHER = {"polars": "lab", "psycopg": "postgres", "ray": "cluster"}
"""The extra that brings a package which commands need only for some of their options."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code; see `app.main`.

    If a package is missing, the only line on stderr says what to install.
    """
    try:
        from pyramidion.cli.app import main as run

        return run(arguments)
    except ModuleNotFoundError as missing:
        words = sys.argv[1:] if arguments is None else arguments
        command = next((word for word in words if not word.startswith("-")), "")
        extra = FURTHER.get(missing.name or "", EXTRAS.get(command, "terminal"))
        need = f"the package {missing.name} is missing. Install what this command needs"
        print(f"pyramidion: {need}: {install_command(extra)}", file=sys.stderr)
        return 1
