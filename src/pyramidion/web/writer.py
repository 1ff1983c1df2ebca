"""The one thread that writes: whatever has queued up goes into one transaction, then all who wait are told at once.

A disk flush costs the same for one action as for fifty, so a busy server commits larger groups and is not held up.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from pyramidion.web.schema import PLIES
from pyramidion.web.store import Store

LARGEST_GROUP: Final = 200
LOOK_SECONDS: Final = 0.5
"""How often to look whether another process has written to the same SQLite file."""
Outcome = BaseException | None
log = logging.getLogger(__name__)


class Conflict(Exception):
    """The database already holds something else in this place; what was to be written was not."""


class WriteFailed(Exception):
    """Writing failed; what was to be written is, as far as can be known, not in the database."""


class Ply(NamedTuple):
    """One action of a match, to be stored; the fields are the columns of `PLIES`, in their order.

    `by_clock` says that the seat's time was up; `seal` and `nonce` belong to a submission (`engine.seals`).
    """

    match: str
    ply: int
    seat: int
    action: str
    at: int
    by_clock: bool = False
    seal: str | None = None
    nonce: str | None = None


Change = Callable[[sa.Connection], None]
"""Any other change, made within the group's transaction; it raises Conflict where it does not apply."""
Job = tuple["Ply | Change", "asyncio.Future[None]"]


class Writer:
    """Writes to one store from one thread. Use `write` from the event loop that `start` was called in."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="pyramidion-writer", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._insert: dict[int, str] = {}
        self._mark = "%s" if store.engine.dialect.paramstyle in ("format", "pyformat") else "?"
        self._stopping = False
        self.plies = self.groups = self.failures = 0
        self._look_at = 0.0
        self._seen: int | None = None
        self.backend: int | None = None
        """Which of PostgreSQL's processes writes for this one; its own news is none."""
        self.others_wrote: Callable[[], None] = _nobody_cares
        """Called in the event loop when another process has written to the same SQLite file."""

    @property
    def alive(self) -> bool:
        """Whether what is handed over now will be written."""
        return self._thread.is_alive() and not self._stopping

    def start(self) -> None:
        """Start the thread; to be called in the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._thread.start()

    async def stop(self) -> None:
        """Write what has been handed over, then end the thread."""
        self._stopping = True
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def write(self, what: Ply | Change) -> asyncio.Future[None]:
        """Hand over something to be written; the future is done when it is on the disk.

        Its exception is Conflict or WriteFailed where it could not be written.
        """
        assert self._loop is not None, "The writer was not started."
        future: asyncio.Future[None] = self._loop.create_future()
        if self.alive:
            self._queue.put((what, future))
        else:
            future.set_exception(WriteFailed("The server is shutting down."))
        return future

    def _run(self) -> None:
        connection: sa.Connection | None = None
        going_on = True
        if self._store.sqlite:
            with suppress(SQLAlchemyError):  # the first thing to be written will say what is wrong
                connection = self._connect()
                self._look_around(connection)
        while going_on:
            group, going_on = self._take()
            try:
                if connection is None:
                    connection = self._connect()
                outcomes: list[Outcome] = self._commit(connection, [what for what, _ in group])
            except Exception as error:  # the thread must outlive whatever a database does
                log.exception("Writing failed")
                outcomes = [WriteFailed(self._store.cause(error)) for _ in group]
                if connection is not None:
                    connection.invalidate()
                    connection = None
            self._count(group, outcomes)
            self._tell(group, outcomes)
            if connection is not None:
                self._look_around(connection)
        if connection is not None:
            connection.close()

    def _count(self, group: list[Job], outcomes: list[Outcome]) -> None:
        self.groups += bool(group)
        for (what, _), outcome in zip(group, outcomes, strict=True):
            self.plies += outcome is None and isinstance(what, Ply)
            self.failures += isinstance(outcome, WriteFailed)

    def _connect(self) -> sa.Connection:
        connection = self._store.engine.connect()
        driver: Any = connection.connection.dbapi_connection
        self.backend = driver.info.backend_pid if self._store.shared else None
        self._seen = None  # every connection counts for itself
        return connection

    def _look_around(self, connection: sa.Connection) -> None:
        """Say so where another process has written to the same SQLite file; PostgreSQL tells by itself."""
        if not self._store.sqlite or time.monotonic() < self._look_at:
            return
        self._look_at = time.monotonic() + LOOK_SECONDS
        try:
            driver: Any = connection.connection.dbapi_connection
            # It stays the same when this connection writes, and changes when any other one does.
            (found,) = driver.execute("PRAGMA data_version").fetchone()
        except Exception:
            log.exception("The database cannot be looked at")
            return
        seen, self._seen = self._seen, found
        if seen not in (found, None) and self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.others_wrote)

    def _take(self) -> tuple[list[Job], bool]:
        """Wait for something to write and return all that there is, and whether to go on after it."""
        group: list[Job] = []
        try:
            job = self._queue.get(timeout=LOOK_SECONDS if self._store.sqlite else None)
        except queue.Empty:
            return group, True
        while job is not None:
            group.append(job)
            if len(group) == LARGEST_GROUP:
                return group, True
            try:
                job = self._queue.get_nowait()
            except queue.Empty:
                return group, True
        return group, False

    def _commit(self, connection: sa.Connection, group: list[Ply | Change]) -> list[Outcome]:
        """Write a group; where that fails, write its members one by one, so that each gets its own answer."""
        if not group:
            return []
        # Mostly there are plies only, and they go in one statement that is a transaction of its own. Between statements
        # this thread would have to wait for the interpreter, which on a busy server takes longer than the disk.
        alone = all(isinstance(one, Ply) for one in group)
        try:
            with connection.execution_options(**(self._store.one_statement if alone else self._store.to_write)).begin():
                self._apply(connection, group)
        except (SQLAlchemyError, Conflict) as error:
            if getattr(error, "connection_invalidated", False):
                raise  # the database is gone, for every one of them
            if len(group) > 1:
                return [outcome for one in group for outcome in self._commit(connection, [one])]
            if isinstance(error, (IntegrityError, Conflict)):
                return [Conflict(str(error))]
            log.error("An action could not be saved: %s", error)
            return [WriteFailed(self._store.cause(error))]
        return [None] * len(group)

    def _apply(self, connection: sa.Connection, group: list[Ply | Change]) -> None:
        plies = [one for one in group if isinstance(one, Ply)]
        if plies:
            connection.exec_driver_sql(self._statement(len(plies)), tuple(value for ply in plies for value in ply))
        for one in group:
            if not isinstance(one, Ply):
                one(connection)

    def _statement(self, count: int) -> str:
        """Return an INSERT of `count` plies."""
        if count not in self._insert:
            row = f"({', '.join([self._mark] * len(PLIES.columns))})"
            names = ", ".join(f'"{c.name}"' for c in PLIES.columns)
            self._insert[count] = f"INSERT INTO plies ({names}) VALUES {', '.join([row] * count)}"  # noqa: S608
        return self._insert[count]

    def _tell(self, group: list[Job], outcomes: list[Outcome]) -> None:
        assert self._loop is not None
        if group and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(_resolve, group, outcomes)


def _resolve(group: list[Job], outcomes: list[Outcome]) -> None:
    for (_, future), outcome in zip(group, outcomes, strict=True):
        if future.done():  # whoever waited has gone away
            continue
        if outcome is None:
            future.set_result(None)
        else:
            future.set_exception(outcome)


def _nobody_cares() -> None:
    pass
