"""The database: opened and migrated at start, read here, written by `writer`."""

from __future__ import annotations

import hashlib
import json
import logging
import secrets
import sqlite3
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import event
from sqlalchemy.exc import InterfaceError, OperationalError, SQLAlchemyError

from pyramidion.web.errors import Unreadable
from pyramidion.web.host.acts import NOBODY, Act
from pyramidion.web.schema import ACTS, ANALYSES, KEYS, MATCHES, PLIES, SEAT_DEVICES, SEATS
from pyramidion.words import _

T = TypeVar("T")
log = logging.getLogger(__name__)
MIGRATIONS = Path(__file__).parent / "migrations"
ID_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
ID_LENGTH = 22
BUSY_SECONDS = 10
BEGIN = "pyramidion_begin"
"""Execution option: how a transaction begins in SQLite."""
MIGRATING = 0x70797261
"""The advisory lock that a server holds while it brings a PostgreSQL database up to date."""
# A connection that has silently died is given up after about this time, and nothing waits for ever.
POSTGRESQL: dict[str, Any] = {
    "application_name": "pyramidion",
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "options": "-c synchronous_commit=on -c statement_timeout=30s -c lock_timeout=10s",
}


_SAME_SEAT = sa.and_(SEATS.c.match == SEAT_DEVICES.c.match, SEATS.c.seat == SEAT_DEVICES.c.seat)


class StoreError(Exception):
    """The database cannot be used; the sentence says why and what to do. Nothing in it was changed."""


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match as it is stored: all that its state follows from, but for the plies."""

    id: str
    game: str
    rules_version: str
    seat_count: int
    options: dict[str, Any]
    seed: int | str
    seed_chosen: bool
    title: str
    created: int
    finished: int | None = None
    cards: str | None = None
    clock: int | None = None
    close_early: bool = True
    deadline: int | None = None
    held: str | None = None
    hints: bool = False
    host: str | None = None
    host_token: bytes | None = None
    paused: int | None = None
    time_left: int | None = None
    absent: str | None = None
    started: int | None = None

    def values(self) -> dict[str, Any]:
        """Return the row to insert."""
        return {
            "id": self.id,
            "game": self.game,
            "rules_version": self.rules_version,
            "seat_count": self.seat_count,
            "options": json.dumps(self.options),
            "seed": json.dumps(self.seed),
            "seed_chosen": self.seed_chosen,
            "title": self.title,
            "created": self.created,
            "finished": self.finished,
            "cards": self.cards,
            "clock": self.clock,
            "close_early": self.close_early,
            "deadline": self.deadline,
            "held": self.held,
            "hints": self.hints,
            "host": self.host,
            "host_token": self.host_token,
            "paused": self.paused,
            "time_left": self.time_left,
            "absent": self.absent,
            "started": self.started,
        }


class StoredPly(NamedTuple):
    """An action as it is stored, see `Ply`; or, with the seat `NOBODY`, the act that has its number."""

    ply: int
    seat: int
    action: str
    by_clock: bool = False
    seal: str | None = None
    nonce: str | None = None
    act: Act | None = None


@dataclass(slots=True)
class SeatRow:
    """A place at a table: `kind` is `open`, `person` or `bot`.

    A person's seat is held by a visitor (the id in a signed cookie) or by whoever has the token with this hash;
    `also` are other browsers of the same person. While the person is away `stand_in` may play, a bot.
    """

    seat: int
    kind: str
    name: str | None = None
    bot: str | None = None
    holder: str | None = None
    token_hash: bytes | None = None
    stand_in: str | None = None
    also: tuple[str, ...] = ()

    def values(self, match: str) -> dict[str, Any]:
        """Return the row to insert."""
        return {
            "match": match,
            "seat": self.seat,
            "kind": self.kind,
            "name": self.name,
            "bot": self.bot,
            "holder": self.holder,
            "token_hash": self.token_hash,
            "stand_in": self.stand_in,
        }


@dataclass(frozen=True, slots=True)
class Listed:
    """One of a visitor's own tables, for a list."""

    id: str
    game: str
    title: str
    created: int
    finished: int | None
    seat: int


def now() -> int:
    """Return the time in whole milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def new_id() -> str:
    """Return an id nobody can guess (109 bits), without letters that look alike."""
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(ID_LENGTH))


def hash_token(token: str) -> bytes:
    """Return what is stored of a seat's token. A token is 192 random bits, so one fast round is enough."""
    return hashlib.sha256(token.encode()).digest()


class Store:
    """The database behind a URL, SQLite or PostgreSQL. All methods block; the server calls them from threads.

    Attributes:
        shared: whether servers on other machines may use the same database at the same time.
        to_write, one_statement: execution options of a connection that will write, and of one that will send a single
            statement, which is a transaction of its own.
    """

    def __init__(self, url: str) -> None:
        try:
            self.url = sa.make_url(url)
            backend = self.url.get_backend_name()
            if backend not in ("sqlite", "postgresql"):
                raise StoreError(f"The database URL cannot be used: it is for {backend}, not SQLite or PostgreSQL.")
            self.sqlite, self.shared = backend == "sqlite", backend == "postgresql"
            # A connection that was idle while PostgreSQL was started anew is found out before it is used.
            # Whoever reads a match reads all of it as it was at one moment.
            in_postgresql = {"pool_pre_ping": True, "isolation_level": "REPEATABLE READ", "connect_args": POSTGRESQL}
            more: dict[str, Any] = in_postgresql if self.shared else {}
            # An error's text is for the log, and what was to be stored is not.
            self.engine = sa.create_engine(self.url, hide_parameters=True, **more)
        except (SQLAlchemyError, ImportError) as error:
            hint = " (pip install 'pyramidion[postgres]')" if "psycopg" in str(error) else ""
            raise StoreError(f"The database URL cannot be used: {error}{hint}") from error
        if self.sqlite:
            event.listen(self.engine, "connect", _prepare_sqlite)
            event.listen(self.engine, "begin", _begin_sqlite)
            # The write lock is taken at once: a transaction that asks for it later can be refused for having looked.
            self.to_write = {BEGIN: "BEGIN IMMEDIATE"}
            self.one_statement = {BEGIN: ""}
        else:
            self.to_write = {"isolation_level": "READ COMMITTED"}
            self.one_statement = {"isolation_level": "AUTOCOMMIT"}

    def layout(self) -> str | None:
        """Return the version of the database's layout, None for a new one. Raises StoreError; nothing is changed."""
        if self.sqlite and self.url.database and not Path(self.url.database).exists():
            return None
        try:
            return self._version()
        except SQLAlchemyError as error:
            cause = getattr(error, "orig", None) or error
            raise StoreError(f"The database {self._where()} cannot be used: {cause}") from error

    def ids(self) -> list[str]:
        """Return the ids of all matches that have begun, the oldest first."""
        m = MATCHES.c
        query = sa.select(m.id).where(m.started.is_not(None)).order_by(m.created, m.id)
        return self.read(lambda connection: list(connection.execute(query).scalars()))

    def open(self) -> tuple[str | None, str | None]:
        """Bring the database to the newest version; return the version it had and the one it has.

        Raises StoreError with a sentence where that cannot be.
        """
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
        script = ScriptDirectory.from_config(config)
        try:
            found = self._version()
            known = {revision.revision for revision in script.walk_revisions()}
            if found is not None and found not in known:
                raise StoreError(
                    f"The database {self._where()} was written by a newer version of Pyramidion (its layout is "
                    f"{found!r}; this version knows up to {script.get_current_head()!r}). It was left as it is. "
                    f"Update Pyramidion, or choose another database with PYRAMIDION_DATABASE_URL."
                )
            newest = script.get_current_head()
            self._prepare(config, up_to_date=found == newest)
        except SQLAlchemyError as error:
            cause = getattr(error, "orig", None) or error
            raise StoreError(f"The database {self._where()} cannot be used: {cause}") from error
        return found, newest

    def read(self, query: Callable[[sa.Connection], T]) -> T:
        """Return what a query finds, all of it as it was at one moment. Raises Unreadable with a sentence."""
        with self._reading() as connection:
            return query(connection)

    def ping(self) -> None:
        """Ask the database for a sign of life. Raises Unreadable."""
        with self._reading() as connection:
            connection.execute(sa.select(sa.func.count()).select_from(sa.select(KEYS.c.name).limit(1).subquery()))

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    def match(self, match_id: str) -> tuple[MatchRow, list[SeatRow]] | None:
        """Return a match and its seats, or None where there is none."""
        with self._reading() as connection:
            return _match(connection, match_id)

    def plies(self, match_id: str, since: int = 0) -> Sequence[StoredPly]:
        """Return the actions of a match from ply `since` on, in order."""
        with self._reading() as connection:
            return _plies(connection, match_id, since)

    def whole(self, match_id: str, since: int = 0) -> tuple[MatchRow, list[SeatRow], Sequence[StoredPly]] | None:
        """Return a match, its seats and its actions from ply `since` on, as they were at one moment."""
        with self._reading() as connection:
            found = _match(connection, match_id)
            return (*found, _plies(connection, match_id, since)) if found is not None else None

    def analysis(self, match_id: str) -> dict[str, Any] | None:
        """Return the analysis of a match, or None where none is stored."""
        query = sa.select(ANALYSES.c.result).where(ANALYSES.c.match == match_id)
        with self._reading() as connection:
            found = connection.execute(query).scalar_one_or_none()
        return None if found is None else json.loads(found)

    def deadlines(self, before: int | None = None) -> list[tuple[str, int]]:
        """Return (match, deadline) of every match that has one, or one before a moment, the earliest first."""
        m = MATCHES.c
        which = m.deadline.is_not(None) if before is None else m.deadline < before
        query = sa.select(m.id, m.deadline).where(which).order_by(m.deadline)
        with self._reading() as connection:
            return [(row.id, row.deadline) for row in connection.execute(query)]

    def key(self, made: str) -> str:
        """Return the secret key that all servers of this database share: `made`, unless there is one already."""
        with self.engine.connect().execution_options(**self.to_write) as connection, connection.begin():
            if not self.sqlite:
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATING)))
            query = sa.select(KEYS.c.value).where(KEYS.c.name == "cookies")
            found = connection.execute(query).scalar_one_or_none()
            if found is None:
                connection.execute(sa.insert(KEYS).values(name="cookies", value=made))
        return found or made

    def held_by(self, holder: str, limit: int = 50) -> list[Listed]:
        """Return the newest tables at which a visitor sits, newest first, each with the first of their seats."""
        m, d = MATCHES.c, SEAT_DEVICES.c
        own = sa.select(SEATS.c.match, SEATS.c.seat).where(SEATS.c.holder == holder)
        also = sa.select(d.match, d.seat).where(d.holder == holder, SEATS.c.holder == d.owner).join(SEATS, _SAME_SEAT)
        seats = own.union(also).subquery()
        query = (
            sa.select(m.id, m.game, m.title, m.created, m.finished, sa.func.min(seats.c.seat))
            .join(seats, seats.c.match == m.id)
            .group_by(m.id, m.game, m.title, m.created, m.finished)
            .order_by(m.created.desc(), m.id)
            .limit(limit)
        )
        return [Listed(*row) for row in self.query(query)]

    def query(self, query: sa.Executable) -> Sequence[sa.Row[Any]]:
        """Return the rows that a query finds. Raises Unreadable."""
        with self._reading() as connection:
            return connection.execute(query).all()

    @contextmanager
    def _reading(self) -> Generator[sa.Connection]:
        """A connection to read with. Raises Unreadable with a sentence."""
        try:
            with self.engine.connect() as connection:
                yield connection
        except SQLAlchemyError as error:
            log.error("The database cannot be read: %s", getattr(error, "orig", None) or error)
            said = _("The database cannot be read just now, so nothing was done: {cause}.")
            raise Unreadable(said.format(cause=self.cause(error))) from error

    reading = _reading

    def cause(self, error: Exception) -> str:
        """Return what is wrong, for whoever asked: of a database elsewhere nothing that tells where it is."""
        if self.sqlite:
            return str(getattr(error, "orig", None) or error)
        gone = isinstance(error, (OperationalError, InterfaceError))
        return "it does not answer" if gone else "it has refused"

    def _where(self) -> str:
        return self.url.database or "in memory" if self.sqlite else self.url.render_as_string(hide_password=True)

    def _version(self) -> str | None:
        """Return the layout's version, or None for a new database, without writing anything."""
        if self.sqlite and self.url.database and not Path(self.url.database).exists():
            Path(self.url.database).parent.mkdir(parents=True, exist_ok=True)
            return None
        with self.engine.connect() as connection:
            if not sa.inspect(connection).has_table("alembic_version"):
                return None
            return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar_one_or_none()

    def _prepare(self, config: Config, *, up_to_date: bool) -> None:
        if self.sqlite:
            # Readers and the writer do not wait for each other. The mode stays in the file; it cannot be set inside a
            # transaction, hence the bare connection.
            raw = self.engine.raw_connection()
            try:
                raw.cursor().execute("PRAGMA journal_mode=WAL")
            finally:
                raw.close()
        if not up_to_date:
            # Two servers started at once: the second one waits for the write lock, then finds the work done.
            with self.engine.connect().execution_options(**self.to_write) as connection, connection.begin():
                if not self.sqlite:
                    connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATING)))
                config.attributes["connection"] = connection
                command.upgrade(config, "head")


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # Transactions are begun by `_begin_sqlite`; the driver's own rules for that would begin them too late.
    connection.isolation_level = None
    cursor: sqlite3.Cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
    # An action is acknowledged after it is on the disk, and stays there when the power fails.
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.close()


def _begin_sqlite(connection: sa.Connection) -> None:
    begin = connection.get_execution_options().get(BEGIN, "BEGIN")
    if begin:
        connection.exec_driver_sql(begin)


def _match(connection: sa.Connection, match_id: str) -> tuple[MatchRow, list[SeatRow]] | None:
    row = connection.execute(sa.select(MATCHES).where(MATCHES.c.id == match_id)).one_or_none()
    if row is None:
        return None
    also = sa.and_(_SAME_SEAT, SEAT_DEVICES.c.owner == SEATS.c.holder)
    query = sa.select(*SEATS.c, SEAT_DEVICES.c.holder.label("also")).outerjoin_from(SEATS, SEAT_DEVICES, also)
    order = SEATS.c.seat, SEAT_DEVICES.c.holder
    seats: list[SeatRow] = []
    for s in connection.execute(query.where(SEATS.c.match == match_id).order_by(*order)):
        if not seats or seats[-1].seat != s.seat:
            seats.append(SeatRow(s.seat, s.kind, s.name, s.bot, s.holder, s.token_hash, s.stand_in))
        if s.also is not None:
            seats[-1].also += (s.also,)
    values: dict[str, Any] = dict(zip(MATCHES.columns.keys(), row, strict=True))
    values["options"] = json.loads(values["options"])
    values["seed"] = json.loads(values["seed"])
    return MatchRow(**values), seats


def _plies(connection: sa.Connection, match_id: str, since: int) -> Sequence[StoredPly]:
    p = PLIES.c
    query = (
        sa.select(p.ply, p.seat, p.action, p.by_clock, p.seal, p.nonce)
        .where(p.match == match_id, p.ply >= since)
        .order_by(p.ply)
    )
    plies = [StoredPly(*row) for row in connection.execute(query)]
    if not any(ply.seat == NOBODY for ply in plies):
        return plies
    a = ACTS.c
    made = sa.select(a.number, a.at, a.kind, a.who, a.data).where(a.match == match_id, a.number >= since)
    acts = {row.number: Act.stored(*row) for row in connection.execute(made)}
    return [ply._replace(act=acts.get(ply.ply)) if ply.seat == NOBODY else ply for ply in plies]
