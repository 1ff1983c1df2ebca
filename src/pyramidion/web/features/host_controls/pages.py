"""Forms for host commands and proposals on a table's page, and the transcript."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from pyramidion.translation import _
from pyramidion.web.contracts import AccountLookup
from pyramidion.web.errors import NotTheHost
from pyramidion.web.features.host_controls.commands import (
    LeaveTable,
    command_of_form,
    console_of_season,
    execute,
    proposal_of_form,
)
from pyramidion.web.features.host_controls.console import context
from pyramidion.web.features.host_controls.service import HostControls
from pyramidion.web.features.host_controls.transcript import transcript
from pyramidion.web.http.dependencies import PostedForm
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.http.responses import form_answer, full_url, wants_json
from pyramidion.web.http.services import Service
from pyramidion.web.pages.page import page
from pyramidion.web.pages.renderer import titled
from pyramidion.web.pages.visitor_pages import Pages, VisitorPages
from pyramidion.web.table.seats.host import Requester
from pyramidion.web.table.table import Table
from pyramidion.web.table_requests.access import requester_at, require_open

router = APIRouter(include_in_schema=False)


@router.get("/t/{table_id}/host")
async def console(table_id: str, pages: Pages, part: bool = False) -> Response:
    """Show the host's page of a table; with `part`, only the fragment that its script replaces."""
    table, requester = await requester_at(pages.request, table_id)
    if not requester.host:
        raise NotTheHost(_("Only the host of this table can do that."))
    return _console(pages, table, requester, part=part)


def _console(
    pages: VisitorPages, table: Table, requester: Requester, *, part: bool = False, link: str | None = None
) -> Response:
    """Render the host's page, or with `part` only its fragment; `link` invites the player of a seat."""
    return pages.render(
        "console.html" if part else "console_page.html",
        title=titled(table.title, table.game),
        table_id=table.id,
        over=table.match.over,
        me=requester.seat,
        link=link,
        **context(table, requester),
    )


@router.post("/t/{table_id}/host")
async def give_command(
    table_id: str, form: PostedForm, pages: Pages, limits: Service[RateLimits], accounts: Service[AccountLookup]
) -> Response:
    """Carry out the host command in a form.

    Redirects to the table, or shows the link for the new player if the command made an invitation.
    """
    request = pages.request
    table, requester = await requester_at(request, table_id)
    limits.action(request.scope, table_id, -1 if requester.host else requester.seat)
    code = await execute(command_of_form(form), HostControls(table, requester), accounts)
    if code is None:
        return form_answer(request, console_of_season(form) or f"/t/{table_id}#hosting")
    link = f"{full_url(request, f'/t/{table_id}/come')}#{code.replace('-', '')}"
    if wants_json(request):
        return JSONResponse({"link": link})
    return _console(pages, table, requester, link=link)


@router.post("/t/{table_id}/proposals")
async def propose(
    request: Request,
    table_id: str,
    form: PostedForm,
    limits: Service[RateLimits],
    accounts: Service[AccountLookup],
) -> Response:
    """Carry out the proposal, the answer to one, or the leaving in a player's form; who has left is told so."""
    table, requester = await requester_at(request, table_id)
    limits.action(request.scope, table_id, requester.seat)
    require_open(requester.seat, form.get("seat"))
    command = proposal_of_form(form)
    await execute(command, HostControls(table, requester), accounts)
    if isinstance(command, LeaveTable) and not wants_json(request):
        title = _("You have left the table")
        lost = _("A bot plays on in your seat, and the game counts as lost for you.")
        sentence = lost if table.settings.rated else _("A bot plays on in your seat, and the others keep their game.")
        return page(request, "message.html", title=title, sentence=sentence, back="/")
    return form_answer(request, console_of_season(form) or f"/t/{table_id}")


@router.get("/t/{table_id}/transcript.md")
async def read(request: Request, table_id: str) -> Response:
    """Return the transcript of a game as the visitor may read it, to be downloaded."""
    table, requester = await requester_at(request, table_id)
    return markdown(table, requester.seat)


def markdown(table: Table, viewer: int | None) -> Response:
    """Return a game's transcript as a Markdown file to be downloaded, with what `viewer` (a seat or None) may know."""
    headers = {"content-disposition": f'attachment; filename="pyramidion-{table.id}.md"'}
    return Response(transcript(table, viewer), media_type="text/markdown; charset=utf-8", headers=headers)
