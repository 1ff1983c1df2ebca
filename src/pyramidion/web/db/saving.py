"""Storing changes for somebody who waits for the answer."""

from __future__ import annotations

import sqlalchemy as sa

from pyramidion.web.db.writer import Change, WriteFailed, Writer
from pyramidion.web.errors import NotSaved
from pyramidion.words import _, marked

NOT_SAVED = marked("This could not be saved: {cause}.")


async def save(writer: Writer, change: Change, said: str = NOT_SAVED) -> None:
    """Store a change. Raises Conflict or what else `change` raises, or NotSaved with the marked sentence `said`."""
    try:
        await writer.write(change)
    except WriteFailed as error:
        raise NotSaved(_(said).format(cause=error)) from error


def together(*changes: Change) -> Change:
    """Return several changes as one."""

    def change(connection: sa.Connection) -> None:
        for one in changes:
            one(connection)

    return change
