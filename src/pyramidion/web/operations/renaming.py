"""Renaming by operators: the new name replaces the old one wherever that is stored as it was."""

from __future__ import annotations

import json
from typing import Any, Literal

import sqlalchemy as sa

from pyramidion import names
from pyramidion.event_log import Entry
from pyramidion.seasons.events import KINDS as SEASON_KINDS
from pyramidion.seasons.events import Retitled as SeasonRetitled
from pyramidion.tournaments.events import KINDS as TOURNAMENT_KINDS
from pyramidion.tournaments.events import Retitled as TournamentRetitled
from pyramidion.web.competitions.rows import LogRows
from pyramidion.web.db.host_command_rows import GIVES_SEAT_AWAY
from pyramidion.web.db.schema import (
    ACCOUNTS,
    BLOCKS,
    CHAT_LINES,
    CLUB_MEMBERS,
    CLUB_POSTS,
    CLUBS,
    HOST_COMMANDS,
    MATCHES,
    REPORTS,
    SEASON_LOG,
    SEASONS,
    SEATS,
    TOURNAMENT_LOG,
    TOURNAMENTS,
)
from pyramidion.web.db.store import now
from pyramidion.web.errors import Refused
from pyramidion.web.operations.moderation_lists import title_of

Renamable = Literal["account", "seat", "author", "host", "table", "club", "season", "tournament", "member"]
"""What can be renamed.

The id of a seat is TABLE/SEAT with seats from 1, that of an author a message's, that of a member CLUB/MEMBER, and that
of a host the table's.
"""
RETITLING: dict[str, tuple[sa.Table, LogRows, type[SeasonRetitled | TournamentRetitled]]] = {
    "season": (SEASONS, LogRows(SEASON_LOG, "season", SEASON_KINDS), SeasonRetitled),
    "tournament": (TOURNAMENTS, LogRows(TOURNAMENT_LOG, "tournament", TOURNAMENT_KINDS), TournamentRetitled),
}
"""By the kind of a competition: its table, its log, and the event that gives it another title."""
S, C, M = SEATS.c, CHAT_LINES.c, CLUB_MEMBERS.c


class CannotModerate(Refused):
    """The command names nothing that exists, or something that cannot be treated in this way."""

    code = "cannot-moderate"


def rename(connection: sa.Connection, kind: Renamable, id: str, name: str) -> str:
    """Rename something and return a sentence on it. Raises CannotModerate."""
    match kind:
        case "account":
            old = _rename_account(connection, id, name)
        case "seat":
            table, _slash, number = id.partition("/")
            old = _rename_seat(connection, table, number_in(number) - 1, name)
        case "author":
            old = _rename_author(connection, id, name)
        case "host":
            old = _rename_host(connection, id, name)
        case "table":
            old = _replace(connection, MATCHES.c.title, name, MATCHES.c.id == id)
            if old is None:
                raise CannotModerate(f"There is no table {id}.")
        case "season" | "tournament":
            old = _retitle(connection, kind, id, name)
        case "club":
            old = _replace(connection, CLUBS.c.name, name, CLUBS.c.id == id)
            if old is None:
                raise CannotModerate(f"There is no club {id}.")
        case "member":
            club, _slash, member = id.partition("/")
            old = _rename_member(connection, club, member, name)
    before = f" from {old}" if old and kind != "account" else ""
    return f"Renamed the {kind} {id}{before} to {name}."


def _rename_account(connection: sa.Connection, id: str, name: str) -> str:
    """Rename an account, with its seats and club memberships under that name; return the old name.

    Raises CannotModerate.
    """
    account = account_of(connection, id)
    a, key, looks = ACCOUNTS.c, names.key(name), names.looks(name)
    taken = sa.select(a.id).where(sa.or_(a.key == key, a.looks == looks), a.id != account.id)
    if connection.execute(taken).first() is not None:
        raise CannotModerate(f"The name {name}, or one that looks like it, is already taken.")
    connection.execute(sa.update(ACCOUNTS).where(a.id == account.id).values(name=name, key=key, looks=looks))
    mine = connection.execute(sa.select(S.match, S.seat, S.kind, S.name).where(S.holder == account.holder)).all()
    for seat in mine:
        if seat.kind == "person" and names.key(seat.name or "") == names.key(account.name):
            _rename_seat(connection, seat.match, seat.seat, name)
    own = M.holder == account.holder, M.name == account.name
    for member in connection.execute(sa.select(M.club, M.member).where(*own)).all():
        _rename_member(connection, member.club, member.member, name)
    hosted = MATCHES.c.host == account.holder, MATCHES.c.host_name == account.name
    for table in connection.execute(sa.select(MATCHES.c.id).where(*hosted)).scalars().all():
        _rename_host(connection, table, name)
    # A seat that is reserved for the account has its name already.
    reserved = S.holder == account.holder, S.kind == "open", S.name == account.name
    connection.execute(sa.update(SEATS).where(*reserved).values(name=name))
    connection.execute(sa.update(BLOCKS).where(BLOCKS.c.blocked == account.holder).values(name=name))
    pages = REPORTS.c.place == f"/people/{account.name}"
    connection.execute(sa.update(REPORTS).where(pages).values(place=f"/people/{name}"))
    return account.name


def _rename_seat(connection: sa.Connection, table: str, seat: int, name: str) -> str:
    """Rename the person at a seat, also above their messages and in the table's log; return the old name.

    Raises CannotModerate.
    """
    old = _replace(connection, S.name, name, S.match == table, S.seat == seat, S.kind == "person")
    if old is None:
        raise CannotModerate("Nobody sits there who could be renamed; name a seat as TABLE/SEAT, such as 7gk2.../1.")
    _require_free(connection, name, sa.select(S.name).where(S.match == table, S.seat != seat))
    connection.execute(sa.update(CHAT_LINES).where(C.match == table, C.seat == seat).values(name=name))
    _rename_former(connection, table, old, name)
    return old


def _rename_former(connection: sa.Connection, table: str, old: str, name: str) -> None:
    """Rename somebody above messages from a seat that they have left, and where a table's log says who has gone.

    Nobody else has had that name at the table (`former_names`).
    """
    if not old:
        return
    left = C.match == table, C.seat.is_(None), C.role == "player", C.name == old
    connection.execute(sa.update(CHAT_LINES).where(*left).values(name=name))
    h = HOST_COMMANDS.c
    for row in connection.execute(
        sa.select(h.number, h.data).where(h.match == table, h.kind.in_(GIVES_SEAT_AWAY))
    ).all():
        data: dict[str, Any] = json.loads(row.data)
        renamed = data | {field: name for field in ("was", "name") if data.get(field) == old}
        if renamed != data:
            update = sa.update(HOST_COMMANDS).where(h.match == table, h.number == row.number)
            connection.execute(update.values(data=json.dumps(renamed)))


def _rename_author(connection: sa.Connection, message: str, name: str) -> str:
    """Rename the author of a message at its table, who may have left the seat, or be a spectator; return the old name.

    Raises CannotModerate.
    """
    columns = C.match, C.seat, C.name, C.role
    line = connection.execute(sa.select(*columns).where(C.id == message)).one_or_none()
    if line is None:
        raise CannotModerate(f"There is no message {message}.")
    if line.seat is not None:
        return _rename_seat(connection, line.match, line.seat, name)
    if line.role == "host":
        return _rename_host(connection, line.match, name)
    _require_free(connection, name, sa.select(S.name).where(S.match == line.match))
    same = C.match == line.match, C.seat.is_(None), C.role == line.role, C.name == line.name
    connection.execute(sa.update(CHAT_LINES).where(*same).values(name=name))
    if line.role == "player":
        _rename_former(connection, line.match, line.name, name)
    connection.execute(sa.update(MATCHES).where(MATCHES.c.id == line.match).values(title=MATCHES.c.title))
    return line.name


def _rename_host(connection: sa.Connection, table: str, name: str) -> str:
    """Rename a host who does not play, also above their messages; return the old name. Raises CannotModerate."""
    m = MATCHES.c
    plays = sa.select(S.seat).where(S.match == m.id, S.holder == m.host).limit(1).scalar_subquery()
    row = connection.execute(sa.select(m.host_name, plays.label("seat")).where(m.id == table)).one_or_none()
    if row is None:
        raise CannotModerate(f"There is no table {table}.")
    if row.host_name is None and row.seat is not None:
        raise CannotModerate(f"The host of {table} plays; rename the seat {table}/{row.seat + 1}.")
    connection.execute(sa.update(MATCHES).where(m.id == table).values(host_name=name))
    connection.execute(sa.update(CHAT_LINES).where(C.match == table, C.role == "host").values(name=name))
    return row.host_name or "no name"


def _rename_member(connection: sa.Connection, club: str, member: str, name: str) -> str:
    """Rename a member of a club, also above announcements; return the old name. Raises CannotModerate."""
    old = _replace(connection, M.name, name, M.club == club, M.member == member)
    if old is None:
        raise CannotModerate(f"There is no member {club}/{member}; name them as CLUB/MEMBER, as `admin reports` does.")
    _require_free(connection, name, sa.select(M.name).where(M.club == club, M.member != member))
    p = CLUB_POSTS.c
    connection.execute(sa.update(CLUB_POSTS).where(p.club == club, p.author == old).values(author=name))
    return old


def _replace(
    connection: sa.Connection, column: sa.Column[str], name: str, *where: sa.ColumnElement[bool]
) -> str | None:
    """Store a name in the row where the conditions hold. Return the name before, or None if there is no such row."""
    row = connection.execute(sa.select(column).where(*where)).first()
    if row is None:
        return None
    connection.execute(sa.update(column.table).where(*where).values({column: name}))
    return row[0] or ""


def _retitle(connection: sa.Connection, kind: Literal["season", "tournament"], id: str, title: str) -> str:
    """Add the event to a competition's log by which it has another title; return the title before.

    Raises CannotModerate. The lock keeps servers from adding an entry at the same time.
    """
    owners, log, event = RETITLING[kind]
    if connection.execute(sa.select(owners.c.id).where(owners.c.id == id).with_for_update()).first() is None:
        raise CannotModerate(f"There is no {kind} {id}.")
    number = connection.execute(sa.select(log.length(id))).scalar_one() + 1
    old = connection.execute(sa.select(title_of(kind, id))).scalar()
    log.insert(id, [Entry(number, now(), "", event(title))])(connection)
    return old or ""


def _require_free(connection: sa.Connection, name: str, others: sa.Select[Any]) -> None:
    """Raise CannotModerate if a name looks like one of the others at a table or in a club."""
    if (other := names.lookalike(name, connection.execute(others).scalars())) is not None:
        raise CannotModerate(f"Somebody at the same table or in the same club is called {other}; choose another name.")


def number_in(text: str) -> int:
    """Return a number in an id, and -1 for what is none."""
    return int(text) if text.isdecimal() and len(text) < 10 else -1


def account_of(connection: sa.Connection, name: str) -> sa.Row[str, str, str]:
    """Return the id, name and visitor id of the account with a name. Raises CannotModerate."""
    a = ACCOUNTS.c
    row = connection.execute(sa.select(a.id, a.name, a.holder).where(a.key == names.key(name))).one_or_none()
    if row is None:
        raise CannotModerate(f"There is no account {name}.")
    return row
