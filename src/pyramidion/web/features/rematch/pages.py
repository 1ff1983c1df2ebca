"""The rematch button of a finished game."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from pyramidion.web.features.rematch.service import rematches_of
from pyramidion.web.http.dependencies import visitors_of
from pyramidion.web.table_requests.access import tables_of

router = APIRouter(include_in_schema=False)


@router.post("/t/{table_id}/rematch")
async def rematch(request: Request, table_id: str) -> Response:
    """Create the rematch or join it, and redirect to it."""
    visitors = visitors_of(request)
    await visitors.checked_form(request)
    table = await tables_of(request).get(table_id)
    room_id = await rematches_of(request).join(table, visitors.of(request).holder)
    return RedirectResponse(f"/t/{room_id}", 303)
