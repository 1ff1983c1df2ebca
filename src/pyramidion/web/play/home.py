"""The home page: all games with their one-click starts, and the visitor's own games."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from pyramidion import Game
from pyramidion.bots.labels import label
from pyramidion.engine import registry
from pyramidion.engine.lesson import lesson_of
from pyramidion.engine.puzzle import puzzles_of
from pyramidion.web.db.store import Store
from pyramidion.web.features.lobby.own_games import YourGame, YourGames, time_left, turns
from pyramidion.web.features.lobby.pages import live_games
from pyramidion.web.features.lobby.quick_play import quick_games
from pyramidion.web.features.profiles.statistics import opponents
from pyramidion.web.features.puzzles.pages import puzzle_of_the_day
from pyramidion.web.features.seasons.service import Seasons
from pyramidion.web.features.waiting_room.service import Rooms
from pyramidion.web.http.authentication import Visitor
from pyramidion.web.http.dependencies import PostedForm
from pyramidion.web.http.pagination import ListPage, Offset
from pyramidion.web.http.services import Service
from pyramidion.web.pages.page import html
from pyramidion.web.pages.renderer import render_page
from pyramidion.web.pages.visitor_pages import Pages, VisitorPages
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
MOST_LIVE = 4


@router.get("/")
async def home(
    pages: Pages,
    own_games: Service[YourGames],
    seasons: Service[Seasons],
    store: Service[Store],
    settings: Service[Settings],
) -> Response:
    """Show the home page: the visitor's games, and all games with their quick starts."""
    visitor = pages.visitor
    yours = await _yours(visitor, own_games, seasons)
    games = registry.games_for_newcomers()
    people = [] if visitor.new else await asyncio.to_thread(opponents, store, visitor.holder)
    return pages.render(
        "home.html",
        games=games,
        daily=puzzle_of_the_day(),
        people=people[:MOST_PEOPLE],
        showcase=None if yours["mine"] or yours["due"] else showcase_game(),
        lab=settings.lab,
        live=await live_games(store, MOST_LIVE),
        **yours,
        **await starts(pages, store, games),
    )


async def starts(pages: VisitorPages, store: Store, games: Sequence[Game]) -> dict[str, Any]:
    """Return the variables with which `start_game.html` offers quick starts of these games to a visitor."""
    holder = None if pages.visitor.new else pages.visitor.holder
    account_name = await pages.account_name()
    quick = await asyncio.to_thread(quick_games, store, holder, games)
    return {
        "quick": quick,
        "label": label,
        "lessons": {game.id for game in games if lesson_of(game) is not None},
        "puzzles": {game.id for game in games if puzzles_of(game)},
        "account_name": account_name,
        "guest": None if account_name else guest_name(pages.visitor.holder),
    }


@router.get("/your-games")
async def your_games_now(pages: Pages, own_games: Service[YourGames], seasons: Service[Seasons]) -> Response:
    """Return the list of the visitor's current games, with which an open home page replaces its own."""
    yours = await _yours(pages.visitor, own_games, seasons)
    return html(pages.request, render_page("your_games.html", csrf=pages.visitor.csrf, closed=pages.closed, **yours))


async def _yours(visitor: Visitor, own_games: YourGames, seasons: Seasons) -> dict[str, Any]:
    """Return the variables of the list of a visitor's current games: `mine`, submissions that are due, and `turns`."""
    mine = [] if visitor.new else await own_games.of(visitor.holder)
    due = [] if visitor.new else await seasons.submissions.due(visitor.holder)
    return {"mine": mine, "due": due, "turns": turns(mine) + len(due), "time_left": time_left}


@router.get("/your-games/all")
async def all_your_games(pages: Pages, own_games: Service[YourGames], after: Offset = 0) -> Response:
    """Show all of the visitor's games, page by page."""
    games: ListPage[YourGame] = ListPage(())
    if not pages.visitor.new:
        games = await own_games.page(pages.visitor.holder, after)
    mine = games.entries
    return pages.render("all_your_games.html", mine=mine, turns=turns(mine), following=games.following)


@router.post("/play")
async def play(
    form: PostedForm, pages: Pages, rooms: Service[Rooms], tables: Service[Tables], store: Service[Store]
) -> Response:
    """Start a game from its quick start: against bots at once, or in a waiting room for friends."""
    holder, game = pages.visitor.holder, find_game(form.get("game", ""))
    me = SeatPlan("me", form.get("me") or None, given=OfferedContribution.of(None, form.get("drawn")))
    if form.get("with") == "friends":
        seats = [me, *[SeatPlan("open")] * (game.usual_seats - 1)]
        settings = TableSettings(start=WHEN_READY)
        room, _tokens = await rooms.open(game.id, seats, {}, settings, holder=holder, host_name=me.name)
        return RedirectResponse(f"/t/{room.id}", 303)
    quick = (await asyncio.to_thread(quick_games, store, holder, [game]))[game.id]
    seats = [me, *[SeatPlan("bot", bot=form.get("level") or quick.level)] * (quick.seats - 1)]
    table = await tables.create(game.id, seats, {}, holder=holder, host_name=me.name)
    return RedirectResponse(f"/t/{table.id}#goal", 303)  # the page states the goal of the game
