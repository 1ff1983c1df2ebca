"""The JSON API of the chat and of private notes."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field

from pyramidion.web.features.chat.commands import KeepNotes, MarkRead, Remove, Write, execute, seat_of
from pyramidion.web.features.chat.service import Chats
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.http.responses import Json
from pyramidion.web.http.schemas import ALLOWED, REFUSALS
from pyramidion.web.http.services import Service
from pyramidion.web.table.room import Room
from pyramidion.web.table.seats.host import Requester
from pyramidion.web.table.settings.declarations import ChatSettings
from pyramidion.web.table.snapshots import json_encoder as wire
from pyramidion.web.table.table import Table
from pyramidion.web.table_requests.access import party_at, require_own_page

router = APIRouter(prefix="/api")


class LineIn(BaseModel):
    """A message to write."""

    text: str = Field(description="Plain text, at most 1,000 characters.")
    to: list[int] = Field(default=[], max_length=15, description="The recipients' seats; empty for everybody.")
    name: str | None = Field(default=None, description="Your name, if you hold no seat and are not the host.")


class MessageOut(BaseModel):
    """A message that you may read."""

    id: str
    at: int = Field(description="Milliseconds since 1970.")
    seat: int | None = Field(
        description="The author's seat; null for spectators, a host who does not play, and players who have left."
    )
    name: str
    text: str = Field(description="Empty if the host has removed the message.")
    readers: list[int] | None = Field(description="The seats that can read it; null for everybody.")
    removed: bool
    fresh: bool = Field(description="Whether it is new to you.")


class ConversationOut(BaseModel):
    """A conversation: the messages that the same seats can read."""

    readers: list[int] | None = Field(description="The seats that can read it; null for everybody.")
    unread: int


class ChatOut(BaseModel):
    """The messages that you may read, newest last."""

    lines: list[MessageOut]
    older: bool = Field(
        description="Whether there are older messages: request them with `before`, the id of the first message."
    )
    unread: int
    conversations: list[ConversationOut] = Field(description="Those with at least one line.")
    closed: str | None = Field(description="Why you cannot write now, or null.")
    rules: ChatSettings


class MessageStored(BaseModel):
    """The message has been stored."""

    id: str


class SeenIn(BaseModel):
    """How far you have read."""

    line: str = Field(description="The id of the newest message that you have seen in its conversation.")


class Notes(BaseModel):
    """Your private notes, which only your seat can read."""

    text: str


@router.get("/tables/{table_id}/chat", response_model=ChatOut, responses=REFUSALS, summary="Get the chat")
async def get_chat(
    table_id: str, request: Request, chats: Service[Chats], before: Annotated[str | None, Query(max_length=40)] = None
) -> Json:
    """Get the newest 200 messages that you may read. The table's stream sends `chat` when there are new ones."""
    table, requester = await party_at(request, table_id)
    chat = await chats.show(table, requester, before)
    rules = chat.rules.model_dump()
    lines = [line.as_json() for line in chat.lines]
    body = {
        "lines": lines,
        "older": chat.older,
        "unread": chat.unread,
        "conversations": [asdict(conversation) for conversation in chat.conversations],
        "closed": chat.closed,
        "rules": rules,
    }
    return Json(wire.encode(body))


@router.post(
    "/tables/{table_id}/chat",
    status_code=201,
    response_model=MessageStored,
    responses=ALLOWED,
    summary="Write a message",
)
async def write_line(
    table_id: str, body: LineIn, request: Request, limits: Service[RateLimits], chats: Service[Chats]
) -> Json:
    """Write a message to everybody or, if the table allows it, to some players."""
    table, requester = await _changer(request, table_id)
    limits.line(request.scope, table_id, requester.seat)
    line = await execute(Write(body.text, body.to, body.name), table, requester, chats)
    return Json(wire.encode({"id": line}), 201, {"location": f"/api/tables/{table_id}/chat"})


@router.put("/tables/{table_id}/chat/seen", response_model=SeenIn, responses=ALLOWED, summary="Mark messages as read")
async def mark_seen(table_id: str, body: SeenIn, request: Request, chats: Service[Chats]) -> Json:
    """Mark the messages of a conversation up to one as read."""
    return Json(wire.encode({"line": await execute(MarkRead(body.line), *await _changer(request, table_id), chats)}))


@router.delete(
    "/tables/{table_id}/chat/{line}",
    status_code=200,
    response_model=MessageStored,
    responses=ALLOWED,
    summary="Remove a message",
)
async def remove_line(table_id: str, line: str, request: Request, chats: Service[Chats]) -> Json:
    """Remove a message that you may read, as the host. A placeholder remains."""
    return Json(wire.encode({"id": await execute(Remove(line), *await _changer(request, table_id), chats)}))


@router.get("/tables/{table_id}/notes", response_model=Notes, responses=ALLOWED, summary="Get your notes")
async def get_notes(table_id: str, request: Request, chats: Service[Chats]) -> Json:
    """Get your seat's private notes."""
    table, requester = await party_at(request, table_id)
    return Json(wire.encode({"text": await chats.notes(table, seat_of(requester))}))


@router.put("/tables/{table_id}/notes", response_model=Notes, responses=ALLOWED, summary="Save your notes")
async def put_notes(table_id: str, body: Notes, request: Request, chats: Service[Chats]) -> Json:
    """Replace your seat's private notes, at most 10,000 characters."""
    return Json(wire.encode({"text": await execute(KeepNotes(body.text), *await _changer(request, table_id), chats)}))


async def _changer(request: Request, table_id: str) -> tuple[Table | Room, Requester]:
    """Return the table, or its waiting room, and who requests a change there."""
    table, requester = await party_at(request, table_id)
    require_own_page(request, requester)
    return table, requester
