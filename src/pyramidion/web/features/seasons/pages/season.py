"""The pages of a season: its story, the host's page and personal links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from pyramidion import bots
from pyramidion.bots.labels import label
from pyramidion.seasons.events import EpisodeOpened
from pyramidion.seasons.events.undo import LASTING
from pyramidion.seasons.schedule import calendar
from pyramidion.seasons.template import template_of
from pyramidion.translation import _
from pyramidion.web.competitions.request_keys import request_key
from pyramidion.web.durations import duration
from pyramidion.web.errors import NotYours, Refused
from pyramidion.web.features.seasons.api.routes import csv_of, hooks, keep_hooks, links, pasted, template_in
from pyramidion.web.features.seasons.forms import lay_out_phases, parse_command, parse_conversation_event
from pyramidion.web.features.seasons.loaded import LoadedSeason, UnknownSeason, season_requester_of
from pyramidion.web.features.seasons.matches import games_for
from pyramidion.web.features.seasons.pages.context import place_of, season_page, view_for
from pyramidion.web.features.seasons.pages.conversations import conversations_page
from pyramidion.web.features.seasons.portraits import require_chooser
from pyramidion.web.features.seasons.service import season_at, seasons_of
from pyramidion.web.features.seasons.texts import AUDIENCES
from pyramidion.web.http.authentication import Visitor
from pyramidion.web.http.bodies import read_upload
from pyramidion.web.http.dependencies import limits_of, posted, visitors_of
from pyramidion.web.http.forms import moment_of, parse_number
from pyramidion.web.http.responses import form_answer, wants_json
from pyramidion.web.pages.page import page, version_of
from pyramidion.web.table.seats.faces import PARTS

router = APIRouter(include_in_schema=False, prefix="/seasons")
by_secret = APIRouter(include_in_schema=False, prefix="/seasons")
CLOCKS = (60, 300, 3600, 24 * 3600, 48 * 3600)


@router.get("/{season_id}")
async def show(request: Request, season_id: str) -> Response:
    """Tell the story of a season, as far as the visitor may know it."""
    loaded = season_at(request)
    visitor = visitors_of(request).of(request)
    return visitors_of(request).remember(visitor, await season_page(request, "season.html", loaded, visitor))


@router.get("/{season_id}/now")
async def now(request: Request, season_id: str) -> Response:
    """Return the version of the season as the visitor may know it: another one means that there is something new."""
    loaded = season_at(request)
    view = view_for(request, loaded, visitors_of(request).of(request))
    return JSONResponse({"version": version_of(view)}, headers={"cache-control": "no-store"})


@router.get("/{season_id}/show/{number}")
async def show_episode(request: Request, season_id: str, number: int) -> Response:
    """Play an episode from its beginning: each part is opened by the viewer, and nothing tells of what comes later."""
    loaded, visitor = season_at(request), visitors_of(request).of(request)
    answer = await season_page(request, "season_show.html", loaded, visitor, episode=number)
    return visitors_of(request).remember(visitor, answer)


@router.get("/{season_id}/calendar/{secret}.ics")
async def show_calendar(request: Request, season_id: str, secret: str) -> Response:
    """Hand out the schedule. Calendar programs have no cookie, so a secret in the address lets them in."""
    loaded = season_at(request)
    if not seasons_of(request).links.opens_calendar(loaded, secret):
        raise UnknownSeason(_("There is no such season."))
    link = str(request.url.replace(path=f"/seasons/{season_id}", query=""))
    text = calendar(loaded.id, loaded.season.settings.title, loaded.season.phases.values(), link)
    return Response(text.encode(), 200, {"cache-control": "no-store"}, "text/calendar; charset=utf-8")


@router.post("/{season_id}/schedule")
async def lay_out(request: Request, season_id: str) -> Response:
    """Lay out phases one after the other."""
    visitor, form = await posted(request)
    loaded = season_at(request)
    try:
        starts = moment_of(form.get("starts", ""), loaded.season.settings.zone)
        events = lay_out_phases(loaded, starts, form.get("phases", ""), skip_weekends="skip_weekends" in form)
        key = request_key(form.get("key"), {**form, "kind": "schedule"})
        await seasons_of(request).do(season_id, season_requester_of(loaded, visitor.holder), events, key=key)
    except Refused as error:
        return await _refused(request, loaded, visitor, error, "/host", {**form, "kind": "schedule"})
    return RedirectResponse(f"/seasons/{season_id}/host#schedule", 303)


@router.post("/{season_id}/say")
async def say(request: Request, season_id: str) -> Response:
    """Write to a contestant or an alliance, or form, extend or leave one."""
    visitor, form = await posted(request)
    loaded, back = season_at(request), place_of(form)
    try:
        limits_of(request).action(request.scope, f"{season_id} {visitor.holder}", 0)
        requester, event = season_requester_of(loaded, visitor.holder), parse_conversation_event(form)
        await seasons_of(request).say(season_id, requester, event, request_key(form.get("key"), form))
    except Refused as error:
        return await _refused(request, loaded, visitor, error, back, form)
    # The form lies in a fold, which browsers open for it.
    return form_answer(request, f"/seasons/{season_id}{back}#say-{form.get('to', '')[:20]}")


@router.post("/{season_id}/plan")
async def plan_episodes(request: Request, season_id: str) -> Response:
    """Add the episodes of a saved template to the plan."""
    visitor, form = await posted(request)
    loaded = season_at(request)
    try:
        episodes = (await template_in(request, form.get("template", ""))).episodes
        requester = season_requester_of(loaded, visitor.holder)
        key = request_key(form.get("key"), {**form, "kind": "plan"})
        await seasons_of(request).do(season_id, requester, episodes, key=key)
    except Refused as error:
        return await _refused(request, loaded, visitor, error, "/host")
    return RedirectResponse(f"/seasons/{season_id}/host#plan", 303)


@router.post("/{season_id}/template")
async def save_template(request: Request, season_id: str) -> Response:
    """Save a season as a template of the host, and share it with a club."""
    visitor, form = await posted(request)
    loaded = season_at(request)
    limits_of(request).table(request.scope)
    try:
        if season_requester_of(loaded, visitor.holder).who not in loaded.season.hosts:
            raise NotYours(_("You cannot do that in this season."))
        template, club = template_of(loaded.season), form.get("club") or None
        await seasons_of(request).templates.keep(visitor.holder, form.get("name", ""), template, club)
    except Refused as error:
        return await _refused(request, loaded, visitor, error, "/host", {**form, "kind": "template"})
    return RedirectResponse("/seasons#templates", 303)


@router.get("/{season_id}/host")
async def show_host(request: Request, season_id: str) -> Response:
    """Show the host's page."""
    loaded = season_at(request)
    return await _host_page(request, loaded, visitors_of(request).of(request))


@router.post("/{season_id}/do")
async def do(request: Request, season_id: str) -> Response:
    """Add an event to the season's log."""
    visitor, form = await posted(request)
    loaded = season_at(request)
    back = place_of(form)
    try:
        limits_of(request).action(request.scope, f"{season_id} {visitor.holder}", 0)
        event = parse_command(form)
        requester = season_requester_of(loaded, visitor.holder)
        key = request_key(form.get("key"), form)
        await seasons_of(request).do(season_id, requester, [event], form.get("reason", ""), key)
    except Refused as error:
        return await _refused(request, loaded, visitor, error, back, form)
    return form_answer(request, f"/seasons/{season_id}{back}#{form.get('place', '')[:20]}")


@router.post("/{season_id}/step")
async def step(request: Request, season_id: str) -> Response:
    """Take the next step."""
    visitor, form = await posted(request)
    loaded = season_at(request)
    opening = EpisodeOpened(
        form.get("game") or None,
        form.get("duel") or None,
        parse_number(form.get("clock"), 8),
        form.get("title", ""),
    )
    try:
        limits_of(request).table(request.scope)
        name: Any = form.get("step", "")
        requester = season_requester_of(loaded, visitor.holder)
        await seasons_of(request).step(season_id, requester, name, opening)
    except Refused as error:
        latest = await seasons_of(request).get(season_id)
        return await _refused(request, latest, visitor, error, "/host", {**form, "kind": "step"})
    return RedirectResponse(f"/seasons/{season_id}/host", 303)


@router.post("/{season_id}/cast")
async def cast(request: Request, season_id: str) -> Response:
    """Preview a pasted cast, or apply it."""
    visitor, form = await posted(request)
    loaded = season_at(request)
    requester, text, apply = season_requester_of(loaded, visitor.holder), form.get("csv", ""), "apply" in form
    try:
        plan = await pasted(request, loaded, requester, text, form.get("reason") or "CSV", apply)
    except Refused as error:
        return await _refused(request, loaded, visitor, error, "/host", csv=text)
    if apply:
        return RedirectResponse(f"/seasons/{season_id}/host#cast", 303)
    return await _host_page(request, loaded, visitor, plan=plan, csv=text)


@router.post("/{season_id}/webhook")
async def choose_hook(request: Request, season_id: str) -> Response:
    """Store the season's webhooks."""
    visitor, form = await posted(request)
    loaded = season_at(request)
    try:
        await keep_hooks(request, loaded, season_requester_of(loaded, visitor.holder), form)
    except Refused as error:
        return await _refused(request, loaded, visitor, error, "/host", {**form, "kind": "webhook"})
    return RedirectResponse(f"/seasons/{season_id}/host#webhook", 303)


@router.post("/{season_id}/link")
async def new_link(request: Request, season_id: str) -> Response:
    """Replace a personal link."""
    visitor, form = await posted(request)
    loaded = season_at(request)
    try:
        await seasons_of(request).renew(season_id, season_requester_of(loaded, visitor.holder), form.get("who", ""))
    except Refused as error:
        return await _refused(request, loaded, visitor, error, "/host")
    return RedirectResponse(f"/seasons/{season_id}/host#links", 303)


@router.get("/{season_id}/join/{code}")
async def invitation(request: Request, season_id: str, code: str) -> Response:
    """Show a personal invitation; looking at it changes nothing, so that previews in chats do not use it up."""
    seasons, visitor = seasons_of(request), visitors_of(request).of(request)
    loaded = season_at(request)
    who = seasons.links.who_has(loaded, code)
    name = loaded.season.name(who) if who is not None else None
    try:
        title = loaded.season.settings.title if name is not None else view_for(request, loaded, visitor)["title"]
    except UnknownSeason:
        title = _("Seasons")  # not even the title is for everybody
    answer = page(
        request,
        "season_join.html",
        name=name,
        title=title,
        host=who in loaded.season.hosts,
        csrf=visitor.csrf,
        season_id=season_id,
        code=code,
    )
    return visitors_of(request).remember(visitor, answer)


@by_secret.post("/{season_id}/join")
async def join(request: Request, season_id: str) -> Response:
    """Take the place of a personal link."""
    visitor, form = await posted(request)
    limits_of(request).attempt(request.scope)
    who = await seasons_of(request).join(season_id, form.get("code", ""), visitor.holder)
    return RedirectResponse(f"/seasons/{season_id}{'/host' if who.startswith('h') else ''}", 303)


@router.post("/{season_id}/portrait")
async def choose_face(request: Request, season_id: str) -> Response:
    """Choose a drawn face, or none."""
    visitor, form = await posted(request)
    loaded = season_at(request)
    face = None if form.get("face") == "default" else "".join(form.get(part, "") for part in PARTS)
    try:
        limits_of(request).action(request.scope, f"{season_id} {visitor.holder}", 0)
        await seasons_of(request).portraits.choose(
            loaded, season_requester_of(loaded, visitor.holder), form.get("who", ""), face
        )
    except Refused as error:
        return await _refused(request, loaded, visitor, error, place_of(form))
    return RedirectResponse(f"/seasons/{season_id}{place_of(form)}#portraits", 303)


@router.post("/{season_id}/picture")
async def upload(request: Request, season_id: str) -> Response:
    """Upload a picture as a portrait."""
    visitors, loaded = visitors_of(request), season_at(request)
    requester = season_requester_of(loaded, visitors.require_sender(request))

    def check(form: Mapping[str, str]) -> None:
        visitors.require_csrf(request, form.get("csrf"))
        require_chooser(loaded, requester, form.get("who", ""))

    form, data = await read_upload(request, check)
    visitor = visitors.of(request)
    try:
        limits_of(request).table(request.scope)
        await seasons_of(request).portraits.upload(loaded, requester, form.get("who", ""), data)
    except Refused as error:
        return await _refused(request, loaded, visitor, error, place_of(form))
    return RedirectResponse(f"/seasons/{season_id}{place_of(form)}#portraits", 303)


@router.get("/{season_id}/{name}.csv")
async def export(request: Request, season_id: str, name: str) -> Response:
    """Hand out a part of the season as a file."""
    loaded = season_at(request)
    return csv_of(view_for(request, loaded, visitors_of(request).of(request)), name, spreadsheet=True)


async def _host_page(
    request: Request,
    loaded: LoadedSeason,
    visitor: Visitor,
    error: str | None = None,
    form: Mapping[str, str] | None = None,
    **further: Any,
) -> Response:
    who = season_requester_of(loaded, visitor.holder).who
    if who not in loaded.season.hosts:
        return RedirectResponse(f"/seasons/{loaded.id}", 303)
    count, last = len(loaded.season.remaining), loaded.season.episodes[-1] if loaded.season.episodes else None
    may_run = bool(view_for(request, loaded, visitor)["runs"])
    plan = loaded.season.plan
    planned = plan[len(loaded.season.episodes)] if len(plan) > len(loaded.season.episodes) else None
    chosen = loaded.season.cast.get(request.query_params.get("portrait", ""))
    given: dict[str, Any] = {
        "portrayed": None if chosen is None else {"id": chosen.id, "name": chosen.name},
        "links": links(request, loaded, who) if may_run else [],
        "hooks": await hooks(request, loaded, season_requester_of(loaded, visitor.holder)) if may_run else None,
        "joined": {who for who in loaded.season.cast if loaded.joined(who)},
        "matches": games_for(count) if count > 2 else [],
        "duels": games_for(2),
        "planned": planned,
        "last": planned or last,
        "clocks": [(seconds, duration(seconds)) for seconds in CLOCKS],
        "templates": [
            saved for saved in await seasons_of(request).templates.of(visitor.holder) if saved.template.episodes
        ],
        "clubs": await seasons_of(request).templates.clubs_of(visitor.holder),
        "bots": [(name, label(name)) for name in bots.names()],
        "lasting": LASTING,
        "audiences": AUDIENCES,
        "plan": None,
        "csv": "",
        **further,
    }
    return await season_page(request, "season_host.html", loaded, visitor, error, form, **given)


async def _refused(
    request: Request,
    loaded: LoadedSeason,
    visitor: Visitor,
    error: Refused,
    back: str,
    form: Mapping[str, str] | None = None,
    **given: Any,
) -> Response:
    """Answer with the page that a form came from, and why it was refused; `form` and `given` keep what it held."""
    if wants_json(request):
        raise error
    if back == "/talk":
        return conversations_page(request, loaded, visitor, error.sentence, form)
    if back and season_requester_of(loaded, visitor.holder).who in loaded.season.hosts:
        return await _host_page(request, loaded, visitor, error.sentence, form, **given)
    return await season_page(request, "season.html", loaded, visitor, error.sentence, form)
