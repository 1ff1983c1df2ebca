"""The rematch button of a finished game."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from pyramidion.web.features.rematch.service import Rematches
from pyramidion.web.http.authentication import Visitors
from pyramidion.web.http.services import Service
from pyramidion.web.table.tables import Tables

router = APIRouter(include_in_schema=False)


@router.post("/t/{table_id}/rematch")
async def rematch(
    request: Request, table_id: str, visitors: Service[Visitors], tables: Service[Tables], rematches: Service[Rematches]
) -> Response:
    """Seat the visitor at the rematch of a table, which is created if needed, and redirect to it."""
    await visitors.checked_form(request)
    table = await tables.get(table_id)
    room_id = await rematches.join(table, visitors.of(request).holder)
    return RedirectResponse(f"/t/{room_id}", 303)
