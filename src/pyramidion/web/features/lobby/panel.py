"""How others find a table with an open seat, above the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyramidion.web.db.store import Store
from pyramidion.web.http.services import get_service
from pyramidion.web.pages.panel import Panel, TablePageRequest
from pyramidion.web.table.seats.invitations import invited


async def _context(page_request: TablePageRequest) -> Mapping[str, Any]:
    """Return the template variables of the invitation: the table code, and whether the lobby lists the table."""
    return {"invitation": await invited(get_service(page_request.request, Store), page_request.table)}


PANEL = Panel(parts={"above": "invite.html"}, script="invite.js", context=_context)
