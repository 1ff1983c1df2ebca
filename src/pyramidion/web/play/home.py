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
from pyramidion.web.features.accounts.service import accounts_of
from pyramidion.web.features.lobby.own_games import YourGame, turns, your_games_of
from pyramidion.web.features.lobby.quick_play import quick_games
from pyramidion.web.features.puzzles.pages import puzzle_of_the_day
from pyramidion.web.features.waiting_room.service import rooms_of
from pyramidion.web.http.authentication import Visitor
from pyramidion.web.http.dependencies import settings_of, store_of, visitors_of
from pyramidion.web.http.pagination import ListPage, Seen
from pyramidion.web.pages.page import html, page
from pyramidion.web.pages.renderer import render_page
from pyramidion.web.table.new_table import find_game
from pyramidion.web.table.seats.given_names import guest_name
from pyramidion.web.table.seats.plans import SeatPlan
from pyramidion.web.table.seeds import OfferedContribution
from pyramidion.web.table.settings.declarations import WHEN_READY, TableSettings
from pyramidion.web.table_requests.access import tables_of

router = APIRouter(include_in_schema=False)


@router.get("/")
async def home(request: Request) -> Response:
    """Show the visitor's games, and all games with their one-click starts."""
    visitor = visitors_of(request).of(request)
    mine = [] if visitor.new else await your_games_of(request).of(visitor.holder)
    games = registry.games_for_newcomers()
    answer = page(
        request,
        "home.html",
        games=games,
        daily=puzzle_of_the_day(),
        mine=mine,
        turns=turns(mine),
        lab=settings_of(request).lab,
        **await starts(request, visitor, games),
    )
    return visitors_of(request).remember(visitor, answer)


async def starts(request: Request, visitor: Visitor, games: Sequence[Game]) -> dict[str, Any]:
    """Return what `start_game.html` needs to start these games."""
    known = None if visitor.new else visitor.holder
    account = await accounts_of(request).of(known)
    quick = await asyncio.to_thread(quick_games, store_of(request), known, games)
    return {
        "levels": {game.id: label(quick[game.id].level) for game in games},
        "lessons": {game.id for game in games if lesson_of(game) is not None},
        "puzzles": {game.id for game in games if puzzles_of(game)},
        "csrf": visitor.csrf,
        "account_name": account.name if account is not None else "",
        "guest": guest_name(visitor.holder) if account is None else None,
    }


@router.get("/your-games")
async def your_games_now(request: Request) -> Response:
    """Return the visitor's current games, for an open home page."""
    visitor = visitors_of(request).of(request)
    mine = [] if visitor.new else await your_games_of(request).of(visitor.holder)
    return html(request, render_page("your_games.html", mine=mine, turns=turns(mine), csrf=visitor.csrf))


@router.get("/your-games/all")
async def all_your_games(request: Request, after: Seen = 0) -> Response:
    """Show all of the visitor's games, page by page."""
    visitor = visitors_of(request).of(request)
    games: ListPage[YourGame] = ListPage(())
    if not visitor.new:
        games = await your_games_of(request).page(visitor.holder, after)
    mine = games.entries
    answer = page(
        request,
        "all_your_games.html",
        mine=mine,
        turns=turns(mine),
        following=games.following,
        csrf=visitor.csrf,
    )
    return visitors_of(request).remember(visitor, answer)


@router.post("/play")
async def play(request: Request) -> Response:
    """Start a game from its card: against bots at once, or in a waiting room for friends."""
    visitors = visitors_of(request)
    form = await visitors.checked_form(request)
    visitor, game = visitors.of(request), find_game(form.get("game", ""))
    me = SeatPlan("me", form.get("me") or None, given=OfferedContribution.of(None, form.get("drawn")))
    if form.get("with") == "friends":
        seats = [me, *[SeatPlan("open")] * (game.usual_seats - 1)]
        room, _tokens = await rooms_of(request).open(
            game.id,
            seats,
            {},
            TableSettings(start=WHEN_READY),
            holder=visitor.holder,
            host_name=form.get("me") or None,
        )
        return RedirectResponse(f"/t/{room.id}", 303)
    return RedirectResponse(f"/t/{await _against_bots(request, visitor, game, me)}", 303)


async def _against_bots(request: Request, visitor: Visitor, game: Game, me: SeatPlan) -> str:
    """Start a quick game and return its id."""
    quick = (await asyncio.to_thread(quick_games, store_of(request), visitor.holder, [game]))[game.id]
    seats = [me, *[SeatPlan("bot", bot=quick.level)] * (quick.seats - 1)]
    table = await tables_of(request).create(game.id, seats, {}, holder=visitor.holder, host_name=me.name)
    return table.id
