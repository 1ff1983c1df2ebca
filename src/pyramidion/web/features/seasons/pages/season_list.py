"""The page of one's seasons: the list, the form for a new one, and saved templates."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from pyramidion.seasons.events import SettingsChanged
from pyramidion.seasons.template import Template
from pyramidion.web.competitions.request_keys import request_key
from pyramidion.web.errors import Refused
from pyramidion.web.features.seasons.access import AdmittedRequester, AdmittedSeason
from pyramidion.web.features.seasons.console.timeline import spans_in_words
from pyramidion.web.features.seasons.downloads import template_file
from pyramidion.web.features.seasons.forms import parse_template
from pyramidion.web.features.seasons.pages.renderer import Renderer, Rendering
from pyramidion.web.features.seasons.saved_templates import beginning_of, season_as_template, shipped
from pyramidion.web.features.seasons.service import Seasons
from pyramidion.web.http.dependencies import PostedForm
from pyramidion.web.http.forms import moment_of
from pyramidion.web.http.pagination import Offset
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.http.services import Service
from pyramidion.web.tokens import new_id

router = APIRouter(include_in_schema=False, prefix="/seasons")


@router.get("")
async def show_list(renderer: Rendering, after: Offset = 0, followed: Offset = 0) -> Response:
    """Show the visitor's seasons and templates, and the form for a new season; `template` chooses one by its id.

    `after` and `followed` are how many of their own seasons, and of those they follow, to leave out.
    """
    try:
        return await _list(renderer, after=after, followed=followed)
    except Refused as error:
        return await _list(renderer, error.sentence, {})


@router.post("")
async def begin(form: PostedForm, renderer: Rendering, limits: Service[RateLimits]) -> Response:
    """Begin a season from the form, with the settings of a template if one is chosen."""
    limits.table(renderer.pages.request.scope)
    seasons = renderer.seasons
    try:
        key = request_key(form.get("key"), form)
        title, chosen = form.get("title", ""), form.get("template")
        template = await seasons.templates.resolve(chosen) if chosen else Template(SettingsChanged(title))
        zone = form.get("zone") or template.settings.zone
        starts = moment_of(form["starts"], zone) if form.get("starts") else None
        beginning = beginning_of(template.in_zone(zone), title, starts)
        loaded = await seasons.create(beginning, form.get("host", ""), renderer.holder, form.get("club") or None, key)
    except Refused as error:
        return await _list(renderer, error.sentence, form)
    return RedirectResponse(f"/seasons/{loaded.id}/host", 303)


@router.post("/templates")
async def import_template(form: PostedForm, renderer: Rendering, limits: Service[RateLimits]) -> Response:
    """Save a template that somebody else has shared, from its link or its JSON text."""
    limits.table(renderer.pages.request.scope)
    templates, text = renderer.seasons.templates, form.get("json", "")
    try:
        if text.strip():
            name, template = form.get("name", ""), parse_template(text)
        else:
            shared = await templates.get(form.get("template", ""), None)
            name, template = shared.name, shared.template
        await templates.keep(renderer.holder, name, template)
    except Refused as error:
        return await _list(renderer, error.sentence, form)
    return RedirectResponse("/seasons#templates", 303)


@router.get("/templates/{template_id}.json")
async def download_template(template_id: str, seasons: Service[Seasons]) -> Response:
    """Serve a saved template as a JSON file."""
    return template_file(await seasons.templates.resolve(template_id))


@router.post("/templates/{template_id}/delete")
async def delete_template(template_id: str, _form: PostedForm, renderer: Rendering) -> Response:
    """Delete a template of the visitor's own."""
    try:
        await renderer.seasons.templates.delete(renderer.holder, template_id)
    except Refused as error:
        return await _list(renderer, error.sentence, {})
    return RedirectResponse("/seasons#templates", 303)


@router.get("/{season_id}/template.json")
async def show_template(loaded: AdmittedSeason, requester: AdmittedRequester) -> Response:
    """Serve a season as a template in a JSON file."""
    return template_file(season_as_template(loaded, requester))


async def _list(
    renderer: Renderer,
    error: str | None = None,
    form: Mapping[str, str] | None = None,
    *,
    after: int = 0,
    followed: int = 0,
) -> Response:
    """Render the list; `form` is the posted form, or None to fill in the fields from the address.

    Raises UnknownTemplate if the address names a template that does not exist.
    """
    pages, holder, seasons = renderer.pages, renderer.holder, renderer.seasons
    given = pages.request.query_params if form is None else form
    templates = await seasons.templates.of(holder)
    shared = None
    usable = {*shipped(), *(saved.id for saved in templates)}
    if (chosen := given.get("template")) and chosen not in usable and error is None:
        shared = await seasons.templates.get(chosen, holder)
    return renderer.page(
        "seasons.html",
        error,
        seasons=await seasons.lists.mine(holder, after),
        followed=await seasons.lists.followed(holder, followed),
        clubs=await renderer.homes.run_by(holder),
        templates=templates,
        shared=shared,
        shipped=list(shipped().values()),
        spans={
            template.id: spans_in_words(template.template.phases)
            for template in (*templates, *([shared] if shared else []), *shipped().values())
        },
        given=given,
        key=new_id(),
        account_name=await pages.account_name(),
    )
