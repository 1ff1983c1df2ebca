"""The JSON API for seasons: everything that hosts, contestants and viewers can do."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from pyramidion.seasons.cast_file import read_cast, written
from pyramidion.seasons.events import Command, EpisodeOpened, SettingsChanged
from pyramidion.seasons.ledger import NotPossible
from pyramidion.seasons.roles import runs
from pyramidion.seasons.season import Audience, Step, Visibility
from pyramidion.web.errors import NoSuchToken
from pyramidion.web.features.seasons.service import (
    Loaded,
    NotYours,
    SeasonRefused,
    seasons_of,
    who_holds,
)
from pyramidion.web.http.authentication import require_same_origin
from pyramidion.web.http.dependencies import limits_of, visitors_of
from pyramidion.web.http.responses import Json, token_of
from pyramidion.web.http.schemas import ALLOWED, REFUSALS
from pyramidion.web.table import encoding as wire
from pyramidion.words import _

router = APIRouter(prefix="/api/seasons")


class NewSeason(BaseModel):
    """A season to begin."""

    title: str
    host: str = Field(description="What you are called as its host.")
    about: str = ""
    garnets: Visibility = Field(default="own", description="Who sees garnets: everybody, each their own, or hosts.")
    priority: Visibility = Field(default="own", description="Who sees priority.")
    gifts: bool = False
    audience: Audience = Field(default="episode", description="What viewers see: nothing, closed episodes, everything.")
    delay: int = Field(default=0, description="Hours after which viewers see it.")


class SeasonOut(BaseModel):
    """A season as you may know it. Columns that are hidden from you are null."""

    id: str
    title: str
    about: str
    settings: dict[str, Any]
    role: str = Field(description="host, contestant or viewer.")
    you: str | None = Field(description="Your id in the season.")
    step: str = Field(description="What comes next.")
    winner: str | None
    cast: list[dict[str, Any]] = Field(
        description="Contestants with their balances; `out` is the episode they left in."
    )
    episodes: list[dict[str, Any]]
    posts: list[dict[str, Any]] = Field(description="Announcements, rulings and questions, the newest first.")
    shop: list[dict[str, Any]]
    ledger: list[dict[str, Any]] = Field(description="Transfers, the newest first.")
    charts: dict[str, dict[str, list[int]]] = Field(
        description="Balances before the first episode, after each and now."
    )
    challengeable: list[str] = Field(description="Whom the elimination candidate can name.")
    hosts: list[dict[str, Any]]
    runs: bool | None = Field(default=None, description="For hosts: whether you can take the next step.")
    log: list[dict[str, Any]] | None = Field(default=None, description="For hosts: everything that happened.")


class SeasonBegun(SeasonOut):
    """A new season with the token of its first host."""

    token: str


class EntryIn(BaseModel):
    """Something to do."""

    event: Annotated[Command, Field(discriminator="kind")]
    reason: str = Field(default="", description="Why; corrections and undoing need one.")
    key: str | None = Field(default=None, description="Any text of your own: what is sent twice with it counts once.")


class StepIn(BaseModel):
    """The next step, and for `open` what the episode is."""

    step: Step = Field(description="The step that you have seen to be next.")
    game: str | None = Field(default=None, description="The main match; null if it is played elsewhere.")
    duel: str | None = Field(default=None, description="The death match; null if it is played elsewhere.")
    clock: int | None = Field(default=None, description="Seconds per decision at the tables.")
    title: str = ""


class CastIn(BaseModel):
    """A cast from a spreadsheet."""

    csv: str = Field(description="Columns name, garnets, priority, bot.")
    apply: bool = Field(default=False, description="Whether to do it; otherwise you only learn what it would do.")
    reason: str = "CSV"


class CastOut(BaseModel):
    """What a pasted cast does."""

    applied: bool
    plan: list[dict[str, Any]]


class LinkOut(BaseModel):
    """A personal link."""

    who: str
    name: str
    url: str
    token: str = Field(description="For programs, in the header 'Authorization: Bearer TOKEN'.")
    opened: bool


@router.post("", status_code=201, response_model=SeasonBegun, responses=ALLOWED, summary="Begin a season")
async def begin_season(order: NewSeason, request: Request) -> Json:
    """Begin a season as its host."""
    require_same_origin(request.scope)
    limits_of(request).table(request.scope)
    settings = SettingsChanged(**order.model_dump(exclude={"host"}))
    seasons = seasons_of(request)
    loaded = await seasons.create(settings, order.host, None)
    body = {**seasons.shown(loaded, "h1"), "token": seasons.code(loaded, "h1")}
    return Json(wire.encode(body), 201, {"location": f"/api/seasons/{loaded.id}"})


@router.get("/{season_id}", response_model=SeasonOut, responses=REFUSALS, summary="A season as you may know it")
async def get_season(season_id: str, request: Request) -> Json:
    """Return what you may know of a season."""
    loaded, who = await person_at(request, season_id)
    return Json(wire.encode(seasons_of(request).shown(loaded, who)))


@router.post("/{season_id}/entries", response_model=SeasonOut, responses=ALLOWED, summary="Do something in a season")
async def add_entry(season_id: str, order: EntryIn, request: Request) -> Json:
    """Add an event to the season's log, if it can happen and you may do it."""
    _loaded, who = await changer_at(request, season_id)
    loaded = await seasons_of(request).do(season_id, who, [order.event], order.reason, order.key)
    return Json(wire.encode(seasons_of(request).shown(loaded, who)))


@router.post("/{season_id}/step", response_model=SeasonOut, responses=ALLOWED, summary="Take the next step")
async def take_step(season_id: str, order: StepIn, request: Request) -> Json:
    """Open an episode and start its match, start the death match, or eliminate its loser and close the episode."""
    _loaded, who = await changer_at(request, season_id)
    limits_of(request).table(request.scope)
    opening = EpisodeOpened(order.game, order.duel, order.clock, order.title)
    loaded = await seasons_of(request).step(season_id, who, order.step, opening)
    return Json(wire.encode(seasons_of(request).shown(loaded, who)))


@router.post("/{season_id}/cast", response_model=CastOut, responses=ALLOWED, summary="Paste a cast")
async def paste_cast(season_id: str, order: CastIn, request: Request) -> Json:
    """Add contestants and correct balances from CSV, or preview it."""
    loaded, who = await changer_at(request, season_id)
    body = {"applied": order.apply, "plan": await pasted(request, loaded, who, order.csv, order.reason, order.apply)}
    return Json(wire.encode(body))


@router.get("/{season_id}/links", response_model=list[LinkOut], responses=ALLOWED, summary="The personal links")
async def get_links(season_id: str, request: Request) -> Json:
    """Return the personal links of contestants, and of hosts if you are the host."""
    loaded, who = await person_at(request, season_id)
    return Json(wire.encode(links(request, loaded, who)))


@router.post("/{season_id}/links/{person}", response_model=list[LinkOut], responses=ALLOWED, summary="Make a new link")
async def renew_link(season_id: str, person: str, request: Request) -> Json:
    """Replace a personal link; whoever used the old one loses access."""
    _loaded, who = await changer_at(request, season_id)
    loaded = await seasons_of(request).renew(season_id, who, person)
    return Json(wire.encode(links(request, loaded, who)))


@router.get("/{season_id}/ledger.csv", responses=REFUSALS, summary="The ledger as CSV")
async def get_ledger(season_id: str, request: Request) -> Response:
    """Return the transfers that you may know."""
    loaded, who = await person_at(request, season_id)
    return csv_of(seasons_of(request).shown(loaded, who)["ledger"], loaded)


@router.get("/{season_id}/cast.csv", responses=REFUSALS, summary="The cast as CSV")
async def get_cast(season_id: str, request: Request) -> Response:
    """Return the cast with the balances that you may know."""
    loaded, who = await person_at(request, season_id)
    return csv_of(seasons_of(request).shown(loaded, who)["cast"], loaded)


def csv_of(rows: list[dict[str, Any]], loaded: Loaded) -> Response:
    """Answer with rows as a file, people by name."""
    named = [
        {name: loaded.season.name(value) if name in ("by", "giver", "taker") and value in _people(loaded) else value
         for name, value in row.items()}
        for row in rows
    ]  # fmt: skip
    headers = {"cache-control": "no-store", "content-disposition": "attachment"}
    return Response(written(named).encode(), 200, headers, "text/csv; charset=utf-8")


async def pasted(
    request: Request, loaded: Loaded, who: str | None, text: str, reason: str, apply: bool
) -> list[dict[str, Any]]:
    """Return what a pasted cast would do, and do it if asked to. Raises NotYours or SeasonRefused."""
    if who is None or not runs(loaded.season, who):
        raise NotYours(_("You cannot do that in this season."))
    try:
        events, plan = read_cast(loaded.season, text)
    except NotPossible as error:
        raise SeasonRefused(str(error)) from None
    if apply and events:
        await seasons_of(request).do(loaded.id, who, events, reason)
    return [{"name": one.name, "before": one.before, "after": one.after} for one in plan]


def links(request: Request, loaded: Loaded, who: str | None) -> list[dict[str, Any]]:
    """Return the personal links that somebody may hand out. Raises NotYours."""
    if who is None or not runs(loaded.season, who):
        raise NotYours(_("You cannot do that in this season."))
    mine = loaded.season.hosts[who].role == "host"
    people = [*loaded.season.cast, *(loaded.season.hosts if mine else ())]
    return [_link(request, loaded, one) for one in people if one != who]


async def person_at(request: Request, season_id: str) -> tuple[Loaded, str | None]:
    """Return a season and who asks: the id of a host or contestant, or None. Raises NoSuchToken."""
    loaded = await seasons_of(request).get(season_id)
    token = token_of(request.scope)
    if token is None:
        return loaded, who_holds(loaded, visitors_of(request).holder(request.scope))
    who = seasons_of(request).who_has(loaded, token)
    if who is None:
        raise NoSuchToken(_("This token is not valid in this season."))
    return loaded, who


async def changer_at(request: Request, season_id: str) -> tuple[Loaded, str | None]:
    """Return the same for a change, which is counted. Raises Forged where another site may be using our cookie."""
    loaded, who = await person_at(request, season_id)
    require_same_origin(request.scope)
    if token_of(request.scope) is None:
        visitors_of(request).require_csrf(request)
    limits_of(request).action(request.scope, f"{season_id} {who}", 0)
    return loaded, who


def _link(request: Request, loaded: Loaded, who: str) -> dict[str, Any]:
    code = seasons_of(request).code(loaded, who)
    return {
        "who": who,
        "name": loaded.season.name(who),
        "url": str(request.url.replace(path=f"/seasons/{loaded.id}/join/{code}", query="")),
        "token": code,
        "opened": loaded.people[who].holder is not None,
    }


def _people(loaded: Loaded) -> set[str]:
    return {*loaded.season.cast, *loaded.season.hosts}
