"""The one thread that writes: whatever has queued up goes into one transaction, then all who wait are told at once.

A disk flush costs the same for one action as for fifty, so a busy server commits larger groups and is not held up.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from pyramidion.web.schema import PLIES
from pyramidion.web.store import ONE_STATEMENT, TO_WRITE, Store

LARGEST_GROUP: Final = 200
Outcome = BaseException | None
log = logging.getLogger(__name__)


class Conflict(Exception):
    """The database already holds something else in this place; what was to be written was not."""


class WriteFailed(Exception):
    """Writing failed; what was to be written is, as far as can be known, not in the database."""


@dataclass(frozen=True, slots=True)
class Ply:
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

    def values(self) -> tuple[str, int, int, str, int, bool, str | None, str | None]:
        """Return the row to insert."""
        return self.match, self.ply, self.seat, self.action, self.at, self.by_clock, self.seal, self.nonce


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
        while going_on:
            group, going_on = self._take()
            try:
                if connection is None:
                    connection = self._store.engine.connect()
                outcomes: list[Outcome] = self._commit(connection, [what for what, _ in group])
            except Exception as error:  # the thread must outlive whatever a database does
                log.exception("Writing failed")
                outcomes = [WriteFailed(str(error)) for _ in group]
                if connection is not None:
                    connection.invalidate()
                    connection = None
            self._tell(group, outcomes)
        if connection is not None:
            connection.close()

    def _take(self) -> tuple[list[Job], bool]:
        """Wait for something to write and return all that there is, and whether to go on after it."""
        group: list[Job] = []
        job = self._queue.get()
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
            with connection.execution_options(**(ONE_STATEMENT if alone else TO_WRITE)).begin():
                self._apply(connection, group)
        except (SQLAlchemyError, Conflict) as error:
            if len(group) > 1:
                return [outcome for one in group for outcome in self._commit(connection, [one])]
            if isinstance(error, (IntegrityError, Conflict)):
                return [Conflict(str(error))]
            log.error("An action could not be saved: %s", error)
            return [WriteFailed(str(getattr(error, "orig", None) or error))]
        return [None] * len(group)

    def _apply(self, connection: sa.Connection, group: list[Ply | Change]) -> None:
        plies = [one for one in group if isinstance(one, Ply)]
        if plies:
            connection.exec_driver_sql(
                self._statement(len(plies)), tuple(value for ply in plies for value in ply.values())
            )
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
