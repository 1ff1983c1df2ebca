"""The lobby of open tables, and the door for those who were told a code. Codes are short, so trying them is limited."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import RedirectResponse, Response

from pyramidion.engine import registry
from pyramidion.web import wire
from pyramidion.web.answers import Json
from pyramidion.web.api import REFUSALS, Fault
from pyramidion.web.clock import duration
from pyramidion.web.errors import Refused
from pyramidion.web.pages import html, page
from pyramidion.web.parts import limits_of, store_of, tables_of
from pyramidion.web.people.invitations import CODE_LENGTH, find, invited, open_tables
from pyramidion.web.render import render_page
from pyramidion.words import _

pages = APIRouter(include_in_schema=False)
router = APIRouter(prefix="/api")


class NoSuchCode(Refused, LookupError):
    """A code that leads to no table with an open seat."""

    status = 404
    code = "unknown-code"


class OpenTableOut(BaseModel):
    """A table that anybody may join."""

    id: str
    url: str
    game: str
    title: str
    options: dict[str, Any]
    clock: int | None = Field(description="Seconds per decision, or null.")
    seats: int
    taken: int = Field(description="How many seats are not open.")
    bots: int
    people: list[str] = Field(description="The names of the people who sit there.")
    created: int = Field(description="Milliseconds since 1970.")


class Found(BaseModel):
    """The table that a code leads to."""

    id: str
    url: str


class InvitationOut(BaseModel):
    """How people find a table."""

    code: str | None = Field(description="What they type; null once every seat is taken.")
    listed: bool = Field(description="Whether the lobby shows it.")


@pages.get("/lobby")
async def lobby(request: Request) -> Response:
    """Show the open tables."""
    return page(request, "lobby.html", tables=await _listed(request))


@pages.get("/lobby/tables")
async def lobby_tables(request: Request) -> Response:
    """Answer with the list alone, for a page that is open."""
    return html(request, render_page("lobby_tables.html", tables=await _listed(request)))


@pages.get("/join")
async def join(request: Request, code: str = "") -> Response:
    """Go to the table that a code leads to."""
    return RedirectResponse(f"/t/{await _found(request, code)}", 303)


@router.get("/lobby", response_model=list[OpenTableOut], summary="The tables that anybody may join")
async def get_lobby(request: Request) -> Json:
    """Return the open tables that have a seat left, the newest first."""
    tables = await asyncio.to_thread(open_tables, store_of(request))
    return Json(wire.encode([{**asdict(one), "url": _url(request, one.id)} for one in tables]))


@router.get(
    "/tables/{table_id}/invitation",
    response_model=InvitationOut,
    responses=REFUSALS,
    summary="How people find a table",
)
async def get_invitation(table_id: str, request: Request) -> Json:
    """Return the code of a table with an open seat, for whoever knows its id already."""
    tables = tables_of(request)
    known = await invited(store_of(request), await tables.find(table_id))
    return Json(wire.encode(asdict(known) if known is not None else {"code": None, "listed": False}))


@router.get(
    "/join/{code}",
    response_model=Found,
    responses={
        404: {"model": Fault, "description": "No table with an open seat has this code."},
        429: {"model": Fault, "description": "Too many attempts; the answer says how long to wait."},
    },
    summary="The table that a code leads to",
)
async def get_join(code: str, request: Request) -> Json:
    """Return the table with this code, while one of its seats is open."""
    found = await _found(request, code)
    return Json(wire.encode({"id": found, "url": _url(request, found)}))


async def _found(request: Request, code: str) -> str:
    limits_of(request).attempt(request.scope)
    found = await asyncio.to_thread(find, store_of(request), code)
    if found is None:
        raise NoSuchCode(
            _("No table with an open seat has this code. A code has {count} letters and digits.").format(
                count=CODE_LENGTH
            )
        )
    return found


async def _listed(request: Request) -> Sequence[dict[str, Any]]:
    """Return the open tables as the page shows them."""
    games = registry.all_games()
    shown: list[dict[str, Any]] = []
    for one in await asyncio.to_thread(open_tables, store_of(request)):
        game = games.get(one.game)
        if game is None:
            continue
        chosen = [
            (option.label, one.options[name])
            for name, option in game.options.items()
            if name in one.options and one.options[name] != option.default
        ]
        clock = duration(one.clock) if one.clock is not None else None
        shown.append({"table": one, "game": game, "chosen": chosen, "clock": clock})
    return shown


def _url(request: Request, table_id: str) -> str:
    return str(request.url.replace(path=f"/t/{table_id}", query=""))
