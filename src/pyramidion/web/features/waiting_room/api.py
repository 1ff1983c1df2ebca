"""The JSON API of waiting rooms."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from pyramidion.translation import _
from pyramidion.web.errors import UnknownSeat
from pyramidion.web.features.waiting_room.service import Rooms
from pyramidion.web.http.authentication import Visitors
from pyramidion.web.http.rate_limits import Limits
from pyramidion.web.http.responses import Json
from pyramidion.web.http.schemas import CHANGES, REFUSALS, Fault, ReceiptOfContribution, SeatOut
from pyramidion.web.http.services import Service
from pyramidion.web.table.seats.faces import PARTS, Face
from pyramidion.web.table.seats.host import Requester
from pyramidion.web.table.seeds import OfferedContribution
from pyramidion.web.table.settings.declarations import RoomSettings, TableSettings
from pyramidion.web.table.snapshots import json_encoder as wire
from pyramidion.web.table_requests.access import requester_of, require_own_page

router = APIRouter(prefix="/api/tables/{table_id}/room")


class RoomOut(TableSettings):
    """Everything public about a table in its waiting room, and your seat."""

    id: str
    url: str
    game: str
    title: str
    begun: bool = Field(description="Whether the match has started; then see /api/tables/{id}.")
    seats: list[SeatOut]
    ready: list[int] = Field(description="The seats that are ready.")
    options: dict[str, Any] = Field(description="The options; null for those hidden from you.")
    seeded: bool = Field(description="Whether the table's creator chose the seed, and so may know the cards.")
    secret_hash: str | None = Field(description="SHA-256 of the server's secret, which is revealed after the game.")
    own_cards: bool
    host_name: str | None = Field(description="The name of a host who does not play, or null.")
    host_watches: bool = Field(description="Whether the host does not play.")
    seat: int | None = Field(description="The seat you hold, or null.")
    host: bool = Field(description="Whether you are the host.")
    changes: int = Field(description="A counter of changes in the room.")
    contribution: ReceiptOfContribution | None = Field(default=None, description="Your contribution.")


class ContributionIn(BaseModel):
    """Your contribution to the seed."""

    text: str | None = Field(
        default=None, description="1 to 200 characters; if null, the server draws one and says so."
    )


class ReadyIn(BaseModel):
    """Whether you are ready."""

    ready: bool = True


class ColourIn(BaseModel):
    """The colour of your seat."""

    colour: str | None = Field(
        default=None, description="One of the game's colours, such as red; null for the seat's default."
    )


class FaceIn(BaseModel):
    """The face of your seat: the number of the kind of each part; without any, the seat's own."""

    colour: int = Field(ge=0, lt=PARTS["colour"])
    shape: int = Field(ge=0, lt=PARTS["shape"])
    skin: int = Field(ge=0, lt=PARTS["skin"])
    hair_colour: int = Field(ge=0, lt=PARTS["hair_colour"])
    hair: int = Field(ge=0, lt=PARTS["hair"])
    eyes: int = Field(ge=0, lt=PARTS["eyes"])
    mouth: int = Field(ge=0, lt=PARTS["mouth"])


class OptionsIn(RoomSettings):
    """Options and settings to change; omitted ones stay as they are."""

    options: dict[str, bool | int | str | list[int]] = Field(default_factory=dict[str, Any])


class StartIn(BaseModel):
    """How to start the match."""

    fill: str | None = Field(default=None, description="The bot that takes the open seats, or 'remove' to remove them.")


MINE: dict[int | str, dict[str, Any]] = {
    **CHANGES,
    401: {"model": Fault},
    403: {"model": Fault, "description": "The seat is not yours, or only the host can do this."},
}


@router.get("", response_model=RoomOut, responses=REFUSALS, summary="Get a waiting room")
async def get_room(table_id: str, request: Request, rooms: Service[Rooms], visitors: Service[Visitors]) -> Json:
    """Get what you may know about a waiting room."""
    return await _room(table_id, request, rooms, visitors)


@router.put("/contribution", response_model=ReceiptOfContribution, responses=MINE, summary="Contribute to the seed")
async def contribute(
    table_id: str,
    body: ContributionIn,
    request: Request,
    rooms: Service[Rooms],
    visitors: Service[Visitors],
    limits: Service[Limits],
) -> Json:
    """Replace your contribution to the seed, before the match starts. The response is its receipt."""
    seat, _host = await _changer(table_id, request, rooms, visitors, limits)
    contribution = await rooms.contribute(table_id, seat, OfferedContribution(body.text))
    return Json(wire.encode(contribution.as_json(opened=True)))


@router.put("/ready", response_model=RoomOut, responses=MINE, summary="Set whether you are ready")
async def set_ready(
    table_id: str,
    body: ReadyIn,
    request: Request,
    rooms: Service[Rooms],
    visitors: Service[Visitors],
    limits: Service[Limits],
) -> Json:
    """Set whether you are ready. When every seat is taken and everybody is ready, the match starts."""
    seat, _host = await _changer(table_id, request, rooms, visitors, limits)
    await rooms.ready(table_id, seat, body.ready)
    return await _room(table_id, request, rooms, visitors)


@router.put("/colour", response_model=RoomOut, responses=MINE, summary="Choose your colour")
async def choose_colour(
    table_id: str,
    body: ColourIn,
    request: Request,
    rooms: Service[Rooms],
    visitors: Service[Visitors],
    limits: Service[Limits],
) -> Json:
    """Choose a colour for your seat, before the match starts. No two seats have the same colour."""
    seat, _host = await _changer(table_id, request, rooms, visitors, limits)
    await rooms.colour(table_id, seat, body.colour)
    return await _room(table_id, request, rooms, visitors)


@router.put("/face", response_model=RoomOut, responses=MINE, summary="Choose your face")
async def choose_face(
    table_id: str,
    body: FaceIn | None,
    request: Request,
    rooms: Service[Rooms],
    visitors: Service[Visitors],
    limits: Service[Limits],
) -> Json:
    """Choose the face of your seat while the table waits; no two seats have the same colour and shape."""
    seat, _host = await _changer(table_id, request, rooms, visitors, limits)
    await rooms.face(table_id, seat, Face(**body.model_dump()) if body is not None else None)
    return await _room(table_id, request, rooms, visitors)


@router.delete("/seats/{seat}", response_model=RoomOut, responses=MINE, summary="Leave or free a seat")
async def leave_seat(
    table_id: str,
    seat: int,
    request: Request,
    rooms: Service[Rooms],
    visitors: Service[Visitors],
    limits: Service[Limits],
) -> Json:
    """Leave your seat before the match starts. The host can free any seat."""
    own, host = await _changer(table_id, request, rooms, visitors, limits)
    if seat != own and not host:
        raise UnknownSeat(_("You can only leave your own seat."))
    await rooms.leave(table_id, seat)
    return await _room(table_id, request, rooms, visitors, gone=seat == own)


@router.patch("", response_model=RoomOut, responses=MINE, summary="Change the options")
async def change_options(
    table_id: str,
    body: OptionsIn,
    request: Request,
    rooms: Service[Rooms],
    visitors: Service[Visitors],
    limits: Service[Limits],
) -> Json:
    """Change options and settings before the match starts, as the host. Everybody has to get ready again."""
    _seat, host = await _changer(table_id, request, rooms, visitors, limits)
    await rooms.settle(table_id, body.options, body, by_host=host)
    return await _room(table_id, request, rooms, visitors)


@router.post("/start", response_model=RoomOut, responses=MINE, summary="Start the match")
async def start_match(
    table_id: str,
    body: StartIn,
    request: Request,
    rooms: Service[Rooms],
    visitors: Service[Visitors],
    limits: Service[Limits],
) -> Json:
    """Start the match now, as the host. Bots take the open seats, or the seats are removed and the others move up."""
    _seat, host = await _changer(table_id, request, rooms, visitors, limits)
    await rooms.start(table_id, body.fill, by_host=host)
    return await _room(table_id, request, rooms, visitors)


async def _changer(
    table_id: str, request: Request, rooms: Rooms, visitors: Visitors, limits: Limits
) -> tuple[int | None, bool]:
    """Return the requester's seat and whether they are the host, counting the change. Raises Forged."""
    room = await rooms.get(table_id)
    requester = requester_of(room, request.scope, visitors)
    seat, host = requester.seat, requester.host
    require_own_page(request, requester)
    limits.action(request.scope, table_id, seat if seat is not None else -1 if host else None)
    return seat, host


async def _room(table_id: str, request: Request, rooms: Rooms, visitors: Visitors, *, gone: bool = False) -> Json:
    room = await rooms.get(table_id)
    requester = Requester(None, False) if gone else requester_of(room, request.scope, visitors)
    seat, host = requester.seat, requester.host
    mine = room.contribution(seat)
    body: dict[str, Any] = {
        "id": room.id,
        "url": str(request.url.replace(path=f"/t/{room.id}", query="")),
        "game": room.game.id,
        "title": room.row.title,
        "begun": room.begun,
        "seats": wire.seats_of(room, rooms.here(room)),
        "ready": sorted(room.state.ready),
        "options": room.options_for(requester),
        "seeded": room.row.seed_chosen,
        "secret_hash": room.origin.secret_hash if room.origin is not None else None,
        "own_cards": room.row.cards is not None,
        **room.settings.model_dump(),
        "host_name": room.host.name,
        "host_watches": room.host.exists and not room.host.plays,
        "seat": seat,
        "host": host,
        "changes": room.state.changes,
    }
    if mine is not None:
        body["contribution"] = mine.as_json(opened=True)
    return Json(wire.encode(body))
