"""The host's part of a table's page: a menu entry, and the buttons that reveal results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyramidion.web.features.host_controls.console import context
from pyramidion.web.pages.panel import Panel, Visit


async def _context(visit: Visit) -> Mapping[str, Any]:
    return context(visit.table, visit.requester) if visit.requester.host else {}


PANEL = Panel(
    parts={"menu_end": "hosting.html", "end": "release.html"},
    forms={"proposing": "proposals"},
    style="hosting.css",
    script="hosting.js",
    context=_context,
)
