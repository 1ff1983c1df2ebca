"""The chat for people: a page that works with forms alone, and whose part a table's page shows beside the board."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from pyramidion.web.answers import asker_of
from pyramidion.web.clock import iso
from pyramidion.web.errors import NotYourSeat, Refused
from pyramidion.web.pages import page
from pyramidion.web.parts import chats_of, limits_of, notices_of, seat_at, visitors_of
from pyramidion.web.people.hotseat import require_open
from pyramidion.web.table import Table
from pyramidion.web.talk.chat import LONGEST_LINE, LONGEST_NOTES, NotAllowed, to_whom
from pyramidion.words import _

router = APIRouter(include_in_schema=False)


@router.get("/t/{table_id}/chat")
async def show(request: Request, table_id: str, before: str | None = None, part: bool = False) -> Response:
    """Show what the visitor may read, with forms to write and for notes; `part` of a page for scripts."""
    table, viewer = await seat_at(request, table_id)
    shown = await _shown(request, table, viewer, before, part=part)
    if viewer is not None and not part and before is None:
        # Without a script nobody else says so.
        await chats_of(request).seen(table, viewer, None)
    return shown


@router.get("/t/{table_id}/chat/unread")
async def unread(request: Request, table_id: str) -> Response:
    """Say how many lines of others the visitor's seat has not seen, and whether to say that they look at the table."""
    table, viewer = await seat_at(request, table_id)
    if viewer is None:
        return JSONResponse({"unread": 0, "tell": False})
    chat = await chats_of(request).show(table, viewer)
    tell = await notices_of(request).reachable(table.persons().get(viewer))
    return JSONResponse({"unread": chat.unread, "tell": tell})


@router.post("/t/{table_id}/chat")
async def say(request: Request, table_id: str) -> Response:
    """Write a line. Scripts get JSON; a plain form gets the page again."""
    form = await visitors_of(request).checked_form(request)
    table, viewer = await seat_at(request, table_id)
    require_open(table, viewer, form.get("seat"))
    to = [int(seat) for seat in form.getlist("to") if seat.isascii() and seat.isdigit() and len(seat) < 4]
    try:
        limits_of(request).line(request.scope, table_id, viewer)
        await chats_of(request).say(table, viewer, form.get("text", ""), to, form.get("name"))
    except Refused as error:
        if _for_script(request) or error.status >= 500:
            raise
        return await _shown(request, table, viewer, None, error=error.sentence, status=error.status, draft=form["text"])
    return JSONResponse({}) if _for_script(request) else _back(table_id)


@router.post("/t/{table_id}/chat/seen")
async def seen(request: Request, table_id: str) -> Response:
    """Note how far the visitor has read."""
    form = await visitors_of(request).checked_form(request)
    table, viewer = await seat_at(request, table_id)
    require_open(table, viewer, form.get("seat"))
    if viewer is not None:
        await chats_of(request).seen(table, viewer, form.get("line", ""))
    return JSONResponse({}) if _for_script(request) else _back(table_id)


@router.post("/t/{table_id}/chat/remove")
async def remove(request: Request, table_id: str) -> Response:
    """Let the host remove a line."""
    form = await visitors_of(request).checked_form(request)
    table, viewer = await seat_at(request, table_id)
    if not is_host(request, table):
        raise NotAllowed(_("Only the host of the table can remove a line."))
    await chats_of(request).remove(table, viewer, form.get("line", ""))
    return JSONResponse({}) if _for_script(request) else _back(table_id)


@router.post("/t/{table_id}/notes")
async def notes(request: Request, table_id: str) -> Response:
    """Store the visitor's notes to themselves."""
    form = await visitors_of(request).checked_form(request)
    table, viewer = await seat_at(request, table_id)
    require_open(table, viewer, form.get("seat"))
    if viewer is None:
        raise NotYourSeat(_("You hold no seat at this table, so there is no place for notes."))
    await chats_of(request).keep_notes(table, viewer, form.get("notes", ""))
    return JSONResponse({}) if _for_script(request) else _back(table_id)


def is_host(request: Request, table: Table) -> bool:
    """Whether whoever asks is the host of a table."""
    return asker_of(table, request.scope, visitors_of(request)).host


async def _shown(
    request: Request,
    table: Table,
    viewer: int | None,
    before: str | None,
    *,
    part: bool = False,
    error: str | None = None,
    status: int = 200,
    draft: str = "",
) -> Response:
    visitor = visitors_of(request).of(request)
    chat = await chats_of(request).show(table, viewer, before)
    others = [seat.number for seat in table.seats if seat.kind == "person" and seat.number != viewer]
    shown = page(
        request,
        "chat.html" if part else "chat_page.html",
        status=status,
        title=table.title,
        table_id=table.id,
        csrf=visitor.csrf,
        me=viewer,
        chat=chat,
        before=before,
        lines=[(line, to_whom(line, table.names, viewer), iso(line.at)) for line in chat.lines],
        others=[(seat, table.names[seat]) for seat in others] if viewer is not None else [],
        hosting=is_host(request, table),
        notes=await chats_of(request).notes(table, viewer) if viewer is not None else "",
        longest=LONGEST_LINE,
        longest_notes=LONGEST_NOTES,
        error=error,
        draft=draft,
    )
    return visitors_of(request).remember(visitor, shown)


def _back(table_id: str) -> Response:
    return RedirectResponse(f"/t/{table_id}/chat", 303)


def _for_script(request: Request) -> bool:
    return "json" in request.headers.get("accept", "")
