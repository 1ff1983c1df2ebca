"""Clubs in the database; all functions block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import sqlalchemy as sa

from pyramidion.names import lookalike
from pyramidion.web.db.changes import executing
from pyramidion.web.db.identity_changes import close_club
from pyramidion.web.db.schema import CLUB_EVENTS, CLUB_MEMBERS, CLUB_POSTS, CLUB_TABLES, CLUBS, MATCHES, SEATS, hidden
from pyramidion.web.db.store import Store
from pyramidion.web.db.writer import Change, Conflict
from pyramidion.web.features.clubs.club import RANKS, Club, ClubSettings, Door, Member, Post, Role
from pyramidion.web.http.pagination import PAGE

C, M, P, E, T = CLUBS.c, CLUB_MEMBERS.c, CLUB_POSTS.c, CLUB_EVENTS.c, CLUB_TABLES.c


@dataclass(frozen=True, slots=True)
class ListedClub:
    """A club in the list of clubs, with its number of members; `role` is the visitor's own, if there is one."""

    id: str
    name: str
    about: str
    members: int
    role: Role | None


@dataclass(frozen=True, slots=True)
class ClubTable:
    """A table or waiting room in a club's lobby, as the club's page shows it."""

    id: str
    game: str
    title: str
    seats: int
    taken: int
    people: tuple[str, ...]
    started: bool
    over: bool


def read_club(store: Store, club: str) -> Club | None:
    """Read a club with its members, without a visitor; None if there is none, or operators have hidden it."""
    stored = sa.select(C.name, C.about, C.door, C.turn, C.posts).where(C.id == club, ~hidden("club", C.id))
    clubs = store.query(stored)
    if not clubs:
        return None
    query = sa.select(M.member, M.holder, M.name, M.role, M.since).where(M.club == club).order_by(M.since, M.member)
    members = sorted((Member(*row) for row in store.query(query)), key=lambda member: RANKS.index(member.role))
    if members and members[0].role in ("officer", "member"):
        # The owner has signed in to an account that was a member already: the next in rank is the owner.
        members[0] = replace(members[0], role="owner")
    return Club(
        club,
        ClubSettings(clubs[0].name, clubs[0].about, clubs[0].door),
        clubs[0].turn,
        clubs[0].posts,
        tuple(members),
    )


def listed(store: Store, visitor: str | None, after: int) -> list[ListedClub]:
    """Return a page of the clubs that a visitor may see: first the visitor's own, then the largest.

    Like the following lists, it begins after `after` entries and has one entry more than a page if there are more.

    This list and the following ones have a page and one entry more, after so many that are left out.
    """
    own = M.holder == visitor if visitor is not None else sa.false()
    mine = sa.select(M.club, M.role).where(own).subquery()
    counted = sa.select(M.club, sa.func.count().label("members")).where(M.role != "asked").group_by(M.club).subquery()
    belongs = sa.and_(mine.c.role.is_not(None), mine.c.role != "asked")
    query = (
        sa.select(C.id, C.name, C.about, sa.func.coalesce(counted.c.members, 0), mine.c.role)
        .outerjoin(mine, mine.c.club == C.id)
        .outerjoin(counted, counted.c.club == C.id)
        .where(sa.or_(C.door != "private", belongs), ~hidden("club", C.id))
        .order_by(mine.c.role.is_(None), sa.func.coalesce(counted.c.members, 0).desc(), C.created, C.id)
    )
    return [ListedClub(*row) for row in store.query(query.limit(PAGE + 1).offset(after))]


def run_by(store: Store, holder: str) -> list[tuple[str, str]]:
    """Return the id and name of each club of which a visitor is the owner or an officer, without hidden ones."""
    query = sa.select(C.id, C.name).join(CLUB_MEMBERS, M.club == C.id)
    where = (M.holder == holder, M.role.in_(("owner", "officer")), ~hidden("club", C.id))
    return [(row.id, row.name) for row in store.query(query.where(*where).order_by(C.name, C.id))]


def home_of(store: Store, kind: str, event: str) -> str | None:
    """Return the id of the club that a season or tournament belongs to, or None."""
    rows = store.query(sa.select(E.club).where(E.kind == kind, E.event == event))
    return rows[0].club if rows else None


def posts_of(store: Store, club: str, after: int) -> list[Post]:
    """Return a page of a club's announcements, the newest first."""
    query = sa.select(P.number, P.at, P.author, P.text).where(P.club == club).order_by(P.number.desc())
    return [Post(*row) for row in store.query(query.limit(PAGE + 1).offset(after))]


def events_of(store: Store, club: str, after: int) -> list[tuple[str, str, int]]:
    """Return a page of a club's seasons and tournaments as (kind, id, time), the newest first."""
    hidden_event = hidden(E.kind, E.event)
    query = sa.select(E.kind, E.event, E.at).where(E.club == club, ~hidden_event).order_by(E.at.desc(), E.event)
    return [(row.kind, row.event, row.at) for row in store.query(query.limit(PAGE + 1).offset(after))]


def tables_of(store: Store, club: str, after: int) -> list[ClubTable]:
    """Return a page of the tables in a club's lobby: unfinished ones first, then the newest."""
    m, s = MATCHES.c, SEATS.c
    query = (
        sa.select(m.id, m.game, m.title, m.seat_count, m.started, m.finished)
        .join(CLUB_TABLES, T.match == m.id)
        .where(T.club == club, ~hidden("table", m.id))
        .order_by(m.finished.is_not(None), m.created.desc(), m.id)
        .limit(PAGE + 1)
        .offset(after)
    )
    rows = store.query(query)
    seats = sa.select(s.match, s.kind, s.name).where(s.match.in_([row.id for row in rows])).order_by(s.seat)
    seats_by_table: dict[str, list[tuple[str, str | None]]] = {}
    for seat in store.query(seats) if rows else ():
        seats_by_table.setdefault(seat.match, []).append((seat.kind, seat.name))
    return [
        ClubTable(
            row.id,
            row.game,
            row.title,
            row.seat_count,
            sum(kind != "open" for kind, _name in seats_by_table.get(row.id, ())),
            tuple(name for kind, name in seats_by_table.get(row.id, ()) if kind == "person" and name),
            row.started is not None,
            row.finished is not None,
        )
        for row in rows
    ]


def door_of_table(store: Store, table: str, visitor: str | None) -> tuple[Door, bool] | None:
    """Return who can join a lobby table's club, and whether a visitor is a member; None for a table without a club."""
    query = sa.select(C.id, C.door).join(CLUB_TABLES, T.club == C.id).where(T.match == table)
    if not (rows := store.query(query)):
        return None
    club, door = rows[0].id, rows[0].door
    member = sa.select(M.club).where(M.club == club, M.holder == visitor, M.role != "asked") if visitor else None
    return door, member is not None and bool(store.query(member))


# Changes


def founding(club: str, settings: ClubSettings, owner: Member, at: int) -> Change:
    """Return the change that stores a new club with its owner."""
    values = {"id": club, "created": at, "name": settings.name, "about": settings.about, "door": settings.door}

    def insert_club(connection: sa.Connection) -> None:
        connection.execute(sa.insert(CLUBS).values(values | {"turn": 0, "posts": 0}))
        joining(club, owner)(connection)

    return insert_club


def unchanged(club: Club) -> Change:
    """Return the check that the way to join a club is still as it was read; it raises Conflict otherwise."""
    same = sa.select(C.id).where(C.id == club.id, C.turn == club.turn, C.door == club.settings.door)

    def require_unchanged(connection: sa.Connection) -> None:
        if connection.execute(same).first() is None:
            raise Conflict("The club can be joined in another way now.")

    return require_unchanged


def declining(club: str) -> Change:
    """Return the change that deletes all open requests to join a club."""
    return executing(sa.delete(CLUB_MEMBERS).where(M.club == club, M.role == "asked"))


def joining(club: str, member: Member) -> Change:
    """Return the change that stores a new member, or a request to join; it replaces the visitor's open request.

    It raises Conflict if another member's name looks like the newcomer's by now.
    """
    values = {
        "holder": member.holder,
        "member": member.id,
        "name": member.name,
        "role": member.role,
        "since": member.since,
    }

    def insert_member(connection: sa.Connection) -> None:
        asked = sa.delete(CLUB_MEMBERS).where(M.club == club, M.holder == member.holder, M.role == "asked")
        connection.execute(asked)
        if connection.dialect.name == "postgresql":
            # Servers that share the database let people join a club one after the other.
            connection.execute(sa.select(C.id).where(C.id == club).with_for_update())
        taken = connection.execute(sa.select(M.name).where(M.club == club)).scalars()
        if lookalike(member.name, taken) is not None:
            raise Conflict("The name is taken.")
        connection.execute(sa.insert(CLUB_MEMBERS).values(values | {"club": club}))

    return insert_member


def ranking(club: str, changes: Sequence[tuple[Member, Role | None]]) -> Change:
    """Return the change that gives members other roles, or removes those whose new role is None.

    It raises Conflict if a member's role has changed since it was read.
    """
    any_member = CLUB_MEMBERS.alias().c
    owned = sa.exists().where(any_member.club == club, any_member.role == "owner")

    def update_roles(connection: sa.Connection) -> None:
        for member, role in changes:
            # Where no owner is stored, the next in rank is shown as the owner (`read_club`).
            as_read = sa.or_(M.role == "owner", ~owned) if member.role == "owner" else M.role == member.role
            same = (M.club == club, M.member == member.id, as_read)
            if role is None:
                done = sa.delete(CLUB_MEMBERS).where(*same)
            else:
                done = sa.update(CLUB_MEMBERS).where(*same).values(role=role)
            if connection.execute(done).rowcount != 1:
                raise Conflict("The member has left, or has another role.")

    return update_roles


def setting(club: str, settings: ClubSettings) -> Change:
    """Return the change that stores new settings of a club. It raises Conflict if the club is gone."""
    update = sa.update(CLUBS).where(C.id == club)
    values = {"name": settings.name, "about": settings.about, "door": settings.door}
    return lambda connection: _require_one_row(connection.execute(update.values(values)))


def renewing(club: str) -> Change:
    """Return the change that replaces a club's invitation link, so that the old one does not work any more."""
    update = sa.update(CLUBS).where(C.id == club).values(turn=C.turn + 1)
    return lambda connection: _require_one_row(connection.execute(update))


def posting(club: str, post: Post) -> Change:
    """Return the change that stores an announcement. It raises Conflict if its number has been used already."""
    values = {"club": club, "number": post.number, "at": post.at, "author": post.by, "text": post.text}
    counting = sa.update(CLUBS).where(C.id == club, C.posts == post.number - 1).values(posts=post.number)

    def insert_post(connection: sa.Connection) -> None:
        _require_one_row(connection.execute(counting))
        connection.execute(sa.insert(CLUB_POSTS).values(values))

    return insert_post


def unposting(club: str, number: int) -> Change:
    """Return the change that deletes an announcement, which may be gone already."""
    return executing(sa.delete(CLUB_POSTS).where(P.club == club, P.number == number))


def dissolving(club: str) -> Change:
    """Return the change that deletes a club with its last member, the owner; it raises Conflict if somebody joined."""
    others = sa.select(M.member).where(M.club == club, M.role.not_in(("owner", "asked")))

    def delete_club(connection: sa.Connection) -> None:
        if connection.execute(others).first() is not None:
            raise Conflict("Somebody has joined.")
        close_club(connection, club)

    return delete_club


def housing(kind: str, event: str, club: str, at: int) -> Change:
    """Return the change that makes a season or tournament belong to a club."""
    values = {"kind": kind, "event": event, "club": club, "at": at}
    return _inserting(CLUB_EVENTS, values)


def tabling(club: str, table: str) -> Change:
    """Return the change that puts a table into a club's lobby."""
    values = {"match": table, "club": club}
    return _inserting(CLUB_TABLES, values)


def _inserting(table: sa.Table, values: Mapping[str, object]) -> Change:
    """Return the change that inserts a row into a table of the database."""

    def insert_row(connection: sa.Connection) -> None:
        connection.execute(sa.insert(table).values(values))

    return insert_row


def _require_one_row(result: sa.CursorResult[object]) -> None:
    """Raise Conflict unless a statement has changed exactly one row."""
    if result.rowcount != 1:
        raise Conflict("It is not there any more.")
