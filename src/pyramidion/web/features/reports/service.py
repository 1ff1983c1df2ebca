"""Keeps what players report, for the operators of the server (`pyramidion admin reports`)."""

from __future__ import annotations

import logging
from typing import Final

import sqlalchemy as sa

from pyramidion.translation import _
from pyramidion.web.db.changes import save
from pyramidion.web.db.schema import REPORTS
from pyramidion.web.db.store import Store, now
from pyramidion.web.db.writer import Writer
from pyramidion.web.errors import TooMany

MOST_OPEN: Final = 1_000
"""Open reports beyond which no more are accepted."""
log = logging.getLogger(__name__)


class Reports:
    """Stores reports by players."""

    def __init__(self, store: Store, writer: Writer) -> None:
        self.store, self._writer = store, writer

    async def add(self, person: str, place: str, item: str, quoted: str, sentence: str) -> None:
        """Store a visitor's report about an item of a page; an earlier open one about the same is replaced.

        Raises TooMany if operators have not dealt with the reports that there are, or NotSaved.
        """
        r = REPORTS.c
        same = r.person == person, r.place == place, r.item == item, r.settled.is_(None)
        values = {"at": now(), "person": person, "place": place, "item": item, "quoted": quoted, "sentence": sentence}

        def insert_report(connection: sa.Connection) -> None:
            connection.execute(sa.delete(REPORTS).where(*same))
            count = sa.select(sa.func.count()).where(r.settled.is_(None))
            if connection.execute(count).scalar_one() >= MOST_OPEN:
                raise TooMany(_("There are too many open reports. Write to the operators of this server instead."))
            connection.execute(sa.insert(REPORTS).values(values))

        await save(self._writer, insert_report)
        log.warning("A player has reported something; `pyramidion admin reports` lists it")
