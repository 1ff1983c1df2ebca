"""The part of the package's metadata that depends on the repository's address: the description and the links."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURE = re.compile(r"!\[([^\]]*)\]\((?!https?://)([^)]*)\)")
LINKED_PICTURE = re.compile(r"\[!\[[^\]]*\]\((?!https?://)[^)]*\)\]\([^)]*\)\n*")
LINK = re.compile(r"\[((?:!\[[^\]]*\]\([^)]*\)|[^\[\]])+)\]\((?!https?://)([^)]*)\)")
SHOWN = (".jpg", ".png", ".webm")


def description(readme: str, address: str, version: str) -> str:
    """Return the README as the package index shows it, without the files beside it.

    Links and pictures lead to the files of the version's tag. Without an address, links become text and pictures are
    left out.
    """
    if not address:
        readme = PICTURE.sub("", LINKED_PICTURE.sub("", readme))
        return LINK.sub(r"\1", readme)

    def absolute(path: str) -> str:
        kind = "raw" if posixpath.splitext(path)[1] in SHOWN else "blob"
        return f"{address}/{kind}/v{version}/{path}"

    readme = PICTURE.sub(lambda found: f"![{found[1]}]({absolute(found[2])})", readme)
    return LINK.sub(lambda found: f"[{found[1]}]({absolute(found[2])})", readme)


def links(address: str) -> dict[str, str]:
    """Return the project's links by their titles."""
    if not address:
        return {}
    return {
        "Source": address,
        "Documentation": f"{address}/blob/main/docs/README.md",
        "Changelog": f"{address}/blob/main/CHANGELOG.md",
        "Issues": f"{address}/issues",
    }


class CustomMetadataHook(MetadataHookInterface):
    """Fills in the dynamic fields of pyproject.toml."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the description and the links; `address` is the hook's only setting."""
        root, address = Path(self.root), self.config["address"]
        (version,) = re.findall(r'^__version__ = "(.+)"', (root / self.config["version"]).read_text("utf-8"), re.M)
        text = description((root / "README.md").read_text("utf-8"), address, version)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        metadata["urls"] = links(address)
