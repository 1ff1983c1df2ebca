"""Styles, scripts and pictures, kept in memory under an address that changes whenever one of them does.

Browsers may keep such a file for ever; the next version of the project has another address for it.
"""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from pyramidion.engine import registry

STATIC = Path(__file__).parent / "static"
TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
GAME_FILES = ("board.css",)


@dataclass(frozen=True, slots=True)
class Asset:
    """A file as it is sent: its type, its bytes, and the same compressed."""

    kind: str
    plain: bytes
    packed: bytes


@dataclass(frozen=True, slots=True)
class Assets:
    """All files by name (`table.css`, `games/GAME/board.css`); `base` is what their addresses begin with."""

    base: str
    files: dict[str, Asset]

    @property
    def scripts(self) -> list[str]:
        """The modules of a table's page, which browsers can load at once instead of one after the other."""
        elsewhere = {"theme.js", "table.js", "form.js", "passkey.js", "lobby.js", "come.js", "room.js"}
        elsewhere |= {"alerts.js", "alerting.js"}
        return [name for name in self.files if name.endswith(".js") and name not in elsewhere]


@cache
def assets() -> Assets:
    """Read all files; once, since a server's files do not change while it runs."""
    found = {path.name: path.read_bytes() for path in sorted(STATIC.iterdir()) if path.suffix in TYPES}
    for game in registry.all_games().values():
        for name in GAME_FILES:
            # What games have in common comes first, so that each can say otherwise.
            folders = [folder for folder in (game.shared, game.folder) if folder is not None]
            if parts := [(folder / name).read_bytes() for folder in folders if (folder / name).is_file()]:
                found[f"games/{game.id}/{name}"] = b"".join(parts)
    digest = hashlib.sha256()
    files: dict[str, Asset] = {}
    for name, plain in found.items():
        digest.update(name.encode() + b"\0" + plain)
        kind = f"{TYPES[Path(name).suffix]}; charset=utf-8"
        files[name] = Asset(kind, plain, gzip.compress(plain, 9, mtime=0))
    return Assets(f"/static/{digest.hexdigest()[:12]}", files)


def takes_gzip(request: Request) -> bool:
    """Whether the browser can read a compressed answer."""
    return "gzip" in request.headers.get("accept-encoding", "")


async def serve(request: Request, version: str, name: str) -> Response:
    """Answer with a file. An address of another version gets the current file, which is then not kept."""
    known = assets()
    asset = known.files.get(name)
    if asset is None:
        return Response("There is no such file.", 404, media_type="text/plain")
    current = known.base == f"/static/{version}"
    headers = {
        "cache-control": "public, max-age=31536000, immutable" if current else "no-cache",
        "vary": "accept-encoding",
    }
    if takes_gzip(request):
        headers["content-encoding"] = "gzip"
        return Response(asset.packed, headers=headers, media_type=asset.kind)
    return Response(asset.plain, headers=headers, media_type=asset.kind)
