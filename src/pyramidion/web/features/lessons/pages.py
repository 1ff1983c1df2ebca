"""The pages of lessons: `/learn/GAME`, and the coach's buttons at a table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from pyramidion.engine.lesson import lesson_of
from pyramidion.web.features.lessons.service import Lessons, leave, show_me
from pyramidion.web.http.authentication import Visitors
from pyramidion.web.http.responses import form_answer
from pyramidion.web.http.services import Service
from pyramidion.web.pages.page import page
from pyramidion.web.table.new_table import find_game
from pyramidion.web.table.table import Table
from pyramidion.web.table.tables import Tables

router = APIRouter(include_in_schema=False)


@router.get("/learn/{game_id}")
async def learn(request: Request, game_id: str, visitors: Service[Visitors], lessons: Service[Lessons]) -> Response:
    """Show the page of a game's lesson, with the button that starts or continues it."""
    game = find_game(game_id)
    lesson = lesson_of(game)
    if lesson is None:
        raise HTTPException(404)
    visitor = visitors.of(request)
    table = None if visitor.new else await lessons.unfinished(game, visitor.holder)
    response = page(
        request,
        "learn.html",
        game=game,
        lesson=lesson,
        csrf=visitor.csrf,
        unfinished=table.id if table is not None else None,
    )
    return visitors.remember(visitor, response)


@router.post("/learn/{game_id}")
async def begin(request: Request, game_id: str, visitors: Service[Visitors], lessons: Service[Lessons]) -> Response:
    """Start a game's lesson and redirect to its table."""
    await visitors.checked_form(request)
    table = await lessons.begin(find_game(game_id), visitors.of(request).holder)
    return RedirectResponse(f"/t/{table.id}", 303)


@router.post("/t/{table_id}/lesson/show")
async def show(request: Request, table_id: str, visitors: Service[Visitors], tables: Service[Tables]) -> Response:
    """Play, for the learner, the action that the coach proposes."""
    return await _command_coach(request, visitors, tables, table_id, show_me)


@router.post("/t/{table_id}/lesson/leave")
async def leave_lesson(
    request: Request, table_id: str, visitors: Service[Visitors], tables: Service[Tables]
) -> Response:
    """End the lesson at a table; the game goes on with ordinary bots."""
    return await _command_coach(request, visitors, tables, table_id, leave)


async def _command_coach(
    request: Request,
    visitors: Visitors,
    tables: Tables,
    table_id: str,
    command: Callable[[Table, int | None], Awaitable[None]],
) -> Response:
    """Carry out a command to the coach for the visitor's seat, and answer the form."""
    await visitors.checked_form(request)
    table = await tables.get(table_id)
    seat = table.seat_of(visitors.of(request).holder)
    await command(table, seat)
    return form_answer(request, f"/t/{table_id}", {"version": table.version(seat)})
