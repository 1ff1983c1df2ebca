"""A tournament at its tables: the way back to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyramidion.web.features.tournaments.service import Tournaments
from pyramidion.web.pages.panel import Panel, TablePageRequest


async def _context(page_request: TablePageRequest) -> Mapping[str, Any]:
    """Return the template variables for a table's page: the path that leads back to its tournament, or None."""
    table = page_request.table
    return {"tournament_link": f"/t/{table.id}/tournament" if table.kept.get(Tournaments.KIND) else None}


PANEL = Panel(
    parts={"way_back": "tournament_way_back.html"},
    inserts={"afterwards": "tournament_back.html"},
    fragment={"in_tournament": lambda snapshot: bool(snapshot.table.kept.get(Tournaments.KIND))},
    context=_context,
)
