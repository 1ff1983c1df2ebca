"""The chat's pages: one that works without scripts, and the fragment beside the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from pyramidion.translation import listed
from pyramidion.web.errors import Refused
from pyramidion.web.features.chat.commands import Write, command_of_form, execute, seats_of
from pyramidion.web.features.chat.messages import Chat, to_whom
from pyramidion.web.features.chat.service import LONGEST_LINE, LONGEST_NOTES, Chats
from pyramidion.web.http.dependencies import PostedForm, can_be_notified
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.http.responses import form_answer
from pyramidion.web.http.services import Service, get_service
from pyramidion.web.pages.renderer import titled
from pyramidion.web.pages.visitor_pages import Pages
from pyramidion.web.table.room import Room
from pyramidion.web.table.seats.host import Requester
from pyramidion.web.table.settings.time_controls import iso
from pyramidion.web.table.table import Table
from pyramidion.web.table_requests.access import party_at, require_open

router = APIRouter(include_in_schema=False)


@router.get("/t/{table_id}/chat")
async def show(table_id: str, pages: Pages, before: str | None = None, part: bool = False) -> Response:
    """Show a conversation, whose seats the query's `with` names; `part` returns only the fragment for scripts."""
    table, requester = await party_at(pages.request, table_id)
    context = await chat_context(pages.request, table, requester, before)
    if not part and before is None:
        # Without scripts, no other request marks the messages as read.
        await see(pages.request, table, requester, context)
    return pages.render("chat.html" if part else "chat_page.html", **context)


@router.get("/t/{table_id}/chat/unread")
async def unread(request: Request, table_id: str, chats: Service[Chats]) -> Response:
    """Return how many messages are unread, and whether the page should report that its player is looking.

    Reports keep people whom notifications can reach from being notified of what they see.
    """
    table, requester = await party_at(request, table_id)
    viewer = requester.seat
    if viewer is None:
        return JSONResponse({"unread": 0, "tell": False})
    chat = await chats.show(table, requester)
    tell = await can_be_notified(request, table.seating.persons().get(viewer))
    return JSONResponse({"unread": chat.unread, "tell": tell})


@router.post("/t/{table_id}/chat")
@router.post("/t/{table_id}/chat/seen")
@router.post("/t/{table_id}/chat/remove")
@router.post("/t/{table_id}/notes")
async def change(
    table_id: str, form: PostedForm, pages: Pages, limits: Service[RateLimits], chats: Service[Chats]
) -> Response:
    """Carry out a form of the chat. Scripts get JSON, and a plain form gets the page again."""
    request = pages.request
    table, requester = await party_at(request, table_id)
    require_open(requester.seat, form.get("seat"))
    command = command_of_form(request.url.path.rpartition("/")[2], form, form.getlist("to"), len(table.seats))
    to = command.to if isinstance(command, Write) else ()
    try:
        if isinstance(command, Write):
            limits.line(request.scope, table_id, requester.seat)
        await execute(command, table, requester, chats)
    except Refused as error:
        context = await chat_context(request, table, requester, to=to, draft=form.get("text", ""))
        return pages.render("chat_page.html", refusal=error, **context)
    return form_answer(request, _conversation_path(table, to))


async def chat_context(
    request: Request,
    table: Table | Room,
    requester: Requester,
    before: str | None = None,
    *,
    to: Sequence[int] | None = None,
    draft: str = "",
) -> dict[str, Any]:
    """Return the template variables of the chat, by default for the conversation that the request's query names."""
    viewer, chats = requester.seat, get_service(request, Chats)
    if to is None:
        to = seats_of(request.query_params.getlist("with"), len(table.seats)) if viewer is not None else ()
    chat = await chats.show(table, requester, before, to)
    others = [seat.number for seat in table.seats if seat.kind == "person" and seat.number != viewer]
    private = chat.rules.private if viewer is not None else "none"
    return {
        "title": titled(table.title, table.game),
        "all_names": table.names,
        "talk_at": _conversation_path(table),
        "table_id": table.id,
        "me": viewer,
        "chat": chat,
        "before": before,
        "lines": [(line, to_whom(line, table.names, viewer), iso(line.at)) for line in chat.lines],
        "to": to,
        "to_names": listed([table.names[seat] for seat in to]),
        "talks": _choices(chat, viewer, to, others if private != "none" else ()),
        "others": [(seat, table.names[seat]) for seat in others] if private == "groups" and len(others) > 1 else [],
        "hosting": requester.host,
        "unnamed": viewer is None and not (requester.host and table.host.name),
        "begun": isinstance(table, Table),
        "notes": await chats.notes(table, viewer) if viewer is not None else "",
        "longest": LONGEST_LINE,
        "longest_notes": LONGEST_NOTES,
        "draft": draft,
    }


async def see(request: Request, table: Table | Room, requester: Requester, context: Mapping[str, Any]) -> None:
    """Store that the requester has read the conversation that a page shows."""
    chat: Chat = context["chat"]
    if requester.seat is not None and any(line.fresh for line in chat.lines):
        await get_service(request, Chats).seen(table, requester.seat, chat.lines[-1].id)


def _choices(
    chat: Chat, viewer: int | None, to: Sequence[int], others: Sequence[int]
) -> list[tuple[tuple[int, ...], int]]:
    """Return the conversations to choose from, each as its other seats and its number of unread messages.

    They are the one with everybody, one with each person, and those groups in which there are messages.
    """
    with_viewer: dict[tuple[int, ...], int] = {
        tuple(seat for seat in conversation.readers or () if seat != viewer): conversation.unread
        for conversation in chat.conversations
    }
    pairs = [(seat,) for seat in others]
    groups = {tuple(sorted(set(to))), *with_viewer} - {(), *pairs}
    return [
        (seats, with_viewer.get(seats, 0))
        for seats in ((), *pairs, *sorted(groups, key=lambda group: (len(group), group)))
    ]


def _conversation_path(table: Table | Room, to: Sequence[int] = ()) -> str:
    """Return the path of the page with a conversation, which is the waiting room's before the game starts."""
    path = f"/t/{table.id}/chat" if isinstance(table, Table) else f"/t/{table.id}"
    return path + ("?" + urlencode([("with", seat) for seat in to]) if to else "")
