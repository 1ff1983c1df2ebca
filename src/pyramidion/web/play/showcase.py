"""The board that moves on the home page: a game recorded for the rules page, position by position."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from html import escape
from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from pyramidion import Game
from pyramidion.engine import registry
from pyramidion.engine.example import examples_of
from pyramidion.engine.lesson import lesson_of
from pyramidion.translation import in_language, language
from pyramidion.web.pages.example_pictures import drawn_parts
from pyramidion.web.pages.page import html

router = APIRouter(include_in_schema=False)
VIEWER, PARTS = 0, ("own",)
MOST_KEPT = 256


def showcase_game() -> Game | None:
    """Return the game that the home page shows to newcomers: the first with a lesson and a recorded game, or None."""
    games = registry.games_for_newcomers()
    return next((game for game in games if lesson_of(game) is not None and examples_of(game) is not None), None)


@router.get("/showcase/{ply}")
async def showcase(request: Request, ply: Annotated[int, Path(ge=0, le=999)]) -> Response:
    """Return the showcase's board after `ply` actions of the recorded game, as HTML."""
    game = showcase_game()
    recorded = examples_of(game) if game is not None else None
    if game is None or recorded is None or ply > len(recorded.plies):
        raise HTTPException(404)
    return html(request, await asyncio.to_thread(_frame, game.id, ply, language()))


@lru_cache(maxsize=MOST_KEPT)
def _frame(game_id: str, ply: int, tag: str) -> str:
    """Render the board after `ply` actions of the recorded game in the language `tag`, with what happened to it last.

    Only events that move pieces of the drawn seat count. The frame names the `next` ply with such an event, or 0.
    """
    game = registry.load(game_id)
    recorded = examples_of(game)
    assert recorded is not None  # asked before
    with in_language(tag):
        match = game.new(recorded.seats, recorded.seed, **recorded.options)
        caption, drawn, then = "", drawn_parts(match, VIEWER, PARTS, recorded.names), 0
        for number, (seat, action) in enumerate(recorded.plies, start=1):
            before = len(match.events(None))
            match.play(seat, action)
            events = match.events(None, names=recorded.names)[before:]
            texts = [e.text for e in events if e.data.get("seat") == VIEWER and e.name in game.presentation.pieces]
            if number > ply and texts:
                then = number
                break
            if number == ply:
                drawn = drawn_parts(match, VIEWER, PARTS, recorded.names)
            if number <= ply and texts:
                caption = texts[0]
        return (
            f'<div class="frame" data-ply="{ply}" data-last="{len(recorded.plies)}" data-next="{then}">{drawn}'
            f'<p class="told">{escape(caption)}</p></div>'
        )
