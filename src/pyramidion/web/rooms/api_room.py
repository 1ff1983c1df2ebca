"""The JSON API for rooms: tables that wait until all have come."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from pyramidion.web import wire
from pyramidion.web.answers import Json, asker_of, token_of
from pyramidion.web.api import CHANGES, REFUSALS, Fault, ReceiptOfContribution, SeatOut
from pyramidion.web.errors import UnknownSeat
from pyramidion.web.host.hosting import Asker
from pyramidion.web.parts import limits_of, rooms_of, visitors_of
from pyramidion.web.rooms.origins import Given
from pyramidion.web.seats import require_same_origin
from pyramidion.words import _

router = APIRouter(prefix="/api/tables/{table_id}/room")


class RoomOut(BaseModel):
    """What everybody may know about a table that waits."""

    id: str
    url: str
    game: str
    title: str
    begun: bool = Field(description="Whether the match has begun; then everything else is at /api/tables/{id}.")
    start: Literal["now", "when-full", "when-ready"]
    seats: list[SeatOut]
    ready: list[int] = Field(description="The seats that wait for nothing more.")
    options: dict[str, Any]
    seeded: bool = Field(description="Whether whoever made the table chose the seed, and so may know the cards.")
    secret_hash: str | None = Field(description="SHA-256 of the server's secret, which is told when the game is over.")
    clock: int | None
    close_early: bool
    hints: bool
    own_cards: bool
    seat: int | None = Field(description="The seat you hold, or null.")
    host: bool = Field(description="Whether you are the host.")
    changes: int = Field(description="Goes up whenever something changes in the room.")
    contribution: ReceiptOfContribution | None = Field(default=None, description="Your own.")


class ContributionIn(BaseModel):
    """What you contribute to the seed."""

    text: str | None = Field(default=None, description="1 to 200 characters; if null, the server draws it and says so.")


class ReadyIn(BaseModel):
    """Whether you wait for nothing more."""

    ready: bool = True


class OptionsIn(BaseModel):
    """Options to change; others stay as they are."""

    options: dict[str, bool | int | str | list[int]]


class StartIn(BaseModel):
    """How to begin."""

    fill: str | None = Field(default=None, description="Which bot takes the open seats, or 'remove' to take them away.")


MINE: dict[int | str, dict[str, Any]] = {
    **CHANGES,
    401: {"model": Fault},
    403: {"model": Fault, "description": "Not your seat, or not yours to do."},
}


@router.get("", response_model=RoomOut, responses=REFUSALS, summary="A table that waits")
async def get_room(table_id: str, request: Request) -> Json:
    """Return what you may know of a room."""
    return await _room(table_id, request)


@router.put("/contribution", response_model=ReceiptOfContribution, responses=MINE, summary="Contribute to the seed")
async def contribute(table_id: str, order: ContributionIn, request: Request) -> Json:
    """Replace what your seat contributes to the seed, while the table waits; the answer is its receipt."""
    seat, _host = await _who(table_id, request)
    one = await rooms_of(request).contribute(table_id, seat, Given(order.text))
    return Json(wire.encode(one.as_json(opened=True)))


@router.put("/ready", response_model=RoomOut, responses=MINE, summary="Say that you are ready")
async def ready(table_id: str, order: ReadyIn, request: Request) -> Json:
    """Say that you wait for nothing more, or that you do again. When all have come and are ready, the match begins."""
    seat, _host = await _who(table_id, request)
    await rooms_of(request).ready(table_id, seat, order.ready)
    return await _room(table_id, request)


@router.delete("/seats/{seat}", response_model=RoomOut, responses=MINE, summary="Leave a seat")
async def leave(table_id: str, seat: int, request: Request) -> Json:
    """Leave your seat while the table waits; the host can free anybody's."""
    own, host = await _who(table_id, request)
    if seat != own and not host:
        raise UnknownSeat(_("You can leave your own seat only."))
    await rooms_of(request).leave(table_id, seat)
    return await _room(table_id, request, gone=seat == own)


@router.patch("", response_model=RoomOut, responses=MINE, summary="Change the options")
async def settle(table_id: str, order: OptionsIn, request: Request) -> Json:
    """Change the options while the table waits, as its host; whoever was ready is asked again."""
    _seat, host = await _who(table_id, request)
    await rooms_of(request).settle(table_id, order.options, by_host=host)
    return await _room(table_id, request)


@router.post("/start", response_model=RoomOut, responses=MINE, summary="Begin now")
async def start(table_id: str, order: StartIn, request: Request) -> Json:
    """Let the match begin now, as its host. Bots take the open seats, or they are removed; then seats move up."""
    _seat, host = await _who(table_id, request)
    await rooms_of(request).start(table_id, order.fill, by_host=host)
    return await _room(table_id, request)


async def _who(table_id: str, request: Request) -> tuple[int | None, bool]:
    """Return who asks for a change, which is counted. Raises Forged where another site's page uses our cookie."""
    visitors = visitors_of(request)
    room = await rooms_of(request).get(table_id)
    asker = asker_of(room, request.scope, visitors)
    seat, host = asker.seat, asker.host
    if token_of(request.scope) is None:
        require_same_origin(request.scope)
        if seat is not None or host:
            visitors.require_csrf(request)
    limits = limits_of(request)
    limits.action(request.scope, table_id, seat if seat is not None else -1 if host else None)
    return seat, host


async def _room(table_id: str, request: Request, *, gone: bool = False) -> Json:
    rooms = rooms_of(request)
    room = await rooms.get(table_id)
    asker = Asker(None, False) if gone else asker_of(room, request.scope, visitors_of(request))
    seat, host = asker.seat, asker.host
    mine = room.contribution(seat)
    told: dict[str, Any] = {
        "id": room.id,
        "url": str(request.url.replace(path=f"/t/{room.id}", query="")),
        "game": room.game.id,
        "title": room.row.title,
        "begun": room.begun,
        "start": room.agreed.start,
        "seats": wire.seats_of(room, rooms.here(room)),
        "ready": sorted(room.agreed.ready),
        "options": room.row.options,
        "seeded": room.row.seed_chosen,
        "secret_hash": room.origin.secret_hash if room.origin is not None else None,
        "clock": room.row.clock,
        "close_early": room.row.close_early,
        "hints": room.row.hints,
        "own_cards": room.row.cards is not None,
        "seat": seat,
        "host": host,
        "changes": room.agreed.changes,
    }
    if mine is not None:
        told["contribution"] = mine.as_json(opened=True)
    return Json(wire.encode(told))
