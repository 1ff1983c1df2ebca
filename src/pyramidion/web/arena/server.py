"""The private server for API programs: bound to loopback, for the duration of a contest.

It runs the regular web server in a thread, with its database in a temporary folder. Each program holds a seat token,
which limits it to that seat's view and actions. No program holds the host token.
"""

from __future__ import annotations

import asyncio
import json
import logging
import queue
import tempfile
import threading
import time
from collections.abc import Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pyramidion.engine.actions import Action
from pyramidion.engine.match import Match
from pyramidion.web.application import Application, create_app
from pyramidion.web.errors import StaleVersion
from pyramidion.web.http.responses import token_of
from pyramidion.web.http.uvicorn_server import UvicornServer, address_of, bind
from pyramidion.web.settings import Settings
from pyramidion.web.table.seats.plans import SeatPlan
from pyramidion.web.table.settings.declarations import TableSettings
from pyramidion.web.table.table import Table
from pyramidion.web.table.tables import Tables
from pyramidion.web.tokens import new_token

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

T = TypeVar("T")
START_SECONDS, STOP_SECONDS = 60.0, 20.0
MOST_TRIES = 100
HOST, ACTIONS = "127.0.0.1", "/actions"
NEVER_LEGAL = (400, 403, 422)
"""Response codes for an invalid action, as opposed to one that came too late."""


class NoServer(RuntimeError):
    """The private server could not start, or has failed."""


@dataclass(frozen=True, slots=True)
class TimedAction:
    """An action that a seat has played at a table of the private server, with its time (`time.perf_counter`)."""

    seat: int
    action: int
    at: float


@dataclass(frozen=True, slots=True)
class Violation:
    """A violation that ends the contest, as a sentence; `seat` is the seat to blame, None if there is no single one."""

    seat: int | None
    sentence: str


class HostedTable:
    """A table on the private server, as the arena uses it: plays actions there, and queues what happens.

    Attributes:
        address: the URL of the table in the JSON API.
        tokens: the token of each seat.
    """

    def __init__(self, server: ArenaServer, table: Table, tokens: list[str]) -> None:
        self._server, self._table, self.tokens = server, table, tokens
        self.address = f"{server.address}api/tables/{table.id}"
        self._news: queue.SimpleQueue[TimedAction | Violation] = queue.SimpleQueue()
        self._seen = 0

    def act(self, seat: int, action: Action | int | str) -> None:
        """Play an action for a seat whose entrant is not a program. Raises IllegalAction."""
        self._server.run(self._act(seat, action))

    async def _act(self, seat: int, action: Action | int | str) -> None:
        """Play an action at the table's current version, again if the version has changed meanwhile."""
        for _ in range(MOST_TRIES):
            try:
                await self._table.act(seat, action, self._table.version(seat))
            except StaleVersion:
                continue
            return
        raise NoServer("The table changes too quickly to act at.")

    def news(self, seconds: float) -> TimedAction | Violation | None:
        """Return the next action or violation at the table, or None if there is none within `seconds`."""
        try:
            return self._news.get(timeout=seconds) if seconds > 0 else self._news.get_nowait()
        except queue.Empty:
            return None

    def moved(self) -> None:
        """Queue the actions that have been played since the last call; called by the server's thread."""
        if self._table.action_log.era:
            self._news.put(Violation(None, "an action was taken back, which a contest does not allow."))
            return
        history, at = self._table.match.history, time.perf_counter()
        for seat, action in history[self._seen :]:
            self._news.put(TimedAction(seat, action, at))
        self._seen = len(history)

    def refused(self, token: str | None, body: bytes) -> None:
        """Queue a violation for an action that the server has refused; called by the server's thread."""
        if token in self.tokens:
            seat = self.tokens.index(token)
            self._news.put(Violation(seat, f"it posted what is not legal: {json.loads(body)['detail']}"))

    def close(self) -> None:
        """Stop following the table."""
        self._server.leave(self._table.id)


class ArenaServer:
    """Runs the private server in a thread, and opens tables there.

    The constructor returns once the server accepts requests, or raises NoServer.
    """

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="pyramidion-arena-")
        self.folder = Path(self._folder.name)
        self._hosted: dict[str, HostedTable] = {}
        self._up = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        # Ignore environment settings: they are for the public server.
        settings = Settings.model_construct(
            data_dir=self.folder,
            bot_pause=0.0,
            premove_pause=0.0,
            premove_pause_longest=0.0,
            warm=False,
            tables_in_memory=8,
        )
        self._sock = bind(HOST, 0)
        self.address = address_of(self._sock, HOST)
        app = create_app(settings)
        self._tables: Tables = app.server.tables
        self._server = _Server(app, self.address, self)
        self._thread = threading.Thread(target=self._serve, name="pyramidion-arena", daemon=True)
        self._thread.start()
        self._up.wait(START_SECONDS)
        if self._loop is None:
            self.close()
            raise NoServer("The arena's server for programs could not be started.")
        self._tables.events.moved.append(self._moved)

    def _serve(self) -> None:
        """Run the server until it stops; the body of its thread."""
        try:
            asyncio.run(self._server.serve([self._sock]))
        except Exception:
            logging.getLogger(__name__).exception("The arena's server for programs has failed")
        finally:
            self._loop = None
            self._up.set()

    def answering(self) -> None:
        """Note that the server accepts requests; called by its thread."""
        self._loop = asyncio.get_running_loop()
        self._up.set()

    def run(self, doing: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine in the server's thread and return its result. Raises its exceptions, or NoServer."""
        if self._loop is None:
            doing.close()
            raise NoServer("The arena's server for programs has ended.")
        return asyncio.run_coroutine_threadsafe(doing, self._loop).result()

    def open(self, match: Match) -> HostedTable:
        """Open a table that mirrors a match before its first action: same game, options, seed and cards."""
        return self.run(self._open(match))

    async def _open(self, match: Match) -> HostedTable:
        """Create the table and take all its seats, in the server's thread."""
        plan = [SeatPlan("open") for _ in range(match.seats)]
        # Give nobody the host token: a host can pause the game and remove players.
        table = await self._tables.create(
            match.game.id,
            plan,
            match.options,
            TableSettings(hints=False),
            seed=match.seed,
            cards=match.cards,
            host_token=new_token(),
        )
        tokens = [await table.sit(seat, None, None) for seat in range(match.seats)]
        hosted = HostedTable(self, table, [token for token in tokens if token is not None])
        self._hosted[table.id] = hosted
        return hosted

    def leave(self, table_id: str) -> None:
        """Stop following a table."""
        self._hosted.pop(table_id, None)

    def _moved(self, table: Table) -> None:
        """Report a table's new actions to the arena, if it follows the table."""
        if hosted := self._hosted.get(table.id):
            hosted.moved()

    def refused(self, scope: Scope, body: bytes) -> None:
        """Report a refused action to the arena's table that it was meant for; called by the server's thread."""
        if hosted := self._hosted.get(scope["path"].split("/")[-2]):
            hosted.refused(token_of(scope), body)

    def close(self) -> None:
        """Stop the server, and delete its database."""
        self._server.should_exit = True
        self._thread.join(STOP_SECONDS)
        self._sock.close()
        self._folder.cleanup()


class _Server(UvicornServer):
    """The web server of an ArenaServer, which reports that it has started, and which actions it has refused."""

    def __init__(self, app: Application, address: str, server: ArenaServer) -> None:
        super().__init__(
            _Watched(app, server),
            address,
            trusted_proxies=app.server.settings.trusted_proxies,
            end_streams=app.server.streams.close,
        )
        self._server = server

    def announce(self) -> None:
        """Report to the arena that the server accepts requests, instead of printing its address."""
        self._server.answering()


class _Watched:
    """ASGI middleware that reports refused actions to the arena."""

    def __init__(self, app: ASGIApp, server: ArenaServer) -> None:
        self._app, self._server = app, server

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request; if it was an action that can never be legal, report it."""
        if scope["type"] != "http" or scope["method"] != "POST" or not scope["path"].endswith(ACTIONS):
            await self._app(scope, receive, send)
            return
        sent: list[Message] = []

        async def noting(message: Message) -> None:
            """Send a part of the answer, and keep it in `sent`."""
            sent.append(message)
            await send(message)

        await self._app(scope, receive, noting)
        if sent and sent[0]["status"] in NEVER_LEGAL:
            self._server.refused(scope, b"".join(message.get("body", b"") for message in sent))
