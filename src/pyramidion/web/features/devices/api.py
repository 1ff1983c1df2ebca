"""The JSON API of seat tokens."""

from __future__ import annotations

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from pyramidion.translation import _
from pyramidion.web.errors import NotYourSeat
from pyramidion.web.features.devices.service import give_code
from pyramidion.web.http.authentication import Visitors, require_same_origin
from pyramidion.web.http.responses import Json, token_of
from pyramidion.web.http.schemas import CHANGES, Fault
from pyramidion.web.http.services import Service
from pyramidion.web.table.snapshots import json_encoder as wire
from pyramidion.web.table.tables import Tables
from pyramidion.web.table_requests.access import viewer_of

router = APIRouter(prefix="/api")


class NewCode(BaseModel):
    """The new token of your seat; the old one is invalid."""

    seat: int
    token: str = Field(description="A bearer token, which also works as a code at /t/{id}/come. It is shown only once.")


@router.post(
    "/tables/{table_id}/token",
    response_model=NewCode,
    responses={**CHANGES, 401: {"model": Fault}, 403: {"model": Fault, "description": "You hold no seat."}},
    summary="Replace your seat's token",
)
async def new_token(table_id: str, request: Request, tables: Service[Tables], visitors: Service[Visitors]) -> Json:
    """Replace your seat's token, for example for another device. The old one becomes invalid."""
    table = await tables.get(table_id)
    if token_of(request.scope) is None:
        require_same_origin(request.scope)
        visitors.require_csrf(request)
    seat = viewer_of(table, request.scope, visitors)
    if seat is None:
        raise NotYourSeat(_("You do not have a seat at this table."))
    return Json(wire.encode({"seat": seat, "token": await give_code(table, seat)}))
