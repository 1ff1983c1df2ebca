"""Moderation: what an operator can hide, remove, rename and close, as commands that are logged in the database.

It works on the database, whether servers run or not. `db/schema/moderation.py` says what is stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import sqlalchemy as sa

from pyramidion.web.db import cascade, identity_changes
from pyramidion.web.db.restrictions import CLOSED, Closable
from pyramidion.web.db.schema import (
    ADMIN_LOG,
    CHAT_LINES,
    CLUB_POSTS,
    CLUBS,
    MATCHES,
    REPORTS,
    RESTRICTIONS,
    SEASON_PORTRAITS,
    SEASON_TABLES,
    SEASONS,
    TOURNAMENT_TABLES,
    TOURNAMENTS,
)
from pyramidion.web.db.store import Store, now
from pyramidion.web.operations.renaming import CannotModerate, Renamable, account_of, number_in, rename

Hideable = Literal["table", "club", "season", "tournament"]
Removable = Literal["table", "club", "account", "message", "announcement", "description", "picture"]
HIDEABLE: dict[Hideable, sa.Table] = {"table": MATCHES, "club": CLUBS, "season": SEASONS, "tournament": TOURNAMENTS}


@dataclass(frozen=True, slots=True)
class Hide:
    """Hide something from everybody, so that its address answers as if it did not exist."""

    kind: Hideable
    id: str


@dataclass(frozen=True, slots=True)
class Show:
    """Show again what was hidden."""

    kind: Hideable
    id: str


@dataclass(frozen=True, slots=True)
class Remove:
    """Delete something for good.

    The id of a picture is SEASON/PERSON, with a person's id in the season; that of an announcement is CLUB/NUMBER, and
    that of a description its club's.
    """

    kind: Removable
    id: str


@dataclass(frozen=True, slots=True)
class Rename:
    """Give something another name, and a table, season or tournament another title (`renaming.Renamable`)."""

    kind: Renamable
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Close:
    """Close sign-up, or the creation of tables, clubs, seasons and tournaments."""

    what: Closable


@dataclass(frozen=True, slots=True)
class Open:
    """Open again what was closed."""

    what: Closable


@dataclass(frozen=True, slots=True)
class Settle:
    """Mark a report as dealt with."""

    report: int


@dataclass(frozen=True, slots=True)
class AllowReset:
    """Log that an operator has made a link with which an account's password can be reset."""

    account: str


Command = Hide | Show | Remove | Rename | Close | Open | Settle | AllowReset


def execute(store: Store, command: Command, operator: str, note: str = "") -> str:
    """Carry out an operator's command, log it in the same transaction, and return the sentence that is logged.

    Raises CannotModerate, and changes nothing then.
    """
    with store.engine.connect().execution_options(**store.to_write) as connection, connection.begin():
        sentence = _carry_out(connection, command)
        row = {"at": now(), "operator": operator[:80], "action": sentence, "note": note}
        connection.execute(sa.insert(ADMIN_LOG).values(row))
    return sentence


def check(store: Store, command: Command) -> None:
    """Raise CannotModerate if a command could not be carried out; nothing is changed."""
    with store.engine.connect().execution_options(**store.to_write) as connection, connection.begin() as transaction:
        _carry_out(connection, command)
        transaction.rollback()


def _carry_out(connection: sa.Connection, command: Command) -> str:
    """Carry out a command and return a sentence on what was done. Raises CannotModerate."""
    match command:
        case Hide(kind, id):
            _require(connection, HIDEABLE[kind].c.id, kind, id)
            _restrict(connection, kind, id, f"The {kind} {id} is hidden already.")
            return f"Hid the {kind} {id}."
        case Show(kind, id):
            _require(connection, HIDEABLE[kind].c.id, kind, id)
            _lift(connection, kind, id, f"The {kind} {id} is not hidden.")
            return f"Showed the {kind} {id} again."
        case Close(what):
            _restrict(connection, CLOSED, what, f"{what.capitalize()} is closed already.")
            return f"Closed {what}."
        case Open(what):
            _lift(connection, CLOSED, what, f"{what.capitalize()} is open already.")
            return f"Opened {what}."
        case Remove(kind, id):
            return _remove(connection, kind, id)
        case Rename(kind, id, name):
            return rename(connection, kind, id, name)
        case Settle(report):
            done = sa.update(REPORTS).where(REPORTS.c.number == report, REPORTS.c.settled.is_(None))
            if connection.execute(done.values(settled=now())).rowcount == 0:
                raise CannotModerate(f"There is no open report {report}.")
            return f"Settled report {report}."
        case AllowReset(account):
            return f"Made a link to reset the password of {account}."


def _restrict(connection: sa.Connection, kind: str, subject: str, otherwise: str) -> None:
    """Store a restriction. Raises CannotModerate with the sentence `otherwise` if there is one already."""
    r = RESTRICTIONS.c
    if connection.execute(sa.select(r.at).where(r.kind == kind, r.subject == subject)).first() is not None:
        raise CannotModerate(otherwise)
    connection.execute(sa.insert(RESTRICTIONS).values(kind=kind, subject=subject, at=now()))
    _announce(connection, kind, subject)


def _lift(connection: sa.Connection, kind: str, subject: str, otherwise: str) -> None:
    """Delete a restriction. Raises CannotModerate with the sentence `otherwise` if there is none."""
    r = RESTRICTIONS.c
    if connection.execute(sa.delete(RESTRICTIONS).where(r.kind == kind, r.subject == subject)).rowcount == 0:
        raise CannotModerate(otherwise)
    _announce(connection, kind, subject)


def _announce(connection: sa.Connection, kind: str, subject: str) -> None:
    """Touch a table's row, so that running servers hear of it; they read all other restrictions each time."""
    if kind == "table":
        connection.execute(sa.update(MATCHES).where(MATCHES.c.id == subject).values(title=MATCHES.c.title))


def _require(connection: sa.Connection, column: sa.ColumnElement[str], kind: str, id: str) -> None:
    """Raise CannotModerate unless a row has this id."""
    if connection.execute(sa.select(column).where(column == id)).first() is None:
        raise CannotModerate(f"There is no {kind} {id}.")


def _remove(connection: sa.Connection, kind: Removable, id: str) -> str:
    """Delete something and return a sentence on it. Raises CannotModerate."""
    match kind:
        case "table":
            _require(connection, MATCHES.c.id, kind, id)
            for tables, event in ((SEASON_TABLES, "season"), (TOURNAMENT_TABLES, "tournament")):
                if connection.execute(sa.select(tables.c.match).where(tables.c.match == id)).first() is not None:
                    raise CannotModerate(f"The table {id} belongs to a {event}, which waits for its result; hide it.")
            _announce(connection, kind, id)
            cascade.delete(connection, MATCHES, id)
        case "club":
            _require(connection, CLUBS.c.id, kind, id)
            identity_changes.close_club(connection, id)
        case "account":
            account = account_of(connection, id)
            nobody = identity_changes.new_nobody()
            identity_changes.delete(connection, account.id, None, nobody)
        case "message":
            c = CHAT_LINES.c
            removed = sa.update(CHAT_LINES).where(c.id == id, ~c.removed).values(removed=True, text="")
            if connection.execute(removed).rowcount == 0:
                raise CannotModerate(f"There is no message {id}.")
        case "announcement":
            club, _slash, number = id.partition("/")
            p = CLUB_POSTS.c
            removed = sa.delete(CLUB_POSTS).where(p.club == club, p.number == number_in(number))
            if connection.execute(removed).rowcount == 0:
                raise CannotModerate(f"There is no announcement {id}; name it as CLUB/NUMBER.")
        case "description":
            if connection.execute(sa.update(CLUBS).where(CLUBS.c.id == id).values(about="")).rowcount == 0:
                raise CannotModerate(f"There is no club {id}.")
        case "picture":
            season, _slash, person = id.partition("/")
            p = SEASON_PORTRAITS.c
            if connection.execute(sa.delete(SEASON_PORTRAITS).where(p.season == season, p.who == person)).rowcount == 0:
                raise CannotModerate(f"There is no picture {id}; name it as SEASON/PERSON.")
    return f"Removed the {kind} {id}."
