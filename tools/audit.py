"""Looks the pinned dependencies up in a database of known vulnerabilities, and says what has been looked up.

    python -m tools.audit

The database may be out of reach, and what cannot be looked up is not therefore sound: `pip-audit` alone would say that
nothing is known against it. The status is 1 where a vulnerability is known, and 0 otherwise; the last line says how
many dependencies were looked up.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

PINNED = Path(__file__).parent.parent / "constraints.txt"
LONGEST_SECONDS = 180
Report = dict[str, Any] | None


def looked_up() -> Report:
    """Return what `pip-audit` reports as JSON, or None where it could not do its work."""
    command = [sys.executable, "-m", "pip_audit", "--requirement", str(PINNED), "--no-deps", "--disable-pip"]
    command += ["--format", "json", "--progress-spinner", "off", "--timeout", "10"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_SECONDS, check=False)
        report: Report = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, OSError, ValueError):
        return None
    return report


def verdict(report: Report) -> tuple[int, list[str]]:
    """Return the status to end with, and the lines to say."""
    if report is None:
        return 0, ["NOT LOOKED UP: the database of known vulnerabilities is out of reach; nothing is known of any."]
    dependencies: list[dict[str, Any]] = report["dependencies"]
    known = [one for one in dependencies if "skip_reason" not in one]
    missing = [one["name"] for one in dependencies if "skip_reason" in one]
    lines: list[str] = []
    for one in known:
        for found in one["vulns"]:
            fixed = ", ".join(found["fix_versions"]) or "no version yet"
            lines.append(f"{one['name']} {one['version']}: {found['id']}, mended in {fixed}.")
    vulnerable = len(lines)
    count, all_of_them = len(known), len(dependencies)
    if not known:
        lines.append(
            f"NOT LOOKED UP: the database of known vulnerabilities is out of reach; nothing is known of any of the "
            f"{all_of_them} dependencies."
        )
    elif missing:
        lines.append(f"NOT LOOKED UP: {', '.join(missing)}.")
    if known:
        said = f"{vulnerable} known vulnerabilities" if vulnerable else "No known vulnerability"
        lines.append(f"{said} in the {count} of {all_of_them} dependencies that were looked up.")
    return int(vulnerable > 0), lines


def main(look: Callable[[], Report] = looked_up) -> int:
    """Look up, say what was found, and return the status to end with."""
    status, lines = verdict(look())
    print("\n".join(lines))
    return status


if __name__ == "__main__":
    sys.exit(main())
