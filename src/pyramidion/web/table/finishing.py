"""The note in the database that a match is over."""

from __future__ import annotations

import asyncio
import logging

import sqlalchemy as sa

from pyramidion.web.db.schema import MATCHES
from pyramidion.web.db.store import now
from pyramidion.web.db.writer import Writer

log = logging.getLogger(__name__)


def note_finished(writer: Writer, match: str) -> None:
    """Store when a match ended, without waiting. The column is for queries: the end itself follows from the plies."""

    def change(connection: sa.Connection) -> None:
        connection.execute(sa.update(MATCHES).where(MATCHES.c.id == match).values(finished=now(), deadline=None))

    writer.write(change).add_done_callback(_log_failure)


def _log_failure(future: asyncio.Future[None]) -> None:
    if not future.cancelled() and (error := future.exception()):
        log.error("The end of a match could not be noted: %s", error)
