"""Forms for host commands and proposals on a table's page, and the transcript."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from pyramidion.translation import _
from pyramidion.web.errors import BadRequest, NotTheHost
from pyramidion.web.features.host_controls.console import context
from pyramidion.web.features.host_controls.service import HostControls
from pyramidion.web.features.host_controls.transcript import transcript
from pyramidion.web.http.dependencies import account_named, limits_of, visitors_of
from pyramidion.web.http.forms import whole_number
from pyramidion.web.http.responses import wants_json
from pyramidion.web.pages.page import page
from pyramidion.web.pages.renderer import titled
from pyramidion.web.table.seats.host import Requester
from pyramidion.web.table.table import Table
from pyramidion.web.table_requests.access import requester_at, require_open

router = APIRouter(include_in_schema=False)


@router.get("/t/{table_id}/host")
async def console(request: Request, table_id: str, part: bool = False) -> Response:
    """Show the console to the host; with `part`, only the fragment for scripts."""
    table, requester = await requester_at(request, table_id)
    if not requester.host:
        raise NotTheHost(_("Only the host of this table can do that."))
    return _console(request, table, requester, part=part)


def _console(
    request: Request, table: Table, requester: Requester, *, part: bool = False, link: str | None = None
) -> Response:
    return page(
        request,
        "console.html" if part else "console_page.html",
        title=titled(table.title, table.game),
        table_id=table.id,
        csrf=visitors_of(request).of(request).csrf,
        over=table.match.over,
        me=requester.seat,
        link=link,
        **context(table, requester),
    )


@router.post("/t/{table_id}/host")
async def give_command(request: Request, table_id: str) -> Response:
    """Carry out a host command."""
    form = await visitors_of(request).checked_form(request)
    table, requester = await requester_at(request, table_id)
    limits_of(request).action(request.scope, table_id, -1)
    code = await command(request, HostControls(table, requester), form)
    if code is None:
        return JSONResponse({}) if wants_json(request) else RedirectResponse(f"/t/{table_id}#hosting", 303)
    link = f"{request.url.replace(path=f'/t/{table_id}/come', query='')}#{code.replace('-', '')}"
    return JSONResponse({"link": link}) if wants_json(request) else _console(request, table, requester, link=link)


@router.post("/t/{table_id}/proposals")
async def propose(request: Request, table_id: str) -> Response:
    """Make a proposal, or answer one."""
    form = await visitors_of(request).checked_form(request)
    table, requester = await requester_at(request, table_id)
    limits_of(request).action(request.scope, table_id, requester.seat)
    require_open(requester.seat, form.get("seat"))
    controls, (verb, _colon, what) = HostControls(table, requester), form.get("proposal", "").partition(":")
    version = number(form, "version") if form.get("version") else None
    match verb:
        case "propose":
            await controls.propose(what, version)
        case "agree" | "refuse":
            await controls.answer(what, verb == "agree", version)
        case "resume":
            await controls.resume()
        case "back":
            await controls.back()
        case _:
            raise BadRequest(_("The request is missing."))
    return JSONResponse({}) if wants_json(request) else RedirectResponse(f"/t/{table_id}", 303)


@router.get("/t/{table_id}/transcript.md")
async def read(request: Request, table_id: str) -> Response:
    """Return the transcript as the visitor may read it."""
    table, requester = await requester_at(request, table_id)
    return markdown(table, requester.seat)


def markdown(table: Table, viewer: int | None) -> Response:
    """Return a table's transcript as a download."""
    headers = {
        "content-disposition": f'attachment; filename="pyramidion-{table.id}.md"',
        "cache-control": "no-store",
    }
    return Response(transcript(table, viewer), media_type="text/markdown; charset=utf-8", headers=headers)


async def command(request: Request, controls: HostControls, given: Mapping[str, str]) -> str | None:
    """Carry out the command in a form; return an invitation's code, if any. Raises Refused."""
    what = given.get("command", "")
    if what in ("close", "rewind", "replace", "hand-over") and not given.get("sure"):
        raise BadRequest(_("This affects everyone at the table. Tick the box to confirm, then try again."))
    match what:
        case "pause":
            await controls.pause()
        case "resume":
            await controls.resume()
        case "extend":
            await controls.extend(number(given, "seconds"))
        case "close":
            await controls.close()
        case "apply-default":
            await controls.apply_default(number(given, "seat"))
        case "replace":
            controls.require_host()
            named = bool(given.get("account", "").strip())
            if named and given.get("bot"):
                raise BadRequest(_("Choose “Invited player” to replace the player with an account."))
            account = await account_named(request, given["account"]) if named else None
            return await controls.replace_player(number(given, "seat"), given.get("bot") or None, account)
        case "hand-over":
            await controls.hand_over(number(given, "seat"))
        case "rewind":
            await controls.rewind(number(given, "step"))
        case "release":
            await controls.release(everything=given.get("everything") == "yes")
        case _:
            raise BadRequest(_("Unknown host action."))
    return None


def number(given: Mapping[str, str], name: str) -> int:
    """Return a whole number from a form. Raises BadRequest."""
    return whole_number(given.get(name), _("The field {name} must be a whole number.").format(name=name))
