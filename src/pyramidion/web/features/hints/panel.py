"""Hints on request, and the question before a serious mistake."""

from __future__ import annotations

from pyramidion.web.features.hints.coach import Coach
from pyramidion.web.http.services import get_service
from pyramidion.web.pages.panel import Panel, TablePageRequest
from pyramidion.web.table.snapshots.snapshot import Snapshot


def _offered(snapshot: Snapshot) -> bool:
    """Return whether the table offers hints."""
    return bool(snapshot.table.settings.hints)


async def _question(page_request: TablePageRequest, action: str) -> str | None:
    """Return the coach's question before an action, or None."""
    return await get_service(page_request.request, Coach).warning(
        page_request.table, page_request.requester.seat, action
    )


PANEL = Panel(
    forms={"hinting": "hint"},
    style="hint.css",
    script="hint.js",
    inserts={"tells": "hint_text.html", "help": "hint_panel.html"},
    fragment={"hints": _offered},
    question=_question,
)
