"""The application: `create_app` builds it, `serve` runs it."""

from __future__ import annotations

import gc
import logging
import threading
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import Any

from fastapi import FastAPI, Request
from pydantic import ValidationError
from starlette.types import Message, Receive, Scope, Send

import pyramidion
from pyramidion.bots.thread_pool import compile_search
from pyramidion.engine import registry
from pyramidion.engine.rule import interpret_uncached_rules
from pyramidion.translation import set_language
from pyramidion.web.db.database import StoreError
from pyramidion.web.db.store import Store
from pyramidion.web.db.writer import Writer
from pyramidion.web.errors import BadRequest, TooMany
from pyramidion.web.features.accounts.bot_accounts import BotAccounts
from pyramidion.web.features.accounts.known_browsers import KnownBrowsers
from pyramidion.web.features.accounts.passkeys import Passkeys
from pyramidion.web.features.accounts.service import Accounts
from pyramidion.web.features.chat.service import Chats
from pyramidion.web.features.clubs.service import Clubs
from pyramidion.web.features.lab.service import Lab
from pyramidion.web.features.notifications.competition_webhooks import Channels
from pyramidion.web.features.notifications.contacts import Contacts
from pyramidion.web.features.notifications.service import Notifications
from pyramidion.web.features.notifications.transports.mail import Mailer
from pyramidion.web.features.notifications.transports.push import Push
from pyramidion.web.features.notifications.transports.webhooks import Webhooks
from pyramidion.web.features.seasons.service import Seasons
from pyramidion.web.features.tournaments.service import Tournaments
from pyramidion.web.features.waiting_room.expiry import Cleaning
from pyramidion.web.http import logging_setup
from pyramidion.web.http.authentication import Visitors
from pyramidion.web.http.languages import language_of
from pyramidion.web.http.metrics import Metrics
from pyramidion.web.http.middleware import Front, headers_only
from pyramidion.web.http.openapi import describe
from pyramidion.web.http.rate_limits import Limits
from pyramidion.web.http.responses import refusal
from pyramidion.web.http.text_validation import require_text_address
from pyramidion.web.pages.error_handlers import answer_refusals, error_answer
from pyramidion.web.play.fast_path import Doors
from pyramidion.web.play.routes import add_routes
from pyramidion.web.play.streams import Streams
from pyramidion.web.services import Services
from pyramidion.web.settings import Settings
from pyramidion.web.table.bots import Budget

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
        if scope["method"] == "HEAD":
            scope, send = {**scope, "method": "GET"}, headers_only(send)
        set_language(language_of(scope))
        try:
            require_text_address(scope)
            self.limits.request(scope)
        except (BadRequest, TooMany) as error:
            scope["app"] = self
            answer = error_answer(Request(scope), *refusal(error))
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
                logging_setup.request(scope, status, time.perf_counter() - begun)
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
    clubs = Clubs(tables, key)
    seasons = Seasons(tables, rooms, clubs.home, key)
    tournaments = Tournaments(tables, rooms, clubs.home, services.ratings.points)
    clubs.cards.update(season=seasons.card, tournament=tournaments.card)
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
        lifespan=lifespan,
    )
    app.state.settings, app.state.visitors = settings, visitors
    app.state.services = services
    app.state.find = services.rooms.find
    app.state.tables, app.state.streams, app.state.writer = tables, streams, writer
    app.state.accounts = Accounts(store, writer, tables.heard, tables.events)
    app.state.bot_accounts = BotAccounts(store, writer, tables.heard, tables.events)
    app.state.passkeys = Passkeys(key, app.state.accounts)
    app.state.known_browsers = KnownBrowsers(key, secure=settings.secure_cookies)
    app.state.warming, app.state.chats, app.state.clubs = None, chats, clubs
    app.state.notifications, app.state.seasons, app.state.tournaments = notifications, seasons, tournaments
    app.state.lab, app.state.channels = lab, Channels(contacts, webhooks)
    app.state.store, app.state.limits = store, Limits(settings)
    app.state.metrics = Metrics(tables, lambda: streams.count, writer)
    app.limits, app.metrics = app.state.limits, app.state.metrics
    app.doors = Doors(tables, visitors, streams, app.limits, app.metrics)
    app.add_middleware(Front, secure=settings.secure_cookies)
    answer_refusals(app)
    add_routes(app, lab=lab is not None)
    return app


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
    from pyramidion.web.http.uvicorn_server import CannotServe, bind, run

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
        interpret_uncached_rules()
        logging_setup.configure(app.state.settings.log_format, app.state.settings.log_level)
        if not app.state.settings.warm:
            _spare_the_collector()
        run(app, sock, host, open_browser=open_browser)


def _warm() -> None:
    """Load or compile every game, its search and its board, so that its first table need not wait."""
    from pyramidion.web.pages.renderer import ENVIRONMENT

    # In the order of the home page: what a newcomer starts first is ready first.
    for game in registry.games_for_newcomers():
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
