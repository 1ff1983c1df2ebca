"""A visitor's own tables, read for lists in one query."""

from __future__ import annotations

from dataclasses import dataclass, field

import sqlalchemy as sa

from pyramidion.web.db.schema import MATCHES, PLIES, RESULTS, SEAT_DEVICES, SEATS, hidden
from pyramidion.web.db.store import Store

MOST_FINISHED = 50


@dataclass(frozen=True, slots=True)
class OwnTableSeat:
    """A seat of a visitor's own table: `mine` if the visitor sits there, `won` its share of the win once stored."""

    seat: int
    kind: str
    name: str | None
    bot: str | None
    mine: bool
    won: float | None
    face: str | None


@dataclass(frozen=True, slots=True)
class OwnTable:
    """What lists show of a table at which a visitor sits or that they host.

    `started` is None while the table is in its waiting room, `moved` until the first move. `last` is the number of the
    last action log entry; it changes with every action, as `held` does with every submission that is held back.
    """

    id: str
    game: str
    title: str
    created: int
    started: int | None
    finished: int | None
    paused: int | None
    deadline: int | None
    held: str | None
    moved: int | None
    last: int | None
    seats: list[OwnTableSeat] = field(default_factory=list[OwnTableSeat])

    @property
    def mine(self) -> list[int]:
        """The seats where the visitor sits; none for a host who does not play."""
        return [seat.seat for seat in self.seats if seat.mine]

    @property
    def with_others(self) -> bool:
        """Whether other people sit at the table, or can still take a seat."""
        return any(seat.kind != "bot" and not seat.mine for seat in self.seats)


def own_tables(store: Store, holder: str, limit: int | None = None, after: int = 0) -> list[OwnTable]:
    """Return the tables at which a visitor sits or that they host; blocks.

    Without `limit`, these are all unfinished ones and the latest `MOST_FINISHED` finished ones. With it, they are at
    most `limit` of all, after the first `after`.

    Unfinished ones come first, those with other people before others, and each with the latest moves first. So games
    with bots that nobody ends push nothing out of the list that somebody waits for.
    """
    m, s, d, p = MATCHES.c, SEATS.c, SEAT_DEVICES.c, PLIES.c
    own = sa.select(s.match, s.seat).where(s.holder == holder)
    here = sa.and_(d.match == s.match, d.seat == s.seat, d.owner == s.holder)
    also = sa.select(s.match, s.seat).join(SEAT_DEVICES, here).where(d.holder == holder)
    seats = own.union(also).subquery()
    hosted = sa.select(m.id).where(m.host == holder)
    moved, last = (
        sa.select(sa.func.max(column)).where(p.match == m.id).correlate(MATCHES).scalar_subquery()
        for column in (p.at, p.ply)
    )
    of_seat = sa.and_(seats.c.match == s.match, seats.c.seat == s.seat)
    others = sa.select(s.seat).outerjoin(seats, of_seat).where(s.match == m.id, s.kind != "bot", seats.c.seat.is_(None))
    going = m.finished.is_(None)
    group = sa.case((going & others.correlate(MATCHES).exists(), 0), (going, 1), else_=2)
    latest = sa.case((going, sa.func.coalesce(moved, m.created)), else_=m.created)
    columns = m.id, m.game, m.title, m.created, m.started, m.finished, m.paused, m.deadline, m.held
    everything = (
        sa.select(*columns, moved.label("moved"), last.label("last"), group.label("group"), latest.label("latest"))
        .where(m.id.in_(hosted.union(sa.select(seats.c.match))), ~hidden("table", m.id))
        .subquery()
    )
    a = everything.c
    order = a.latest.desc(), a.id
    number = sa.func.row_number().over(partition_by=a.group, order_by=order).label("number")
    numbered = sa.select(everything, number)
    if limit is None:
        rows = numbered.subquery()
        going_or_latest = sa.or_(rows.c.finished.is_(None), rows.c.number <= MOST_FINISHED)
        tables = sa.select(rows).where(going_or_latest).subquery()
    else:
        tables = numbered.order_by(a.group, *order).limit(limit).offset(after).subquery()
    table_columns = [column for column in tables.c if column.name not in ("group", "latest", "number")]
    mine = seats.c.seat.is_not(None)
    query = (
        sa.select(*table_columns, s.seat, s.kind, s.name, s.bot, mine, RESULTS.c.won, s.face)
        .join(SEATS, s.match == tables.c.id)
        .outerjoin(seats, of_seat)
        .outerjoin(RESULTS, sa.and_(RESULTS.c.match == s.match, RESULTS.c.seat == s.seat))
        .order_by(tables.c.group, tables.c.latest.desc(), tables.c.id, s.seat)
    )
    width, listed = len(table_columns), dict[str, OwnTable]()
    for row in store.query(query):
        table = listed.setdefault(row[0], OwnTable(*row[:width]))
        table.seats.append(OwnTableSeat(*row[width:]))
    return list(listed.values())
