"""A season at its tables: portraits, also in waiting rooms, the way back to the season, and its conversations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyramidion.web.features.seasons.service import seasons_of
from pyramidion.web.pages.panel import Panel, RoomVisit, Visit


async def _context(visit: Visit) -> Mapping[str, Any]:
    found = await seasons_of(visit.request).at_table(visit.table, visit.holder)
    if found is None:
        return {"portraits": {}, "season_link": None, "season_talk": None}
    # The season's page tells how the episode ended, which somebody who watches from the beginning does not know yet.
    watching = "until_here" in visit.request.query_params
    show = watching and found.episode is not None
    path = f"/seasons/{found.season}{f'/show/{found.episode}' if show else ''}"
    return {
        "portraits": found.pictures,
        "season_link": {"path": path, "show": show},
        "season_talk": f"/seasons/{found.season}/talk" if found.talk and not watching else None,
    }


async def _in_room(visit: RoomVisit) -> Mapping[str, Any]:
    found = await seasons_of(visit.request).at_table(visit.room, visit.holder)
    return {"portraits": found.pictures if found is not None else {}}


PANEL = Panel(
    parts={
        "menu": "season_link.html",
        "tabs": "season_talk_tab.html",
        "beside": "season_talk_panel.html",
        "end": "table_portraits.html",
    },
    script="season_table.js",
    context=_context,
    in_room=_in_room,
)
