# pyright: basic
"""Vulnerability audit of the pinned dependencies, using pip-audit.

    python -m tools.audit

If the vulnerability database is unreachable, `pip-audit` alone would report no known vulnerabilities. This script lists
the dependencies that could not be checked, and ends with the number that were. The exit status is 1 if a vulnerability
is known, otherwise 0.
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
    """Run `pip-audit` on the pinned dependencies; return its JSON report, or None if it failed."""
    command = [sys.executable, "-m", "pip_audit", "--requirement", str(PINNED), "--no-deps", "--disable-pip"]
    command += ["--format", "json", "--progress-spinner", "off", "--timeout", "10"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_SECONDS, check=False)
        report: Report = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, OSError, ValueError):
        return None
    return report


def verdict(report: Report) -> tuple[int, list[str]]:
    """Return the exit status and the lines to print for a report of `pip-audit`."""
    if report is None:
        return 0, ["NOT LOOKED UP: the database of known vulnerabilities is out of reach; nothing is known of any."]
    dependencies: list[dict[str, Any]] = report["dependencies"]
    checked = [dependency for dependency in dependencies if "skip_reason" not in dependency]
    missing = [dependency["name"] for dependency in dependencies if "skip_reason" in dependency]
    lines: list[str] = []
    for dependency in checked:
        for vulnerability in dependency["vulns"]:
            fixed = ", ".join(vulnerability["fix_versions"]) or "no version yet"
            lines.append(f"{dependency['name']} {dependency['version']}: {vulnerability['id']}, mended in {fixed}.")
    vulnerable = len(lines)
    count, all_of_them = len(checked), len(dependencies)
    if not checked:
        lines.append(
            f"NOT LOOKED UP: the database of known vulnerabilities is out of reach; nothing is known of any of the "
            f"{all_of_them} dependencies."
        )
    elif missing:
        lines.append(f"NOT LOOKED UP: {', '.join(missing)}.")
    if checked:
        summary = f"{vulnerable} known vulnerabilities" if vulnerable else "No known vulnerability"
        lines.append(f"{summary} in the {count} of {all_of_them} dependencies that were looked up.")
    return int(vulnerable > 0), lines


def main(look: Callable[[], Report] = looked_up) -> int:
    """Run the audit with `look`, print what it found and return the exit status."""
    status, lines = verdict(look())
    print("\n".join(lines))
    return status


if __name__ == "__main__":
    sys.exit(main())
