"""The logs and tables of competitions in the database; all functions but those that return changes block."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from pyramidion.event_log import Entry, decode, encode
from pyramidion.web.db.changes import executing
from pyramidion.web.db.club_access import in_private_club
from pyramidion.web.db.identity_changes import is_nobody
from pyramidion.web.db.schema import MATCHES, PLIES
from pyramidion.web.db.store import Store
from pyramidion.web.db.writer import Change

OWNER: sa.BindParameter[str] = sa.bindparam("owner", type_=sa.String)
"""The competition in a query that is made once."""


@dataclass(frozen=True, slots=True)
class LogRows:
    """Reads and stores the logs of one kind of competition.

    The column `owner` of `table` holds the competition's id; `kinds` are the classes of events by kind.
    """

    table: sa.Table
    owner: str
    kinds: Mapping[str, type[Any]]

    def of(self, owner: str | sa.BindParameter[str]) -> sa.ColumnElement[bool]:
        """Return the SQL condition for the entries of one competition."""
        return self.table.c[self.owner] == owner

    def length(self, owner: str | sa.BindParameter[str]) -> sa.ScalarSelect[int]:
        """Return the SQL query for the number of entries of one competition."""
        return sa.select(sa.func.coalesce(sa.func.max(self.table.c.number), 0)).where(self.of(owner)).scalar_subquery()

    def read(self, store: Store, owner: str) -> list[Entry]:
        """Return the log of one competition, in order; an empty list if it has no entries."""
        columns = self.table.c
        reason = columns.reason if "reason" in columns else sa.literal("").label("reason")
        query = sa.select(columns.number, columns.at, columns.author, columns.kind, columns.data, reason)
        return [
            Entry(row.number, row.at, row.author, decode(self.kinds, row.kind, row.data), row.reason)
            for row in store.query(query.where(self.of(owner)).order_by(columns.number))
        ]

    def insert(self, owner: str, entries: Sequence[Entry]) -> Change:
        """Return the change that stores new entries; of two servers that store the same number, the second fails."""
        rows: list[dict[str, Any]] = [
            {
                self.owner: owner,
                "number": entry.number,
                "at": entry.at,
                "author": entry.by,
                "kind": entry.event.kind,
                "data": encode(entry.event),
            }
            for entry in entries
        ]
        for row, entry in zip(rows, entries, strict=True):
            if "reason" in self.table.c:
                row["reason"] = entry.reason
        return executing(sa.insert(self.table), rows)


@dataclass(frozen=True, slots=True)
class TableRows:
    """Reads and stores which tables belong to the competitions of one kind, and whose results are awaited.

    A table is `settled` once its result is in the log or no longer wanted.
    """

    table: sa.Table
    owner: str

    def owner_of(self, store: Store, match: str) -> str | None:
        """Return the competition that a table belongs to, or None."""
        rows = store.query(sa.select(self.table.c[self.owner]).where(self.table.c.match == match))
        return str(rows[0][0]) if rows else None

    def unsettled(self, store: Store) -> dict[str, tuple[str, int | None]]:
        """Return, by table id, the competition of each table whose result is awaited, and its latest ply."""
        columns = self.table.c
        latest = (
            sa.select(sa.func.max(PLIES.c.ply)).where(PLIES.c.match == columns.match).scalar_subquery().label("latest")
        )
        query = sa.select(columns[self.owner], columns.match, latest).where(columns.settled.is_(False))
        return {row.match: (str(row[0]), row.latest) for row in store.query(query)}

    def finished(self) -> sa.Select[Any, Any]:
        """Return the query for (competition, table) of tables that are over and whose results are still awaited."""
        columns = self.table.c
        query = sa.select(columns[self.owner], columns.match).join(MATCHES, MATCHES.c.id == columns.match)
        return query.where(columns.settled.is_(False), MATCHES.c.finished.is_not(None))

    def finished_in(self, store: Store, owner: str) -> list[str]:
        """Return the ids of the tables of one competition that are over and whose results are still awaited."""
        return [row.match for row in store.query(self.finished().where(self.table.c[self.owner] == owner))]

    def insert(self, owner: str, match: str) -> Change:
        """Return the change that stores that a new table belongs to a competition."""
        row = {"match": match, self.owner: owner, "settled": False}
        return executing(sa.insert(self.table).values(row))

    def settle(self, matches: Iterable[str]) -> Change:
        """Return the change that marks tables as settled, so that their results are no longer awaited."""
        columns, tables = self.table.c, list(matches)

        def mark_settled(connection: sa.Connection) -> None:
            if tables:
                connection.execute(sa.update(self.table).where(columns.match.in_(tables)).values(settled=True))

        return mark_settled


def head_query(kind: str, logs: Sequence[LogRows]) -> sa.Select[Any]:
    """Return the query for whether a private club is a competition's home (`private`), and for the lengths of its logs.

    The lengths are `length0` and so on, and the competition is the parameter `OWNER`. Make the query only once, since
    that takes longer than reading.
    """
    private: Any = in_private_club(kind, OWNER).label("private")
    return sa.select(private).add_columns(*(log.length(OWNER).label(f"length{n}") for n, log in enumerate(logs)))


def competitions_of(
    store: Store, heads: sa.Table, people: sa.Table, owner: str, holder: str, after: int = 0, most: int | None = None
) -> list[str]:
    """Return the ids of the competitions that a visitor hosts or takes part in, the newest first.

    They are up to `most`, None for all, after the first `after` of them.
    """
    mine = people.c[owner]
    query = sa.select(mine, heads.c.created).distinct().join(heads, heads.c.id == mine)
    query = query.where(people.c.holder == holder).order_by(heads.c.created.desc(), mine).offset(after).limit(most)
    return [row[0] for row in store.query(query)]


def vacant(people: Mapping[str, str | None]) -> list[str]:
    """Return the players to remove: those of a deleted account, and those of a visitor who already has one.

    `people` has the visitor id of each player.
    """
    taken = set[str]()
    vacant_players: list[str] = []
    for who, holder in people.items():
        if holder is not None and (is_nobody(holder) or holder in taken):
            vacant_players.append(who)
        elif holder is not None:
            taken.add(holder)
    return vacant_players
