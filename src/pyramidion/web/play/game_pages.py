"""Pages about a game: its own page, its rules and its card file."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from pyramidion.web.db.store import Store
from pyramidion.web.features.lobby.pages import live_games, open_tables_page
from pyramidion.web.features.ratings.service import Ratings
from pyramidion.web.http.pagination import Offset
from pyramidion.web.http.services import Service
from pyramidion.web.pages import rules_page as prose
from pyramidion.web.pages.page import page
from pyramidion.web.pages.visitor_pages import Pages
from pyramidion.web.play.home import starts
from pyramidion.web.table.new_table import find_game

router = APIRouter(include_in_schema=False)
BEST = 5
"""The most players whom a game's page lists."""


@router.get("/games")
async def games() -> Response:
    """Redirect to the home page, which lists the games."""
    return RedirectResponse("/", 303)


@router.get("/games/{game_id}")
async def game_page(
    game_id: str, pages: Pages, ratings: Service[Ratings], store: Service[Store], after: Offset = 0
) -> Response:
    """Show a game's page: what it is about, quick starts, its best players and its open tables."""
    game = find_game(game_id)
    return pages.render(
        "game.html",
        game=game,
        lines=await ratings.leaderboard(game.id, BEST),
        tables=await open_tables_page(store, after, game),
        live=await live_games(store, only=game),
        **await starts(pages, store, [game]),
    )


@router.get("/games/{game_id}/rules")
async def rules(request: Request, game_id: str) -> Response:
    """Show the rules of a game, with an anchor for each."""
    game = find_game(game_id)
    return page(request, "rules.html", game=game, rules=prose.rules_html(game), contents=prose.contents(game))


@router.get("/games/{game_id}/cards.toml")
async def own_cards(game_id: str) -> Response:
    """Return the card file that comes with a game, as a starting point for a file of one's own."""
    path = find_game(game_id).card_file
    if path is None:
        raise HTTPException(404)
    return PlainTextResponse(path.read_text("utf-8"))
