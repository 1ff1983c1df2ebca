"""The application: `create_app` builds it, `serve` runs it."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import Any

from fastapi import FastAPI, Request
from pydantic import ValidationError
from starlette.types import Message, Receive, Scope, Send

import pyramidion
from pyramidion.engine.rule import interpret_uncached_rules
from pyramidion.extras import install_command
from pyramidion.text_files import unusable_file
from pyramidion.translation import set_language
from pyramidion.web.db.database import StoreError
from pyramidion.web.errors import BadRequest, TooMany
from pyramidion.web.http import logging_setup
from pyramidion.web.http.languages import language_of
from pyramidion.web.http.middleware import SecurityMiddleware, headers_only
from pyramidion.web.http.openapi import describe
from pyramidion.web.http.services import install
from pyramidion.web.http.text_validation import require_text_address
from pyramidion.web.http.uvicorn_server import CannotServe, UvicornServer, address_of, bind, network_notes, run
from pyramidion.web.operations.warm_up import collect_garbage_rarely
from pyramidion.web.pages.error_handlers import answer_refusals, refusal_answer
from pyramidion.web.play.fast_path import FastPath
from pyramidion.web.play.routes import add_routes
from pyramidion.web.server import Server
from pyramidion.web.settings import Settings, unknown_variables, wrong_setting

LAB_NEEDS = ("polars", "tomlkit")
log = logging.getLogger(__name__)


class Application(FastAPI):
    """The server's FastAPI application, in which actions and event streams bypass the slower routing stack."""

    server: Server
    fast_path: FastPath

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
            self.server.limits.request(scope)
        except (BadRequest, TooMany) as error:
            scope["app"] = self
            await SecurityMiddleware(refusal_answer(Request(scope), error))(scope, receive, send)
            self.server.metrics.answered(scope["method"], error.status)
            return
        if await self.fast_path.take(scope, receive, send):
            return
        begun, method = time.perf_counter(), scope["method"]

        async def noting(message: Message) -> None:
            """Send a part of the answer; count and log the request when the answer begins."""
            if message["type"] == "http.response.start":
                status = message["status"]
                self.server.metrics.answered(method, status)
                logging_setup.request(scope, status, time.perf_counter() - begun)
            await send(message)

        try:
            await super().__call__(scope, receive, noting)
        except Exception:
            # `_fault` has already sent a response, so the connection can stay open.
            log.exception("A request could not be answered")


def create_app(settings: Settings | None = None) -> Application:
    """Return the application. Raises StoreError or ValueError if the data folder or the database cannot be used."""
    server = Server.open(settings or Settings())

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncGenerator[None]:
        await server.start()
        try:
            yield
        finally:
            await server.close()

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
    app.server = server
    app.fast_path = FastPath(server.tables, server.visitors, server.streams, server.limits, server.metrics)
    install(app, server.by_type())
    app.add_middleware(SecurityMiddleware, secure=server.settings.secure_cookies)
    answer_refusals(app)
    add_routes(app, lab=server.lab is not None)
    return app


def uvicorn_server(app: Application, address: str, *, open_browser: bool = False) -> UvicornServer:
    """Return the Uvicorn server of an application, with the address that it announces."""
    return UvicornServer(
        app,
        address,
        trusted_proxies=app.server.settings.trusted_proxies,
        end_streams=app.server.streams.close,
        open_browser=open_browser,
    )


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
    with bind(host, port) as sock:
        try:
            settings = settings or Settings()
            settings.lab = settings.lab or lab
            if settings.lab and any(find_spec(name) is None for name in LAB_NEEDS):
                raise CannotServe(f"The lab needs more packages; install them with: {install_command('lab')}.")
            logging_setup.configure(settings.log_format, settings.log_level)
            for sentence in unknown_variables(os.environ):
                log.warning(sentence)
            app = create_app(settings)
        except ValidationError as error:
            raise CannotServe(wrong_setting(error)) from error
        except StoreError as error:
            raise CannotServe(str(error)) from error
        except OSError as error:
            raise CannotServe(unusable_file(error)) from error
        interpret_uncached_rules()
        if not settings.warm:
            collect_garbage_rarely()
        server = uvicorn_server(app, address_of(sock, host), open_browser=open_browser)
        server.notes = [*network_notes(sock, host), f"The data is in {app.server.store.location}."]
        run(server, sock)
