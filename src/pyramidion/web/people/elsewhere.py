"""Playing on from another device: a personal code for a seat, and who comes with one.

A code is a seat's token in letters that can be read out: 79 random bits, stored as a hash, shown once. A new one ends
the old one; browsers that have come with it stay, until the seat's owner signs out everywhere or sends them away.
"""

from __future__ import annotations

import re
import secrets
from typing import Any

import sqlalchemy as sa
from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import RedirectResponse, Response

from pyramidion.web import wire
from pyramidion.web.answers import Json, token_of, viewer_of
from pyramidion.web.api import CHANGES, Fault
from pyramidion.web.errors import NoSuchToken, NotYourSeat, Refused
from pyramidion.web.pages import page
from pyramidion.web.parts import limits_of, tables_of, visitors_of
from pyramidion.web.people import qr
from pyramidion.web.schema import MATCHES, SEAT_DEVICES, SEATS
from pyramidion.web.seats import CODE_LENGTH, hash_code, require_same_origin
from pyramidion.web.store import ID_ALPHABET
from pyramidion.web.tables import Table
from pyramidion.web.writer import Conflict
from pyramidion.words import _

pages = APIRouter(include_in_schema=False)
router = APIRouter(prefix="/api")
IN_GROUPS_OF = 4
LONGEST_CODE = 100


class NewCode(BaseModel):
    """The new token of your seat; the one before opens nothing any more."""

    seat: int
    token: str = Field(description="A bearer token, and what a person types at /t/{id}/come. It is shown only once.")


def new_code() -> str:
    """Return a new code for a seat, in groups: `k7m3-q9xw-2htd-5bcn`."""
    letters = "".join(secrets.choice(ID_ALPHABET) for _nth in range(CODE_LENGTH))
    return "-".join(re.findall("." * IN_GROUPS_OF, letters))


async def give_code(table: Table, seat: int) -> str:
    """Make a seat's code anew and return it. Raises NotSaved."""
    code = new_code()

    def change(connection: sa.Connection) -> None:
        where = SEATS.c.match == table.id, SEATS.c.seat == seat, SEATS.c.kind == "person"
        _host_follows(connection, table.id, seat, host_token=hash_code(code))
        if connection.execute(sa.update(SEATS).where(*where).values(token_hash=hash_code(code))).rowcount != 1:
            raise Conflict("Nobody sits there any more.")

    try:
        await table.rewrite(change)
    except Conflict:
        raise NotYourSeat(_("This seat is not yours any more.")) from None
    return code


def _host_follows(connection: sa.Connection, match: str, seat: int, **columns: Any) -> None:
    """Where the token of a seat is the host's as well, let the host be known by what takes its place."""
    token = sa.select(SEATS.c.token_hash).where(SEATS.c.match == match, SEATS.c.seat == seat).scalar_subquery()
    which = MATCHES.c.id == match, MATCHES.c.host_token == token
    connection.execute(sa.update(MATCHES).where(*which).values(columns))


async def come(table: Table, code: str, holder: str) -> int:
    """Let a visitor's browser sit on the seat that a code opens; return the seat. Raises NoSuchToken."""
    code = code.strip()[:LONGEST_CODE]
    seat = table.seat_of_token(code)
    if seat is None:
        raise NoSuchToken(_("This code opens no seat at this table; a newer one may have taken its place."))
    if seat in table.seats_of(holder):
        return seat
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
        there = d.match == table.id, d.seat == seat, d.holder == holder
        connection.execute(sa.delete(SEAT_DEVICES).where(*there))
        connection.execute(sa.insert(SEAT_DEVICES).values(match=table.id, seat=seat, holder=holder, owner=row.holder))
        # Other servers hear of changed seats only.
        connection.execute(sa.update(SEATS).where(*where).values(seat=seat))

    try:
        await table.rewrite(change)
    except Conflict:
        raise NoSuchToken(_("This code opens no seat at this table; a newer one may have taken its place.")) from None
    return seat


async def only_here(table: Table, seat: int, holder: str) -> None:
    """Send away every other browser of a seat, and end its code; the seat is this visitor's alone."""

    def change(connection: sa.Connection) -> None:
        s, d = SEATS.c, SEAT_DEVICES.c
        where = s.match == table.id, s.seat == seat
        _host_follows(connection, table.id, seat, host=holder, host_token=None)
        changed = connection.execute(
            sa.update(SEATS).where(*where, s.kind == "person").values(holder=holder, token_hash=None)
        )
        if changed.rowcount != 1:
            raise Conflict("Nobody sits there any more.")
        connection.execute(sa.delete(SEAT_DEVICES).where(d.match == table.id, d.seat == seat))

    try:
        await table.rewrite(change)
    except Conflict:
        raise NotYourSeat(_("This seat is not yours any more.")) from None


@pages.get("/t/{table_id}/elsewhere")
async def show(table_id: str, request: Request, done: str = "") -> Response:
    """Show how one goes on playing on another device."""
    table, seat, holder = await _seated(table_id, request)
    told = _("This seat is open in this browser only.") if done else None
    return _page(request, table, seat, holder, told=told)


@pages.post("/t/{table_id}/elsewhere")
async def make(table_id: str, request: Request) -> Response:
    """Make a personal code and link and show them, once."""
    await visitors_of(request).checked_form(request)
    table, seat, holder = await _seated(table_id, request)
    code = await give_code(table, seat)
    return _page(request, table, seat, holder, code=code)


@pages.post("/t/{table_id}/only-here")
async def close(table_id: str, request: Request) -> Response:
    """Send away every other browser of one's seat."""
    await visitors_of(request).checked_form(request)
    table, seat, holder = await _seated(table_id, request)
    await only_here(table, seat, holder)
    return RedirectResponse(f"/t/{table_id}/elsewhere?done=1", 303)


@pages.get("/t/{table_id}/come")
async def arrive(table_id: str, request: Request) -> Response:
    """Ask for the code; the script takes it from the link, so that no server on the way is told it."""
    visitors = visitors_of(request)
    table, visitor = await tables_of(request).get(table_id), visitors.of(request)
    answer = page(request, "come.html", table=table, csrf=visitor.csrf, error=None)
    return visitors.remember(visitor, answer)


@pages.post("/t/{table_id}/come")
async def sit_down(table_id: str, request: Request) -> Response:
    """Sit on the seat that the code opens."""
    visitors = visitors_of(request)
    form = await visitors.checked_form(request)
    table, visitor = await tables_of(request).get(table_id), visitors.of(request)
    try:
        limits_of(request).attempt(request.scope, f"seats of {table_id}")
        await come(table, form.get("code", ""), visitor.holder)
    except Refused as error:
        if error.status >= 500:
            raise
        return page(request, "come.html", table=table, csrf=visitor.csrf, error=error.sentence, status=error.status)
    return RedirectResponse(f"/t/{table_id}", 303)


@router.post(
    "/tables/{table_id}/token",
    response_model=NewCode,
    responses={**CHANGES, 401: {"model": Fault}, 403: {"model": Fault, "description": "You hold no seat."}},
    summary="A new token for your seat",
)
async def new_token(table_id: str, request: Request) -> Json:
    """Make your seat's token anew, such as for another device; the old one opens nothing any more."""
    table = await tables_of(request).get(table_id)
    visitors = visitors_of(request)
    if token_of(request.scope) is None:
        require_same_origin(request.scope)
        visitors.require_csrf(request)
    seat = viewer_of(table, request.scope, visitors)
    if seat is None:
        raise NotYourSeat(_("You hold no seat at this table."))
    return Json(wire.encode({"seat": seat, "token": await give_code(table, seat)}))


async def _seated(table_id: str, request: Request) -> tuple[Table, int, str]:
    table = await tables_of(request).get(table_id)
    holder = visitors_of(request).holder(request.scope)
    seat = table.seat_of(holder)
    if seat is None or holder is None:
        raise NotYourSeat(_("Only whoever has a seat open at this table can take it along to another device."))
    return table, seat, str(holder)


def _page(
    request: Request, table: Table, seat: int, holder: str, *, code: str | None = None, told: str | None = None
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
        qr=qr.picture(link, _("The personal link as a QR code")) if link and qr.fits(link) else None,
        address=address,
        told=told,
    )


__all__ = ["come", "give_code", "only_here", "pages", "router"]
