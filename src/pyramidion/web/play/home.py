"""The home page: all games with their one-click starts, and the visitor's own games."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from pyramidion import Game
from pyramidion.bots.labels import label
from pyramidion.engine import registry
from pyramidion.engine.lesson import lesson_of
from pyramidion.engine.puzzle import puzzles_of
from pyramidion.web.db.store import Store
from pyramidion.web.features.accounts.service import Accounts
from pyramidion.web.features.lobby.own_games import YourGame, YourGames, time_left, turns
from pyramidion.web.features.lobby.quick_play import quick_games
from pyramidion.web.features.profiles.statistics import opponents
from pyramidion.web.features.puzzles.pages import puzzle_of_the_day
from pyramidion.web.features.seasons.service import Seasons
from pyramidion.web.features.waiting_room.service import Rooms
from pyramidion.web.http.authentication import Visitor, Visitors
from pyramidion.web.http.pagination import ListPage, Offset
from pyramidion.web.http.services import Service
from pyramidion.web.pages.page import html, page
from pyramidion.web.pages.renderer import render_page
from pyramidion.web.play.showcase import showcase_game
from pyramidion.web.settings import Settings
from pyramidion.web.table.new_table import find_game
from pyramidion.web.table.seats.given_names import guest_name
from pyramidion.web.table.seats.plans import SeatPlan
from pyramidion.web.table.seeds import OfferedContribution
from pyramidion.web.table.settings.declarations import WHEN_READY, TableSettings
from pyramidion.web.table.tables import Tables

router = APIRouter(include_in_schema=False)
MOST_PEOPLE = 6


@router.get("/")
async def home(
    request: Request,
    visitors: Service[Visitors],
    own_games: Service[YourGames],
    seasons: Service[Seasons],
    accounts: Service[Accounts],
    store: Service[Store],
    settings: Service[Settings],
) -> Response:
    """Show the home page: the visitor's games, and all games with their quick starts."""
    visitor = visitors.of(request)
    yours = await _yours(visitor, own_games, seasons)
    games = registry.games_for_newcomers()
    people = [] if visitor.new else await asyncio.to_thread(opponents, store, visitor.holder)
    answer = page(
        request,
        "home.html",
        games=games,
        daily=puzzle_of_the_day(),
        people=people[:MOST_PEOPLE],
        showcase=None if yours["mine"] or yours["due"] else showcase_game(),
        lab=settings.lab,
        **yours,
        **await starts(accounts, store, visitor, games),
    )
    return visitors.remember(visitor, answer)


async def starts(accounts: Accounts, store: Store, visitor: Visitor, games: Sequence[Game]) -> dict[str, Any]:
    """Return the variables with which `start_game.html` offers quick starts of these games to a visitor."""
    holder = None if visitor.new else visitor.holder
    account = await accounts.of(holder)
    quick = await asyncio.to_thread(quick_games, store, holder, games)
    return {
        "levels": {game.id: label(quick[game.id].level) for game in games},
        "lessons": {game.id for game in games if lesson_of(game) is not None},
        "puzzles": {game.id for game in games if puzzles_of(game)},
        "csrf": visitor.csrf,
        "account_name": account.name if account is not None else "",
        "guest": guest_name(visitor.holder) if account is None else None,
    }


@router.get("/your-games")
async def your_games_now(
    request: Request, visitors: Service[Visitors], own_games: Service[YourGames], seasons: Service[Seasons]
) -> Response:
    """Return the list of the visitor's current games, with which an open home page replaces its own."""
    visitor = visitors.of(request)
    yours = await _yours(visitor, own_games, seasons)
    return html(request, render_page("your_games.html", csrf=visitor.csrf, **yours))


async def _yours(visitor: Visitor, own_games: YourGames, seasons: Seasons) -> dict[str, Any]:
    """Return the variables of the list of a visitor's current games: `mine`, submissions that are due, and `turns`."""
    mine = [] if visitor.new else await own_games.of(visitor.holder)
    due = [] if visitor.new else await seasons.submissions.due(visitor.holder)
    return {"mine": mine, "due": due, "turns": turns(mine) + len(due), "time_left": time_left}


@router.get("/your-games/all")
async def all_your_games(
    request: Request, visitors: Service[Visitors], own_games: Service[YourGames], after: Offset = 0
) -> Response:
    """Show all of the visitor's games, page by page."""
    visitor = visitors.of(request)
    games: ListPage[YourGame] = ListPage(())
    if not visitor.new:
        games = await own_games.page(visitor.holder, after)
    mine = games.entries
    answer = page(
        request,
        "all_your_games.html",
        mine=mine,
        turns=turns(mine),
        following=games.following,
        csrf=visitor.csrf,
    )
    return visitors.remember(visitor, answer)


@router.post("/play")
async def play(
    request: Request,
    visitors: Service[Visitors],
    rooms: Service[Rooms],
    tables: Service[Tables],
    store: Service[Store],
) -> Response:
    """Start a game from its quick start: against bots at once, or in a waiting room for friends."""
    form = await visitors.checked_form(request)
    visitor, game = visitors.of(request), find_game(form.get("game", ""))
    me = SeatPlan("me", form.get("me") or None, given=OfferedContribution.of(None, form.get("drawn")))
    if form.get("with") == "friends":
        seats = [me, *[SeatPlan("open")] * (game.usual_seats - 1)]
        room, _tokens = await rooms.open(
            game.id,
            seats,
            {},
            TableSettings(start=WHEN_READY),
            holder=visitor.holder,
            host_name=form.get("me") or None,
        )
        return RedirectResponse(f"/t/{room.id}", 303)
    quick = (await asyncio.to_thread(quick_games, store, visitor.holder, [game]))[game.id]
    seats = [me, *[SeatPlan("bot", bot=quick.level)] * (quick.seats - 1)]
    table = await tables.create(game.id, seats, {}, holder=visitor.holder, host_name=me.name)
    return RedirectResponse(f"/t/{table.id}", 303)
