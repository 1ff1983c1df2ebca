"""A season at its tables: portraits, also in waiting rooms, the way back to the season, and its conversations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyramidion.web.features.seasons.service import Seasons
from pyramidion.web.http.services import get_service
from pyramidion.web.pages.panel import Panel, RoomPageRequest, TablePageRequest

LONGEST_SLIDE = 3
"""The most digits of the number of a slide."""


async def _context(page_request: TablePageRequest) -> Mapping[str, Any]:
    """Return the template variables for a table's page: portraits, and links to the season and conversations."""
    season = await get_service(page_request.request, Seasons).season_of_table(page_request.table, page_request.holder)
    if season is None:
        return {"portraits": {}, "season_link": None, "season_talk": None, "season_nudge": None}
    # The season's page tells how the episode ended, which somebody who watches from the beginning does not know yet.
    watching = "until_here" in page_request.request.query_params
    show = watching and season.episode is not None
    slide = page_request.request.query_params.get("slide", "")
    at = f"?slide={slide}" if slide.isascii() and slide.isdecimal() and len(slide) <= LONGEST_SLIDE else ""
    path = f"/seasons/{season.season}{f'/show/{season.episode}{at}' if show else ''}"
    plays = page_request.seat is not None
    return {
        "portraits": season.pictures,
        "season_link": {"path": path, "show": show},
        "season_nudge": f"/seasons/{season.season}/now?own=1" if plays and not watching else None,
        "season_talk": f"/seasons/{season.season}/talk" if season.reads_conversations and not watching else None,
    }


async def _in_room(page_request: RoomPageRequest) -> Mapping[str, Any]:
    """Return the template variables for a waiting room's page: the portraits."""
    season = await get_service(page_request.request, Seasons).season_of_table(page_request.room, page_request.holder)
    return {"portraits": season.pictures if season is not None else {}}


PANEL = Panel(
    parts={
        "way_back": "season_way_back.html",
        "menu": "season_link.html",
        "above": "season_nudge.html",
        "tabs": "season_talk_tab.html",
        "beside": "season_talk_panel.html",
        "end": "table_portraits.html",
    },
    inserts={"afterwards": "season_back.html"},
    fragment={"in_season": lambda snapshot: bool(snapshot.table.kept.get(Seasons.KIND))},
    script="season_table.js",
    context=_context,
    in_room=_in_room,
)
