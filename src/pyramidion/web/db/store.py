"""The database: opens and migrates it, and reads from it. `writer` writes."""

from __future__ import annotations

import json
import logging
import os
import secrets
import sqlite3
import time
from collections.abc import Callable, Generator, Mapping, Sequence
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

from pyramidion.web.db.journal import NOBODY, HostCommand
from pyramidion.web.db.schema import ANALYSES, HOST_COMMANDS, KEYS, MATCHES, PLIES, SEAT_DEVICES, SEATS
from pyramidion.web.errors import Unreadable
from pyramidion.words import _

T = TypeVar("T")
log = logging.getLogger(__name__)
MIGRATIONS = Path(__file__).parent / "migrations"
BUSY_SECONDS = 10
BEGIN = "pyramidion_begin"
"""Execution option: the statement that begins a transaction in SQLite."""
MIGRATING = 0x70797261
"""The advisory lock that a server holds while it migrates a PostgreSQL database."""
# Detect dead connections, and let nothing wait forever.
POSTGRESQL: dict[str, Any] = {
    "application_name": "pyramidion",
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    # A server that freezes within a transaction must not block the others forever.
    "options": "-c synchronous_commit=on -c statement_timeout=30s -c lock_timeout=10s"
    " -c idle_in_transaction_session_timeout=10s",
}


_SAME_SEAT = sa.and_(SEATS.c.match == SEAT_DEVICES.c.match, SEATS.c.seat == SEAT_DEVICES.c.seat)


class StoreError(Exception):
    """The database cannot be used and has not been changed; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match as stored: everything that determines its state except the plies; `settings` is JSON-ready."""

    id: str
    game: str
    rules_version: str
    seat_count: int
    options: dict[str, Any]
    seed: int | str
    seed_chosen: bool
    title: str
    created: int
    settings: Mapping[str, Any]
    finished: int | None = None
    cards: str | None = None
    deadline: int | None = None
    held: str | None = None
    host: str | None = None
    host_token: bytes | None = None
    paused: int | None = None
    time_left: int | None = None
    started: int | None = None
    host_name: str | None = None

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
            "settings": self.settings,
            "finished": self.finished,
            "cards": self.cards,
            "deadline": self.deadline,
            "held": self.held,
            "host": self.host,
            "host_token": self.host_token,
            "paused": self.paused,
            "time_left": self.time_left,
            "started": self.started,
            "host_name": self.host_name,
        }


class StoredPly(NamedTuple):
    """A stored action (see `Ply`) or, with the seat `NOBODY`, the host command that has its number."""

    ply: int
    seat: int
    action: str
    by_clock: bool = False
    seal: str | None = None
    nonce: str | None = None
    command: HostCommand | None = None


@dataclass(slots=True)
class SeatRow:
    """A seat at a table: `kind` is `open`, `person` or `bot`.

    An open seat with a `holder` or a `token_hash` is reserved for that visitor, or for anyone with the code of this
    hash.

    A person's seat is held by a visitor (the id in a signed cookie) or by a token with this hash; `also` are the
    person's other browsers. `stand_in` is a bot that plays while the person is away. `colour` is the index of a chosen
    colour of the game; None for the seat's default. `face` is the face that the player chose (`web/table/faces.py`).
    """

    seat: int
    kind: str
    name: str | None = None
    bot: str | None = None
    holder: str | None = None
    token_hash: bytes | None = None
    stand_in: str | None = None
    also: tuple[str, ...] = ()
    colour: int | None = None
    face: str | None = None

    @property
    def reserved(self) -> bool:
        """Whether only an invited player can take this open seat."""
        return self.kind == "open" and (self.holder is not None or self.token_hash is not None)

    @property
    def shown(self) -> tuple[Any, ...]:
        """The public fields."""
        return self.seat, self.kind, self.name, self.bot, self.stand_in, self.reserved, self.colour, self.face

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
            "colour": self.colour,
            "face": self.face,
        }


def now() -> int:
    """Return the time in whole milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def put_once(draft: Path, path: Path) -> None:
    """Rename a finished file to `path` unless another process has created it first; delete the draft."""
    try:
        draft.rename(path) if os.name == "nt" else os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink(missing_ok=True)


class Store:
    """An SQLite or PostgreSQL database. All methods block; the server calls them from threads.

    Attributes:
        shared: whether servers on other machines may use the same database at the same time.
        to_write, one_statement: execution options for a connection that will write, and for one that will send a single
            statement in autocommit mode.
    """

    def __init__(self, url: str) -> None:
        try:
            self.url = sa.make_url(url)
            backend = self.url.get_backend_name()
            if backend not in ("sqlite", "postgresql"):
                raise StoreError(f"The database URL cannot be used: it is for {backend}, not SQLite or PostgreSQL.")
            self.sqlite, self.shared = backend == "sqlite", backend == "postgresql"
            # Ping before use: PostgreSQL may have restarted while the connection was idle. Repeatable read: a match is
            # read as of one moment, although that takes several queries.
            in_postgresql = {"pool_pre_ping": True, "isolation_level": "REPEATABLE READ", "connect_args": POSTGRESQL}
            more: dict[str, Any] = in_postgresql if self.shared else {}
            # Error messages go to the log, so they must not contain the values to be stored.
            self.engine = sa.create_engine(self.url, hide_parameters=True, **more)
        except (SQLAlchemyError, ImportError) as error:
            hint = " (pip install 'pyramidion[postgres]')" if "psycopg" in str(error) else ""
            raise StoreError(f"The database URL cannot be used: {error}{hint}") from error
        self._closed = False
        event.listen(self.engine, "checkin", self._returned)
        if self.sqlite:
            event.listen(self.engine, "connect", _prepare_sqlite)
            event.listen(self.engine, "begin", _begin_sqlite)
            # Take the write lock at once: SQLite can refuse to upgrade a transaction that has already read.
            self.to_write = {BEGIN: "BEGIN IMMEDIATE"}
            self.one_statement = {BEGIN: ""}
        else:
            self.to_write = {"isolation_level": "READ COMMITTED"}
            self.one_statement = {"isolation_level": "AUTOCOMMIT"}

    def layout(self) -> str | None:
        """Return the schema version, None for a new database, without changing it. Raises StoreError."""
        if self._is_new():
            return None
        try:
            return self._version()
        except SQLAlchemyError as error:
            cause = getattr(error, "orig", None) or error
            raise StoreError(f"The database {self._where()} cannot be used: {cause}") from error

    def ids(self) -> list[str]:
        """Return the ids of all matches that have started, oldest first."""
        m = MATCHES.c
        query = sa.select(m.id).where(m.started.is_not(None)).order_by(m.created, m.id)
        return self.read(lambda connection: list(connection.execute(query).scalars()))

    def open(self) -> tuple[str | None, str | None]:
        """Create or migrate the database; return the previous and the current schema version.

        Raises StoreError if that is not possible.
        """
        self._closed = False
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
            if self._is_new():
                self._make(config)
            self._prepare(config, up_to_date=found == newest)
        except SQLAlchemyError as error:
            self.close()
            cause = getattr(error, "orig", None) or error
            raise StoreError(f"The database {self._where()} cannot be used: {cause}") from error
        except BaseException:
            self.close()
            raise
        return found, newest

    def read(self, query: Callable[[sa.Connection], T]) -> T:
        """Run a query function on one consistent snapshot of the database and return its result. Raises Unreadable."""
        with self._reading() as connection:
            return query(connection)

    def ping(self) -> None:
        """Check that the database answers. Raises Unreadable."""
        with self._reading() as connection:
            connection.execute(sa.select(sa.func.count()).select_from(sa.select(KEYS.c.name).limit(1).subquery()))

    def close(self) -> None:
        """Close all connections; those that threads are still reading from, as soon as they have read."""
        self._closed = True
        self.engine.dispose()

    def _returned(self, _connection: Any, record: Any) -> None:
        """Close a connection that is returned after the store was closed; no pool would do so."""
        if self._closed:
            record.invalidate()

    def match(self, match_id: str) -> tuple[MatchRow, list[SeatRow]] | None:
        """Return a match and its seats, or None if it does not exist."""
        with self._reading() as connection:
            return _match(connection, match_id)

    def plies(self, match_id: str, since: int = 0) -> Sequence[StoredPly]:
        """Return the actions of a match from ply `since` on, in order."""
        with self._reading() as connection:
            return _plies(connection, match_id, since)

    def whole(self, match_id: str, since: int = 0) -> tuple[MatchRow, list[SeatRow], Sequence[StoredPly]] | None:
        """Return a match, its seats and its actions from ply `since` on, as of one moment, or None."""
        with self._reading() as connection:
            found = _match(connection, match_id)
            return (*found, _plies(connection, match_id, since)) if found is not None else None

    def analysis(self, match_id: str) -> dict[str, Any] | None:
        """Return the analysis of a match, or None if none is stored."""
        query = sa.select(ANALYSES.c.result).where(ANALYSES.c.match == match_id)
        with self._reading() as connection:
            found = connection.execute(query).scalar_one_or_none()
        return None if found is None else json.loads(found)

    def deadlines(self, before: int | None = None) -> list[tuple[str, int]]:
        """Return (match, deadline) pairs, earliest first: all of them, or those before a time."""
        m = MATCHES.c
        which = m.deadline.is_not(None) if before is None else m.deadline < before
        query = sa.select(m.id, m.deadline).where(which).order_by(m.deadline)
        with self._reading() as connection:
            return [(row.id, row.deadline) for row in connection.execute(query)]

    def key(self, made: str, name: str = "cookies") -> str:
        """Return a secret shared by all servers of this database, storing `made` if there is none yet."""
        with self.engine.connect().execution_options(**self.to_write) as connection, connection.begin():
            if not self.sqlite:
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATING)))
            query = sa.select(KEYS.c.value).where(KEYS.c.name == name)
            found = connection.execute(query).scalar_one_or_none()
            if found is None:
                connection.execute(sa.insert(KEYS).values(name=name, value=made))
        return found or made

    def query(self, query: sa.Executable) -> Sequence[sa.Row[Any]]:
        """Return the rows of a query. Raises Unreadable."""
        with self._reading() as connection:
            return connection.execute(query).all()

    @contextmanager
    def _reading(self) -> Generator[sa.Connection]:
        """Open a connection for reading. Raises Unreadable."""
        try:
            with self.engine.connect() as connection:
                yield connection
        except SQLAlchemyError as error:
            log.error("The database cannot be read: %s", getattr(error, "orig", None) or error)
            said = _("The database is unavailable: {cause}.")
            raise Unreadable(said.format(cause=self.cause(error))) from error

    reading = _reading

    def cause(self, error: Exception) -> str:
        """Return a short cause for an error message; it does not reveal the location of a remote database."""
        if self.sqlite:
            return str(getattr(error, "orig", None) or error)
        gone = isinstance(error, (OperationalError, InterfaceError))
        return "it does not answer" if gone else "it has refused"

    def _where(self) -> str:
        return self.url.database or "in memory" if self.sqlite else self.url.render_as_string(hide_password=True)

    def _version(self) -> str | None:
        """Return the schema version, or None for a new database, without writing anything."""
        if self._is_new():
            return None
        with self.engine.connect() as connection:
            if not sa.inspect(connection).has_table("alembic_version"):
                return None
            return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar_one_or_none()

    def _is_new(self) -> bool:
        """Return whether the database is a file that does not exist yet. Raises StoreError for an empty file."""
        if not self.sqlite or not self.url.database or self.url.database.startswith((":memory:", "file:")):
            return False
        path = Path(self.url.database)
        if path.exists() and path.stat().st_size == 0:
            raise StoreError(
                f"The database {self._where()} is an empty file, so what was in it is lost. It was left as it is. "
                f"Put a backup in its place, or remove it to begin with a new one."
            )
        return not path.exists()

    def _make(self, config: Config) -> None:
        """Create a database file atomically: a server that is killed, or is too late, leaves nothing behind."""
        path = Path(str(self.url.database))
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
        store = Store(self.url.set(database=str(draft)).render_as_string(hide_password=False))
        try:
            store._prepare(config, up_to_date=False)
        except BaseException:
            store.close()
            draft.unlink(missing_ok=True)
            raise
        store.close()
        put_once(draft, path)

    def _prepare(self, config: Config, *, up_to_date: bool) -> None:
        if self.sqlite:
            # In WAL mode readers and the writer do not wait for each other. The file remembers the mode. It cannot be
            # set inside a transaction, hence the raw connection.
            raw = self.engine.raw_connection()
            try:
                raw.cursor().execute("PRAGMA journal_mode=WAL")
            finally:
                raw.close()
        if not up_to_date:
            # If two servers start at once, the second waits for the write lock and then finds the migration done.
            with self.engine.connect().execution_options(**self.to_write) as connection, connection.begin():
                if not self.sqlite:
                    connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATING)))
                config.attributes["connection"] = connection
                command.upgrade(config, "head")


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # `_begin_sqlite` begins transactions; the driver itself would begin them too late.
    connection.isolation_level = None
    try:
        cursor: sqlite3.Cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
        # An acknowledged action must be on disk and survive a power failure.
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.close()
    except sqlite3.Error:
        # The pool discards a connection that could not be prepared.
        connection.close()
        raise


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
            known = s.kind, s.name, s.bot, s.holder, s.token_hash, s.stand_in
            seats.append(SeatRow(s.seat, *known, colour=s.colour, face=s.face))
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
    a = HOST_COMMANDS.c
    made = sa.select(a.number, a.at, a.kind, a.who, a.data).where(a.match == match_id, a.number >= since)
    commands = {row.number: HostCommand.stored(*row) for row in connection.execute(made)}
    return [ply._replace(command=commands.get(ply.ply)) if ply.seat == NOBODY else ply for ply in plies]
