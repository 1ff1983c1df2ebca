"""Tests of what papers cite: CITATION.cff and Zenodo's metadata are those of the package."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pyramidion

ROOT = Path(__file__).parents[1]


def field(name: str) -> str:
    """Return a field of CITATION.cff that is written on one line."""
    match = re.search(rf'^{name}: "?(.+?)"?$', (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    assert match is not None
    return match[1]


def test_the_citation_and_the_metadata_have_the_version_of_the_package() -> None:
    metadata = json.loads((ROOT / ".zenodo.json").read_text("utf-8"))
    assert field("version") == metadata["version"] == pyramidion.__version__
    assert field("title") == metadata["title"]
    assert field("license") == metadata["license"]
    assert metadata["creators"][0]["name"] in (ROOT / "CITATION.cff").read_text("utf-8")


def test_the_citation_has_what_its_format_needs() -> None:
    assert field("cff-version") == "1.2.0"
    assert field("message")
    assert field("type") == "software"
