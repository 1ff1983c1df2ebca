"""The JSON API for seasons: everything that hosts, contestants and viewers can do."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Literal, get_args

from fastapi import APIRouter, Request

from pyramidion.event_log import NotPossible
from pyramidion.seasons.cast_file import read_cast
from pyramidion.seasons.csv_table import MARK, SEPARATORS, written
from pyramidion.seasons.events import EpisodeOpened, SettingsChanged
from pyramidion.seasons.fold import extended
from pyramidion.seasons.roles import runs
from pyramidion.seasons.template import Template, template_of
from pyramidion.translation import _, language
from pyramidion.web.errors import NotPossibleNow, NotYours
from pyramidion.web.features.seasons.api.schemas import (
    CastIn,
    CastOut,
    EntryIn,
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
from pyramidion.web.features.seasons.forms import lay_out_phases
from pyramidion.web.features.seasons.loaded import LoadedSeason, SeasonRequester, UnknownSeason
from pyramidion.web.features.seasons.saved_templates import beginning_of
from pyramidion.web.features.seasons.service import SCOPES, check_bots, season_at, season_requester_at, seasons_of
from pyramidion.web.features.seasons.texts import names_of, names_then
from pyramidion.web.features.seasons.webhook_reports import channel
from pyramidion.web.http.authentication import require_same_origin
from pyramidion.web.http.dependencies import (
    acting_for,
    browser_of,
    channels_of,
    limits_of,
    person_for,
    visitors_of,
)
from pyramidion.web.http.responses import Csv, Json, token_of
from pyramidion.web.http.schemas import ALLOWED, REFUSALS
from pyramidion.web.table.snapshots import json_encoder as wire
from pyramidion.web.tokens import API_PREFIX, new_id

router = APIRouter(prefix="/api/seasons")
by_secret = APIRouter(prefix="/api/seasons")
CsvPart = Literal["cast", "ledger", "episodes", "posts", "schedule", "log"]
PERSONS = ("by", "giver", "taker", "candidate", "opponent", "loser")
"""Columns with people."""


@router.post("", status_code=201, response_model=SeasonBegun, responses=ALLOWED, summary="Begin a season")
async def begin_season(order: NewSeason, request: Request) -> Json:
    """Begin a season as its host: as the account of an API token, a person's, or as the browser of a cookie.

    The token in the answer makes a program the host, too.
    """
    require_same_origin(request.scope)
    holder = await _host(request, order.club)
    limits_of(request).table(request.scope)
    seasons = seasons_of(request)
    if order.template is not None:
        beginning = beginning_of(await template_in(request, order.template), order.title, order.starts)
    else:
        beginning = [SettingsChanged(**order.model_dump(exclude={"host", "template", "starts", "club"}))]
    loaded = await seasons.create(beginning, order.host, holder, order.club)
    body = {**seasons.view(loaded, SeasonRequester("h1", True)), "token": seasons.links.code(loaded, "h1")}
    return Json(wire.encode(body), 201, {"location": f"/api/seasons/{loaded.id}"})


@router.get("/{season_id}", response_model=SeasonOut, responses=REFUSALS, summary="A season as you may know it")
async def get_season(season_id: str, request: Request) -> Json:
    """Return what you may know of a season."""
    loaded, requester = person_at(request)
    return Json(wire.encode(seasons_of(request).view(loaded, requester)))


@router.post("/{season_id}/entries", response_model=SeasonOut, responses=ALLOWED, summary="Do something in a season")
async def add_entry(season_id: str, order: EntryIn, request: Request) -> Json:
    """Add an event to the season's log, if it can happen and you may do it."""
    _loaded, requester = changer_at(request)
    loaded = await seasons_of(request).do(season_id, requester, [order.event], order.reason, order.request_key)
    return Json(wire.encode(seasons_of(request).view(loaded, requester)))


@router.post("/{season_id}/step", response_model=SeasonOut, responses=ALLOWED, summary="Take the next step")
async def take_step(season_id: str, order: StepIn, request: Request) -> Json:
    """Open an episode and start its match, start the death match, or eliminate its loser and close the episode."""
    _loaded, requester = changer_at(request)
    limits_of(request).table(request.scope)
    opening = EpisodeOpened(order.game, order.duel, order.clock, order.title)
    loaded = await seasons_of(request).step(season_id, requester, order.step, opening)
    return Json(wire.encode(seasons_of(request).view(loaded, requester)))


@router.post("/{season_id}/cast", response_model=CastOut, responses=ALLOWED, summary="Paste a cast")
async def paste_cast(season_id: str, order: CastIn, request: Request) -> Json:
    """Add contestants and correct balances from CSV, or preview it."""
    loaded, requester = changer_at(request)
    body = {
        "applied": order.apply,
        "plan": await pasted(request, loaded, requester, order.csv, order.reason, order.apply),
    }
    return Json(wire.encode(body))


@router.get("/{season_id}/links", response_model=list[LinkOut], responses=ALLOWED, summary="The personal links")
async def get_links(season_id: str, request: Request) -> Json:
    """Return the personal links of contestants, and of hosts if you are the host."""
    loaded, requester = person_at(request)
    return Json(wire.encode(links(request, loaded, requester.who)))


@router.post("/{season_id}/links/{person}", response_model=list[LinkOut], responses=ALLOWED, summary="Make a new link")
async def renew_link(season_id: str, person: str, request: Request) -> Json:
    """Replace a personal link; whoever used the old one loses access."""
    _loaded, requester = changer_at(request)
    loaded = await seasons_of(request).renew(season_id, requester, person)
    return Json(wire.encode(links(request, loaded, requester.who)))


@router.get("/{season_id}/{part}.csv", response_class=Csv, responses=REFUSALS, summary="A part of the season as CSV")
async def get_csv(season_id: str, part: CsvPart, request: Request) -> Csv:
    """Return what you may know of the cast, ledger, episodes, posts or schedule, or, as a host, the log."""
    loaded, requester = person_at(request)
    return csv_of(seasons_of(request).view(loaded, requester), part)


@router.post("/{season_id}/talk", response_model=SeasonOut, responses=ALLOWED, summary="Write to contestants")
async def add_talk(season_id: str, order: TalkIn, request: Request) -> Json:
    """Write to a contestant or an alliance, or form, extend or leave one. It takes your own token."""
    _loaded, requester = changer_at(request)
    loaded = await seasons_of(request).say(season_id, requester, order.event, order.request_key)
    return Json(wire.encode(seasons_of(request).view(loaded, requester)))


@by_secret.post("/{season_id}/join", response_model=JoinOut, responses=ALLOWED, summary="Take your place")
async def take_place(season_id: str, order: SeasonJoinIn, request: Request) -> Json:
    """Open a personal link, once: for the account of an API token, for a page's browser, or for a program."""
    require_same_origin(request.scope)
    limits_of(request).attempt(request.scope)
    seasons, holder = seasons_of(request), await _account(request) or browser_of(request) or new_id()
    who = await seasons.join(season_id, order.code, holder)
    return Json(wire.encode({"who": who, "token": seasons.links.own(await seasons.get(season_id), who)}))


@router.post("/{season_id}/schedule", response_model=SeasonOut, responses=ALLOWED, summary="Lay out phases")
async def lay_out(season_id: str, order: LayIn, request: Request) -> Json:
    """Add phases one after the other, as a host."""
    loaded, requester = changer_at(request)
    phases = lay_out_phases(loaded, order.starts, order.phases, skip_weekends=order.skip_weekends)
    loaded = await seasons_of(request).do(season_id, requester, phases, key=order.request_key)
    return Json(wire.encode(seasons_of(request).view(loaded, requester)))


@router.post(
    "/{season_id}/plan", response_model=SeasonOut, responses=ALLOWED, summary="Plan the episodes of a template"
)
async def plan_episodes(season_id: str, order: PlanIn, request: Request) -> Json:
    """Add the episodes of a template to the plan, as a host."""
    _loaded, requester = changer_at(request)
    episodes = (await template_in(request, order.template)).episodes
    loaded = await seasons_of(request).do(season_id, requester, episodes, key=order.request_key)
    return Json(wire.encode(seasons_of(request).view(loaded, requester)))


@router.get("/{season_id}/template", response_model=Template, responses=REFUSALS, summary="The season as a template")
async def get_template(season_id: str, request: Request) -> Json:
    """Return settings, shop, episodes and lengths of phases, as a host."""
    loaded, requester = person_at(request)
    return template_for(loaded, requester)


@router.get("/{season_id}/webhook", response_model=SeasonHooks, responses=REFUSALS, summary="The season's webhooks")
async def get_hook(season_id: str, request: Request) -> Json:
    """Return the webhooks, as a host."""
    loaded, requester = person_at(request)
    return Json(wire.encode(await hooks(request, loaded, requester)))


@router.put("/{season_id}/webhook", response_model=SeasonHooks, responses=ALLOWED, summary="Set the season's webhooks")
async def put_hook(season_id: str, order: SeasonHooks, request: Request) -> Json:
    """Store or remove the webhooks that are given, as a host."""
    loaded, requester = changer_at(request)
    await keep_hooks(request, loaded, requester, order.model_dump(exclude_none=True))
    return Json(wire.encode(await hooks(request, loaded, requester)))


async def hooks(request: Request, loaded: LoadedSeason, requester: SeasonRequester) -> dict[str, str]:
    """Return the webhooks of a season: `webhook`, which viewers read, and `hosts`. Raises NotYours."""
    if requester.who is None or not runs(loaded.season, requester.who):
        raise NotYours(_("You cannot do that in this season."))
    return {name: await channels_of(request).of(owner) for name, owner in _channels(loaded).items()}


async def keep_hooks(
    request: Request, loaded: LoadedSeason, requester: SeasonRequester, urls: Mapping[str, str]
) -> None:
    """Store those webhooks of a season that are given. Raises NotYours, or BadRequest with a sentence."""
    before = await hooks(request, loaded, requester)
    for name, owner in _channels(loaded).items():
        if (url := urls.get(name, before[name])) != before[name]:
            await channels_of(request).keep(owner, url, requester.who or "")


def _channels(loaded: LoadedSeason) -> dict[str, str]:
    return {"webhook": channel(loaded.id), "hosts": channel(loaded.id, hosts=True)}


async def template_in(request: Request, given: Template | str) -> Template:
    """Return a template that is given itself or by its id. Raises UnknownTemplate."""
    if isinstance(given, Template):
        return given
    return (await seasons_of(request).templates.get(given, None)).template


def template_for(loaded: LoadedSeason, requester: SeasonRequester) -> Json:
    """Answer with a season's template. Raises NotYours."""
    if requester.who not in loaded.season.hosts:
        raise NotYours(_("You cannot do that in this season."))
    return template_file(template_of(loaded.season))


def template_file(template: Template) -> Json:
    """Answer with a template as a file."""
    return Json(wire.encode(asdict(template)), headers={"content-disposition": "attachment"})


def csv_of(view: dict[str, Any], part: str, *, spreadsheet: bool = False) -> Csv:
    """Answer with a part of what is shown as a file, people by name; for a `spreadsheet` in the visitor's language.

    Raises NotYours, or UnknownSeason.
    """
    if part not in get_args(CsvPart):
        raise UnknownSeason(_("There is no such file."))
    if (rows := view.get(part)) is None:
        raise NotYours(_("You cannot do that in this season."))
    names, name_then = names_of(view), names_then(view)

    def cell(row: dict[str, Any], name: str) -> Any:
        value = row[name]
        if name in PERSONS and value in names:
            return name_then(value, row["at"]) if "at" in row else names[value]
        return json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list, tuple)) else value

    cells = [{name: cell(row, name) for name in row} for row in rows]
    headers = {"cache-control": "no-store", "content-disposition": "attachment"}
    text = MARK + written(cells, SEPARATORS.get(language(), ",")) if spreadsheet else written(cells)
    return Csv(text, 200, headers)


async def pasted(
    request: Request, loaded: LoadedSeason, requester: SeasonRequester, text: str, reason: str, apply: bool
) -> list[dict[str, Any]]:
    """Return what a pasted cast would do, and do it if asked to. Raises NotYours or NotPossibleNow."""
    if requester.who is None or not runs(loaded.season, requester.who):
        raise NotYours(_("You cannot do that in this season."))
    try:
        events, plan = read_cast(loaded.season, text)
        # A preview refuses what could not be done.
        check_bots(events)
        extended(loaded.season, events, 0, requester.who, reason)
    except NotPossible as error:
        raise NotPossibleNow(str(error)) from None
    if apply and events:
        await seasons_of(request).do(loaded.id, requester, events, reason)
    return [asdict(line) for line in plan]


def links(request: Request, loaded: LoadedSeason, who: str | None) -> list[dict[str, Any]]:
    """Return the personal links that somebody may hand out. Raises NotYours."""
    if who is None or not runs(loaded.season, who):
        raise NotYours(_("You cannot do that in this season."))
    mine = loaded.season.hosts[who].role == "host"
    people = [*loaded.season.cast, *(loaded.season.hosts if mine else ())]
    return [_link(request, loaded, who_) for who_ in people if who_ != who]


def person_at(request: Request) -> tuple[LoadedSeason, SeasonRequester]:
    """Return a season and who asks: by a link's token, an API token or a cookie."""
    return season_at(request), season_requester_at(request)


async def _host(request: Request, club: str | None) -> str | None:
    """Return the visitor who begins a season, None for a program. Raises NotYours for a bot.

    A club's officer is known by an API token, or by a cookie with its CSRF token.
    """
    visitor = visitors_of(request).holder(request.scope) if token_of(request.scope) is None else None
    if _has_api_token(request) or (visitor is not None and club is not None):
        return await person_for(request, *SCOPES)
    return visitor


async def _account(request: Request) -> str | None:
    """Return the visitor for whom an API token acts, or None without one."""
    return (await acting_for(request, *SCOPES, changes=True)).holder if _has_api_token(request) else None


def _has_api_token(request: Request) -> bool:
    token = token_of(request.scope)
    return token is not None and token.startswith(API_PREFIX)


def changer_at(request: Request) -> tuple[LoadedSeason, SeasonRequester]:
    """Return the same for a change, which is counted. Raises Forged where another site may be using our cookie."""
    loaded, requester = person_at(request)
    require_same_origin(request.scope)
    if token_of(request.scope) is None:
        visitors_of(request).require_csrf(request)
    limits_of(request).action(request.scope, f"{loaded.id} {requester.who}", 0)
    return loaded, requester


def _link(request: Request, loaded: LoadedSeason, who: str) -> dict[str, Any]:
    code = seasons_of(request).links.code(loaded, who)
    return {
        "who": who,
        "name": loaded.season.name(who),
        "url": str(request.url.replace(path=f"/seasons/{loaded.id}/join/{code}", query="")),
        "token": code,
        "bot": who in loaded.season.cast and loaded.season.cast[who].bot is not None,
        "opened": loaded.people[who].holder is not None,
    }
