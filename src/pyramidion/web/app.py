"""The server: `create_app` puts the parts together, `serve` runs it."""

from __future__ import annotations

import asyncio
import gc
import logging
import threading
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

import pyramidion
from pyramidion import IllegalAction
from pyramidion.engine import registry
from pyramidion.web import api, logs, order_pages, wire
from pyramidion.web.answers import Json, refusal
from pyramidion.web.bots import api_counsel
from pyramidion.web.bots.runner import Budget
from pyramidion.web.bots.thinking import compile_search
from pyramidion.web.doors import Doors
from pyramidion.web.errors import NotStarted, Refused, TooLarge, TooMany, Unreadable
from pyramidion.web.front import HEADERS, Front
from pyramidion.web.host import api_host
from pyramidion.web.languages import language_of
from pyramidion.web.limits import Limits
from pyramidion.web.metrics import Metrics, metrics
from pyramidion.web.people import api_people, elsewhere, lobby
from pyramidion.web.people.accounts import Accounts
from pyramidion.web.people.passkeys import Passkeys
from pyramidion.web.rooms import api_room
from pyramidion.web.rooms.cleaning import Cleaning
from pyramidion.web.seats import Visitors
from pyramidion.web.settings import Settings
from pyramidion.web.store import Store, StoreError
from pyramidion.web.stream import Streams
from pyramidion.web.tables import Tables
from pyramidion.web.talk import alert_api, chat_api
from pyramidion.web.talk.chat import Chats
from pyramidion.web.talk.contacts import Contacts
from pyramidion.web.talk.hooks import Hooks
from pyramidion.web.talk.mail import Mailer
from pyramidion.web.talk.notices import Notices
from pyramidion.web.writer import Writer
from pyramidion.words import _, speak

READY_SECONDS = 3
GARBAGE = 20_000
"""Objects made, and not gone, after which those in circles are looked for."""
log = logging.getLogger(__name__)


class Application(FastAPI):
    """FastAPI with a shortcut: actions and event streams go straight to their doors."""

    doors: Doors
    limits: Limits
    metrics: Metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        speak(language_of(scope))
        try:
            self.limits.request(scope)
        except TooMany as error:
            scope["app"] = self
            answer = _answer(Request(scope), *refusal(error))
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
            # It has been answered by `_fault`; the connection is as good as before.
            log.exception("A request could not be answered")


def create_app(settings: Settings | None = None) -> FastAPI:
    """Return the application. Raises StoreError or ValueError where data folder or database cannot be used."""
    settings = settings or Settings()
    store = Store(settings.database())
    store.open()
    key = settings.key(store)
    visitors = Visitors(key, secure=settings.secure_cookies)
    writer = Writer(store)
    tables = Tables(
        store,
        writer,
        keep=settings.tables_in_memory,
        bot_pause=settings.bot_pause,
        bot_threads=settings.bot_threads,
        budget=Budget(settings.bot_seconds, settings.bot_iterations),
        analysis_iterations=settings.analysis_iterations,
        order_pause=(settings.order_pause, max(settings.order_pause, settings.order_pause_longest)),
    )
    streams = Streams(settings.heartbeat)
    contacts = Contacts(store, writer, key)
    hooks = Hooks(insecure=settings.webhooks_http)
    notices = Notices(settings, store, writer, tables, contacts, Mailer(settings), hooks)
    chats = Chats(store, writer, tables, notices.wrote)
    cleaning = Cleaning(tables, settings.room_days)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncGenerator[None]:
        writer.start()
        streams.start()
        tables.listener.start()
        await tables.start()
        notices.start()
        cleaning.start()
        if settings.warm:
            app.state.warming = threading.Thread(target=_warm, name="pyramidion-warm", daemon=True)
            app.state.warming.start()
        try:
            yield
        finally:
            streams.close()
            await cleaning.close()
            await notices.close()
            await tables.close()
            await writer.stop()
            store.close()

    app = Application(
        title="Pyramidion",
        version=pyramidion.__version__,
        summary="Tables, seats, views, actions and events, through the same door as the pages.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.settings, app.state.visitors = settings, visitors
    app.state.tables, app.state.streams, app.state.writer = tables, streams, writer
    app.state.accounts = Accounts(store, writer, tables.heard)
    app.state.passkeys = Passkeys(key, app.state.accounts)
    app.state.warming, app.state.chats = None, chats
    app.state.notices = notices
    app.state.store, app.state.limits = store, Limits(settings)
    app.state.metrics = Metrics(tables, streams, writer)
    app.limits, app.metrics = app.state.limits, app.state.metrics
    app.doors = Doors(tables, visitors, streams, app.limits, app.metrics)
    app.add_middleware(Front, secure=settings.secure_cookies)
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(IllegalAction, _refused)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _fault)
    app.include_router(api.router, tags=["api"])
    app.include_router(api_counsel.router, tags=["api"])
    app.include_router(api_host.router, tags=["api"])
    app.include_router(api_room.router, tags=["api"])
    app.include_router(order_pages.router, tags=["api"])
    app.include_router(api_people.router, tags=["api"])
    app.include_router(lobby.router, tags=["api"])
    app.include_router(elsewhere.router, tags=["api"])
    app.include_router(chat_api.router, tags=["api"])
    app.include_router(alert_api.router, tags=["api"])
    app.add_api_route("/health", health, tags=["server"], summary="Whether the server can do its work")
    app.add_api_route("/ready", ready, tags=["server"], summary="Whether the server should be sent requests")
    app.add_api_route("/metrics", metrics, include_in_schema=False, response_model=None)
    app.add_api_route("/t/{table_id}/record.json", page_record, include_in_schema=False, response_model=None)
    _add_pages(app)
    return app


async def health(request: Request) -> Json:
    """Return 200 while actions can be stored."""
    state = request.app.state
    alive = state.writer.alive
    body = {
        "status": "ok" if alive else "not-saving",
        "version": pyramidion.__version__,
        "tables": state.tables.in_memory,
        "compiling": state.warming is not None and state.warming.is_alive(),
    }
    return Json(wire.encode(body), 200 if alive else 503)


async def ready(request: Request) -> Json:
    """Return 200 while the database answers, actions can be stored, and what other servers do is heard."""
    state = request.app.state
    wrong: list[str] = []
    if not state.writer.alive:
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
    """Hand out a finished match's record as a file."""
    answer = api.record_of(await request.app.state.tables.get(table_id))
    answer.headers["content-disposition"] = f'attachment; filename="pyramidion-{table_id}.json"'
    return answer


def serve(
    host: str = "127.0.0.1", port: int = 8000, open_browser: bool = False, settings: Settings | None = None
) -> None:
    """Serve until stopped. Raises CannotServe (a ValueError) with a sentence, having changed nothing."""
    from pyramidion.web.serving import CannotServe, bind, run

    with bind(host, port) as sock:
        try:
            app = create_app(settings)
        except ValidationError as error:
            wrong = error.errors()[0]
            name = "PYRAMIDION_" + "_".join(map(str, wrong["loc"])).upper()
            raise CannotServe(f"The setting {name} is wrong: {wrong['msg']}.") from error
        except (StoreError, OSError) as error:
            raise CannotServe(str(error)) from error
        logs.configure(app.state.settings.log_format, app.state.settings.log_level)
        if not app.state.settings.warm:
            _spare_the_collector()
        run(app, sock, host, open_browser=open_browser)


def _warm() -> None:
    """Compile every game and its page, so that the first table of it need not wait."""
    from pyramidion.web.render import ENVIRONMENT

    for game in registry.all_games().values():
        try:
            game.warm()
            ENVIRONMENT.get_template(f"{game.id}/board.html")
        except Exception:
            log.exception("%s could not be compiled", game.id)
    # A table needs its game's rules before anybody at it needs a search.
    for game in registry.all_games().values():
        try:
            compile_search(game)
        except Exception:
            log.exception("The search of %s could not be compiled", game.id)
    _spare_the_collector()


def _spare_the_collector() -> None:
    """Keep the garbage collector from what stays, and from looking too often."""
    # What is there by now stays; going through it again and again would hold up everybody for a tenth of a second.
    gc.freeze()
    # What an action makes is mostly gone when the next one comes, so looking for circles that often finds none.
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
        return _answer(request, 400, {"error": "bad-request", "detail": _("The body is not JSON.")})
    where = [(".".join(str(part) for part in one["loc"][1:]) or str(one["loc"][0]), one["msg"]) for one in wrong[:10]]
    detail = "; ".join(f"{place}: {message}" for place, message in where)
    return _answer(request, 422, {"error": "bad-request", "detail": f"{detail}."})


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    sentence = {404: _("There is no such page."), 405: _("This address does not take that.")}.get(
        error.status_code, str(error.detail)
    )
    code = TooLarge.code if error.status_code == TooLarge.status else "http"
    return _answer(request, error.status_code, {"error": code, "detail": sentence})


async def _fault(request: Request, _error: Exception) -> Response:
    """Answer where the server has failed; what has gone wrong is for the log alone."""
    answer = _answer(request, 500, {"error": "internal", "detail": _("The server has a fault; it is in its log.")})
    # This answer is made outside of `Front`.
    answer.raw_headers.extend(HEADERS)
    return answer


def _answer(request: Request, status: int, said: dict[str, Any]) -> Response:
    """Answer a refused request as whoever asked can read it: JSON for programs, a page for people."""
    wants_json = request.url.path.startswith(("/api/", "/health", "/ready")) or "json" in request.headers.get(
        "accept", ""
    )
    if wants_json:
        return Json(wire.encode(said), status)
    from pyramidion.web import pages

    return pages.error_page(request, status, said)


def _add_pages(app: FastAPI) -> None:
    from pyramidion.web import languages, manual, pages
    from pyramidion.web.bots import counsel
    from pyramidion.web.host import host_pages
    from pyramidion.web.people import account_pages, hotseat
    from pyramidion.web.rooms import room_pages
    from pyramidion.web.talk import alert_pages, chat_pages

    app.include_router(account_pages.router)
    app.include_router(hotseat.router)
    app.include_router(lobby.pages)
    app.include_router(elsewhere.pages)
    app.include_router(pages.router)
    app.include_router(counsel.router)
    app.include_router(host_pages.router)
    app.include_router(chat_pages.router)
    app.include_router(alert_pages.router)
    app.include_router(room_pages.router)
    app.include_router(order_pages.pages)
    app.add_exception_handler(NotStarted, room_pages.not_started)
    app.include_router(languages.router)
    app.include_router(manual.router)
