"""The bar of a shared screen, above the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyramidion.web.features.hotseat.pages import after_acting, screen_of
from pyramidion.web.pages.panel import Panel, TablePageRequest


async def _context(page_request: TablePageRequest) -> Mapping[str, Any]:
    """Return the template variables of the bar of a shared screen; `fresh` means a whole page, not a fragment."""
    return {"screen": screen_of(page_request.table, page_request.holder), "fresh": True}


PANEL = Panel(parts={"above": "hotseat.html"}, script="hotseat.js", context=_context, acted=after_acting)
