"""The page of ours from which a request came."""

from __future__ import annotations

from urllib.parse import urlsplit

from fastapi import Request


def came_from(request: Request) -> str | None:
    """Return the path and query of our own page that sent a request, by its `Referer`; None if no page of ours did."""
    try:
        page = urlsplit(request.headers.get("referer", ""))
    except ValueError:
        return None
    if page.netloc.lower() != request.headers.get("host", "").lower() or not page.path.startswith("/"):
        return None
    path = "/" + page.path.lstrip("/\\")
    return f"{path}?{page.query}" if page.query else path
