"""How others find a table with an open seat, above the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyramidion.web.http.dependencies import store_of
from pyramidion.web.pages.panel import Panel, Visit
from pyramidion.web.table.seats.invitations import invited


async def _context(visit: Visit) -> Mapping[str, Any]:
    return {"invitation": await invited(store_of(visit.request), visit.table)}


PANEL = Panel(parts={"above": "invite.html"}, script="invite.js", context=_context)
