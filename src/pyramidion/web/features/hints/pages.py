"""The hint button of a table's page."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from pyramidion.translation import _
from pyramidion.web.features.hints.service import hints_of
from pyramidion.web.http.dependencies import visitors_of
from pyramidion.web.http.responses import wants_json
from pyramidion.web.pages.page import page
from pyramidion.web.table_requests.access import require_open, tables_of

router = APIRouter(include_in_schema=False)


@router.post("/t/{table_id}/hint")
async def hint(request: Request, table_id: str) -> Response:
    """Show what the strongest bot would do in the visitor's seat: JSON for scripts, a page otherwise."""
    visitors = visitors_of(request)
    form = await visitors.checked_form(request)
    table = await tables_of(request).get(table_id)
    seat = table.seat_of(visitors.of(request).holder)
    require_open(seat, form.get("seat"))
    hint = await hints_of(request).hint(table, seat)
    if wants_json(request):
        return JSONResponse(asdict(hint))
    return page(request, "message.html", title=_("Hint"), sentence=hint.sentence, back=f"/t/{table_id}")
