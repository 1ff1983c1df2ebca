"""Storing changes for somebody who waits for the answer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import sqlalchemy as sa

from pyramidion.translation import _, marked
from pyramidion.web.db.schema import MATCHES
from pyramidion.web.db.store import now
from pyramidion.web.db.writer import Change, Conflict, WriteFailed, Writer
from pyramidion.web.errors import NotSaved

log = logging.getLogger(__name__)

MOST_TRIES = 5
NOT_SAVED = marked("This could not be saved: {cause}.")


async def save(writer: Writer, change: Change, sentence: str = NOT_SAVED) -> None:
    """Write a change and wait until it is stored.

    Raises Conflict or what else `change` raises, or NotSaved with `sentence`, a marked text with a place for `cause`.
    """
    try:
        await writer.write(change)
    except WriteFailed as error:
        raise NotSaved(_(sentence).format(cause=error)) from error


def executing(statement: sa.Executable, rows: Sequence[Mapping[str, Any]] | None = None) -> Change:
    """Return the change that executes a statement, for each of some rows if they are given."""

    def execute(connection: sa.Connection) -> None:
        connection.execute(statement, rows)

    return execute


def together(*changes: Change) -> Change:
    """Return one change that makes several in order."""

    def apply_all(connection: sa.Connection) -> None:
        for part in changes:
            part(connection)

    return apply_all


async def retrying(writer: Writer, plan: Callable[[], Awaitable[Change | None]]) -> bool:
    """Store the change that `plan` returns, and plan again if the database has changed meanwhile (Conflict).

    Return whether there was anything to store. Raises what `plan` raises, or NotSaved.
    """
    for _again in range(MOST_TRIES):
        change = await plan()
        if change is None:
            return False
        with suppress(Conflict):
            await save(writer, change)
            return True
    raise NotSaved(_("Somebody else keeps changing this. Try again."))


def note_finished(writer: Writer, match: str) -> None:
    """Store the time at which a match ended, without waiting for the write.

    The column is for queries: the end itself follows from the plies.
    """

    def set_finished(connection: sa.Connection) -> None:
        connection.execute(sa.update(MATCHES).where(MATCHES.c.id == match).values(finished=now(), deadline=None))

    writer.write(set_finished).add_done_callback(_log_failure)


def _log_failure(future: asyncio.Future[None]) -> None:
    """Log the error of work that nobody awaits."""
    if not future.cancelled() and (error := future.exception()):
        log.error("The end of a match could not be noted: %s", error)
