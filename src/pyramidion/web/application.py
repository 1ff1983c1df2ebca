"""The application: `create_app` builds it, `serve` runs it."""

from __future__ import annotations

import asyncio
import gc
import logging
import threading
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

import pyramidion
from pyramidion import IllegalAction
from pyramidion.bots.thread_pool import compile_search
from pyramidion.engine.rule import interpret_meanwhile
from pyramidion.web.db.store import Store, StoreError
from pyramidion.web.db.writer import Writer
from pyramidion.web.errors import BadRequest, NotStarted, Refused, TooLarge, TooMany, Unreadable, problem
from pyramidion.web.features.accounts import api as api_people
from pyramidion.web.features.accounts.bot_accounts import BotAccounts
from pyramidion.web.features.accounts.known_browsers import KnownBrowsers
from pyramidion.web.features.accounts.passkeys import Passkeys
from pyramidion.web.features.accounts.service import Accounts
from pyramidion.web.features.analysis import api as analysis_api
from pyramidion.web.features.chat import api as chat_api
from pyramidion.web.features.chat.service import Chats
from pyramidion.web.features.companions import api as companion_api
from pyramidion.web.features.devices import pages as elsewhere
from pyramidion.web.features.hints import api as hints_api
from pyramidion.web.features.host_controls import api as api_host
from pyramidion.web.features.lab.service import Lab
from pyramidion.web.features.lobby import pages as lobby
from pyramidion.web.features.notifications import api as alert_api
from pyramidion.web.features.notifications.channels import Channels
from pyramidion.web.features.notifications.contacts import Contacts
from pyramidion.web.features.notifications.mail import Mailer
from pyramidion.web.features.notifications.push import Push
from pyramidion.web.features.notifications.service import Notifications
from pyramidion.web.features.notifications.webhooks import Webhooks
from pyramidion.web.features.premoves import pages as premove_pages
from pyramidion.web.features.ratings import api as ratings_api
from pyramidion.web.features.seasons import api as season_api
from pyramidion.web.features.seasons.service import Seasons
from pyramidion.web.features.tournaments import api as tournament_api
from pyramidion.web.features.tournaments.service import Tournaments
from pyramidion.web.features.waiting_room import api as api_room
from pyramidion.web.features.waiting_room.cleaning import Cleaning
from pyramidion.web.http import logs
from pyramidion.web.http.authentication import Visitors
from pyramidion.web.http.languages import language_of
from pyramidion.web.http.metrics import Metrics, metrics
from pyramidion.web.http.middleware import HEADERS, Front
from pyramidion.web.http.openapi import describe, operation_id
from pyramidion.web.http.plain_text import require_text_address
from pyramidion.web.http.rate_limits import Limits
from pyramidion.web.http.responses import Json, Problem, refusal
from pyramidion.web.http.schemas import HealthOut, ReadyOut
from pyramidion.web.play import api
from pyramidion.web.play.fast_path import Doors
from pyramidion.web.play.streams import Streams
from pyramidion.web.services import Services
from pyramidion.web.settings import Settings
from pyramidion.web.table import encoding as wire
from pyramidion.web.table.bots import Budget
from pyramidion.words import _, speak

READY_SECONDS = 3
LAB_NEEDS = ("polars", "tomlkit")
GARBAGE = 20_000
"""Number of surviving new objects after which the garbage collector runs."""
log = logging.getLogger(__name__)


class Application(FastAPI):
    """FastAPI with a shortcut: actions and event streams bypass the routing stack."""

    doors: Doors
    limits: Limits
    metrics: Metrics

    def openapi(self) -> dict[str, Any]:
        """Return the OpenAPI description."""
        return describe(self)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        speak(language_of(scope))
        try:
            require_text_address(scope)
            self.limits.request(scope)
        except (BadRequest, TooMany) as error:
            scope["app"] = self
            answer = _answer(Request(scope), *refusal(error))
            if isinstance(error, TooMany):
                answer.headers["retry-after"] = str(error.more["retry_after"])
            await Front(answer)(scope, receive, send)
            self.metrics.answered(scope["method"], error.status)
            return
        if await self.doors.take(scope, receive, send):
            return
        begun, method = time.perf_counter(), scope["method"]

        async def noting(message: Message) -> None:
            if message["type"] == "http.response.start":
                status = message["status"]
                self.metrics.answered(method, status)
                logs.request(scope, status, time.perf_counter() - begun)
            await send(message)

        try:
            await super().__call__(scope, receive, noting)
        except Exception:
            # `_fault` has already sent a response, so the connection can stay open.
            log.exception("A request could not be answered")


def create_app(settings: Settings | None = None) -> FastAPI:
    """Return the application. Raises StoreError or ValueError if the data folder or the database cannot be used."""
    settings = settings or Settings()
    store = Store(settings.database())
    store.open()
    try:
        return _assemble(settings, store)
    except BaseException:
        store.close()
        raise


def _assemble(settings: Settings, store: Store) -> FastAPI:
    """Build the application over an open database."""
    key = settings.key(store)
    visitors = Visitors(key, secure=settings.secure_cookies)
    writer = Writer(store)
    services = Services(
        store,
        writer,
        keep=settings.tables_in_memory,
        bot_pause=settings.bot_pause,
        bot_threads=settings.bot_threads,
        budget=Budget(settings.bot_seconds, settings.bot_iterations),
        analysis_iterations=settings.analysis_iterations,
        premove_pause=(settings.premove_pause, max(settings.premove_pause, settings.premove_pause_longest)),
        lease=settings.lease,
    )
    tables = services.tables
    streams = Streams(settings.heartbeat)
    contacts = Contacts(store, writer, key)
    webhooks = Webhooks(insecure=settings.webhooks_http, ports=settings.webhook_ports())
    push = Push(settings, store, writer)
    notifications = Notifications(settings, store, writer, tables, contacts, Mailer(settings), webhooks, push)
    chats = Chats(store, writer, tables, notifications.wrote)
    cleaning = Cleaning(tables, settings.room_days)
    rooms = services.rooms
    seasons = Seasons(tables, rooms.open, rooms.sit, rooms.find, key)
    tournaments = Tournaments(tables, rooms.open, rooms.sit, rooms.find)
    lab = Lab(settings.lab_workers, settings.lab_seconds, settings.lab_games) if settings.lab else None

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncGenerator[None]:
        writer.start()
        streams.start()
        tables.listener.start()
        await services.start()
        notifications.start()
        cleaning.start()
        seasons.start()
        tournaments.start()
        if lab is not None:
            lab.start()
        if settings.warm:
            app.state.warming = threading.Thread(target=_warm, name="pyramidion-warm", daemon=True)
            app.state.warming.start()
        try:
            yield
        finally:
            streams.close()
            if lab is not None:
                await lab.close()
            await tournaments.close()
            await seasons.close()
            await cleaning.close()
            await notifications.close()
            await services.close()
            await writer.stop()
            store.close()

    app = Application(
        title="Pyramidion",
        version=pyramidion.__version__,
        summary="Tables, seats, views, actions and events, with the same rules and checks as the pages.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        # Such a redirect would repeat the request's Host header, which a client can forge.
        redirect_slashes=False,
        generate_unique_id_function=operation_id,
        lifespan=lifespan,
    )
    app.state.settings, app.state.visitors = settings, visitors
    app.state.services = services
    app.state.find = services.rooms.find
    app.state.tables, app.state.streams, app.state.writer = tables, streams, writer
    app.state.accounts = Accounts(store, writer, tables.heard)
    app.state.bot_accounts = BotAccounts(store, writer, tables.heard)
    app.state.passkeys = Passkeys(key, app.state.accounts)
    app.state.known_browsers = KnownBrowsers(key, secure=settings.secure_cookies)
    app.state.warming, app.state.chats = None, chats
    app.state.notifications, app.state.seasons, app.state.tournaments = notifications, seasons, tournaments
    app.state.lab, app.state.channels = lab, Channels(contacts, webhooks)
    app.state.store, app.state.limits = store, Limits(settings)
    app.state.metrics = Metrics(tables, lambda: streams.count, writer)
    app.limits, app.metrics = app.state.limits, app.state.metrics
    app.doors = Doors(tables, visitors, streams, app.limits, app.metrics)
    app.add_middleware(Front, secure=settings.secure_cookies)
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(IllegalAction, _refused)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _fault)
    app.include_router(api.router, tags=["api"])
    app.include_router(hints_api.router, tags=["api"])
    app.include_router(analysis_api.router, tags=["api"])
    app.include_router(api_host.router, tags=["api"])
    app.include_router(api_room.router, tags=["api"])
    app.include_router(premove_pages.router, tags=["api"])
    app.include_router(api_people.router, tags=["api"])
    app.include_router(lobby.router, tags=["api"])
    app.include_router(elsewhere.router, tags=["api"])
    app.include_router(chat_api.router, tags=["api"])
    app.include_router(alert_api.router, tags=["api"])
    app.include_router(ratings_api.router, tags=["api"])
    app.include_router(companion_api.router, tags=["api"])
    app.include_router(season_api.router, tags=["api"])
    app.include_router(tournament_api.router, tags=["api"])
    app.add_api_route(
        "/health",
        health,
        tags=["server"],
        summary="Check the server's health",
        response_model=HealthOut,
        responses={503: {"model": HealthOut, "description": "Actions cannot be stored."}},
    )
    app.add_api_route(
        "/ready",
        ready,
        tags=["server"],
        summary="Check whether the server is ready",
        response_model=ReadyOut,
        responses={503: {"model": ReadyOut, "description": "It should not; `wrong` says why."}},
    )
    app.add_api_route("/metrics", metrics, include_in_schema=False, response_model=None)
    app.add_api_route("/t/{table_id}/record.json", page_record, include_in_schema=False, response_model=None)
    _add_pages(app, lab=lab is not None)
    return app


async def health(request: Request) -> Json:
    """Return 200 while actions can be stored; tries a write if there has been none recently."""
    state = request.app.state
    works = await state.writer.works()
    body = {
        "status": "ok" if works else "not-saving",
        "version": pyramidion.__version__,
        "tables": state.tables.in_memory,
        "compiling": state.warming is not None and state.warming.is_alive(),
    }
    return Json(wire.encode(body), 200 if works else 503)


async def ready(request: Request) -> Json:
    """Return 200 while the database answers, actions can be stored, and changes by other servers arrive."""
    state = request.app.state
    wrong: list[str] = []
    if not await state.writer.works():
        wrong.append("actions cannot be stored")
    try:
        async with asyncio.timeout(READY_SECONDS):
            await asyncio.to_thread(state.store.ping)
    except (Unreadable, TimeoutError):
        wrong.append("the database does not answer")
    if not state.tables.listener.connected:
        wrong.append("the database does not tell what other servers do")
    return Json(wire.encode({"status": "ok" if not wrong else "not-ready", "wrong": wrong}), 503 if wrong else 200)


async def page_record(table_id: str, request: Request) -> Response:
    """Return a finished match's record as a download."""
    answer = api.record_of(await request.app.state.tables.get(table_id))
    answer.headers["content-disposition"] = f'attachment; filename="pyramidion-{table_id}.json"'
    return answer


def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    open_browser: bool = False,
    settings: Settings | None = None,
    *,
    lab: bool = False,
) -> None:
    """Serve until stopped, also with the lab if asked to.

    Raises CannotServe (a ValueError) with a sentence, having changed nothing.
    """
    from pyramidion.web.http.serving import CannotServe, bind, run

    with bind(host, port) as sock:
        try:
            settings = settings or Settings()
            settings.lab = settings.lab or lab
            if settings.lab and any(find_spec(name) is None for name in LAB_NEEDS):
                raise CannotServe("The lab needs more packages; install them with: pip install 'pyramidion[lab]'.")
            app = create_app(settings)
        except ValidationError as error:
            wrong = error.errors()[0]
            name = "PYRAMIDION_" + "_".join(map(str, wrong["loc"])).upper()
            raise CannotServe(f"The setting {name} is wrong: {wrong['msg']}.") from error
        except (StoreError, OSError) as error:
            raise CannotServe(str(error)) from error
        interpret_meanwhile()
        logs.configure(app.state.settings.log_format, app.state.settings.log_level)
        if not app.state.settings.warm:
            _spare_the_collector()
        run(app, sock, host, open_browser=open_browser)


def _warm() -> None:
    """Load or compile every game, its search and its board, so that its first table need not wait."""
    from pyramidion.web.features.lobby.your_games import games_for_newcomers
    from pyramidion.web.pages.rendering import ENVIRONMENT

    # In the order of the home page: what a newcomer starts first is ready first.
    for game in games_for_newcomers():
        try:
            # One game at a time, to leave a core to the players; a game that a table needs is compiled at once.
            compile_search(game)
            ENVIRONMENT.get_template(f"{game.id}/board.html")
        except Exception:
            log.exception("%s could not be compiled", game.id)
    _spare_the_collector()


def _spare_the_collector() -> None:
    """Make garbage collections faster and less frequent."""
    # Everything loaded so far stays forever; scanning it in each collection would block the server for 0.1 s.
    gc.freeze()
    # Reference counting frees nearly everything an action allocates, so frequent collections would find little.
    gc.set_threshold(GARBAGE, 20, 20)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, (Refused, IllegalAction))
    answer = _answer(request, *refusal(error))
    if isinstance(error, TooMany) and "retry_after" in error.more:
        answer.headers["retry-after"] = str(error.more["retry_after"])
    return answer


async def _malformed(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    wrong = error.errors()
    if any(one["type"] == "json_invalid" for one in wrong):
        return _answer(request, 400, problem(400, "bad-request", _("The request body is not valid JSON.")))
    where = [(".".join(str(part) for part in one["loc"][1:]) or str(one["loc"][0]), one["msg"]) for one in wrong[:10]]
    detail = "; ".join(f"{place}: {message}" for place, message in where)
    return _answer(request, 422, problem(422, "bad-request", f"{detail}."))


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    sentence = {404: _("Page not found."), 405: _("This address does not support that request method.")}.get(
        error.status_code, str(error.detail)
    )
    code = {TooLarge.status: TooLarge.code, BadRequest.status: BadRequest.code}.get(error.status_code, "http")
    return _answer(request, error.status_code, problem(error.status_code, code, sentence))


async def _fault(request: Request, _error: Exception) -> Response:
    """Answer a request that failed because of an internal error; the details go to the log only."""
    said = _("Something went wrong on the server. The error has been logged.")
    answer = _answer(request, 500, problem(500, "internal", said))
    # This response does not pass through the middleware `Front`, which adds the security headers.
    answer.raw_headers.extend(HEADERS)
    return answer


def _answer(request: Request, status: int, said: dict[str, Any]) -> Response:
    """Answer a refused request: with JSON for programs, with a page for people."""
    wants_json = request.url.path.startswith(("/api/", "/health", "/ready")) or "json" in request.headers.get(
        "accept", ""
    )
    if wants_json:
        return Problem(wire.encode(said), status)
    from pyramidion.web.pages.page import error_page

    return error_page(request, status, said)


def _add_pages(app: FastAPI, *, lab: bool) -> None:
    from pyramidion.web.features.accounts import bot_pages
    from pyramidion.web.features.accounts import pages as account_pages
    from pyramidion.web.features.analysis import pages as analysis_pages
    from pyramidion.web.features.chat import pages as chat_pages
    from pyramidion.web.features.companions import pages as companion_pages
    from pyramidion.web.features.hints import pages as hints_pages
    from pyramidion.web.features.host_controls import pages as host_pages
    from pyramidion.web.features.hotseat import pages as hotseat
    from pyramidion.web.features.lab import pages as lab_pages
    from pyramidion.web.features.lessons import pages as lesson_pages
    from pyramidion.web.features.notifications import pages as alert_pages
    from pyramidion.web.features.profiles import pages as profile_pages
    from pyramidion.web.features.puzzles import pages as puzzle_pages
    from pyramidion.web.features.ratings import pages as ratings_pages
    from pyramidion.web.features.rematch import pages as rematch_pages
    from pyramidion.web.features.seasons import pages as season_pages
    from pyramidion.web.features.tournaments import pages as tournament_pages
    from pyramidion.web.http import languages
    from pyramidion.web.pages import api_docs as manual
    from pyramidion.web.pages import installable
    from pyramidion.web.play import home, pages, room_pages

    app.include_router(account_pages.router)
    app.include_router(bot_pages.router)
    app.include_router(profile_pages.router)
    app.include_router(companion_pages.router)
    app.include_router(ratings_pages.router)
    app.include_router(hotseat.router)
    app.include_router(lobby.pages)
    app.include_router(elsewhere.pages)
    app.include_router(home.router)
    app.include_router(pages.router)
    app.include_router(hints_pages.router)
    app.include_router(lesson_pages.router)
    app.include_router(puzzle_pages.router)
    app.include_router(analysis_pages.router)
    app.include_router(host_pages.router)
    app.include_router(chat_pages.router)
    app.include_router(alert_pages.router)
    app.include_router(room_pages.router)
    app.include_router(premove_pages.pages)
    app.include_router(rematch_pages.router)
    app.include_router(season_pages.router)
    app.include_router(tournament_pages.router)
    if lab:
        app.include_router(lab_pages.router)
    app.add_exception_handler(NotStarted, room_pages.not_started)
    app.include_router(languages.router)
    app.include_router(manual.router)
    app.include_router(installable.router)
