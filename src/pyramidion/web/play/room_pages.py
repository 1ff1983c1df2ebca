"""The page of a waiting room: players, options, contributions to the seed, and the start."""

from __future__ import annotations

import re
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response

from pyramidion.bots.labels import label
from pyramidion.translation import _
from pyramidion.web.contracts import AccountLookup, SeatInvitations
from pyramidion.web.db.store import Store
from pyramidion.web.errors import NotStarted, Refused
from pyramidion.web.features.accounts.service import Accounts
from pyramidion.web.features.chat.messages import Chat
from pyramidion.web.features.chat.pages import chat_context, see
from pyramidion.web.features.clubs.service import MEMBERS_ONLY, Clubs
from pyramidion.web.features.ratings.service import Ratings
from pyramidion.web.features.waiting_room.commands import Invite, command_of_form, execute
from pyramidion.web.features.waiting_room.service import Rooms
from pyramidion.web.http.authentication import Visitor, Visitors
from pyramidion.web.http.dependencies import PostedForm
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.http.responses import full_url, wants_json
from pyramidion.web.http.services import Service, get_service
from pyramidion.web.pages import qr
from pyramidion.web.pages.assets import assets
from pyramidion.web.pages.error_handlers import refusal_answer
from pyramidion.web.pages.page import page
from pyramidion.web.pages.panel import RoomPageRequest
from pyramidion.web.pages.renderer import render_page
from pyramidion.web.pages.visitor_pages import Pages
from pyramidion.web.play.panels import room_context
from pyramidion.web.table.bots import USUAL_BOT, bots_at
from pyramidion.web.table.room import Room
from pyramidion.web.table.seats.faces import PARTS
from pyramidion.web.table.seats.given_names import guest_name, is_guest_name
from pyramidion.web.table.seats.host import Requester
from pyramidion.web.table.seats.invitations import invited
from pyramidion.web.table.seats.protocols import former_names, secret_options
from pyramidion.web.table.settings.form import form_fields, form_values, setting_texts
from pyramidion.web.table_requests.forms import option_fields

router = APIRouter(prefix="/t/{table_id}/room", include_in_schema=False)
TABLE = re.compile(r"/t/([^/]+)")
AT_TOP = ("start", "listed", "rated")
"""Settings shown at the top of the page."""


async def not_started(request: Request, error: Exception) -> Response:
    """Answer a request for a table whose game has not started: show the waiting room, or refuse a program's request."""
    assert isinstance(error, NotStarted)
    table = TABLE.fullmatch(request.url.path)
    if table and request.method == "GET":
        return await _show(request, table[1])
    return refusal_answer(request, error)


@router.get("")
async def look(
    table_id: str, pages: Pages, rooms: Service[Rooms], since: Annotated[str, Query(max_length=40)] = ""
) -> Response:
    """Answer the poll of an open page: the room's HTML if it has changed, that the game has started, or nothing new."""
    room = await rooms.get(table_id)
    if not wants_json(pages.request):
        return RedirectResponse(f"/t/{table_id}", 303)
    rooms.looked(table_id, room.seat_of(pages.visitor.holder))
    if room.begun:
        return JSONResponse({"begun": True})
    context = await _context(pages.request, room, pages.visitor)
    if since == context["place"]:
        return Response(status_code=204)
    html = render_page("room_fragment.html", **context)
    return JSONResponse({"html": html})


@router.get("/cards.toml")
async def cards(table_id: str, rooms: Service[Rooms]) -> Response:
    """Return the card file with which the game will be played."""
    room = await rooms.get(table_id)
    if room.row.cards is None:
        return RedirectResponse(f"/games/{room.game.id}/cards.toml", 303)
    return PlainTextResponse(room.row.cards)


@router.post("/{form_name}")
async def change(
    table_id: str,
    form_name: str,
    form: PostedForm,
    pages: Pages,
    limits: Service[RateLimits],
    rooms: Service[Rooms],
    accounts: Service[AccountLookup],
    invitations: Service[SeatInvitations],
) -> Response:
    """Carry out a form of the waiting room's page; if it is refused, show the room again with the reason."""
    request, holder, room = pages.request, pages.visitor.holder, await rooms.get(table_id)
    requester = Requester(room.seat_of(holder), room.host.is_visitor(holder))
    limits.action(request.scope, table_id, requester.seat)
    try:
        command = command_of_form(form_name, form, room.game)
        if command is None:
            raise HTTPException(404)
        if isinstance(command, Invite):
            limits.attempt(request.scope)
        await execute(command, room, requester, holder, rooms=rooms, accounts=accounts, invitations=invitations)
    except Refused as error:
        return await _show(request, table_id, error, form.get("account", ""))
    return RedirectResponse(f"/t/{table_id}", 303)


async def _show(request: Request, table_id: str, refusal: Refused | None = None, account: str = "") -> Response:
    """Show the waiting room, with the reason if a form was refused; `account` is the name in a refused invitation."""
    visitors, rooms = get_service(request, Visitors), get_service(request, Rooms)
    visitor, room = visitors.of(request), await rooms.get(table_id)
    if room.begun:
        return RedirectResponse(f"/t/{table_id}", 303)
    rooms.looked(table_id, room.seat_of(visitor.holder))
    context = await _context(request, room, visitor)
    return visitors.remember(visitor, page(request, "room.html", refusal=refusal, account=account, **context))


def _page_state(rooms: Rooms, room: Room, chat: Chat) -> str:
    """Return a text that changes whenever anything on the page changes, so that a poll can tell."""
    lines = chat.lines
    chat_mark = f"{lines[-1].id}.{sum(line.removed for line in lines)}" if lines else ""
    chat_mark += f".{chat.unread}"
    return f"{room.state.changes}.{'-'.join(map(str, rooms.here(room)))}.{chat_mark}"


async def _context(request: Request, room: Room, visitor: Visitor) -> dict[str, Any]:
    """Return the template variables of the waiting room for a visitor."""
    rooms, row, me = get_service(request, Rooms), room.row, room.seat_of(visitor.holder)
    requester = Requester(me, room.host.is_visitor(visitor.holder))
    options = room.options_for(requester)
    talk = await chat_context(request, room, requester)
    chat: Chat = talk["chat"]
    await see(request, room, requester, talk)
    removable = len(room.seats) - len(room.open_seats)
    link = full_url(request, f"/t/{room.id}")
    account = await get_service(request, Accounts).of(visitor.holder) if me is None or room.settings.rated else None
    free, reserved = _free_seats(room, visitor), room.seating.reserved_for(visitor.holder)
    may_sit = me is not None or reserved is not None or await get_service(request, Clubs).admits(room, visitor.holder)
    inviter = room.seats[room.host.seat].name if room.host.seat is not None else room.host.name
    return {
        **talk,
        **await room_context(RoomPageRequest(request, room, visitor.holder)),
        "room": room,
        "game": room.game,
        "csrf": visitor.csrf,
        "host": requester.host,
        "host_text": room.host.described(),
        "names": room.names,
        "here": rooms.here(room),
        "place": _page_state(rooms, room, chat),
        "link": link,
        "link_picture": _link_picture(request, room),
        "qr": qr.picture(link, _("QR code for this link")),
        "inviter": inviter,
        "invitation": await invited(get_service(request, Store), room),
        "mine": room.contribution(me),
        "reserved": reserved,
        "free": free if may_sit else [],
        "refused": _(MEMBERS_ONLY) if free and not may_sit else None,
        "ratings": await get_service(request, Ratings).of(room.game.id, room) if room.settings.rated else {},
        "has_account": account is not None,
        "account_name": account.name if account is not None else "",
        "guest": guest_name(visitor.holder, [*room.names, *former_names(room)]),
        "unnamed": me is not None and (not room.seats[me].name or is_guest_name(room.seats[me].name)),
        "face_parts": PARTS,
        "secret_hash": room.origin.secret_hash if room.origin is not None else None,
        "settings": form_fields(room.game, in_room=True),
        "settings_texts": [
            text for text in setting_texts(room.settings, room.game, host=requester.host) if text.field not in AT_TOP
        ],
        "row": row,
        "options": [(option.label, option.describe(options[name])) for name, option in room.game.options.items()],
        "secret_options": secret_options(room),
        "given": option_fields(options) | form_values(room.settings),
        "waiting_names": [room.names[seat] for seat in room.taken if seat not in room.state.ready],
        "waiting_for": [seat for seat in room.taken if seat not in room.state.ready],
        "bots": [(name, label(name)) for name in bots_at(room.game, len(room.seats), room.box)],
        "usual_bot": USUAL_BOT,
        "can_remove": bool(room.open_seats) and removable in room.game.seats,
    }


def _link_picture(request: Request, room: Room) -> str | None:
    """Return the URL of the game's picture for previews of the room's link, or None without a picture."""
    name = f"games/{room.game.id}/link.png"
    static = assets()
    return full_url(request, f"{static.base}/{name}") if name in static.files else None


def _free_seats(room: Room, visitor: Visitor) -> list[int]:
    """Return the seats that a visitor can take: only the one reserved for them, else all seats open to everybody."""
    reserved = room.seating.reserved_for(visitor.holder)
    if reserved is not None:
        return [reserved]
    return [row.seat for row in room.seating.rows if row.kind == "open" and not row.reserved]
