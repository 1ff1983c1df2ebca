# pyright: basic
"""Check of a release's tag: it names the package's version, and the changelog has a dated section for it.

    python -m tools.tagged v0.2.0

The exit status is 1, with a sentence, if not.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pyramidion

CHANGELOG = Path(__file__).parent.parent / "CHANGELOG.md"


def refusal(tag: str, changelog: str, version: str = pyramidion.__version__) -> str | None:
    """Return in a sentence why a git tag must not be released as `version`, or None if it may be.

    `changelog` is the text of CHANGELOG.md.
    """
    if tag != f"v{version}":
        return f"The tag {tag!r} is not that of version {version}: v{version}."
    if not re.search(rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", changelog, re.MULTILINE):
        return f"CHANGELOG.md has no section '## [{version}] - YYYY-MM-DD'."
    return None


if __name__ == "__main__":
    sys.exit(refusal(sys.argv[1], CHANGELOG.read_text("utf-8")))
