"""The installable web app: manifest, service worker and offline page."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from pyramidion.translation import _, language
from pyramidion.web.pages.assets import assets
from pyramidion.web.pages.page import page

router = APIRouter(include_in_schema=False)
ICON_SIZES = (192, 512)


@router.get("/manifest.webmanifest")
async def manifest() -> Response:
    """Return the web app's manifest, in the visitor's language."""
    base = assets().base
    drawn = [{"src": f"{base}/icon-{n}.png", "sizes": f"{n}x{n}", "type": "image/png"} for n in ICON_SIZES]
    return JSONResponse(
        {
            "id": "/",
            "name": "Pyramidion",
            "short_name": "Pyramidion",
            "description": _("Pyramid board games"),
            "lang": language(),
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "background_color": "#f7f2e8",
            "theme_color": "#f7f2e8",
            "icons": [{"src": f"{base}/icon.svg", "sizes": "any", "type": "image/svg+xml"}, *drawn],
        },
        media_type="application/manifest+json",
    )


@router.get("/sw.js")
async def service_worker() -> Response:
    """Return the service worker's script. It is served from the root, because it controls only paths below its own."""
    worker = assets().files["sw.js"]
    return Response(worker.plain, headers={"cache-control": "no-cache"}, media_type=worker.kind)


@router.get("/offline")
async def offline(request: Request) -> Response:
    """Show the page that the service worker stores and shows whenever the server cannot be reached."""
    return page(request, "offline.html")
