"""Static files: styles, scripts and images, kept in memory under a path that changes with their contents.

Browsers may cache them forever; changed files get a new path.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from pyramidion.engine import registry

STATIC = Path(__file__).parent / "static"
FEATURES = Path(__file__).parent.parent / "features"
IMPORT = re.compile(r'^import .*?"\./([\w.-]+)";', re.MULTILINE)
TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
}
BINARY = (".png", ".woff2")
COMMENTS = {".css": re.compile(rb"/\*.*?\*/", re.DOTALL), ".js": re.compile(rb"^[ \t]*//.*\n", re.MULTILINE)}
"""What browsers need not load: the comments of styles, and the lines of scripts that are comments."""
GAME_FILES = ("board.css", "link.png")


@dataclass(frozen=True, slots=True)
class Asset:
    """A static file in memory: its media type, its contents, and its contents compressed with gzip."""

    kind: str
    plain: bytes
    packed: bytes


@dataclass(frozen=True, slots=True)
class Assets:
    """All static files by name (`table.css`, `games/GAME/board.css`), and `base`, the folder of their URLs."""

    base: str
    files: dict[str, Asset]

    def imported_by(self, scripts: Sequence[str]) -> list[str]:
        """Return the other modules that scripts import, directly or not; a page preloads them in parallel."""
        modules, left = list[str](), list(scripts)
        while left:
            for name in IMPORT.findall(self.files[left.pop()].plain.decode()):
                if name not in modules and name not in scripts:
                    modules.append(name)
                    left.append(name)
        return modules


@cache
def assets() -> Assets:
    """Read all static files and return them; the result is cached, since they do not change while the server runs."""
    folders = [STATIC, *sorted(FEATURES.glob("*/static"))]
    paths = [path for folder in folders for path in sorted(folder.iterdir()) if path.suffix in TYPES]
    contents = {path.name: path.read_bytes() for path in paths}
    for game in registry.all_games().values():
        for name in GAME_FILES:
            # Shared styles come first, so that each game can override them.
            folders = [folder for folder in (game.shared, game.folder) if folder is not None]
            if parts := [(folder / name).read_bytes() for folder in folders if (folder / name).is_file()]:
                contents[f"games/{game.id}/{name}"] = b"".join(parts)
    digest = hashlib.sha256()
    files: dict[str, Asset] = {}
    for name, written in contents.items():
        suffix = Path(name).suffix
        plain = COMMENTS[suffix].sub(b"", written) if suffix in COMMENTS else written
        digest.update(name.encode() + b"\0" + plain)
        kind = TYPES[suffix] if suffix in BINARY else f"{TYPES[suffix]}; charset=utf-8"
        files[name] = Asset(kind, plain, gzip.compress(plain, 9, mtime=0))
    return Assets(f"/static/{digest.hexdigest()[:12]}", files)


def takes_gzip(request: Request) -> bool:
    """Return whether the client accepts responses compressed with gzip."""
    return "gzip" in request.headers.get("accept-encoding", "")


async def serve(request: Request, version: str, name: str) -> Response:
    """Return a static file, which browsers may cache forever if `version` is the current one, and else not at all."""
    static = assets()
    asset = static.files.get(name)
    if asset is None:
        return Response("There is no such file.", 404, media_type="text/plain")
    current = static.base == f"/static/{version}"
    headers = {
        "cache-control": "public, max-age=31536000, immutable" if current else "no-cache",
        "vary": "accept-encoding",
    }
    if takes_gzip(request):
        headers["content-encoding"] = "gzip"
        return Response(asset.packed, headers=headers, media_type=asset.kind)
    return Response(asset.plain, headers=headers, media_type=asset.kind)
