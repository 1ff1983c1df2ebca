"""The offer of a lesson on the first visit to a game; a cookie ensures that it is made only once."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response

from pyramidion import Game
from pyramidion.engine.lesson import lesson_of
from pyramidion.web.http.authentication import keep_cookie
from pyramidion.web.http.cookies import cookies_of
from pyramidion.web.http.services import get_service
from pyramidion.web.settings import Settings

COOKIE = "met"


def _visited_games(request: Request) -> list[str]:
    """Return the ids of the games that the browser has visited, from its cookie."""
    return cookies_of(request.scope).get(COOKIE, "").split(".")


def first_visit(request: Request, game: Game) -> bool:
    """Return whether a browser visits a game for the first time, and the game has a lesson."""
    return lesson_of(game) is not None and game.id not in _visited_games(request)


def remember_visit(request: Request, game: Game, answer: Response) -> None:
    """Record in the cookie of a response that the browser has visited a game's page."""
    met = ".".join([*filter(None, _visited_games(request)), game.id])
    secure = get_service(request, Settings).secure_cookies
    keep_cookie(answer, COOKIE, met, secure=secure)
