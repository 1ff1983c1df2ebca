"""A server for programs that play by the JSON API: on this machine's loopback, for as long as a contest lasts.

It is the server that people play at, in a thread, with a database in a folder that goes when it closes. Who plays there
has a token for a seat, and can do and see what that seat may; nobody holds the host's.
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
from pyramidion.web.answers import token_of
from pyramidion.web.app import create_app
from pyramidion.web.errors import StaleVersion
from pyramidion.web.seats import new_token
from pyramidion.web.serving import Server, address_of, bind
from pyramidion.web.settings import Settings
from pyramidion.web.tables import SeatPlan, Table, Tables

if TYPE_CHECKING:
    from starlette.types import Message, Receive, Scope, Send

T = TypeVar("T")
START_SECONDS, STOP_SECONDS = 60.0, 20.0
MOST_TRIES = 100
HOST, ACTIONS = "127.0.0.1", "/actions"
NEVER_LEGAL = (400, 403, 422)
"""How the server answers an action that is wrong whenever it comes; one that came too late is not among these."""


class NoHouse(RuntimeError):
    """The server could not be started, or has failed."""


@dataclass(frozen=True, slots=True)
class Played:
    """An action that a seat has made, and when (`time.perf_counter`)."""

    seat: int
    action: int
    at: float


@dataclass(frozen=True, slots=True)
class Wrong:
    """What a seat has done that ends the contest: a sentence; None for all of them."""

    seat: int | None
    sentence: str


class Hosted:
    """A table at the house: `address` of its API, a token for each seat, and what happens there, in order."""

    def __init__(self, house: House, table: Table, tokens: list[str]) -> None:
        self._house, self._table, self.tokens = house, table, tokens
        self.address = f"{house.address}api/tables/{table.id}"
        self._news: queue.SimpleQueue[Played | Wrong] = queue.SimpleQueue()
        self._told = 0

    def act(self, seat: int, action: Action | int | str) -> None:
        """Make an action of a seat that is no program's. Raises IllegalAction."""
        self._house.run(self._act(seat, action))

    async def _act(self, seat: int, action: Action | int | str) -> None:
        for _ in range(MOST_TRIES):
            try:
                await self._table.act(seat, action, self._table.version(seat))
            except StaleVersion:
                continue
            return
        raise NoHouse("The table changes too quickly to act at.")

    def news(self, seconds: float) -> Played | Wrong | None:
        """Return what has happened next, None if nothing has within so many seconds."""
        try:
            return self._news.get(timeout=seconds) if seconds > 0 else self._news.get_nowait()
        except queue.Empty:
            return None

    def moved(self) -> None:
        """Take note of what has been played; called by the server's thread."""
        if self._table.era:
            self._news.put(Wrong(None, "an action was taken back, which a contest does not allow."))
            return
        history, at = self._table.match.history, time.perf_counter()
        for seat, action in history[self._told :]:
            self._news.put(Played(seat, action, at))
        self._told = len(history)

    def refused(self, token: str | None, body: bytes) -> None:
        """Take note of an action that was refused; called by the server's thread."""
        if token in self.tokens:
            seat = self.tokens.index(token)
            self._news.put(Wrong(seat, f"it posted what is not legal: {json.loads(body)['detail']}"))

    def close(self) -> None:
        """Leave the table, which stays as it is."""
        self._house.leave(self._table.id)


class House:
    """The server. It answers when this returns. Raises NoHouse where it cannot."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="pyramidion-arena-")
        self.folder = Path(self._folder.name)
        self._hosted: dict[str, Hosted] = {}
        self._up = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        # Nothing of what is set in the environment for a server: that one has other guests.
        settings = Settings.model_construct(
            data_dir=self.folder,
            bot_pause=0.0,
            order_pause=0.0,
            order_pause_longest=0.0,
            warm=False,
            tables_in_memory=8,
        )
        self._sock = bind(HOST, 0)
        self.address = address_of(self._sock, HOST)
        app = create_app(settings)
        self._tables: Tables = app.state.tables
        self._server = _Server(app, self.address, self)
        self._thread = threading.Thread(target=self._serve, name="pyramidion-arena", daemon=True)
        self._thread.start()
        self._up.wait(START_SECONDS)
        if self._loop is None:
            self.close()
            raise NoHouse("The arena's server for programs could not be started.")
        others, self._tables.on_moved = self._tables.on_moved, self._moved
        self._others_moved = others

    def _serve(self) -> None:
        try:
            asyncio.run(self._server.serve([self._sock]))
        except Exception:
            logging.getLogger(__name__).exception("The arena's server for programs has failed")
        finally:
            self._loop = None
            self._up.set()

    def answering(self) -> None:
        """Take note that the server answers; called by its thread."""
        self._loop = asyncio.get_running_loop()
        self._up.set()

    def run(self, doing: Coroutine[Any, Any, T]) -> T:
        """Do something in the server's thread, and wait for it. Raises what it raises, or NoHouse."""
        if self._loop is None:
            doing.close()
            raise NoHouse("The arena's server for programs has ended.")
        return asyncio.run_coroutine_threadsafe(doing, self._loop).result()

    def open(self, match: Match) -> Hosted:
        """Open a table at which a match, that is at its opening, is played again."""
        return self.run(self._open(match))

    async def _open(self, match: Match) -> Hosted:
        plan = [SeatPlan("open") for _ in range(match.seats)]
        # Nobody is handed the host's token: a host may pause, and send a seat away.
        table = await self._tables.create(
            match.game.id, plan, match.options, seed=match.seed, cards=match.cards, hints=False, host_token=new_token()
        )
        tokens = [await table.sit(seat, None, None) for seat in range(match.seats)]
        hosted = Hosted(self, table, [token for token in tokens if token is not None])
        self._hosted[table.id] = hosted
        return hosted

    def leave(self, table_id: str) -> None:
        """Look at a table no more."""
        self._hosted.pop(table_id, None)

    def _moved(self, table: Table) -> None:
        self._others_moved(table)
        if hosted := self._hosted.get(table.id):
            hosted.moved()

    def refused(self, scope: Scope, body: bytes) -> None:
        """Take note of an action that was refused; called by the server's thread."""
        if hosted := self._hosted.get(scope["path"].split("/")[-2]):
            hosted.refused(token_of(scope), body)

    def close(self) -> None:
        """Stop the server, and leave nothing behind."""
        self._server.should_exit = True
        self._thread.join(STOP_SECONDS)
        self._sock.close()
        self._folder.cleanup()


class _Server(Server):
    """A server that says so to the house, and tells it of actions that were refused."""

    def __init__(self, app: Any, address: str, house: House) -> None:
        super().__init__(app, address, open_browser=False)
        self._house = house
        self.config.app = _Watched(app, house)

    def announce(self) -> None:
        """Say that it answers."""
        self._house.answering()


class _Watched:
    """The application, whose refusals of actions are told to the house."""

    def __init__(self, app: Any, house: House) -> None:
        self._app, self._house = app, house

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http" or scope["method"] != "POST" or not scope["path"].endswith(ACTIONS):
            await self._app(scope, receive, send)
            return
        told: list[Message] = []

        async def noting(message: Message) -> None:
            told.append(message)
            await send(message)

        await self._app(scope, receive, noting)
        if told and told[0]["status"] in NEVER_LEGAL:
            self._house.refused(scope, b"".join(message.get("body", b"") for message in told))
