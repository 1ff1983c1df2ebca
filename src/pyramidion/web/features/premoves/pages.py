"""Answers in advance: the player's own page and JSON API."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, Field
from starlette.responses import RedirectResponse, Response

from pyramidion.translation import _
from pyramidion.web.errors import NotYourSeat, Refused
from pyramidion.web.features.premoves import service as premoves
from pyramidion.web.features.premoves.service import Premoves
from pyramidion.web.http.authentication import Visitors, require_same_origin
from pyramidion.web.http.dependencies import PostedForm
from pyramidion.web.http.forms import whole_number
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.http.responses import Json, token_of
from pyramidion.web.http.schemas import CHANGES, REFUSALS, Fault
from pyramidion.web.http.services import Service
from pyramidion.web.pages.panel import TablePageRequest, TableVisit
from pyramidion.web.pages.renderer import titled
from pyramidion.web.table.snapshots import json_encoder as wire
from pyramidion.web.table.table import Table
from pyramidion.web.table_requests.access import require_open, seat_at

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


async def _own_seat(request: Request, table_id: str) -> tuple[Table, int]:
    """Return a table and the requester's seat there, for the annotation `OwnSeat`.

    Raises NotYourSeat if there is no such seat, and NoPremoves if the game has no answers in advance.
    """
    table, seat = await seat_at(request, table_id)
    premoves.book_of(table)
    if seat is None:
        raise NotYourSeat(_("You are watching this game."), open=table.open_seats)
    return table, seat


OwnSeat = Annotated[tuple[Table, int], Depends(_own_seat)]
"""A handler's parameter: the table, and the requester's seat there."""


async def _own_seat_to_change(
    request: Request, own_seat: OwnSeat, visitors: Service[Visitors], limits: Service[RateLimits]
) -> tuple[Table, int]:
    """Return a table and the requester's seat for a change, which is counted. Raises Forged and like `_own_seat`."""
    table, seat = own_seat
    if token_of(request.scope) is None:
        require_same_origin(request.scope)
        visitors.require_csrf(request)
    limits.action(request.scope, table.id, seat)
    return own_seat


OwnSeatToChange = Annotated[tuple[Table, int], Depends(_own_seat_to_change)]
"""A handler's parameter: the table, and the requester's seat there, for a change."""


@router.get("", response_model=PremovesOut, responses=MINE, summary="Get your answers in advance")
async def get_premoves(own_seat: OwnSeat) -> Json:
    """Get your answers in advance. Nobody else can see them, or that there are any. 404 if the game has none."""
    return Json(wire.encode(premoves.as_json(*own_seat)))


@router.put("", response_model=PremovesOut, responses={**CHANGES, **MINE}, summary="Replace your answers in advance")
async def put_premoves(body: PremovesIn, own_seat: OwnSeatToChange, premove_service: Service[Premoves]) -> Json:
    """Replace your answers in advance, which are played when your decision is due.

    Ponzi Scheme: `sell 30`, `sell` or `counter`, optionally after `from SEAT` or an industry. Pyramid-Sham-Bo: throws,
    used in order.
    """
    await premove_service.give(*own_seat, body.text)
    return Json(wire.encode(premoves.as_json(*own_seat)))


@router.delete("", response_model=PremovesOut, responses=MINE, summary="Withdraw your answers in advance")
async def delete_premoves(own_seat: OwnSeatToChange, premove_service: Service[Premoves]) -> Json:
    """Withdraw your answers in advance."""
    await premove_service.give(*own_seat, "")
    return Json(wire.encode(premoves.as_json(*own_seat)))


@pages.get("")
async def show(visit: TableVisit) -> Response:
    """Show the visitor's answers in advance, with the form to add another."""
    return _page(visit)


@pages.post("")
async def change(
    form: PostedForm, visit: TableVisit, limits: Service[RateLimits], premove_service: Service[Premoves]
) -> Response:
    """Add a line to the visitor's answers in advance, withdraw a line, or replace all lines."""
    table, seat = visit.table, visit.seat
    limits.action(visit.request.scope, table.id, seat)
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
        return _page(visit, error)
    return RedirectResponse(f"/t/{table.id}/premoves", 303)


def _page(visit: TablePageRequest, refusal: Refused | None = None) -> Response:
    """Render the page of the visitor's answers in advance; `refusal` says why the form on it was refused."""
    table, seat = visit.table, visit.seat
    book = premoves.book_of(table)
    if seat is None:
        raise NotYourSeat(_("You are watching this game."))
    premove = premoves.premove_of(table, seat)
    return visit.pages.render(
        "premoves.html",
        refusal=refusal,
        title=titled(table.title, table.game),
        game=table.game,
        table_id=table.id,
        me=seat,
        over=table.match.over,
        explained=book.explain(),
        lines=book.tell(premove.text, table.names) if premove is not None else [],
        text=premove.text if premove is not None else "",
        last=premoves.sentence(table, premove) if premove is not None else "",
        fields=book.fields(table.match.seats, seat, table.names),
    )
