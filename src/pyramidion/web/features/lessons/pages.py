"""The pages of lessons: `/learn/GAME`, and the coach's buttons at a table."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from pyramidion.engine.lesson import lesson_of
from pyramidion.web.features.lessons.service import Lessons, leave, show_me
from pyramidion.web.http.dependencies import PostedForm
from pyramidion.web.http.responses import form_answer
from pyramidion.web.http.services import Service
from pyramidion.web.pages.panel import TablePageRequest, TableVisit
from pyramidion.web.pages.visitor_pages import Pages
from pyramidion.web.table.new_table import find_game

router = APIRouter(include_in_schema=False)


@router.get("/learn/{game_id}")
async def learn(game_id: str, pages: Pages, lessons: Service[Lessons]) -> Response:
    """Show the page of a game's lesson, with the button that starts or continues it."""
    game = find_game(game_id)
    lesson = lesson_of(game)
    if lesson is None:
        raise HTTPException(404)
    table = None if pages.visitor.new else await lessons.unfinished(game, pages.visitor.holder)
    return pages.render("learn.html", game=game, lesson=lesson, unfinished=table.id if table is not None else None)


@router.post("/learn/{game_id}")
async def begin(game_id: str, _form: PostedForm, pages: Pages, lessons: Service[Lessons]) -> Response:
    """Start a game's lesson and redirect to its table."""
    table = await lessons.begin(find_game(game_id), pages.visitor.holder)
    return RedirectResponse(f"/t/{table.id}", 303)


@router.post("/t/{table_id}/lesson/show")
async def show(_form: PostedForm, visit: TableVisit) -> Response:
    """Play, for the learner, the action that the coach proposes."""
    await show_me(visit.table, visit.seat)
    return _answer(visit)


@router.post("/t/{table_id}/lesson/leave")
async def leave_lesson(_form: PostedForm, visit: TableVisit) -> Response:
    """End the lesson at a table; the game goes on with ordinary bots."""
    await leave(visit.table, visit.seat)
    return _answer(visit)


def _answer(visit: TablePageRequest) -> Response:
    """Return the answer to a form of the coach: for scripts the new version, otherwise the table's page."""
    return form_answer(visit.request, f"/t/{visit.table.id}", {"version": visit.table.version(visit.seat)})
