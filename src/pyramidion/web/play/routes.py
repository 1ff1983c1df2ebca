"""All addresses of the server: the JSON API, and the pages."""

from __future__ import annotations

from functools import cache

from fastapi import APIRouter, Depends, FastAPI
from starlette.responses import Response
from starlette.routing import BaseRoute

from pyramidion.web.errors import NotStarted
from pyramidion.web.features.accounts import api as people_api
from pyramidion.web.features.accounts import bot_pages
from pyramidion.web.features.accounts import pages as account_pages
from pyramidion.web.features.analysis import api as analysis_api
from pyramidion.web.features.analysis import pages as analysis_pages
from pyramidion.web.features.chat import api as chat_api
from pyramidion.web.features.chat import pages as chat_pages
from pyramidion.web.features.clubs import api as club_api
from pyramidion.web.features.clubs import pages as club_pages
from pyramidion.web.features.companions import api as companion_api
from pyramidion.web.features.companions import pages as companion_pages
from pyramidion.web.features.devices import api as device_api
from pyramidion.web.features.devices import pages as device_pages
from pyramidion.web.features.hints import api as hints_api
from pyramidion.web.features.hints import pages as hints_pages
from pyramidion.web.features.host_controls import api as host_api
from pyramidion.web.features.host_controls import pages as host_pages
from pyramidion.web.features.hotseat import pages as hotseat_pages
from pyramidion.web.features.lab import pages as lab_pages
from pyramidion.web.features.lessons import pages as lesson_pages
from pyramidion.web.features.lobby import pages as lobby_pages
from pyramidion.web.features.notifications import api as notification_api
from pyramidion.web.features.notifications import pages as notification_pages
from pyramidion.web.features.premoves import pages as premove_pages
from pyramidion.web.features.profiles import pages as profile_pages
from pyramidion.web.features.puzzles import pages as puzzle_pages
from pyramidion.web.features.ratings import api as ratings_api
from pyramidion.web.features.ratings import pages as ratings_pages
from pyramidion.web.features.rematch import pages as rematch_pages
from pyramidion.web.features.reports import pages as report_pages
from pyramidion.web.features.seasons.api import portraits
from pyramidion.web.features.seasons.api import routes as season_api
from pyramidion.web.features.seasons.api import submissions as season_submission_api
from pyramidion.web.features.seasons.api import templates as season_template_api
from pyramidion.web.features.seasons.pages import season as season_pages
from pyramidion.web.features.seasons.pages import season_list as season_list_pages
from pyramidion.web.features.seasons.pages import submissions as season_submission_pages
from pyramidion.web.features.tournaments import api as tournament_api
from pyramidion.web.features.tournaments import pages as tournament_pages
from pyramidion.web.features.waiting_room import api as room_api
from pyramidion.web.http import languages
from pyramidion.web.http.openapi import operation_id
from pyramidion.web.http.services import Service
from pyramidion.web.operations import health
from pyramidion.web.operations.metrics import metrics
from pyramidion.web.pages import api_docs, assets, pwa
from pyramidion.web.play import (
    access,
    action_pages,
    api,
    game_pages,
    home,
    new_table_pages,
    room_pages,
    showcase,
    table_pages,
)
from pyramidion.web.table.tables import Tables

API = (
    api.router,
    hints_api.router,
    analysis_api.router,
    host_api.router,
    room_api.router,
    premove_pages.router,
    people_api.router,
    lobby_pages.router,
    device_api.router,
    chat_api.router,
    notification_api.router,
    ratings_api.router,
    companion_api.router,
    season_api.router,
    portraits.router,
    season_submission_api.router,
    season_template_api.router,
    tournament_api.router,
    club_api.router,
)
PAGES = (
    account_pages.router,
    bot_pages.router,
    profile_pages.router,
    companion_pages.router,
    ratings_pages.router,
    hotseat_pages.router,
    lobby_pages.pages,
    device_pages.router,
    home.router,
    showcase.router,
    game_pages.router,
    new_table_pages.router,
    table_pages.router,
    action_pages.router,
    hints_pages.router,
    lesson_pages.router,
    puzzle_pages.router,
    analysis_pages.router,
    host_pages.router,
    chat_pages.router,
    notification_pages.router,
    room_pages.router,
    premove_pages.pages,
    rematch_pages.router,
    report_pages.router,
    season_list_pages.router,
    season_pages.router,
    season_pages.at_tables,
    season_submission_pages.router,
    tournament_pages.router,
    tournament_pages.at_tables,
    club_pages.router,
)


BY_SECRET_API = (season_api.by_secret, club_api.by_secret)
BY_SECRET_PAGES = (season_pages.by_secret, club_pages.by_secret)
"""Routes that open something by a secret in the body, and decide themselves who may know it (`access.py`)."""


def add_routes(app: FastAPI, *, lab: bool) -> None:
    """Add all routes to an application; those of the lab only with `lab`."""
    app.router.routes.extend(_routes(lab=lab))
    app.add_exception_handler(NotStarted, room_pages.not_started)


@cache
def _routes(*, lab: bool) -> list[BaseRoute]:
    """Return all routes. They are cached: they keep no application's state, and FastAPI takes long to make them."""
    router = APIRouter(generate_unique_id_function=operation_id)
    for part in BY_SECRET_API:
        router.include_router(part, tags=["api"], dependencies=[Depends(access.refuse_hidden)])
    for part in API:
        router.include_router(part, tags=["api"], dependencies=[Depends(access.admit_to_api)])
    router.include_router(health.router)
    router.add_api_route("/static/{version}/{name:path}", assets.serve, include_in_schema=False)
    router.add_api_route("/metrics", metrics, include_in_schema=False, response_model=None)
    router.add_api_route("/t/{table_id}/record.json", _record, include_in_schema=False, response_model=None)
    for part in BY_SECRET_PAGES:
        router.include_router(part, dependencies=[Depends(access.refuse_hidden)])
    for part in (*PAGES, *([lab_pages.router] if lab else []), languages.router, api_docs.router, pwa.router):
        router.include_router(part, dependencies=[Depends(access.admit_to_page)])
    return router.routes


async def _record(table_id: str, tables: Service[Tables]) -> Response:
    """Return a finished match's record as a file to download."""
    answer = api.record_of(await tables.get(table_id))
    answer.headers["content-disposition"] = f'attachment; filename="pyramidion-{table_id}.json"'
    return answer
