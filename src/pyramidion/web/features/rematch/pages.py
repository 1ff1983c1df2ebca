"""The rematch button of a finished game."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from pyramidion.web.features.rematch.service import Rematches
from pyramidion.web.http.dependencies import PostedForm
from pyramidion.web.http.services import Service
from pyramidion.web.pages.panel import TableVisit

router = APIRouter(include_in_schema=False)


@router.post("/t/{table_id}/rematch")
async def rematch(_form: PostedForm, visit: TableVisit, rematches: Service[Rematches]) -> Response:
    """Seat the visitor at the rematch of a table, which is created if needed, and redirect to it."""
    return RedirectResponse(f"/t/{await rematches.join(visit.table, visit.holder)}", 303)
