"""The JSON API of waiting rooms."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, Field

from pyramidion.engine.seeds import Contribution
from pyramidion.web.contracts import AccountLookup, SeatInvitations
from pyramidion.web.features.waiting_room.commands import (
    ChangeOptions,
    ChooseColour,
    ChooseFace,
    Command,
    Contribute,
    Leave,
    SetReady,
    Start,
    execute,
)
from pyramidion.web.features.waiting_room.service import Rooms
from pyramidion.web.http.authentication import Visitors
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.http.responses import Json, full_url
from pyramidion.web.http.schemas import CHANGES, REFUSALS, Fault, ReceiptOfContribution, SeatOut
from pyramidion.web.http.services import Service
from pyramidion.web.table.room import Room
from pyramidion.web.table.seats.faces import PARTS, Face
from pyramidion.web.table.seats.host import Requester
from pyramidion.web.table.seeds import OfferedContribution
from pyramidion.web.table.settings.declarations import RoomSettings, TableSettings
from pyramidion.web.table.snapshots import json_encoder as wire
from pyramidion.web.table_requests.access import requester_of, require_own_page

router = APIRouter(prefix="/api/tables/{table_id}/room")


class RoomOut(TableSettings):
    """What everybody may know about a waiting room, and which seat is yours."""

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
    """The face of your seat: a number for each part. Without a body, the seat gets its usual face."""

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


@dataclass(frozen=True, slots=True)
class RoomRequest:
    """Serves a request to a waiting room: carries out its commands and answers with the room."""

    request: Request
    rooms: Service[Rooms]
    visitors: Service[Visitors]
    limits: Service[RateLimits]
    accounts: Service[AccountLookup]
    invitations: Service[SeatInvitations]

    async def execute(self, table_id: str, command: Command) -> tuple[Requester, Contribution | None]:
        """Carry out the requester's command; return the requester, and the new contribution if it makes one.

        Raises Refused.
        """
        room = await self.rooms.get(table_id)
        requester = requester_of(room, self.request.scope, self.visitors)
        require_own_page(self.request, requester)
        seat = -1 if requester.seat is None and requester.host else requester.seat
        self.limits.action(self.request.scope, table_id, seat)
        return requester, await execute(
            command,
            room,
            requester,
            self.visitors.holder(self.request.scope),
            rooms=self.rooms,
            accounts=self.accounts,
            invitations=self.invitations,
        )

    async def change(self, table_id: str, command: Command) -> Json:
        """Carry out the requester's command, and answer with the room afterwards. Raises Refused."""
        requester, _contribution = await self.execute(table_id, command)
        # The token of a seat ends with it.
        left = isinstance(command, Leave) and command.seat == requester.seat
        return await self.answer(table_id, Requester(None, False) if left else None)

    async def answer(self, table_id: str, requester: Requester | None = None) -> Json:
        """Answer with what a requester may know about the room; None stands for the sender of the request."""
        room = await self.rooms.get(table_id)
        requester = requester or requester_of(room, self.request.scope, self.visitors)
        url = full_url(self.request, f"/t/{room.id}")
        return Json(wire.encode(_as_json(room, requester, self.rooms.here(room), url)))


Asked = Annotated[RoomRequest, Depends()]
"""A handler's parameter: the request that it answers. FastAPI makes it from the types above, which must not be text."""


@router.get("", response_model=RoomOut, responses=REFUSALS, summary="Get a waiting room")
async def get_room(table_id: str, asked: Asked) -> Json:
    """Get what you may know about a waiting room."""
    return await asked.answer(table_id)


@router.put("/contribution", response_model=ReceiptOfContribution, responses=MINE, summary="Contribute to the seed")
async def contribute(table_id: str, body: ContributionIn, asked: Asked) -> Json:
    """Replace your contribution to the seed, before the match starts. The response is its receipt."""
    _requester, contribution = await asked.execute(table_id, Contribute(OfferedContribution(body.text)))
    return Json(wire.encode(contribution and contribution.as_json(opened=True)))


@router.put("/ready", response_model=RoomOut, responses=MINE, summary="Set whether you are ready")
async def set_ready(table_id: str, body: ReadyIn, asked: Asked) -> Json:
    """Set whether you are ready. When every seat is taken and everybody is ready, the match starts."""
    return await asked.change(table_id, SetReady(body.ready))


@router.put("/colour", response_model=RoomOut, responses=MINE, summary="Choose your colour")
async def choose_colour(table_id: str, body: ColourIn, asked: Asked) -> Json:
    """Choose a colour for your seat, before the match starts. No two seats have the same colour."""
    return await asked.change(table_id, ChooseColour(body.colour))


@router.put("/face", response_model=RoomOut, responses=MINE, summary="Choose your face")
async def choose_face(table_id: str, body: FaceIn | None, asked: Asked) -> Json:
    """Choose the face of your seat while the table waits; no two seats have the same colour and shape."""
    return await asked.change(table_id, ChooseFace(Face(**body.model_dump()) if body is not None else None))


@router.delete("/seats/{seat}", response_model=RoomOut, responses=MINE, summary="Leave or free a seat")
async def leave_seat(table_id: str, seat: int, asked: Asked) -> Json:
    """Leave your seat before the match starts. The host can free any seat."""
    return await asked.change(table_id, Leave(seat))


@router.patch("", response_model=RoomOut, responses=MINE, summary="Change the options")
async def change_options(table_id: str, body: OptionsIn, asked: Asked) -> Json:
    """Change options and settings before the match starts, as the host. Everybody has to get ready again."""
    return await asked.change(table_id, ChangeOptions(body.options, body))


@router.post("/start", response_model=RoomOut, responses=MINE, summary="Start the match")
async def start_match(table_id: str, body: StartIn, asked: Asked) -> Json:
    """Start the match now, as the host. Bots take the open seats, or the seats are removed and the others move up."""
    return await asked.change(table_id, Start(body.fill))


def _as_json(room: Room, requester: Requester, here: Sequence[int], url: str) -> dict[str, Any]:
    """Return what a requester may know about a room as JSON-ready data; `here` are the seats with an open page."""
    body: dict[str, Any] = {
        "id": room.id,
        "url": url,
        "game": room.game.id,
        "title": room.row.title,
        "begun": room.begun,
        "seats": wire.seats_of(room, here),
        "ready": sorted(room.state.ready),
        "options": room.options_for(requester),
        "seeded": room.row.seed_chosen,
        "secret_hash": room.origin.secret_hash if room.origin is not None else None,
        "own_cards": room.row.cards is not None,
        **room.settings.model_dump(),
        "host_name": room.host.name,
        "host_watches": room.host.exists and not room.host.plays,
        "seat": requester.seat,
        "host": requester.host,
        "changes": room.state.changes,
    }
    if (mine := room.contribution(requester.seat)) is not None:
        body["contribution"] = mine.as_json(opened=True)
    return body
