"""The page of a room: who has come, what is agreed, what each contributes to the seed, and the beginning."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Annotated, Any, cast

from fastapi import APIRouter, Query, Request
from starlette.datastructures import ImmutableMultiDict
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response

from pyramidion.bots.labels import label
from pyramidion.web.answers import refusal
from pyramidion.web.bots.runner import USUAL_BOT, bot_names
from pyramidion.web.clock import duration
from pyramidion.web.errors import NotStarted, Refused
from pyramidion.web.pages import error_page, options_of, page, whole
from pyramidion.web.parts import chats_of, limits_of, rooms_of, store_of, visitors_of
from pyramidion.web.people.invitations import invited
from pyramidion.web.render import render_page
from pyramidion.web.rooms.origins import Given
from pyramidion.web.rooms.room import Room, Rooms
from pyramidion.web.seats import Visitor
from pyramidion.words import _, from_one, marked

router = APIRouter(prefix="/t/{table_id}/room", include_in_schema=False)
TABLE = re.compile(r"/t/([^/]+)")
NO_SEAT = marked("The seat must be a whole number.")
Form = ImmutableMultiDict[str, str]


async def not_started(request: Request, error: Exception) -> Response:
    """Answer whoever asks for a table that waits: with its room where a page is wanted, else with a sentence."""
    assert isinstance(error, NotStarted)
    table = TABLE.fullmatch(request.url.path)
    if table and request.method == "GET":
        return await _show(request, table[1])
    status, said = refusal(error)
    if request.url.path.startswith("/api/") or "json" in request.headers.get("accept", ""):
        return JSONResponse(said, status, {"cache-control": "no-store"})
    return error_page(request, status, said)


@router.get("")
async def look(request: Request, table_id: str, since: Annotated[str, Query(max_length=40)] = "") -> Response:
    """Answer an open page: nothing where nothing is new, or the room, or that the game has begun."""
    rooms, visitor = rooms_of(request), visitors_of(request).of(request)
    room = await rooms.get(table_id)
    if "json" not in request.headers.get("accept", ""):
        return RedirectResponse(f"/t/{table_id}", 303)
    rooms.looked(table_id, room.seat_of(visitor.holder))
    if room.begun:
        return JSONResponse({"begun": True}, headers={"cache-control": "no-store"})
    if since == _place(rooms, room):
        return Response(status_code=204, headers={"cache-control": "no-store"})
    html = render_page("room_fragment.html", **await _context(request, room, visitor))
    return JSONResponse({"html": html}, headers={"cache-control": "no-store"})


@router.get("/cards.toml")
async def cards(request: Request, table_id: str) -> Response:
    """Answer with the card file that the table will be played with."""
    room = await rooms_of(request).get(table_id)
    if room.row.cards is None:
        return RedirectResponse(f"/games/{room.game.id}/cards.toml", 303)
    return PlainTextResponse(room.row.cards)


@router.post("/sit")
async def sit(request: Request, table_id: str) -> Response:
    """Take an open seat."""

    async def doing(rooms: Rooms, _room: Room, form: Form, visitor: Visitor) -> None:
        given = Given.of(form.get("contribution"), form.get("drawn"))
        await rooms.sit(
            table_id,
            whole(form.get("seat"), _(NO_SEAT)),
            visitor.holder,
            form.get("name"),
            given,
        )

    return await _do(request, table_id, doing)


@router.post("/contribution")
async def contribute(request: Request, table_id: str) -> Response:
    """Replace what one's seat contributes to the seed."""

    async def doing(rooms: Rooms, room: Room, form: Form, visitor: Visitor) -> None:
        given = Given.of(form.get("contribution"), form.get("drawn"))
        await rooms.contribute(table_id, room.seat_of(visitor.holder), given)

    return await _do(request, table_id, doing)


@router.post("/ready")
async def ready(request: Request, table_id: str) -> Response:
    """Say that one is ready, or not any more."""

    async def doing(rooms: Rooms, room: Room, form: Form, visitor: Visitor) -> None:
        await rooms.ready(table_id, room.seat_of(visitor.holder), form.get("ready") == "yes")

    return await _do(request, table_id, doing)


@router.post("/leave")
async def leave(request: Request, table_id: str) -> Response:
    """Leave one's seat, or free another as the host."""

    async def doing(rooms: Rooms, room: Room, form: Form, visitor: Visitor) -> None:
        own = room.seat_of(visitor.holder)
        seat = whole(form["seat"], _(NO_SEAT)) if "seat" in form and room.is_host(visitor.holder) else own
        await rooms.leave(table_id, seat)

    return await _do(request, table_id, doing)


@router.post("/options")
async def settle(request: Request, table_id: str) -> Response:
    """Change the options, as the host."""

    async def doing(rooms: Rooms, room: Room, form: Form, visitor: Visitor) -> None:
        # Numbers that are not there any more have been taken out of the form.
        none = {name: () for name, option in room.game.options.items() if option.kind == "numbers"}
        given = {**none, **options_of(room.game, form)}
        await rooms.settle(table_id, given, by_host=room.is_host(visitor.holder))

    return await _do(request, table_id, doing)


@router.post("/start")
async def start(request: Request, table_id: str) -> Response:
    """Begin now, as the host."""

    async def doing(rooms: Rooms, room: Room, form: Form, visitor: Visitor) -> None:
        await rooms.start(table_id, form.get("fill") or None, by_host=room.is_host(visitor.holder))

    return await _do(request, table_id, doing)


Doing = Callable[[Rooms, Room, Form, Visitor], Awaitable[None]]


async def _do(request: Request, table_id: str, doing: Doing) -> Response:
    """Read a form of the room's page, do what it says, and show the room again, with the reason where it is refused."""
    visitors, rooms = visitors_of(request), rooms_of(request)
    form = await visitors.checked_form(request)
    visitor = visitors.of(request)
    room = await rooms.get(table_id)
    limits_of(request).action(request.scope, table_id, room.seat_of(visitor.holder))
    try:
        await doing(rooms, room, form, visitor)
    except Refused as error:
        if error.status >= 500:
            raise
        return await _show(request, table_id, from_one(error.sentence), error.status)
    return RedirectResponse(f"/t/{table_id}", 303)


async def _show(request: Request, table_id: str, told: str | None = None, status: int = 200) -> Response:
    visitors, rooms = visitors_of(request), rooms_of(request)
    visitor, room = visitors.of(request), await rooms.get(table_id)
    if room.begun:
        return RedirectResponse(f"/t/{table_id}", 303)
    rooms.looked(table_id, room.seat_of(visitor.holder))
    context = await _context(request, room, visitor)
    return visitors.remember(visitor, page(request, "room.html", status=status, told=told, **context))


def _place(rooms: Rooms, room: Room) -> str:
    return f"{room.agreed.changes}.{'-'.join(map(str, rooms.here(room)))}"


async def _context(request: Request, room: Room, visitor: Visitor) -> dict[str, Any]:
    rooms, row, me = rooms_of(request), room.row, room.seat_of(visitor.holder)
    given: Mapping[str, Any] = {f"option-{name}": value for name, value in _as_form(row.options).items()}
    removable = len(room.seats) - len(room.open_seats)
    return {
        "room": room,
        "game": room.game,
        "table_id": room.id,
        "title": row.title,
        "csrf": visitor.csrf,
        "me": me,
        "host": room.is_host(visitor.holder),
        "names": room.names,
        "here": rooms.here(room),
        "place": _place(rooms, room),
        "link": str(request.url.replace(path=f"/t/{room.id}", query="")),
        "invitation": await invited(store_of(request), room),
        "mine": room.contribution(me),
        "secret_hash": room.origin.secret_hash if room.origin is not None else None,
        "chat": await chats_of(request).rules(room.id),
        "clock": duration(row.clock) if row.clock is not None else None,
        "row": row,
        "options": room.game.options,
        "given": given,
        "waiting_names": [room.names[seat] for seat in room.taken if seat not in room.agreed.ready],
        "waiting_for": [seat for seat in room.taken if seat not in room.agreed.ready],
        "bots": [(name, label(name)) for name in bot_names(room.game)],
        "usual_bot": USUAL_BOT,
        "can_remove": bool(room.open_seats) and removable in room.game.seats,
    }


def _as_form(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options as the fields of a form have them: one for each number of a row."""
    fields: dict[str, Any] = {}
    for name, value in options.items():
        if isinstance(value, (list, tuple)):
            fields |= {f"{name}-{place}": number for place, number in enumerate(cast("Sequence[int]", value))}
        else:
            fields[name] = value
    return fields
