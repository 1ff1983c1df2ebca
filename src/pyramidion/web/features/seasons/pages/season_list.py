"""The page of one's seasons: the list, the form for a new one, and saved templates."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from pyramidion.seasons.events import Event, SettingsChanged
from pyramidion.web.errors import Refused
from pyramidion.web.features.seasons.api.routes import template_file, template_for, template_in
from pyramidion.web.features.seasons.forms import parse_template
from pyramidion.web.features.seasons.loaded import season_requester_of
from pyramidion.web.features.seasons.saved_templates import beginning_of
from pyramidion.web.features.seasons.service import season_at, seasons_of
from pyramidion.web.http.authentication import Visitor
from pyramidion.web.http.dependencies import account_of, homes_of, limits_of, posted, visitors_of
from pyramidion.web.http.forms import moment_of
from pyramidion.web.pages.page import page

router = APIRouter(include_in_schema=False, prefix="/seasons")


@router.get("")
async def show_list(request: Request) -> Response:
    """Show the visitor's seasons and templates, and the form for a new season; `template` chooses one by its id."""
    visitor = visitors_of(request).of(request)
    try:
        return await _list(request, visitor)
    except Refused as error:
        return await _list(request, visitor, error.sentence, {})


@router.post("")
async def begin(request: Request) -> Response:
    """Begin a season."""
    visitor, form = await posted(request)
    limits_of(request).table(request.scope)
    try:
        beginning: list[Event] = [SettingsChanged(title=form.get("title", ""))]
        if chosen := form.get("template"):
            template = await template_in(request, chosen)
            starts = moment_of(form["starts"], template.settings.zone) if form.get("starts") else None
            beginning = beginning_of(template, form.get("title", ""), starts)
        club = form.get("club") or None
        loaded = await seasons_of(request).create(beginning, form.get("host", ""), visitor.holder, club)
    except Refused as error:
        return await _list(request, visitor, error.sentence, form)
    return RedirectResponse(f"/seasons/{loaded.id}/host", 303)


@router.post("/templates")
async def import_template(request: Request) -> Response:
    """Save a template that somebody else has shared: by its link, or as a pasted file."""
    visitor, form = await posted(request)
    limits_of(request).table(request.scope)
    templates, text = seasons_of(request).templates, form.get("json", "")
    try:
        if text.strip():
            name, template = form.get("name", ""), parse_template(text)
        else:
            shared = await templates.get(form.get("template", ""), None)
            name, template = shared.name, shared.template
        await templates.keep(visitor.holder, name, template)
    except Refused as error:
        return await _list(request, visitor, error.sentence, form)
    return RedirectResponse("/seasons#templates", 303)


@router.get("/templates/{template_id}.json")
async def download_template(request: Request, template_id: str) -> Response:
    """Hand out a saved template as a file."""
    return template_file((await seasons_of(request).templates.get(template_id, None)).template)


@router.post("/templates/{template_id}/delete")
async def delete_template(request: Request, template_id: str) -> Response:
    """Delete a template of the visitor's own."""
    visitor, _form = await posted(request)
    try:
        await seasons_of(request).templates.delete(visitor.holder, template_id)
    except Refused as error:
        return await _list(request, visitor, error.sentence, {})
    return RedirectResponse("/seasons#templates", 303)


@router.get("/{season_id}/template.json")
async def show_template(request: Request, season_id: str) -> Response:
    """Hand out a season as a template."""
    loaded = season_at(request)
    return template_for(loaded, season_requester_of(loaded, visitors_of(request).of(request).holder))


async def _list(
    request: Request, visitor: Visitor, error: str | None = None, form: Mapping[str, str] | None = None
) -> Response:
    """Answer with the page; `form` is what was sent. Raises UnknownTemplate for the template of the address."""
    seasons, given = seasons_of(request), request.query_params if form is None else form
    account = await account_of(request, visitor.holder)
    templates = await seasons.templates.of(visitor.holder)
    shared = None
    if (chosen := given.get("template")) and chosen not in {saved.id for saved in templates} and error is None:
        shared = await seasons.templates.get(chosen, visitor.holder)
    answer = page(
        request,
        "seasons.html",
        status=409 if error else 200,
        seasons=await seasons.mine(visitor.holder),
        clubs=await homes_of(request).run_by(visitor.holder),
        templates=templates,
        shared=shared,
        csrf=visitor.csrf,
        error=error,
        given=given,
        account_name=account.name if account is not None else "",
    )
    return visitors_of(request).remember(visitor, answer)
