"""The lobby of open tables, and joining by a table code. Attempts are limited, because codes are short."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, fields
from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import RedirectResponse, Response

from pyramidion import Game
from pyramidion.engine import registry
from pyramidion.translation import _
from pyramidion.web.db.store import Store
from pyramidion.web.durations import duration
from pyramidion.web.errors import Refused
from pyramidion.web.http.pagination import PAGE, ListPage, Offset, numbered_page
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.http.responses import Json, full_url
from pyramidion.web.http.schemas import REFUSALS, Fault
from pyramidion.web.http.services import Service
from pyramidion.web.pages.page import html, page
from pyramidion.web.pages.renderer import render_page
from pyramidion.web.table.seats.invitations import CODE_LENGTH, PublicTable, find, invited, live_tables, open_tables
from pyramidion.web.table.settings.declarations import TableSettings
from pyramidion.web.table.settings.form import setting_texts
from pyramidion.web.table.snapshots import json_encoder as wire
from pyramidion.web.table_requests.access import table_or_room

pages = APIRouter(include_in_schema=False)
router = APIRouter(prefix="/api")
SHOWN_SEPARATELY = ("seats", "start", "clock")
"""Groups and fields of settings that the list shows in its own way."""


class NoSuchCode(Refused, LookupError):
    """The refusal of a table code that belongs to no table with an open seat."""

    status = 404
    code = "unknown-code"


class OpenTableOut(TableSettings):
    """An open table."""

    id: str
    url: str
    game: str
    title: str
    options: dict[str, Any]
    seats: int
    taken: int = Field(description="The number of seats that are not open.")
    bots: int
    people: list[str] = Field(description="The names of the people at the table.")
    created: int = Field(description="Milliseconds since 1970.")


class TableFound(BaseModel):
    """The table with this code."""

    id: str
    url: str


class TableCodeOut(BaseModel):
    """How to find a table."""

    code: str | None = Field(description="The table code; null once every seat is taken.")
    listed: bool = Field(description="Whether the lobby lists the table.")


@pages.get("/lobby")
async def lobby(request: Request, store: Service[Store], after: Offset = 0) -> Response:
    """Show the lobby: the tables that anybody may join, page by page."""
    return page(request, "lobby.html", tables=await open_tables_page(store, after), live=await live_games(store))


@pages.get("/lobby/tables")
async def lobby_tables(request: Request, store: Service[Store], after: Offset = 0) -> Response:
    """Return the lobby's list of tables as an HTML fragment, with which the page is updated."""
    tables, live = await open_tables_page(store, after), await live_games(store)
    return html(request, render_page("lobby_tables.html", tables=tables, live=live))


@pages.get("/join")
async def join(request: Request, store: Service[Store], limits: Service[RateLimits], code: str = "") -> Response:
    """Redirect to the table that a code belongs to."""
    return RedirectResponse(f"/t/{await _table_with_code(request, store, limits, code)}", 303)


@router.get("/lobby", response_model=list[OpenTableOut], summary="List open tables")
async def get_lobby(request: Request, store: Service[Store], after: Offset = 0) -> Json:
    """List the open tables that have a free seat, newest first.

    The header `Link` leads to the next page of a longer list.
    """
    listing = numbered_page(await asyncio.to_thread(open_tables, store, PAGE + 1, after), after)
    tables = [_open_table(table, request) for table in listing.entries]
    return Json(wire.encode(tables), headers=listing.headers)


@router.get(
    "/tables/{table_id}/invitation",
    response_model=TableCodeOut,
    responses=REFUSALS,
    summary="Get a table's code",
)
async def get_invitation(table_id: str, request: Request, store: Service[Store]) -> Json:
    """Get the code of a table with an open seat."""
    invitation = await invited(store, await table_or_room(request, table_id))
    return Json(wire.encode(asdict(invitation) if invitation is not None else {"code": None, "listed": False}))


@router.get(
    "/join/{code}",
    response_model=TableFound,
    responses={
        404: {"model": Fault, "description": "No table with an open seat has this code."},
        429: {"model": Fault, "description": "Too many attempts; the message says how long to wait."},
    },
    summary="Find a table by its code",
)
async def get_join(code: str, request: Request, store: Service[Store], limits: Service[RateLimits]) -> Json:
    """Find the table with this code, while one of its seats is open."""
    table_id = await _table_with_code(request, store, limits, code)
    return Json(wire.encode({"id": table_id, "url": full_url(request, f"/t/{table_id}")}))


async def _table_with_code(request: Request, store: Store, limits: RateLimits, code: str) -> str:
    """Return the id of the table that a code belongs to; the attempt counts towards the limit.

    Raises NoSuchCode, or TooMany after too many attempts.
    """
    limits.attempt(request.scope)
    table_id = await asyncio.to_thread(find, store, code)
    if table_id is None:
        raise NoSuchCode(
            _("No table with an open seat has this code. Table codes have {count} letters and digits.").format(
                count=CODE_LENGTH
            )
        )
    return table_id


async def live_games(store: Store, most: int = PAGE, only: Game | None = None) -> list[tuple[PublicTable, Game]]:
    """Return at most `most` public games that are being played, with the game of each; `only` limits them to one."""
    games = registry.all_games()
    tables = await asyncio.to_thread(live_tables, store, most, only.id if only is not None else None)
    return [(table, games[table.game]) for table in tables if table.game in games]


async def open_tables_page(store: Store, after: int, only: Game | None = None) -> ListPage[dict[str, Any]]:
    """Return a page of the lobby's tables, each a dictionary for the template `lobby_tables.html`.

    The page begins after the first `after` tables; `only` limits the list to one game.
    """
    games = registry.all_games()
    game_id = only.id if only is not None else None
    entries: list[dict[str, Any]] = []
    rows = await asyncio.to_thread(open_tables, store, PAGE + 1, after, game_id)
    listing = numbered_page(rows, after)
    for table in listing.entries:
        if (game := games.get(table.game)) is None:
            continue
        chosen = [
            f"{_(option.label)}: {option.describe(table.options[name])}"
            for name, option in game.options.items()
            if name in table.options and (table.options[name] or None) != (option.default or None)
        ]
        chosen += [
            f"{setting.label}: {setting.words}"
            for setting in setting_texts(table.settings, game)
            if setting.group not in SHOWN_SEPARATELY and setting.field not in SHOWN_SEPARATELY and not setting.usual
        ]
        clock = duration(table.settings.clock) if table.settings.clock is not None else None
        entries.append({"table": table, "game": game, "chosen": chosen, "clock": clock})
    return ListPage(entries, listing.following)


def _open_table(table: PublicTable, request: Request) -> dict[str, Any]:
    """Return a table of the lobby as the JSON API shows it (`OpenTableOut`)."""
    about = {field.name: getattr(table, field.name) for field in fields(table) if field.name != "settings"}
    return {**about, **table.settings.model_dump(), "url": full_url(request, f"/t/{table.id}")}
