"""How others find a table with an open seat, above the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyramidion.web.db.store import Store
from pyramidion.web.http.services import get_service
from pyramidion.web.pages.panel import Panel, Visit
from pyramidion.web.table.seats.invitations import invited


async def _context(visit: Visit) -> Mapping[str, Any]:
    return {"invitation": await invited(get_service(visit.request, Store), visit.table)}


PANEL = Panel(parts={"above": "invite.html"}, script="invite.js", context=_context)
