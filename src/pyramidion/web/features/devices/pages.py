"""Device codes: opening a seat in another browser, by a personal code or link.

A code is a seat token in readable letters: 79 random bits, stored as a hash, shown once. A new code invalidates the old
one. Browsers that used it keep the seat until its owner signs out the others.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import RedirectResponse, Response

from pyramidion.translation import _
from pyramidion.web.db.schema import MATCHES, SEAT_DEVICES, SEATS
from pyramidion.web.db.writer import Conflict
from pyramidion.web.errors import NoSuchToken, NotYourSeat, Refused
from pyramidion.web.http.authentication import require_same_origin
from pyramidion.web.http.dependencies import limits_of, visitors_of
from pyramidion.web.http.responses import Json, token_of
from pyramidion.web.http.schemas import CHANGES, Fault
from pyramidion.web.pages import qr
from pyramidion.web.pages.page import page
from pyramidion.web.table.snapshots import json_encoder as wire
from pyramidion.web.table.table import Table
from pyramidion.web.table_requests.access import tables_of, viewer_of
from pyramidion.web.tokens import hash_code, new_code

pages = APIRouter(include_in_schema=False)
router = APIRouter(prefix="/api")
LONGEST_CODE = 100


class NewCode(BaseModel):
    """The new token of your seat; the old one is invalid."""

    seat: int
    token: str = Field(description="A bearer token, which also works as a code at /t/{id}/come. It is shown only once.")


async def give_code(table: Table, seat: int) -> str:
    """Create and return a new code for a seat. Raises NotSaved."""
    code = new_code()

    def change(connection: sa.Connection) -> None:
        where = SEATS.c.match == table.id, SEATS.c.seat == seat, SEATS.c.kind == "person"
        _host_follows(connection, table.id, seat, host_token=hash_code(code))
        if connection.execute(sa.update(SEATS).where(*where).values(token_hash=hash_code(code))).rowcount != 1:
            raise Conflict("The seat is empty now.")

    try:
        await table.rewrite(change)
    except Conflict:
        raise NotYourSeat(_("You no longer have this seat.")) from None
    return code


def _host_follows(connection: sa.Connection, match: str, seat: int, **columns: Any) -> None:
    """If a seat's token is also the host's, replace it as the host's identity with `columns`."""
    token = sa.select(SEATS.c.token_hash).where(SEATS.c.match == match, SEATS.c.seat == seat).scalar_subquery()
    which = MATCHES.c.id == match, MATCHES.c.host_token == token
    connection.execute(sa.update(MATCHES).where(*which).values(columns))


async def come(table: Table, code: str, holder: str, name: str | None = None) -> int:
    """Open a seat in a visitor's browser by its code, or take the seat reserved by the code; return the seat.

    `name` is the name of a player who takes a reserved seat. Raises NoSuchToken, NotYourSeat for somebody who has
    another seat of a rated game, or what `Table.sit` raises.
    """
    code = code.strip()[:LONGEST_CODE]
    if (reserved := table.seating.reserved_for(None, code)) is not None:
        await table.sit(reserved, holder, name, code=code)
        return reserved
    seat = table.seating.seat_of_token(code)
    if seat is None:
        raise NoSuchToken(_("This code is not valid. A newer one may have replaced it."))
    own = table.seating.seats_of(holder)
    if seat in own:
        return seat
    if own and table.settings.rated:
        raise NotYourSeat(_("You already play at this rated table, so you cannot open another player's seat."))
    hashed = hash_code(code)

    def change(connection: sa.Connection) -> None:
        s, d = SEATS.c, SEAT_DEVICES.c
        where = s.match == table.id, s.seat == seat, s.token_hash == hashed
        row = connection.execute(sa.select(s.holder).where(*where)).first()
        if row is None:
            raise Conflict("The code has changed.")
        if row.holder is None:
            connection.execute(sa.update(SEATS).where(*where).values(holder=holder))
            return
        this_device = d.match == table.id, d.seat == seat, d.holder == holder
        connection.execute(sa.delete(SEAT_DEVICES).where(*this_device))
        connection.execute(sa.insert(SEAT_DEVICES).values(match=table.id, seat=seat, holder=holder, owner=row.holder))
        # Other servers are notified of changed seats, not of changed devices: touch the seat.
        connection.execute(sa.update(SEATS).where(*where).values(seat=seat))

    try:
        await table.rewrite(change)
    except Conflict:
        raise NoSuchToken(_("This code is not valid. A newer one may have replaced it.")) from None
    return seat


async def only_here(table: Table, seat: int, holder: str) -> None:
    """Remove all other browsers from a seat and invalidate its code, leaving it to this visitor alone."""

    def change(connection: sa.Connection) -> None:
        s, d = SEATS.c, SEAT_DEVICES.c
        where = s.match == table.id, s.seat == seat
        _host_follows(connection, table.id, seat, host=holder, host_token=None)
        changed = connection.execute(
            sa.update(SEATS).where(*where, s.kind == "person").values(holder=holder, token_hash=None)
        )
        if changed.rowcount != 1:
            raise Conflict("The seat is empty now.")
        connection.execute(sa.delete(SEAT_DEVICES).where(d.match == table.id, d.seat == seat))

    try:
        await table.rewrite(change)
    except Conflict:
        raise NotYourSeat(_("You no longer have this seat.")) from None


@pages.get("/t/{table_id}/elsewhere")
async def show(table_id: str, request: Request, done: str = "") -> Response:
    """Show how to continue on another device."""
    table, seat, holder = await _seated(table_id, request)
    message = _("Your seat is now open in this browser only.") if done else None
    return _page(request, table, seat, holder, message=message)


@pages.post("/t/{table_id}/elsewhere")
async def make(table_id: str, request: Request) -> Response:
    """Create a personal code and link, and show them once."""
    await visitors_of(request).checked_form(request)
    table, seat, holder = await _seated(table_id, request)
    code = await give_code(table, seat)
    return _page(request, table, seat, holder, code=code)


@pages.post("/t/{table_id}/only-here")
async def close(table_id: str, request: Request) -> Response:
    """Remove all other browsers from the visitor's seat."""
    await visitors_of(request).checked_form(request)
    table, seat, holder = await _seated(table_id, request)
    await only_here(table, seat, holder)
    return RedirectResponse(f"/t/{table_id}/elsewhere?done=1", 303)


@pages.get("/t/{table_id}/come")
async def arrive(table_id: str, request: Request) -> Response:
    """Show the form for a code. A script fills it in from the link's fragment, which is never sent to a server."""
    visitors = visitors_of(request)
    table, visitor = await tables_of(request).get(table_id), visitors.of(request)
    answer = page(request, "come.html", table=table, csrf=visitor.csrf, error=None)
    return visitors.remember(visitor, answer)


@pages.post("/t/{table_id}/come")
async def sit_down(table_id: str, request: Request) -> Response:
    """Open the seat of a code in this browser."""
    visitors = visitors_of(request)
    form = await visitors.checked_form(request)
    table, visitor = await tables_of(request).get(table_id), visitors.of(request)
    try:
        # Counting attempts per address is enough: nobody can guess 79 random bits, from however many addresses.
        limits_of(request).attempt(request.scope)
        await come(table, form.get("code", ""), visitor.holder, form.get("name"))
    except Refused as error:
        if error.status >= 500:
            raise
        return page(request, "come.html", table=table, csrf=visitor.csrf, error=error.sentence, status=error.status)
    return RedirectResponse(f"/t/{table_id}", 303)


@router.post(
    "/tables/{table_id}/token",
    response_model=NewCode,
    responses={**CHANGES, 401: {"model": Fault}, 403: {"model": Fault, "description": "You hold no seat."}},
    summary="Replace your seat's token",
)
async def new_token(table_id: str, request: Request) -> Json:
    """Replace your seat's token, for example for another device. The old one becomes invalid."""
    table = await tables_of(request).get(table_id)
    visitors = visitors_of(request)
    if token_of(request.scope) is None:
        require_same_origin(request.scope)
        visitors.require_csrf(request)
    seat = viewer_of(table, request.scope, visitors)
    if seat is None:
        raise NotYourSeat(_("You do not have a seat at this table."))
    return Json(wire.encode({"seat": seat, "token": await give_code(table, seat)}))


async def _seated(table_id: str, request: Request) -> tuple[Table, int, str]:
    table = await tables_of(request).get(table_id)
    holder = visitors_of(request).holder(request.scope)
    seat = table.seat_of(holder)
    if seat is None or holder is None:
        raise NotYourSeat(_("Only seated players can continue on another device."))
    return table, seat, str(holder)


def _page(
    request: Request, table: Table, seat: int, holder: str, *, code: str | None = None, message: str | None = None
) -> Response:
    address = str(request.url.replace(path=f"/t/{table.id}/come", query=""))
    link = f"{address}#{code.replace('-', '')}" if code else None
    return page(
        request,
        "elsewhere.html",
        table=table,
        name=table.names[seat],
        csrf=visitors_of(request).csrf(holder),
        code=code,
        link=link,
        qr=qr.picture(link, _("QR code for your personal link")) if link else None,
        address=address,
        message=message,
    )


__all__ = ["come", "give_code", "only_here", "pages", "router"]
