"""Leaderboards."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from pyramidion.engine import registry
from pyramidion.web.features.ratings.service import SURE_ENOUGH, Ratings
from pyramidion.web.http.pagination import PAGE, Offset, numbered_page
from pyramidion.web.http.services import Service
from pyramidion.web.pages.page import page
from pyramidion.web.table.new_table import find_game

router = APIRouter(include_in_schema=False)


@router.get("/leaderboard")
async def first() -> Response:
    """Redirect to the leaderboard of the first game."""
    return RedirectResponse(f"/leaderboard/{registry.games_for_newcomers()[0].id}", 303)


@router.get("/leaderboard/{game_id}")
async def leaderboard(request: Request, game_id: str, ratings: Service[Ratings], after: Offset = 0) -> Response:
    """Show the best players of a game, page by page."""
    game = find_game(game_id)
    lines = numbered_page(await ratings.leaderboard(game.id, PAGE + 1, after), after)
    return page(
        request,
        "leaderboard.html",
        game=game,
        games=registry.games_for_newcomers(),
        lines=lines.entries,
        following=lines.following,
        sure=SURE_ENOUGH,
    )
