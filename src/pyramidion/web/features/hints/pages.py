"""The hint button of a table's page."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from pyramidion.translation import _
from pyramidion.web.features.hints.service import Hints
from pyramidion.web.http.dependencies import PostedForm
from pyramidion.web.http.responses import wants_json
from pyramidion.web.http.services import Service
from pyramidion.web.pages.page import page
from pyramidion.web.pages.panel import TableVisit
from pyramidion.web.table_requests.access import require_open

router = APIRouter(include_in_schema=False)


@router.post("/t/{table_id}/hint")
async def hint(form: PostedForm, visit: TableVisit, hints: Service[Hints]) -> Response:
    """Show what the strongest bot would do in the visitor's seat: JSON for scripts, a page otherwise."""
    require_open(visit.seat, form.get("seat"))
    hint = await hints.hint(visit.table, visit.seat)
    if wants_json(visit.request):
        return JSONResponse(asdict(hint))
    return page(visit.request, "message.html", title=_("Hint"), sentence=hint.sentence, back=f"/t/{visit.table.id}")
