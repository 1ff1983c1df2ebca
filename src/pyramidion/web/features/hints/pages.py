"""The hint button of a table's page."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from pyramidion.translation import _
from pyramidion.web.features.hints.service import Hints
from pyramidion.web.http.authentication import Visitors
from pyramidion.web.http.responses import wants_json
from pyramidion.web.http.services import Service
from pyramidion.web.pages.page import page
from pyramidion.web.table.tables import Tables
from pyramidion.web.table_requests.access import require_open

router = APIRouter(include_in_schema=False)


@router.post("/t/{table_id}/hint")
async def hint(
    request: Request, table_id: str, visitors: Service[Visitors], tables: Service[Tables], hints: Service[Hints]
) -> Response:
    """Show what the strongest bot would do in the visitor's seat: JSON for scripts, a page otherwise."""
    form = await visitors.checked_form(request)
    table = await tables.get(table_id)
    seat = table.seat_of(visitors.of(request).holder)
    require_open(seat, form.get("seat"))
    hint = await hints.hint(table, seat)
    if wants_json(request):
        return JSONResponse(asdict(hint))
    return page(request, "message.html", title=_("Hint"), sentence=hint.sentence, back=f"/t/{table_id}")
