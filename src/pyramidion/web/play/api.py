"""The JSON API: everything a person can do at a table, for programs."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from pyramidion import Game
from pyramidion.engine import registry
from pyramidion.translation import _
from pyramidion.web.contracts import TableFinder
from pyramidion.web.errors import BadRequest, HasSecrets, NotStarted
from pyramidion.web.features.clubs.service import Clubs
from pyramidion.web.features.waiting_room.service import Rooms
from pyramidion.web.http.authentication import Visitors, require_same_origin
from pyramidion.web.http.dependencies import acting_for, browser_of
from pyramidion.web.http.responses import Json, full_url
from pyramidion.web.http.schemas import CHANGES, REFUSALS, Fault
from pyramidion.web.http.services import Service
from pyramidion.web.play.schemas import (
    AcceptedOut,
    EventsOut,
    GameOut,
    LegalOut,
    News,
    NewTableOut,
    RecordOut,
    SealsOut,
    Seated,
    TableOut,
    ViewOut,
)
from pyramidion.web.table.bots import bot_names
from pyramidion.web.table.room import Room
from pyramidion.web.table.seats.host import Requester
from pyramidion.web.table.seats.plans import SeatPlan
from pyramidion.web.table.seeds import OfferedContribution
from pyramidion.web.table.settings.declarations import NOW, TableSettings
from pyramidion.web.table.snapshots import json_encoder as wire
from pyramidion.web.table.snapshots.snapshot import snapshot_of
from pyramidion.web.table.table import Table
from pyramidion.web.table.tables import Tables
from pyramidion.web.table_requests.access import requester_of, seat_at
from pyramidion.web.tokens import new_token

router = APIRouter(prefix="/api")
Limit = Annotated[int | None, Query(ge=1, le=1000, description="The most events to return; if null, all of them.")]
Since = Annotated[int, Query(ge=0, description="How many of your own events you already have.")]


class EventStream(Response):
    """The media type of server-sent events, for the OpenAPI description."""

    media_type = "text/event-stream"


class NewSeat(BaseModel):
    """A seat of a new table."""

    kind: Literal["me", "bot", "open"]
    name: str | None = None
    bot: str | None = Field(
        default=None,
        description="The bot of a bot's seat: beginner, easy, normal, hard, expert, policy or random; in some games "
        "also master.",
    )
    contribution: str | None = Field(
        default=None, description="Your contribution to the seed; if null, the server draws one and says so."
    )


class NewTable(TableSettings):
    """A new table."""

    game: str
    seats: list[NewSeat] = Field(max_length=15)
    options: dict[str, bool | int | str | list[int]] = Field(default_factory=dict[str, Any])
    title: str | None = None
    seed: int | str | None = Field(default=None, description="If null, the seed is drawn so that nobody can choose it.")
    cards: str | None = Field(default=None, description="A card file (TOML) to play with instead of the game's own.")
    host_name: str | None = Field(default=None, description="Your name, if you host without playing.")
    club: str | None = Field(
        default=None,
        description="The club in whose lobby it is, by its id; for members, with a cookie or an API token.",
    )


class SitDown(BaseModel):
    """A player who takes a seat."""

    name: str | None = None
    contribution: str | None = Field(
        default=None,
        description="In the waiting room: your contribution to the seed; if null, the server draws one.",
    )
    code: str | None = Field(default=None, description="The code from the host's invitation, for a reserved seat.")


class ActionIn(BaseModel):
    """An action, and the version at which it was chosen."""

    action: int | str = Field(description="The action's notation or its id.")
    version: int = Field(description="The version of the position at which you chose it.")
    seat: int | None = Field(default=None, description="Your seat, if you want the server to check it.")


@router.get("/games", response_model=list[GameOut], summary="List the games")
def list_games() -> list[dict[str, Any]]:
    """List the games with what is needed to create a table and to read actions."""
    return [_game(game) for game in registry.all_games().values()]


@router.post("/tables", status_code=201, response_model=NewTableOut, responses=CHANGES, summary="Create a table")
async def start_table(
    body: NewTable, request: Request, tables: Service[Tables], rooms: Service[Rooms], clubs: Service[Clubs]
) -> Json:
    """Create a table. Seats of kind `me` are yours; the response contains a token for each of them.

    A page that sends its cookie and CSRF token is the host, and holds its seat, by its cookie.
    """
    require_same_origin(request.scope)
    settings, browser = TableSettings.of(body), browser_of(request)
    if body.club is not None:
        acting = await acting_for(request, "events", changes=True)
        await clubs.require_host(body.club, acting.holder, settings)
    plan = [SeatPlan(seat.kind, seat.name, seat.bot, OfferedContribution(seat.contribution)) for seat in body.seats]
    host_token = new_token()
    make = tables.create if settings.start == NOW else rooms.open
    made = await make(
        body.game,
        plan,
        body.options,
        settings,
        title=body.title,
        seed=body.seed,
        cards=body.cards,
        holder=browser,
        host_token=host_token,
        host_name=body.host_name,
    )
    table, tokens = made if isinstance(made, tuple) else (made, dict[int, str]())
    for number, seat in enumerate(plan):
        # A host who plays gets one token for both, so that they do not count as a host who only watches.
        given = None if tokens else host_token
        if number in tokens or seat.kind != "me" or browser is not None or isinstance(table, Room):
            continue
        if token := await table.sit(number, None, seat.name, given):
            tokens[number] = token
    if body.club is not None:
        await clubs.add_table(body.club, table.id)
    created = {**_table(table, Requester(None, True), request), "tokens": tokens, "host_token": host_token}
    return Json(wire.encode(created), 201, {"location": f"/api/tables/{table.id}"})


@router.post("/tables/{table_id}/seats/{seat}", response_model=Seated, responses=CHANGES, summary="Take an open seat")
async def sit_down(
    table_id: str,
    seat: int,
    request: Request,
    tables: Service[Tables],
    rooms: Service[Rooms],
    body: SitDown | None = None,
) -> Json:
    """Take an open seat. The response contains its token.

    A page that sends its cookie and CSRF token holds the seat by its cookie, and gets no token.
    """
    require_same_origin(request.scope)
    body, browser = body or SitDown(), browser_of(request)
    try:
        token = await (await tables.get(table_id)).sit(seat, browser, body.name, code=body.code)
    except NotStarted:
        token, given = await rooms.sit(table_id, seat, browser, body.name, OfferedContribution(body.contribution))
        seated = {"seat": seat, "token": token, "contribution": given and given.as_json(opened=True)}
        return Json(wire.encode(seated))
    return Json(wire.encode({"seat": seat, "token": token}))


@router.get("/tables/{table_id}", response_model=TableOut, responses=REFUSALS, summary="Get a table")
async def get_table(table_id: str, request: Request, visitors: Service[Visitors], finder: Service[TableFinder]) -> Json:
    """Get what everybody may know about a table. Nothing is due while it is in its waiting room."""
    table = await finder.find(table_id)
    return Json(wire.encode(_table(table, requester_of(table, request.scope, visitors), request)))


@router.get("/tables/{table_id}/view", response_model=ViewOut, responses=REFUSALS, summary="Get your view")
async def get_view(table_id: str, request: Request, version: Annotated[int | None, Query(ge=0)] = None) -> Json:
    """Get what your seat, or a spectator, sees now or saw at an earlier version."""
    table, viewer = await seat_at(request, table_id)
    try:
        snapshot = snapshot_of(table, viewer, version)
    except ValueError as error:
        raise BadRequest(str(error)) from error
    return Json(
        wire.encode(
            {
                "version": snapshot.version,
                "last_version": snapshot.last_version,
                "seat": viewer,
                "acting": snapshot.acting,
                "free": snapshot.free,
                "over": snapshot.over,
                "names": snapshot.names,
                "view": snapshot.view,
                **(wire.status_of(table, viewer) if snapshot.position_is_current else {}),
            }
        )
    )


@router.get("/tables/{table_id}/legal", response_model=LegalOut, responses=REFUSALS, summary="List your legal actions")
async def get_legal(table_id: str, request: Request) -> Json:
    """List your legal actions: `{"id", "text"}` each, and one entry for a range of numbers such as an amount."""
    table, viewer = await seat_at(request, table_id)
    actions = wire.legal(table, viewer) if viewer is not None else b"[]"
    return Json(b'{"version":%d,"legal":%b}' % (table.version(viewer), actions))


@router.get("/tables/{table_id}/events", response_model=EventsOut, responses=REFUSALS, summary="List your events")
async def get_events(table_id: str, request: Request, since: Since = 0, limit: Limit = None) -> Json:
    """List your events from number `since` on, with rule numbers and texts; `next` is where the next page begins."""
    table, viewer = await seat_at(request, table_id)
    events, count = wire.events(table, viewer, since, limit)
    following = b"%d" % (since + limit) if limit is not None and count > limit else b"null"
    return Json(b'{"version":%d,"events":%b,"next":%b}' % (table.version(viewer), events, following))


@router.post(
    "/tables/{table_id}/actions",
    response_model=AcceptedOut,
    responses={**CHANGES, 401: {"model": Fault}, 403: {"model": Fault, "description": "The seat is not yours."}},
    summary="Play an action",
)
async def act(table_id: str, body: ActionIn) -> None:
    """Play an action. It is stored before the response is sent; a stale or repeated action changes nothing."""
    raise AssertionError(f"{table_id}: {body} belongs to the fast path, ahead of the routes")


@router.get(
    "/tables/{table_id}/stream",
    response_model=None,
    response_class=EventStream,
    responses={
        **REFUSALS,
        200: {"model": News, "description": "Server-sent events of type `table`, each with data of this form."},
    },
    summary="Stream updates of a table",
)
async def get_stream(table_id: str, since: str | None = None) -> None:
    """Stream `{"version", "events", "acting", "free", "over"}`, with `legal` when you may act, as server-sent events.

    No event is left out. After a lost connection, `Last-Event-ID` or `?since=VERSION` continues where you were.
    """
    raise AssertionError(f"{table_id}: streams are opened by FastPath, before the routes (since {since})")


@router.get("/tables/{table_id}/seals", response_model=SealsOut, responses=REFUSALS, summary="List the seals")
async def get_seals(table_id: str, request: Request) -> Json:
    """List the seals of all simultaneous steps that have ended, and your own in the current step.

    Each is `{"seat", "step", "commitment"}`, with `actions` and `nonce` if the submission is public or your own.

    `origin` is the origin of the seed: the hash of the secret and the receipts of all contributions, with your own text
    and nonce; after the game, everybody's texts and the secret. It is null if the seed was chosen.
    """
    table, viewer = await seat_at(request, table_id)
    origin = table.origin.visible_to(viewer, opened=table.match.over) if table.origin is not None else None
    body = {"table": table.id, "game": table.game.id, "origin": origin, "seals": table.visibility.seals_for(viewer)}
    return Json(wire.encode(body))


@router.get(
    "/tables/{table_id}/record",
    response_model=RecordOut,
    responses=REFUSALS,
    summary="Get the record of a finished match",
)
async def get_record(table_id: str, tables: Service[Tables]) -> Json:
    """Get the record: seed, actions and everybody's secrets, from which the match can be replayed."""
    return record_of(await tables.get(table_id))


def record_of(table: Table) -> Json:
    """Return a finished match's record. Raises HasSecrets while the match is in progress."""
    if not table.match.over:
        raise HasSecrets(_("The record contains everyone's secrets, so you can download it only after the game."))
    return Json(wire.encode(table.record()))


def _table(table: Table | Room, requester: Requester, request: Request) -> dict[str, Any]:
    """Return what `get_table` answers, JSON-ready, for a table or for a waiting room."""
    viewer = requester.seat
    begun = isinstance(table, Table)
    row = table if begun else table.row
    return {
        "id": table.id,
        "url": full_url(request, f"/t/{table.id}"),
        "game": table.game.id,
        "rules_version": table.match.rules_version if begun else table.game.rules_version,
        "title": row.title,
        "begun": begun,
        "options": table.options_for(requester),
        "seeded": table.seeded if begun else table.row.seed_chosen,
        "secret_hash": table.origin.secret_hash if table.origin is not None else None,
        "own_cards": table.own_cards if begun else table.row.cards is not None,
        "seats": wire.seats_of(table),
        "seat": viewer,
        "version": table.version(viewer) if begun else 0,
        "acting": table.visibility.due(viewer) if begun else [],
        "over": begun and table.match.over,
        **table.settings.model_dump(),
        "host_seat": table.host.seat,
        "host_name": table.host.name,
        "host_watches": table.host.exists and not table.host.plays,
        **(wire.status_of(table, viewer) if begun else {}),
    }


def _game(game: Game) -> dict[str, Any]:
    """Return a game's entry in `list_games`, JSON-ready."""
    return {
        "id": game.id,
        "name": _(game.name),
        "prefix": game.prefix,
        "summary": _(game.summary),
        "rules_version": game.rules_version,
        "seats": list(game.seats),
        "usual_seats": game.usual_seats,
        "bots": list(bot_names(game)),
        "actions": game.actions.forms,
        "options": {
            name: {
                "kind": o.kind,
                "default": o.default,
                "range": o.range,
                "label": _(o.label),
                "help": _(o.help),
                "rule": f"{game.prefix} {o.rule}",
                "audience": o.audience,
            }
            for name, o in game.options.items()
        },
    }
