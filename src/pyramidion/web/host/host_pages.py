"""The host's console on a table's page, what players ask of each other, and the transcript: forms, all of them."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from pyramidion.web.errors import BadRequest, NotTheHost
from pyramidion.web.host.console import context
from pyramidion.web.host.desk import Desk
from pyramidion.web.host.transcript import transcript
from pyramidion.web.pages import page
from pyramidion.web.parts import asker_at, limits_of, visitors_of
from pyramidion.web.table import Table
from pyramidion.words import _

router = APIRouter(include_in_schema=False)


@router.get("/t/{table_id}/host")
async def console(request: Request, table_id: str, part: bool = False) -> Response:
    """Show the console to the host; `part` of a page for scripts."""
    table, asker = await asker_at(request, table_id)
    if not asker.host:
        raise NotTheHost(_("Only the host of this table can do that."))
    visitor = visitors_of(request).of(request)
    return page(
        request,
        "console.html" if part else "console_page.html",
        title=table.title,
        table_id=table.id,
        csrf=visitor.csrf,
        over=table.match.over,
        me=asker.seat,
        **context(table, asker),
    )


@router.post("/t/{table_id}/host")
async def act(request: Request, table_id: str) -> Response:
    """Do an act of the host."""
    form = await visitors_of(request).checked_form(request)
    table, asker = await asker_at(request, table_id)
    limits_of(request).action(request.scope, table_id, -1)
    await order(Desk(table, asker), form)
    return JSONResponse({}) if _for_script(request) else RedirectResponse(f"/t/{table_id}#hosting", 303)


@router.post("/t/{table_id}/ask")
async def ask(request: Request, table_id: str) -> Response:
    """Ask the others for something, or answer what they ask."""
    form = await visitors_of(request).checked_form(request)
    table, asker = await asker_at(request, table_id)
    limits_of(request).action(request.scope, table_id, asker.seat)
    desk, (verb, _colon, what) = Desk(table, asker), form.get("ask", "").partition(":")
    version = number(form, "version") if form.get("version") else None
    match verb:
        case "ask":
            await desk.ask(what, version)
        case "agree" | "refuse":
            await desk.answer(what, verb == "agree", version)
        case "resume":
            await desk.resume()
        case "back":
            await desk.back()
        case _:
            raise BadRequest(_("Nothing is asked for."))
    return JSONResponse({}) if _for_script(request) else RedirectResponse(f"/t/{table_id}", 303)


@router.get("/t/{table_id}/transcript.md")
async def read(request: Request, table_id: str) -> Response:
    """Hand out the transcript as the visitor may read it."""
    table, asker = await asker_at(request, table_id)
    return markdown(table, asker.seat)


def markdown(table: Table, viewer: int | None) -> Response:
    """Return a table's transcript as a file."""
    headers = {
        "content-disposition": f'attachment; filename="pyramidion-{table.id}.md"',
        "cache-control": "no-store",
    }
    return Response(transcript(table, viewer), media_type="text/markdown; charset=utf-8", headers=headers)


async def order(desk: Desk, given: Mapping[str, str]) -> None:
    """Do the act that a form names. Raises BadRequest, or what the act raises."""
    what = given.get("act", "")
    if what in ("close", "step-back", "replace", "hand-over") and not given.get("sure"):
        raise BadRequest(_("This changes the table for everybody: tick that you are sure, and send it again."))
    match what:
        case "pause":
            await desk.pause()
        case "resume":
            await desk.resume()
        case "extend":
            await desk.extend(number(given, "seconds"))
        case "close":
            await desk.close()
        case "act-for":
            await desk.act_for(number(given, "seat"))
        case "replace":
            await desk.replace_player(number(given, "seat"), given.get("bot") or None)
        case "hand-over":
            await desk.hand_over(number(given, "seat"))
        case "step-back":
            await desk.step_back(number(given, "step"))
        case _:
            raise BadRequest(_("There is no such act of a host."))


def number(given: Mapping[str, str], name: str) -> int:
    """Return a whole number of a form. Raises BadRequest."""
    text = given.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise BadRequest(_("The field {name} must be a whole number.").format(name=name))
    return int(text)


def _for_script(request: Request) -> bool:
    return "json" in request.headers.get("accept", "")
