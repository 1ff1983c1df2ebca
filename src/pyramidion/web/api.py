"""The JSON API: everything a person can do at a table, for programs."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field

from pyramidion import Game
from pyramidion.engine import registry
from pyramidion.web import wire
from pyramidion.web.answers import Json, viewer_of
from pyramidion.web.bots.runner import bot_names
from pyramidion.web.errors import BadRequest, HasSecrets, NotStarted
from pyramidion.web.parts import seat_at, tables_of, visitors_of
from pyramidion.web.rooms.origins import Given
from pyramidion.web.rooms.room import NOW, Room
from pyramidion.web.seats import new_token, require_same_origin
from pyramidion.web.table import Table
from pyramidion.web.tables import SeatPlan
from pyramidion.web.talk.chat import Rules
from pyramidion.words import _

router = APIRouter(prefix="/api")
Since = Annotated[int, Query(ge=0, description="How many of your own events you already have.")]


class Fault(BaseModel):
    """What every refusal looks like; some carry more, such as the rule and the current position."""

    error: str = Field(description="A word for programs: illegal-action, stale, not-your-seat, unknown-table, ...")
    detail: str = Field(description="A sentence for people.")


class NewSeat(BaseModel):
    """A seat of a new table."""

    kind: Literal["me", "bot", "open"]
    name: str | None = None
    bot: str | None = Field(
        default=None, description="Which bot, for a bot's seat: easy, normal, hard, expert, policy or random."
    )
    contribution: str | None = Field(
        default=None, description="What your seat contributes to the seed; if null, the server draws it and says so."
    )


class NewTable(BaseModel):
    """A table to start."""

    game: str
    seats: list[NewSeat] = Field(max_length=15)
    options: dict[str, bool | int | str | list[int]] = {}
    title: str | None = None
    seed: int | str | None = Field(default=None, description="Chosen by chance if left out, so that nobody knows it.")
    cards: str | None = Field(default=None, description="A card file (TOML) to play with instead of the game's own.")
    clock: int | None = Field(default=None, description="Seconds per decision, 30 to 604800, or null for no limit.")
    hints: bool | None = Field(
        default=None, description="Whether people may ask for hints; if null, where all other seats are bots."
    )
    listed: bool = Field(default=False, description="Whether the lobby shows it while it has open seats.")
    close_early: bool = Field(
        default=True, description="Whether a phase closes when all have confirmed; if not, when its time is up."
    )
    start: Literal["now", "when-full", "when-ready"] = Field(
        default="now",
        description="When the match begins: now, when all seats are taken, or when all who sit there say so, too.",
    )
    absent: str | None = Field(
        default=None,
        description="What happens when a person's time is up: null or rule for the rule's default each time, bot:LEVEL "
        "where a bot plays on until the person is back, resign:LEVEL where it has the seat from then on.",
    )
    chat: ChatRules | None = Field(default=None, description="What may be said at the table, by whom, and when.")


class ChatRules(BaseModel):
    """What a table's chat allows."""

    private: Literal["none", "pairs", "groups"] = Field(
        default="none", description="Lines to some seats only: none, between two, or among any."
    )
    closes: Literal["never", "secret"] = Field(
        default="never", description="`secret`: nobody writes while several decide in secret."
    )
    watchers: bool = Field(default=False, description="Whether those who watch may write, for everybody.")


class SitDown(BaseModel):
    """A player who sits down."""

    name: str | None = None
    contribution: str | None = Field(
        default=None,
        description="While the table waits: your part in the seed; if null, the server draws it.",
    )


class SeatOut(BaseModel):
    """Who sits on a seat."""

    seat: int
    kind: Literal["person", "bot", "open"]
    name: str
    bot: str | None
    level: str | None = Field(description="What people call the bot: Easy, Normal, Hard, Expert.")
    present: bool
    stand_in: str | None = Field(default=None, description="The bot that plays until the person is back.")


class SubmissionOut(BaseModel):
    """How your submission in a simultaneous step stands."""

    open: bool = Field(description="Whether you can still change and confirm it.")
    saved: list[str] = Field(description="The parts you have saved; they count when time is up.")
    confirmed: bool


class ReceiptOut(BaseModel):
    """The seal of what you have submitted: SHA-256 of [game, table, seat, step, actions, nonce] as JSON."""

    seat: int
    step: int
    commitment: str
    actions: list[str]
    nonce: str


class ReceiptOfContribution(BaseModel):
    """What your seat has contributed to the seed: SHA-256 of [game, table, source, text, nonce] as JSON."""

    seat: int
    commitment: str
    text: str
    source: Literal["browser", "own", "server"]
    nonce: str


class PausedOut(BaseModel):
    """A pause."""

    since: int = Field(description="Milliseconds since 1970.")
    left: int | None = Field(description="Milliseconds that will be left until the deadline when the table goes on.")


class AskOut(BaseModel):
    """Something that a player asks all others for."""

    what: Literal["undo", "pause"]
    seat: int
    agreed: list[int]


class TableOut(BaseModel):
    """What everybody may know about a table, and which seat you hold."""

    id: str
    url: str
    game: str
    rules_version: int
    title: str
    begun: bool = Field(description="Whether the match has begun; a table that waits is at /api/tables/{id}/room, too.")
    options: dict[str, Any]
    seeded: bool = Field(description="Whether whoever started the table chose the seed, and so may know the cards.")
    secret_hash: str | None = Field(description="SHA-256 of the server's secret, which is told when the game is over.")
    own_cards: bool = Field(description="Whether it is played with a card file of its own: /t/{id}/cards.toml.")
    seats: list[SeatOut]
    seat: int | None = Field(description="The seat you hold, or null.")
    version: int
    acting: list[int]
    over: bool
    clock: int | None = Field(description="Seconds per decision, or null.")
    close_early: bool = Field(description="Whether a phase closes when all have confirmed.")
    hints: bool = Field(description="Whether people here may ask for hints.")
    absent: str | None = Field(description="What happens when a person's time is up; null for the rule's default.")
    host_seat: int | None = Field(description="The seat of the host, or null for one who watches, or none.")
    paused: PausedOut | None = Field(default=None, description="While nothing can be played.")
    asks: list[AskOut] = Field(default=[], description="What players ask of each other now.")
    queued: int | None = Field(default=None, description="The bot that is due waits to think: its place in the line.")
    deadline: int | None = Field(default=None, description="When time is up, milliseconds since 1970.")
    now: int | None = Field(default=None, description="The server's time, with `deadline`.")
    submission: SubmissionOut | None = Field(default=None, description="Your own, where you have one to make.")
    confirmed: list[int] | None = Field(default=None, description="Who has confirmed, where the table shows it.")
    receipt: ReceiptOut | None = Field(default=None, description="The seal of what you have submitted in this step.")


class Started(TableOut):
    """A new table with the tokens of the seats that are yours."""

    tokens: dict[int, str]
    host_token: str = Field(description="The host's: that of your first seat, or one of its own if you have none.")


class Seated(BaseModel):
    """The seat that is yours now."""

    seat: int
    token: str = Field(description="Send it as 'Authorization: Bearer TOKEN'. It is shown only once.")
    contribution: ReceiptOfContribution | None = Field(default=None, description="Yours, where the table waits.")


class ActionIn(BaseModel):
    """An action and the position it was chosen at."""

    action: int | str = Field(description="Its notation or its id.")
    version: int = Field(description="The version of the position that it was chosen at.")
    seat: int | None = Field(default=None, description="Your own seat, if you want it checked.")


class AcceptedOut(BaseModel):
    """The action is made and stored; `version` is your new one."""

    version: int
    receipt: ReceiptOut | None = None


REFUSALS: dict[int | str, dict[str, Any]] = {
    404: {"model": Fault, "description": "There is no such table, seat or game; the answer says what there is."},
    410: {"model": Fault, "description": "The table cannot go on: its game's rules have changed since."},
}
CHANGES: dict[int | str, dict[str, Any]] = {
    **REFUSALS,
    400: {"model": Fault, "description": "The body is not JSON of the form asked for."},
    409: {"model": Fault, "description": "Too late: a stale version (with the newest position) or a taken seat."},
    422: {"model": Fault, "description": "Not allowed: the rule and the reason, or the option and its range."},
    503: {"model": Fault, "description": "It could not be saved and has not been done."},
}


@router.get("/games", summary="The games, their seats and their options")
def list_games() -> list[dict[str, Any]]:
    """Return every game with what is needed to start a table of it and to read its actions."""
    return [_game(game) for game in registry.all_games().values()]


@router.post("/tables", status_code=201, response_model=Started, responses=CHANGES, summary="Start a table")
async def start_table(order: NewTable, request: Request) -> Json:
    """Start a table. Seats of kind `me` are yours: the answer holds a token for each of them."""
    require_same_origin(request.scope)
    tables = tables_of(request)
    plan = [SeatPlan(seat.kind, seat.name, seat.bot, Given(seat.contribution)) for seat in order.seats]
    host_token = new_token()
    make = tables.create if order.start == NOW else partial(tables.rooms.open, start=order.start)
    made = await make(
        order.game,
        plan,
        order.options,
        title=order.title,
        seed=order.seed,
        cards=order.cards,
        clock=order.clock,
        close_early=order.close_early,
        hints=order.hints,
        host_token=host_token,
        absent=order.absent,
        listed=order.listed,
        chat=Rules(**order.chat.model_dump()) if order.chat is not None else None,
    )
    table, tokens = made if isinstance(made, tuple) else (made, dict[int, str]())
    for number, seat in enumerate(plan):
        # Whoever hosts and plays has one token for both, so that nobody takes them for a host who only watches.
        given = None if tokens else host_token
        if number in tokens or seat.kind != "me":
            continue
        if token := await table.sit(number, None, seat.name, given):
            tokens[number] = token
    told = {**_table(table, None, request), "tokens": tokens, "host_token": host_token}
    return Json(wire.encode(told), 201)


@router.post(
    "/tables/{table_id}/seats/{seat}",
    response_model=Seated,
    responses=CHANGES,
    summary="Sit down on an open seat",
)
async def sit_down(table_id: str, seat: int, request: Request, order: SitDown | None = None) -> Json:
    """Take an open seat; the answer holds its token."""
    require_same_origin(request.scope)
    order, tables = order or SitDown(), tables_of(request)
    try:
        token = await (await tables.get(table_id)).sit(seat, None, order.name)
    except NotStarted:
        token, given = await tables.rooms.sit(table_id, seat, None, order.name, Given(order.contribution))
        told = {"seat": seat, "token": token, "contribution": given and given.as_json(opened=True)}
        return Json(wire.encode(told))
    return Json(wire.encode({"seat": seat, "token": token}))


@router.get("/tables/{table_id}", response_model=TableOut, responses=REFUSALS, summary="A table and who sits at it")
async def get_table(table_id: str, request: Request) -> Json:
    """Return what everybody may know of a table; while it waits in its room, nothing is due yet."""
    visitors = visitors_of(request)
    table = await tables_of(request).find(table_id)
    return Json(wire.encode(_table(table, viewer_of(table, request.scope, visitors), request)))


@router.get("/tables/{table_id}/view", responses=REFUSALS, summary="The position as you see it")
async def get_view(table_id: str, request: Request, version: Annotated[int | None, Query(ge=0)] = None) -> Json:
    """Return what your seat, or a spectator, may see now or saw at an earlier version of its own."""
    table, viewer = await seat_at(request, table_id)
    try:
        snapshot = table.snapshot(viewer, version)
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
                **(wire.standing(table, viewer) if snapshot.position_is_current else {}),
            }
        )
    )


@router.get("/tables/{table_id}/legal", responses=REFUSALS, summary="What you may do now")
async def get_legal(table_id: str, request: Request) -> Json:
    """Return your legal actions: `{"id", "text"}` each, and one entry for a run of numbers such as an amount."""
    table, viewer = await seat_at(request, table_id)
    actions = wire.legal(table, viewer) if viewer is not None else b"[]"
    return Json(b'{"version":%d,"legal":%b}' % (table.version(viewer), actions))


@router.get("/tables/{table_id}/events", responses=REFUSALS, summary="What has happened as you know it")
async def get_events(table_id: str, request: Request, since: Since = 0) -> Json:
    """Return your events from number `since` on, with rule numbers and texts."""
    table, viewer = await seat_at(request, table_id)
    told, _count = wire.events(table, viewer, since)
    return Json(b'{"version":%d,"events":%b}' % (table.version(viewer), told))


@router.post(
    "/tables/{table_id}/actions",
    response_model=AcceptedOut,
    responses={**CHANGES, 401: {"model": Fault}, 403: {"model": Fault, "description": "Not your seat."}},
    summary="Act",
)
async def act(table_id: str, order: ActionIn) -> None:
    """Make an action on your seat. It is durable when the answer comes; a stale or doubled one changes nothing."""
    raise AssertionError(f"{table_id}: {order} belongs to Doors, before the routes")


@router.get(
    "/tables/{table_id}/stream",
    response_model=None,
    responses={
        **REFUSALS,
        200: {"content": {"text/event-stream": {}}, "description": "Server-sent events of type `table`."},
    },
    summary="The table as it changes",
)
async def get_stream(table_id: str, since: str | None = None) -> None:
    """Stream `{"version", "events", "acting", "free", "over"}`, with `legal` when you may act, as server-sent events.

    No event is ever left out. After a lost connection, `Last-Event-ID` or `?since=VERSION` goes on where you were.
    """
    raise AssertionError(f"{table_id}: streams are opened by Doors, before the routes (since {since})")


@router.get("/tables/{table_id}/seals", responses=REFUSALS, summary="The seals of what was submitted")
async def get_seals(table_id: str, request: Request) -> Json:
    """Return the seals of all simultaneous steps that have ended, `{"seat", "step", "commitment"}` each, with `actions`
    and `nonce` where what was submitted is public by now or your own; and your own in the current step.

    `origin` is where the seed comes from: the secret's hash and the receipts of what the seats have contributed, with
    your own text and nonce; when the game is over, the secret and all of them. It is null where the seed was chosen.
    """
    table, viewer = await seat_at(request, table_id)
    origin = table.origin.shown(viewer, opened=table.match.over) if table.origin is not None else None
    told = {"table": table.id, "game": table.game.id, "origin": origin, "seals": table.seals_for(viewer)}
    return Json(wire.encode(told))


@router.get("/tables/{table_id}/record", responses=REFUSALS, summary="The whole match, once it is over")
async def get_record(table_id: str, request: Request) -> Json:
    """Return the record: everybody's secrets, seed and actions, from which the match can be replayed."""
    return record_of(await tables_of(request).get(table_id))


def record_of(table: Table) -> Json:
    """Return a finished match's record. Raises HasSecrets while it goes on."""
    if not table.match.over:
        raise HasSecrets(_("The record holds everybody's secrets, so it is handed out when the game is over."))
    return Json(wire.encode(table.record()))


def _table(table: Table | Room, viewer: int | None, request: Request) -> dict[str, Any]:
    begun = isinstance(table, Table)
    row = table if begun else table.row
    return {
        "id": table.id,
        "url": str(request.url.replace(path=f"/t/{table.id}", query="")),
        "game": table.game.id,
        "rules_version": table.game.rules_version,
        "title": row.title,
        "begun": begun,
        "options": row.options,
        "seeded": table.seeded if begun else table.row.seed_chosen,
        "secret_hash": table.origin.secret_hash if table.origin is not None else None,
        "own_cards": table.own_cards if begun else table.row.cards is not None,
        "seats": wire.seats_of(table),
        "seat": viewer,
        "version": table.version(viewer) if begun else 0,
        "acting": table.due(viewer) if begun else [],
        "over": begun and table.match.over,
        "clock": row.clock,
        "close_early": row.close_early,
        "hints": row.hints,
        "absent": row.absent,
        "host_seat": table.host_seat,
        **(wire.standing(table, viewer) if begun else {}),
    }


def _game(game: Game) -> dict[str, Any]:
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
            }
            for name, o in game.options.items()
        },
    }
