"""Pages about a game: its rules and its card file."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response

from pyramidion.web.pages import rules_page as prose
from pyramidion.web.pages.page import page
from pyramidion.web.table.new_table import card_file, find_game

router = APIRouter(include_in_schema=False)


@router.get("/games/{game_id}/rules")
async def rules(request: Request, game_id: str) -> Response:
    """Show the rules of a game, with an anchor for each."""
    game = find_game(game_id)
    return page(request, "rules.html", game=game, rules=prose.rules_html(game), contents=prose.contents(game))


@router.get("/games/{game_id}/cards.toml")
async def own_cards(game_id: str) -> Response:
    """Return a game's own card file, as a starting point for another."""
    path = card_file(find_game(game_id))
    if path is None:
        raise HTTPException(404)
    return PlainTextResponse(path.read_text("utf-8"))
