"""The host's part of a table's page: a menu entry, and the buttons that reveal results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyramidion.web.features.host_controls.console import context
from pyramidion.web.pages.panel import Panel, TablePageRequest
from pyramidion.web.table.snapshots.snapshot import Snapshot


async def _context(page_request: TablePageRequest) -> Mapping[str, Any]:
    """Return the template variables for the host, and for a player whether they can leave."""
    table, requester = page_request.table, page_request.requester
    leaves = requester.seat is not None and not table.match.over and not table.host.impartial
    return {"leaves": leaves, **(context(table, requester) if requester.host else {})}


def _hosts(snapshot: Snapshot) -> bool:
    """Return whether the viewer's seat hosts the table.

    It is part of the page's updates, so that the page of a player who becomes host fetches the host's part.
    """
    return snapshot.viewer is not None and snapshot.viewer == snapshot.table.host.seat


PANEL = Panel(
    parts={"menu_end": "hosting.html", "end": "release.html"},
    forms={"proposing": "proposals"},
    inserts={"notes": "hosts.html"},
    fragment={"hosts": _hosts},
    style="hosting.css",
    script="hosting.js",
    context=_context,
)
