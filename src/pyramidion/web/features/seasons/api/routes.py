"""The JSON API for seasons: everything that hosts, contestants and viewers can do."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter, Request

from pyramidion.seasons.events import EpisodeOpened, SettingsChanged
from pyramidion.seasons.template import Template
from pyramidion.web.features.seasons.access import SCOPES
from pyramidion.web.features.seasons.api.schemas import (
    CastIn,
    CastOut,
    EntryIn,
    Following,
    JoinOut,
    LayIn,
    LinkOut,
    NewSeason,
    PlanIn,
    SeasonBegun,
    SeasonHooks,
    SeasonJoinIn,
    SeasonOut,
    StepIn,
    TalkIn,
)
from pyramidion.web.features.seasons.api.season_call import Call, SeasonCall
from pyramidion.web.features.seasons.commands import (
    AddEvent,
    Converse,
    LayOutPhases,
    PlanEpisodes,
    RenewLink,
    SetWebhooks,
    TakeStep,
)
from pyramidion.web.features.seasons.downloads import csv_file, template_file
from pyramidion.web.features.seasons.loaded import LoadedSeason, SeasonRequester
from pyramidion.web.features.seasons.saved_templates import beginning_of, season_as_template
from pyramidion.web.features.seasons.service import Seasons
from pyramidion.web.features.seasons.view_models import CsvPart, personal_links
from pyramidion.web.http.authentication import Visitors, require_same_origin
from pyramidion.web.http.dependencies import acting_for, browser_of, person_for
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.http.responses import Csv, Json, full_url, token_of
from pyramidion.web.http.schemas import ALLOWED, REFUSALS
from pyramidion.web.http.services import Service
from pyramidion.web.table.snapshots import json_encoder as wire
from pyramidion.web.tokens import API_PREFIX, new_id

router = APIRouter(prefix="/api/seasons")
by_secret = APIRouter(prefix="/api/seasons")


@router.post("", status_code=201, response_model=SeasonBegun, responses=ALLOWED, summary="Begin a season")
async def begin_season(
    order: NewSeason,
    request: Request,
    seasons: Service[Seasons],
    visitors: Service[Visitors],
    limits: Service[RateLimits],
) -> Json:
    """Begin a season. Its host is the person of your API token or cookie; a program uses the new token instead.

    The token in the answer makes a program the host, too.
    """
    require_same_origin(request.scope)
    holder = await _host(request, visitors, order.club)
    limits.table(request.scope)
    if order.template is not None:
        beginning = beginning_of(await seasons.templates.resolve(order.template), order.title, order.starts)
    else:
        beginning = [SettingsChanged(**order.model_dump(exclude={"host", "template", "starts", "club", "key"}))]
    loaded = await seasons.create(beginning, order.host, holder, order.club, order.request_key)
    body = {**seasons.view(loaded, SeasonRequester("h1", True)), "token": seasons.links.code(loaded, "h1")}
    return Json(wire.encode(body), 201, {"location": f"/api/seasons/{loaded.id}"})


@router.get("/{season_id}", response_model=SeasonOut, responses=REFUSALS, summary="A season as you may know it")
async def get_season(call: Call) -> Json:
    """Return what you may know of a season."""
    return call.view(call.loaded)


@router.post("/{season_id}/entries", response_model=SeasonOut, responses=ALLOWED, summary="Do something in a season")
async def add_entry(order: EntryIn, call: Call) -> Json:
    """Add an event to the season's log, if it can happen now and you are allowed to."""
    return await call.answer(AddEvent(order.event, order.reason, order.request_key, order.episode))


@router.post("/{season_id}/step", response_model=SeasonOut, responses=ALLOWED, summary="Take the next step")
async def take_step(order: StepIn, call: Call) -> Json:
    """Open an episode and start its match, start the death match, or eliminate its loser and close the episode."""
    opening = EpisodeOpened(order.game, order.duel, order.clock, order.title, order.format, order.own)
    return await call.answer(TakeStep(order.step, opening, order.bots))


@router.post("/{season_id}/cast", response_model=CastOut, responses=ALLOWED, summary="Paste a cast")
async def paste_cast(order: CastIn, call: Call) -> Json:
    """Add contestants and correct balances from CSV, or preview it."""
    call.count_change()
    plan = await call.seasons.paste_cast(call.loaded, call.requester, order.csv, order.reason, apply=order.apply)
    return Json(wire.encode({"applied": order.apply, "plan": [asdict(line) for line in plan]}))


@router.get("/{season_id}/links", response_model=list[LinkOut], responses=ALLOWED, summary="The personal links")
async def get_links(call: Call) -> Json:
    """Return the personal links of contestants and, if your role is `host`, also those of hosts."""
    return _links(call, call.loaded)


@router.post("/{season_id}/links/{person}", response_model=list[LinkOut], responses=ALLOWED, summary="Make a new link")
async def renew_link(season_id: str, person: str, call: Call) -> Json:
    """Replace a personal link; whoever used the old one loses access."""
    return _links(call, await call.carry_out(RenewLink(person)))


@router.get("/{season_id}/{part}.csv", response_class=Csv, responses=REFUSALS, summary="A part of the season as CSV")
async def get_csv(season_id: str, part: CsvPart, call: Call) -> Csv:
    """Return what you may know of the cast, ledger, episodes, posts or schedule, or, as a host, the log.

    The file is for programs: times are in milliseconds since 1970, and structures are JSON with ids. The file of the
    same name below `/seasons/{season_id}` is for people and their spreadsheets; the pages of the season link to it.
    """
    return csv_file(call.seasons.view(call.loaded, call.requester), part)


@router.post("/{season_id}/talk", response_model=SeasonOut, responses=ALLOWED, summary="Write to contestants")
async def add_talk(order: TalkIn, call: Call) -> Json:
    """Write to a contestant or an alliance, or form, extend or leave one. It takes your own token."""
    return await call.answer(Converse(order.event, order.request_key))


@by_secret.post("/{season_id}/join", response_model=JoinOut, responses=ALLOWED, summary="Take your place")
async def take_place(
    season_id: str, order: SeasonJoinIn, request: Request, seasons: Service[Seasons], limits: Service[RateLimits]
) -> Json:
    """Open a personal link, which works once, and take its place as the person of a token or cookie or a program."""
    require_same_origin(request.scope)
    limits.attempt(request.scope)
    holder = await _account(request) or browser_of(request) or new_id()
    who = await seasons.join(season_id, order.code, holder)
    return Json(wire.encode({"who": who, "token": seasons.links.own(await seasons.get(season_id), who)}))


@router.post("/{season_id}/schedule", response_model=SeasonOut, responses=ALLOWED, summary="Lay out phases")
async def lay_out(order: LayIn, call: Call) -> Json:
    """Add phases one after the other, as a host."""
    return await call.answer(LayOutPhases(order.starts, order.phases, order.skip_weekends, order.request_key))


@router.post(
    "/{season_id}/plan", response_model=SeasonOut, responses=ALLOWED, summary="Plan the episodes of a template"
)
async def plan_episodes(order: PlanIn, call: Call) -> Json:
    """Add the episodes of a template to the plan, as a host."""
    return await call.answer(PlanEpisodes(order.template, order.request_key))


@router.get("/{season_id}/template", response_model=Template, responses=REFUSALS, summary="The season as a template")
async def get_template(call: Call) -> Json:
    """Return the season's settings, shop, episodes and lengths of phases as a template. Only hosts can."""
    return template_file(season_as_template(call.loaded, call.requester))


@router.get("/{season_id}/webhook", response_model=SeasonHooks, responses=REFUSALS, summary="The season's webhooks")
async def get_hook(call: Call) -> Json:
    """Return the webhooks, as a host."""
    return await _webhooks(call)


@router.put("/{season_id}/webhook", response_model=SeasonHooks, responses=ALLOWED, summary="Set the season's webhooks")
async def put_hook(order: SeasonHooks, call: Call) -> Json:
    """As a host, store each webhook that you send, or remove it if its URL is empty."""
    await call.carry_out(SetWebhooks(order.model_dump(exclude_none=True)))
    return await _webhooks(call)


async def _webhooks(call: SeasonCall) -> Json:
    """Answer with the URLs of the season's webhooks."""
    return Json(wire.encode(await call.seasons.webhooks.of(call.loaded, call.requester)))


@router.put("/{season_id}/following", response_model=Following, responses=ALLOWED, summary="Follow the season")
async def put_following(order: Following, call: Call) -> Json:
    """Follow the season, to be notified when an episode can be watched, or stop; by your API token or cookie."""
    call.count_change()
    person = await acting_for(call.request, *SCOPES, changes=True)
    call.view(call.loaded)  # raises where the season is hidden
    await call.seasons.followers.keep(call.loaded.id, person.holder, follow=order.follow)
    return Json(wire.encode({"follow": order.follow}))


def _links(call: SeasonCall, loaded: LoadedSeason) -> Json:
    """Answer with the personal links that the caller may hand out."""
    invitation = full_url(call.request, f"/seasons/{loaded.id}/join/")
    return Json(wire.encode(personal_links(loaded, call.requester, call.seasons.links, invitation)))


async def _host(request: Request, visitors: Visitors, club: str | None) -> str | None:
    """Return the visitor id of the person who begins a season, None for a program. Raises NotYours for a bot.

    An officer who begins it for a club has to be known by an API token, or by a cookie with its CSRF token.
    """
    visitor = browser_of(request) or (visitors.holder(request.scope) if token_of(request.scope) is None else None)
    if _has_api_token(request) or (visitor is not None and club is not None):
        return await person_for(request, *SCOPES)
    return visitor


async def _account(request: Request) -> str | None:
    """Return the visitor id of the account whose API token the request carries, or None if it carries none."""
    return (await acting_for(request, *SCOPES, changes=True)).holder if _has_api_token(request) else None


def _has_api_token(request: Request) -> bool:
    """Return whether a request brings an API token."""
    token = token_of(request.scope)
    return token is not None and token.startswith(API_PREFIX)
