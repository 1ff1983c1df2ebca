"""The writer thread: groups queued writes into one transaction and reports the result to each caller.

A disk flush takes the same time for one action as for fifty. A busy server therefore commits larger groups instead of
waiting longer.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import (
    DatabaseError,
    DataError,
    IntegrityError,
    NotSupportedError,
    SQLAlchemyError,
)

from pyramidion.web.db.schema import CLAIMS, PLIES
from pyramidion.web.db.store import Store
from pyramidion.web.tokens import new_id

LARGEST_GROUP: Final = 200
LOOK_SECONDS: Final = 0.5
"""Interval at which to check whether another process has written to the same SQLite file."""
FRESH_SECONDS: Final = 1.0
"""How long a successful write proves that storage works; after that, a trial write checks it."""
TRIAL_SECONDS: Final = 3.0
Outcome = BaseException | None
log = logging.getLogger(__name__)


class Conflict(Exception):
    """The change does not apply to the current contents of the database; nothing was written."""


class WriteFailed(Exception):
    """Writing failed; as far as can be known, nothing was written."""


class DatabaseFailed(WriteFailed):
    """The database failed, whatever was to be written: disk full, file damaged, or server unreachable."""


class Ply(NamedTuple):
    """An action to store; the fields are the columns of `PLIES`, in their order.

    `by_clock` marks a default move after a timeout; `seal` and `nonce` belong to a submission (`engine.seals`).
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
"""Any other change, made within the group's transaction; raises Conflict if it does not apply."""


@dataclass(frozen=True, slots=True)
class PliesChange:
    """A change that stores a number of actions, with what follows from them, such as a clock's new deadline."""

    plies: int
    change: Change

    def __call__(self, connection: sa.Connection) -> None:
        """Make the change."""
        self.change(connection)


Job = tuple["Ply | Change", "asyncio.Future[None]"]


class Writer:
    """Writes queued actions and changes to the database from one thread, many in one transaction.

    Call `write` in the event loop in which `start` was called.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="pyramidion-writer", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._insert: dict[int, str] = {}
        self._mark = "%s" if store.engine.dialect.paramstyle in ("format", "pyformat") else "?"
        self._stopping = False
        self._failed: Ply | Change | None = None
        self._wrote_at = float("-inf")
        self._trial: asyncio.Future[bool] | None = None
        self.plies = self.groups = self.failures = 0
        self._look_at = 0.0
        self._seen: int | None = None
        self.backend: int | None = None
        """The PostgreSQL backend process of the writer's connection, whose notifications the listener ignores."""
        self.others_wrote: list[Callable[[], None]] = []
        """Called in the event loop after another process has written to the same SQLite file."""

    @property
    def alive(self) -> bool:
        """Whether the writer accepts writes."""
        return self._thread.is_alive() and not self._stopping

    @property
    def saving(self) -> bool:
        """Whether the writer accepts writes and, as far as is known, storage works."""
        return self.alive and self._failed is None

    async def works(self) -> bool:
        """Return whether storage works: a write has just succeeded, or a trial write succeeds now.

        After the database has failed, the trial repeats the failed write and rolls it back.
        """
        if not self.alive:
            return False
        if self._failed is None and time.monotonic() - self._wrote_at < FRESH_SECONDS:
            return True
        if self._trial is None or self._trial.done():
            self._trial = asyncio.ensure_future(self._trial_succeeds())
        try:
            return await asyncio.wait_for(asyncio.shield(self._trial), TRIAL_SECONDS)
        except TimeoutError:
            return False

    async def _trial_succeeds(self) -> bool:
        """Return whether a trial write succeeds and, after a failure, also the write that failed."""
        failed = self._failed
        try:
            if failed is not None:
                await self.write(self._rolled_back(failed))
            await self.write(_trial)
        except (Conflict, WriteFailed):
            return False
        if self._failed is failed:
            self._failed = None
        return self._failed is None

    def _rolled_back(self, what: Ply | Change) -> Change:
        """Return a change that makes the write `what` and rolls it back."""

        def apply_unless_refused(connection: sa.Connection) -> None:
            attempt = connection.begin_nested()
            with suppress(IntegrityError, Conflict):
                self._apply(connection, [what])
            if attempt.is_active:
                attempt.rollback()

        return apply_unless_refused

    def start(self) -> None:
        """Start the thread. Call it in the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._thread.start()

    async def stop(self) -> None:
        """Write everything in the queue, then end the thread."""
        self._stopping = True
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def write(self, what: Ply | Change) -> asyncio.Future[None]:
        """Queue a write and return a future that is done once it is on disk.

        The future's exception is Conflict or WriteFailed if the write failed.
        """
        assert self._loop is not None, "The writer was not started."
        future: asyncio.Future[None] = self._loop.create_future()
        if self.alive:
            self._queue.put((what, future))
        else:
            future.set_exception(WriteFailed("The server is shutting down."))
        return future

    def _run(self) -> None:
        """Write what is queued, group by group, until `stop`; the thread runs this."""
        connection: sa.Connection | None = None
        going_on = True
        if self._store.sqlite:
            with suppress(SQLAlchemyError):  # the first write will report the error
                connection = self._connect()
                self._look_around(connection)
        while going_on:
            group, going_on = self._take()
            try:
                if connection is None:
                    connection = self._connect()
                outcomes: list[Outcome] = self._commit(connection, [what for what, _ in group])
            except Exception as error:  # the thread must survive any database error
                log.exception("Writing failed")
                outcomes = [self._failure(error) for _ in group]
                if connection is not None:
                    connection.invalidate()
                    connection = None
            self._count(group, outcomes)
            self._resolve_futures(group, outcomes)
            if connection is not None:
                self._look_around(connection)
        if connection is not None:
            connection.close()

    def _count(self, group: list[Job], outcomes: list[Outcome]) -> None:
        """Count a group's successes and failures, and note when storage worked or failed."""
        self.groups += bool(group)
        for (what, _), outcome in zip(group, outcomes, strict=True):
            self.failures += isinstance(outcome, WriteFailed)
            if outcome is None:
                self.plies += what.plies if isinstance(what, PliesChange) else isinstance(what, Ply)
                self._wrote_at = time.monotonic()
            elif isinstance(outcome, DatabaseFailed) and self._failed is None:
                self._failed = what

    def _connect(self) -> sa.Connection:
        """Open the connection on which all changes are written."""
        connection = self._store.engine.connect()
        driver: Any = connection.connection.dbapi_connection
        self.backend = driver.info.backend_pid if self._store.shared else None
        self._seen = None  # `data_version` counts per connection
        return connection

    def _look_around(self, connection: sa.Connection) -> None:
        """Check whether another process has written to the same SQLite file; PostgreSQL sends notifications instead."""
        if not self._store.sqlite or time.monotonic() < self._look_at:
            return
        self._look_at = time.monotonic() + LOOK_SECONDS
        try:
            driver: Any = connection.connection.dbapi_connection
            # The value changes when any other connection writes, but not when this one does.
            (data_version,) = driver.execute("PRAGMA data_version").fetchone()
        except Exception:
            log.exception("The database cannot be looked at")
            return
        seen, self._seen = self._seen, data_version
        if seen not in (data_version, None) and self._loop is not None and not self._loop.is_closed():
            for callback in self.others_wrote:
                self._loop.call_soon_threadsafe(callback)

    def _take(self) -> tuple[list[Job], bool]:
        """Wait for writes; return those that are queued, at most `LARGEST_GROUP`, and whether more may follow."""
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
        """Write a group in one transaction; if that fails, one by one, so that each gets its own outcome."""
        if not group:
            return []
        # Groups mostly contain only plies, which fit in one statement in autocommit mode. Between statements this
        # thread would wait for the GIL, which takes longer than the disk on a busy server.
        alone = all(isinstance(what, Ply) for what in group)
        if alone and self._store.sqlite and self._inserted(connection, group):
            return [None] * len(group)
        try:
            with connection.execution_options(**(self._store.one_statement if alone else self._store.to_write)).begin():
                self._apply(connection, group)
        except (SQLAlchemyError, Conflict) as error:
            if getattr(error, "connection_invalidated", False):
                raise  # the connection is gone for the whole group
            if len(group) > 1:
                return [outcome for what in group for outcome in self._commit(connection, [what])]
            if isinstance(error, (IntegrityError, Conflict)):
                return [Conflict(str(error))]
            log.error("An action could not be saved: %s", error)
            return [self._failure(error)]
        return [None] * len(group)

    def _inserted(self, connection: sa.Connection, plies: list[Ply | Change]) -> bool:
        """Insert plies through SQLite's driver, which takes half the time; return False if that failed.

        Nothing is written then, and SQLAlchemy tells what is wrong when the insertion is repeated through it.
        """
        driver: Any = connection.connection.dbapi_connection
        try:
            driver.execute(self._statement(len(plies)), _values(plies))
        except driver.Error:
            return False
        return True

    def _failure(self, error: Exception) -> WriteFailed:
        """Return an error as the caller gets it: DatabaseFailed, or WriteFailed if the data itself was refused."""
        own_fault = isinstance(error, (DataError, IntegrityError, NotSupportedError))
        kind = DatabaseFailed if isinstance(error, DatabaseError) and not own_fault else WriteFailed
        return kind(self._store.cause(error))

    def _apply(self, connection: sa.Connection, group: list[Ply | Change]) -> None:
        """Execute a group: its plies in one statement, then its changes."""
        plies = [what for what in group if isinstance(what, Ply)]
        if plies:
            connection.exec_driver_sql(self._statement(len(plies)), _values(plies))
        for what in group:
            if not isinstance(what, Ply):
                what(connection)

    def _statement(self, count: int) -> str:
        """Return an INSERT statement for `count` plies; cached."""
        if count not in self._insert:
            row = f"({', '.join([self._mark] * len(PLIES.columns))})"
            names = ", ".join(f'"{c.name}"' for c in PLIES.columns)
            self._insert[count] = f"INSERT INTO plies ({names}) VALUES {', '.join([row] * count)}"  # noqa: S608
        return self._insert[count]

    def _resolve_futures(self, group: list[Job], outcomes: list[Outcome]) -> None:
        """Resolve the futures of a group in the event loop."""
        assert self._loop is not None
        if group and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(_resolve, group, outcomes)


def _values(plies: Sequence[Any]) -> tuple[Any, ...]:
    """Return the values of all plies in a row, as an INSERT statement takes them."""
    return tuple(chain.from_iterable(plies))


def _resolve(group: list[Job], outcomes: list[Outcome]) -> None:
    """Set each future of a group to its outcome."""
    for (_, future), outcome in zip(group, outcomes, strict=True):
        if future.done():  # the caller was cancelled
            continue
        if outcome is None:
            future.set_result(None)
        else:
            future.set_exception(outcome)


def _trial(connection: sa.Connection) -> None:
    """Insert and delete a row, to see whether the disk accepts writes."""
    key = f"trial {new_id()}"
    connection.execute(sa.insert(CLAIMS).values(key=key, server="", until=0))
    connection.execute(sa.delete(CLAIMS).where(CLAIMS.c.key == key))
