"""The portraits of contestants at the tables of their season, and in the waiting rooms before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyramidion.web.features.seasons.service import seasons_of
from pyramidion.web.pages.panel import Panel, RoomVisit, Visit


async def _context(visit: Visit) -> Mapping[str, Any]:
    return {"portraits": await seasons_of(visit.request).pictures_at(visit.table, visit.holder)}


async def _in_room(visit: RoomVisit) -> Mapping[str, Any]:
    return {"portraits": await seasons_of(visit.request).pictures_at(visit.room, visit.holder)}


PANEL = Panel(parts={"end": "table_portraits.html"}, script="portraits.js", context=_context, in_room=_in_room)
