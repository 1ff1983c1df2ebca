"""Seasons in the database: logs, people and tables; functions that read block."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from pyramidion.event_log import Entry
from pyramidion.seasons.conversations import Conversations
from pyramidion.seasons.events import KINDS, LinkRenewed, StoodIn
from pyramidion.seasons.redaction import result_reveal_times
from pyramidion.seasons.season import Season
from pyramidion.seasons.submissions import PRIVATE_KINDS
from pyramidion.web.competitions.request_keys import KeyRows
from pyramidion.web.competitions.rows import OWNER, LogRows, TableRows, head_query
from pyramidion.web.db.host_command_rows import HostCommand
from pyramidion.web.db.schema import (
    HOST_COMMANDS,
    MATCHES,
    SEASON_KEYS,
    SEASON_LOG,
    SEASON_PEOPLE,
    SEASON_PORTRAITS,
    SEASON_TABLES,
    SEASON_TALK,
    SEASONS,
    SEATS,
    hidden,
)
from pyramidion.web.db.store import Store
from pyramidion.web.db.writer import Change, Conflict

LOG = LogRows(SEASON_LOG, "season", KINDS)
CONVERSATIONS = LogRows(SEASON_TALK, "season", PRIVATE_KINDS)
TABLES = TableRows(SEASON_TABLES, "season")
KEYS = KeyRows(SEASON_KEYS, "season")
MOST_OWN_SEASONS = 50
"""The seasons that the home page reads for the submissions that a visitor still has to make."""


@dataclass(frozen=True, slots=True)
class Person:
    """A host or contestant as stored: who has opened the personal link, and how often it has been renewed.

    Attributes:
        who: the person's id in the season.
        holder: the visitor who has opened the present link, None if nobody has.
        turn: the number of earlier links.
    """

    who: str
    holder: str | None
    turn: int


def faces(store: Store, holders: set[str]) -> dict[str, str]:
    """Return the faces that visitors chose at their latest tables outside seasons, by visitor id; blocks."""
    return {row.holder: row.face for row in store.query(_faces_query(holders))} if holders else {}


def seasons_with_own_matches(store: Store, holder: str) -> list[str]:
    """Return the ids of a visitor's seasons in which a match of the host's own has ever been opened; blocks.

    These are the newest MOST_OWN_SEASONS, without those that operators have hidden.
    """
    p, entry, created = SEASON_PEOPLE.c, SEASON_LOG.c, SEASONS.c.created
    opened = sa.select(entry.number).where(entry.season == p.season, entry.kind == "own-match-opened").exists()
    query = sa.select(p.season, created).distinct().join(SEASONS, SEASONS.c.id == p.season)
    query = query.where(p.holder == holder, opened, ~hidden("season", p.season)).order_by(created.desc())
    return [row.season for row in store.query(query.limit(MOST_OWN_SEASONS))]


def host_commands(store: Store, season: str) -> list[tuple[str, HostCommand]]:
    """Return the host commands at the tables of a season in order, each with the id of its table; blocks."""
    c, t = HOST_COMMANDS.c, SEASON_TABLES.c
    query = sa.select(c.match, c.number, c.at, c.kind, c.who, c.data).join(SEASON_TABLES, t.match == c.match)
    rows = store.query(query.where(t.season == season).order_by(c.at, c.match, c.number))
    return [(row.match, HostCommand.stored(row.number, row.at, row.kind, row.who, row.data)) for row in rows]


def _faces_query(holders: Collection[str]) -> sa.Select[Any, Any]:
    """Return the query for the faces of visitors at their tables outside seasons, the latest table last."""
    s, m, t = SEATS.c, MATCHES.c, SEASON_TABLES.c
    query = sa.select(s.holder, s.face).join(MATCHES, m.id == s.match).outerjoin(SEASON_TABLES, t.match == s.match)
    query = query.where(s.holder.in_(holders), s.face.is_not(None), t.match.is_(None))
    return query.order_by(m.created)


def _head_query() -> sa.Select[Any]:
    """Return the query for the columns of `Head`, one row for each person of the season `OWNER`."""
    p, portrait = SEASON_PEOPLE.c, SEASON_PORTRAITS.c
    pictured = sa.and_(portrait.season == p.season, portrait.who == p.who, portrait.face.is_(None))
    source = sa.outerjoin(SEASON_PEOPLE, SEASON_PORTRAITS, pictured)
    columns = head_query("season", (LOG, CONVERSATIONS)).add_columns(
        p.who, p.holder, p.turn, portrait.player, portrait.mark
    )
    return columns.select_from(source).where(p.season == OWNER).order_by(p.who)


_HEAD = _head_query()


@dataclass(frozen=True, slots=True)
class Head:
    """What is stored of a season besides its logs: their lengths, its people and the marks of their pictures.

    Attributes:
        entries, lines: the lengths of the season's log and of its log of conversations.
        private: whether a private club is its home.
        people: by their id.
        marks: the marks of uploaded pictures, by pairs of person id and player number (`Season.player`).
    """

    entries: int
    lines: int
    private: bool
    people: dict[str, Person]
    marks: dict[tuple[str, int], str]


def read_head(store: Store, season: str) -> Head | None:
    """Return the head of a season, read by one query, or None if there is no such season; blocks.

    The query finds every season, because each has at least one host.
    """
    rows = store.query(_HEAD, {"owner": season})
    if not rows:
        return None
    people = {row.who: Person(row.who, row.holder, row.turn) for row in rows}
    marks = {(row.who, row.player): row.mark for row in rows if row.mark is not None}
    return Head(rows[0].length0, rows[0].length1, bool(rows[0].private), people, marks)


def replaced_people(entries: Sequence[Entry]) -> list[str]:
    """Return the ids of people who lose access by these entries: a stand-in or a renewed link replaces them."""
    return [
        entry.event.contestant if isinstance(entry.event, StoodIn) else entry.event.person
        for entry in entries
        if isinstance(entry.event, (StoodIn, LinkRenewed))
    ]


def derived_rows(season_id: str, before: Season, after: Season) -> Change:
    """Return the change that stores what follows from the entries by which a season has grown to `after`.

    These are new people, the end of replaced people's access, and when viewers are told the results of tables.
    """
    people = [who for who in (*after.cast, *after.hosts) if who not in before.cast and who not in before.hosts]
    new = [entry.event for entry in after.log[len(before.log) :]]
    p, t = SEASON_PEOPLE.c, SEASON_TABLES.c
    told_before, told_after = result_reveal_times(before), result_reveal_times(after)

    def update_rows(connection: sa.Connection) -> None:
        """Insert new people, end the access of replaced ones, and note when results may be told."""
        for match in told_before.keys() | told_after.keys():
            if told_after.get(match) != told_before.get(match):
                update = sa.update(SEASON_TABLES).where(t.season == season_id, t.match == match)
                connection.execute(update.values(told=told_after.get(match)))
        if people:
            connection.execute(sa.insert(SEASON_PEOPLE), [_new_person(season_id, who) for who in people])
        for who in {event.contestant for event in new if isinstance(event, StoodIn)} & before.cast.keys():
            _keep_face(connection, season_id, who, before.cast[who].player)
        for who in replaced_people(after.log[len(before.log) :]):
            update = sa.update(SEASON_PEOPLE).where(p.season == season_id, p.who == who)
            connection.execute(update.values(holder=None, turn=p.turn + 1))

    return update_rows


def _keep_face(connection: sa.Connection, season: str, who: str, player: int) -> None:
    """Store the face of a player who is being replaced, unless the player has a portrait.

    Viewers who do not know of the replacement yet still see it.
    """
    p, portrait = SEASON_PEOPLE.c, SEASON_PORTRAITS.c
    mine = sa.select(p.holder).where(p.season == season, p.who == who)
    chosen = sa.select(portrait.who).where(portrait.season == season, portrait.who == who, portrait.player == player)
    holder = connection.execute(mine).scalar()
    if holder is None or connection.execute(chosen).first() is not None:
        return
    if rows := connection.execute(_faces_query([holder])).all():
        row = {"season": season, "who": who, "player": player, "face": rows[-1].face, "mark": ""}
        connection.execute(sa.insert(SEASON_PORTRAITS).values(row))


def claim_place(season_id: str, person: Person, holder: str, *, recovering: bool = False) -> Change:
    """Return the change that gives a place to the visitor who opens its link first; it raises Conflict for others.

    With `recovering`, all links and tokens of the place from before stop working.
    """
    p = SEASON_PEOPLE.c
    where = (p.season == season_id, p.who == person.who, p.turn == person.turn)
    same = p.holder.is_not_distinct_from(person.holder)

    def set_holder(connection: sa.Connection) -> None:
        update = sa.update(SEASON_PEOPLE).where(*where, same).values(holder=holder, turn=person.turn + recovering)
        if connection.execute(update).rowcount != 1:
            raise Conflict("Somebody else has opened the link.")

    return set_holder


def _new_person(season: str, who: str) -> dict[str, object]:
    """Return the row of a person in a season whom no visitor has taken the place of yet."""
    return {"season": season, "who": who, "holder": None, "turn": 0}


def require_log(season_id: str, length: int) -> Change:
    """Return the change that raises Conflict unless a season's log still has `length` entries.

    Until the transaction ends nobody can add one: the lock on the season conflicts with that of the foreign key of a
    new entry. SQLite has one writer at a time anyway.
    """
    lock = sa.select(SEASONS.c.id).where(SEASONS.c.id == season_id).with_for_update()

    def lock_log(connection: sa.Connection) -> None:
        connection.execute(lock)
        if connection.execute(sa.select(LOG.length(season_id))).scalar() != length:
            raise Conflict("The season has moved on.")

    return lock_log


def require_submissions(season_id: str, conversations: Conversations) -> Change:
    """Return the change that raises Conflict if there is a submission more than these conversations have.

    Call it after new entries of the season's log have been stored, which wait for submissions that are being stored.
    """
    t = SEASON_TALK.c
    later = t.number > len(conversations.log)
    query = sa.select(t.number).where(t.season == season_id, t.kind == "submitted", later).limit(1)

    def check_submissions(connection: sa.Connection) -> None:
        if connection.execute(query).first() is not None:
            raise Conflict("Somebody has submitted.")

    return check_submissions
