"""The JSON API for the chat and for notes."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field

from pyramidion.web import wire
from pyramidion.web.answers import Json, token_of
from pyramidion.web.api import CHANGES, REFUSALS, ChatRules, Fault
from pyramidion.web.errors import NotYourSeat
from pyramidion.web.parts import chats_of, limits_of, seat_at, visitors_of
from pyramidion.web.seats import require_same_origin
from pyramidion.web.table import Table
from pyramidion.web.talk.chat import NotAllowed
from pyramidion.web.talk.chat_pages import is_host
from pyramidion.words import _

router = APIRouter(prefix="/api")
ALLOWED: dict[int | str, dict[str, Any]] = {
    **CHANGES,
    401: {"model": Fault},
    403: {"model": Fault, "description": "This table's chat, or the moment, does not allow it; the sentence says why."},
    429: {"model": Fault, "description": "Too many lines at once."},
}


class LineIn(BaseModel):
    """Something to say."""

    text: str = Field(description="Plain text, at most 1,000 characters.")
    to: list[int] = Field(default=[], max_length=15, description="The seats it is for; none for everybody.")
    name: str | None = Field(default=None, description="What you are called, if you hold no seat.")


class LineOut(BaseModel):
    """A line that you may read."""

    id: str
    at: int = Field(description="Milliseconds since 1970.")
    seat: int | None = Field(description="Who has said it; null for somebody who watches.")
    name: str
    text: str = Field(description="Empty for a line that the host has removed.")
    readers: list[int] | None = Field(description="The seats that can read it; null for everybody.")
    removed: bool
    fresh: bool = Field(description="Whether it is new to you.")


class ChatOut(BaseModel):
    """The lines that you may read, the newest last."""

    lines: list[LineOut]
    older: bool = Field(description="Whether there are older ones: ask with `before`, the id of the first one here.")
    unread: int
    closed: str | None = Field(description="Why you cannot write now, or null.")
    rules: ChatRules


class Said(BaseModel):
    """The line is stored."""

    id: str


class SeenIn(BaseModel):
    """How far you have read."""

    line: str = Field(description="The id of the newest line that you have seen.")


class Notes(BaseModel):
    """Your notes to yourself; nobody else is given them."""

    text: str


@router.get("/tables/{table_id}/chat", response_model=ChatOut, responses=REFUSALS, summary="What has been said")
async def get_chat(table_id: str, request: Request, before: Annotated[str | None, Query(max_length=40)] = None) -> Json:
    """Return the newest 200 lines that you may read. The stream has an event `chat` when there is something new."""
    table, viewer = await seat_at(request, table_id)
    chat = await chats_of(request).show(table, viewer, before)
    rules = {"private": chat.rules.private, "closes": chat.rules.closes, "watchers": chat.rules.watchers}
    lines = [line.as_json() for line in chat.lines]
    told = {"lines": lines, "older": chat.older, "unread": chat.unread, "closed": chat.closed, "rules": rules}
    return Json(wire.encode(told))


@router.post(
    "/tables/{table_id}/chat", status_code=201, response_model=Said, responses=ALLOWED, summary="Say something"
)
async def say(table_id: str, order: LineIn, request: Request) -> Json:
    """Write a line for everybody at the table, or for some where the table allows that."""
    table, viewer = await changing(request, table_id)
    limits_of(request).line(request.scope, table_id, viewer)
    line = await chats_of(request).say(table, viewer, order.text, order.to, order.name)
    return Json(wire.encode({"id": line}), 201)


@router.put("/tables/{table_id}/chat/seen", response_model=SeenIn, responses=ALLOWED, summary="I have read this")
async def seen(table_id: str, order: SeenIn, request: Request) -> Json:
    """Note that your seat has seen everything up to a line."""
    table, viewer = await changing(request, table_id)
    await chats_of(request).seen(table, _seat(viewer), order.line)
    return Json(wire.encode({"line": order.line}))


@router.delete(
    "/tables/{table_id}/chat/{line}", status_code=200, response_model=Said, responses=ALLOWED, summary="Remove a line"
)
async def remove(table_id: str, line: str, request: Request) -> Json:
    """Remove a line that you may read, as the host; that there was one stays to be seen."""
    table, viewer = await changing(request, table_id)
    if not is_host(request, table):
        raise NotAllowed(_("Only the host of the table can remove a line."))
    await chats_of(request).remove(table, viewer, line)
    return Json(wire.encode({"id": line}))


@router.get("/tables/{table_id}/notes", response_model=Notes, responses=ALLOWED, summary="Your notes")
async def get_notes(table_id: str, request: Request) -> Json:
    """Return your seat's notes to itself."""
    table, viewer = await seat_at(request, table_id)
    return Json(wire.encode({"text": await chats_of(request).notes(table, _seat(viewer))}))


@router.put("/tables/{table_id}/notes", response_model=Notes, responses=ALLOWED, summary="Keep your notes")
async def put_notes(table_id: str, order: Notes, request: Request) -> Json:
    """Store your seat's notes, at most 10,000 characters, in the place of the former ones."""
    table, viewer = await changing(request, table_id)
    await chats_of(request).keep_notes(table, _seat(viewer), order.text)
    return Json(wire.encode({"text": await chats_of(request).notes(table, _seat(viewer))}))


async def changing(request: Request, table_id: str) -> tuple[Table, int | None]:
    """Return a table and the seat of whoever asks. Raises Forged where another site's page may be using our cookie."""
    require_same_origin(request.scope)
    table, viewer = await seat_at(request, table_id)
    if viewer is not None and token_of(request.scope) is None:
        visitors = visitors_of(request)
        visitors.require_csrf(request)
    return table, viewer


def _seat(viewer: int | None) -> int:
    if viewer is None:
        raise NotYourSeat(_("You hold no seat at this table."))
    return viewer
