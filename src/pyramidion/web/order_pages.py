"""Answers in advance, as a page and for programs: each sees, changes and withdraws their own."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import RedirectResponse, Response

from pyramidion.web import orders, wire
from pyramidion.web.answers import Json, token_of, viewer_of
from pyramidion.web.api import CHANGES, REFUSALS, Fault
from pyramidion.web.errors import NotYourSeat, Refused
from pyramidion.web.pages import page, whole
from pyramidion.web.parts import limits_of, tables_of, visitors_of
from pyramidion.web.seats import Visitor, require_same_origin
from pyramidion.web.table import Table
from pyramidion.words import _

router = APIRouter(prefix="/api/tables/{table_id}/orders")
pages = APIRouter(prefix="/t/{table_id}/orders", include_in_schema=False)


class OrderIn(BaseModel):
    """What you say in advance."""

    text: str = Field(
        description="Lines in the game's own notation; it replaces what you had said. Empty withdraws it."
    )


class LastOut(BaseModel):
    """What became of it."""

    what: str = Field(description="done, or dropped where it was not legal.")
    action: str
    reason: str
    rule: str


class OrderOut(BaseModel):
    """What you have said in advance."""

    text: str
    words: list[str] = Field(description="Each line in words.")
    last: LastOut | None


MINE: dict[int | str, dict[str, Any]] = {
    **REFUSALS,
    401: {"model": Fault},
    403: {"model": Fault, "description": "You hold no seat at this table."},
}


@router.get("", response_model=OrderOut, responses=MINE, summary="What you have said in advance")
async def get_orders(table_id: str, request: Request) -> Json:
    """Return your own order; nobody else can tell that there is one. 404 where the game has none."""
    table, seat = await _mine(request, table_id)
    return Json(wire.encode(orders.as_json(table, seat)))


@router.put("", response_model=OrderOut, responses={**CHANGES, **MINE}, summary="Say in advance what you will do")
async def put_orders(table_id: str, order: OrderIn, request: Request) -> Json:
    """Replace your order. Ponzi Scheme: `sell 30`, `sell`, `counter`, after `from SEAT` or an industry if it is for
    those only; Pyramid-Sham-Bo: throws, one after the other. It is carried out when your decision comes.
    """
    table, seat = await _mine(request, table_id, changes=True)
    await tables_of(request).ordering.give(table, seat, order.text)
    return Json(wire.encode(orders.as_json(table, seat)))


@router.delete("", response_model=OrderOut, responses=MINE, summary="Withdraw what you have said in advance")
async def delete_orders(table_id: str, request: Request) -> Json:
    """Withdraw your order."""
    table, seat = await _mine(request, table_id, changes=True)
    await tables_of(request).ordering.give(table, seat, "")
    return Json(wire.encode(orders.as_json(table, seat)))


@pages.get("")
async def show(request: Request, table_id: str) -> Response:
    """Show what the visitor has said in advance."""
    visitor = visitors_of(request).of(request)
    table = await tables_of(request).get(table_id)
    return _page(request, table, visitor)


@pages.post("")
async def change(request: Request, table_id: str) -> Response:
    """Add a line, withdraw one, or replace all of them by what was written."""
    visitors = visitors_of(request)
    form = await visitors.checked_form(request)
    visitor, table = visitors.of(request), await tables_of(request).get(table_id)
    seat = table.seat_of(visitor.holder)
    limits_of(request).action(request.scope, table_id, seat)
    try:
        if "withdraw" in form:
            text = orders.without_line(table, seat, whole(form["withdraw"], _("The line must be a whole number.")))
        elif "text" in form:
            text = form["text"]
        else:
            text = orders.with_line(table, seat, form)
        await tables_of(request).ordering.give(table, seat, text)
    except Refused as error:
        if error.status >= 500:
            raise
        return _page(request, table, visitor, error.sentence, error.status)
    return RedirectResponse(f"/t/{table_id}/orders", 303)


def _page(request: Request, table: Table, visitor: Visitor, told: str | None = None, status: int = 200) -> Response:
    book, seat = orders.book_of(table), table.seat_of(visitor.holder)
    if seat is None:
        raise NotYourSeat(_("You hold no seat at this table, so you can only watch."))
    order = orders.order_of(table, seat)
    return page(
        request,
        "orders.html",
        status=status,
        title=table.title,
        game=table.game,
        table_id=table.id,
        csrf=visitor.csrf,
        told=told,
        over=table.match.over,
        explained=book.explain(),
        lines=book.tell(order.text, table.names) if order is not None else [],
        text=order.text if order is not None else "",
        last=orders.sentence(table, order) if order is not None else "",
        fields=book.fields(table.match.seats, seat, table.names),
    )


async def _mine(request: Request, table_id: str, *, changes: bool = False) -> tuple[Table, int]:
    table = await tables_of(request).get(table_id)
    visitors = visitors_of(request)
    seat = viewer_of(table, request.scope, visitors)
    orders.book_of(table)
    if seat is None:
        raise NotYourSeat(_("You hold no seat at this table, so you can only watch."), open=table.open_seats)
    if changes:
        if token_of(request.scope) is None:
            require_same_origin(request.scope)
            visitors.require_csrf(request)
        limits_of(request).action(request.scope, table_id, seat)
    return table, seat
