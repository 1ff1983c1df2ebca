"""Answers in advance: the player's own page and JSON API."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import RedirectResponse, Response

from pyramidion.translation import _
from pyramidion.web.errors import NotYourSeat, Refused
from pyramidion.web.features.premoves import service as premoves
from pyramidion.web.features.premoves.service import Premoves
from pyramidion.web.http.authentication import Visitor, Visitors, require_same_origin
from pyramidion.web.http.forms import whole_number
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.http.responses import Json, token_of
from pyramidion.web.http.schemas import CHANGES, REFUSALS, Fault
from pyramidion.web.http.services import Service
from pyramidion.web.pages.page import page
from pyramidion.web.pages.renderer import titled
from pyramidion.web.table.snapshots import json_encoder as wire
from pyramidion.web.table.table import Table
from pyramidion.web.table.tables import Tables
from pyramidion.web.table_requests.access import require_open, viewer_of

router = APIRouter(prefix="/api/tables/{table_id}/premoves")
pages = APIRouter(prefix="/t/{table_id}/premoves", include_in_schema=False)


class PremovesIn(BaseModel):
    """Your answers in advance."""

    text: str = Field(
        description="Lines in the game's notation, which replace your earlier answers. Empty withdraws them."
    )


class LastOut(BaseModel):
    """What became of the answer in advance that was played or dropped last."""

    what: str = Field(description="done, or dropped if it was illegal.")
    action: str
    reason: str
    rule: str


class PremovesOut(BaseModel):
    """Your answers in advance."""

    text: str
    words: list[str] = Field(description="Each line in words.")
    last: LastOut | None


MINE: dict[int | str, dict[str, Any]] = {
    **REFUSALS,
    401: {"model": Fault},
    403: {"model": Fault, "description": "You hold no seat at this table."},
}


@router.get("", response_model=PremovesOut, responses=MINE, summary="Get your answers in advance")
async def get_premoves(
    table_id: str, request: Request, tables: Service[Tables], visitors: Service[Visitors], limits: Service[RateLimits]
) -> Json:
    """Get your answers in advance. Nobody else can see them, or that there are any. 404 if the game has none."""
    table, seat = await _require_own_seat(request, tables, visitors, limits, table_id)
    return Json(wire.encode(premoves.as_json(table, seat)))


@router.put("", response_model=PremovesOut, responses={**CHANGES, **MINE}, summary="Replace your answers in advance")
async def put_premoves(
    table_id: str,
    body: PremovesIn,
    request: Request,
    premove_service: Service[Premoves],
    tables: Service[Tables],
    visitors: Service[Visitors],
    limits: Service[RateLimits],
) -> Json:
    """Replace your answers in advance, which are played when your decision is due.

    Ponzi Scheme: `sell 30`, `sell` or `counter`, optionally after `from SEAT` or an industry. Pyramid-Sham-Bo: throws,
    used in order.
    """
    table, seat = await _require_own_seat(request, tables, visitors, limits, table_id, changes=True)
    await premove_service.give(table, seat, body.text)
    return Json(wire.encode(premoves.as_json(table, seat)))


@router.delete("", response_model=PremovesOut, responses=MINE, summary="Withdraw your answers in advance")
async def delete_premoves(
    table_id: str,
    request: Request,
    premove_service: Service[Premoves],
    tables: Service[Tables],
    visitors: Service[Visitors],
    limits: Service[RateLimits],
) -> Json:
    """Withdraw your answers in advance."""
    table, seat = await _require_own_seat(request, tables, visitors, limits, table_id, changes=True)
    await premove_service.give(table, seat, "")
    return Json(wire.encode(premoves.as_json(table, seat)))


@pages.get("")
async def show(request: Request, table_id: str, visitors: Service[Visitors], tables: Service[Tables]) -> Response:
    """Show the visitor's answers in advance, with the form to add another."""
    visitor = visitors.of(request)
    table = await tables.get(table_id)
    return _page(request, table, visitor)


@pages.post("")
async def change(
    request: Request,
    table_id: str,
    visitors: Service[Visitors],
    tables: Service[Tables],
    limits: Service[RateLimits],
    premove_service: Service[Premoves],
) -> Response:
    """Add a line to the visitor's answers in advance, withdraw a line, or replace all lines."""
    form = await visitors.checked_form(request)
    visitor, table = visitors.of(request), await tables.get(table_id)
    seat = table.seat_of(visitor.holder)
    limits.action(request.scope, table_id, seat)
    try:
        require_open(seat, form.get("seat"))
        if "withdraw" in form:
            number = whole_number(form["withdraw"], _("The line must be a whole number."))
            text = premoves.without_line(table, seat, number, form.get("shown", ""))
        elif "text" in form:
            text = form["text"]
        else:
            text = premoves.with_line(table, seat, form)
        await premove_service.give(table, seat, text)
    except Refused as error:
        return _page(request, table, visitor, error)
    return RedirectResponse(f"/t/{table_id}/premoves", 303)


def _page(request: Request, table: Table, visitor: Visitor, refusal: Refused | None = None) -> Response:
    """Render the page of the visitor's answers in advance; `refusal` says why the form on it was refused."""
    book, seat = premoves.book_of(table), table.seat_of(visitor.holder)
    if seat is None:
        raise NotYourSeat(_("You are watching this game."))
    premove = premoves.premove_of(table, seat)
    return page(
        request,
        "premoves.html",
        refusal=refusal,
        title=titled(table.title, table.game),
        game=table.game,
        table_id=table.id,
        me=seat,
        csrf=visitor.csrf,
        over=table.match.over,
        explained=book.explain(),
        lines=book.tell(premove.text, table.names) if premove is not None else [],
        text=premove.text if premove is not None else "",
        last=premoves.sentence(table, premove) if premove is not None else "",
        fields=book.fields(table.match.seats, seat, table.names),
    )


async def _require_own_seat(
    request: Request, tables: Tables, visitors: Visitors, limits: RateLimits, table_id: str, *, changes: bool = False
) -> tuple[Table, int]:
    """Return a table and the requester's seat there; with `changes`, check and count a change.

    Raises NotYourSeat if there is no such seat, and NoPremoves if the game has no answers in advance.
    """
    table = await tables.get(table_id)
    seat = viewer_of(table, request.scope, visitors)
    premoves.book_of(table)
    if seat is None:
        raise NotYourSeat(_("You are watching this game."), open=table.open_seats)
    if changes:
        if token_of(request.scope) is None:
            require_same_origin(request.scope)
            visitors.require_csrf(request)
        limits.action(request.scope, table_id, seat)
    return table, seat
